#include "collector/inject/launch_detour.h"

#include <utility>

#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

std::vector<WordChange> words(const std::vector<LaunchDetour::Function>& functions, bool there) {
  std::vector<WordChange> changes;
  for (const LaunchDetour::Function& function : functions) {
    WordChange change{reinterpret_cast<std::uintptr_t>(function.real),
                      reinterpret_cast<std::uintptr_t>(function.ours)};
    if (!there) {
      std::swap(change.from, change.to);
    }
    changes.push_back(change);
  }
  return changes;
}

std::vector<Import> imports(const std::vector<LaunchDetour::Function>& functions, bool there) {
  std::vector<Import> changes;
  for (const LaunchDetour::Function& function : functions) {
    changes.push_back({function.name, const_cast<void*>(there ? function.ours : function.real)});
  }
  return changes;
}

}  // namespace

LaunchDetour::LaunchDetour(Hooks hooks, const std::vector<Function>& functions,
                           std::vector<std::uintptr_t> but_not, Stretch& stretch)
    : hooks_(std::move(hooks)),
      there_(words(functions, true)),
      back_(words(functions, false)),
      imports_there_(imports(functions, true)),
      imports_back_(imports(functions, false)),
      but_not_(std::move(but_not)),
      stretch_(stretch) {}

LaunchDetour::Way LaunchDetour::begin(const DetouredCall& call) {
  if (call_depth > 0 || is_listed_here()) {
    return Way::direct;
  }
  if (may_go_alone_.load(std::memory_order_relaxed)) {
    go_alone();
  }
  // Whoever is about to rely on callbacks says so first and looks then; go_alone() does the
  // opposite.
  while (true) {
    if (state_ == State::alone) {
      if (list(call)) {
        return Way::listed;
      }
      hear_again();
    }
    ++calls_heard_;
    if (state_ != State::alone) {
      here.through_ours = true;
      return Way::heard;
    }
    --calls_heard_;
  }
}

void LaunchDetour::end(Way way, bool launched) {
  if (way == Way::listed) {
    hooks_.listed(*std::exchange(here.listing, nullptr), launched);
  } else if (way == Way::heard) {
    here.through_ours = false;
    --calls_heard_;
  }
}

bool LaunchDetour::list(const DetouredCall& call) {
  const Stretch::Word stretch = stretch_.now();  // first: what is looked up may end with it
  const KnownLaunches::Known* known = known_.find(call.function, call.stream);
  if (known == nullptr || (contexts_ > 1 && hooks_.current_context() != known->context)) {
    return false;
  }
  const HeardLaunch launch{0,    known->context, call.id, call.parameters, known->mangled.c_str(),
                           false};
  here.listing = hooks_.list(launch, stretch);
  return here.listing != nullptr;
}

void LaunchDetour::go_alone() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!may_go_alone_ || state_ != State::watched) {
    return;
  }
  // From here on launches are listed by ours, whether or not callbacks come beside.
  state_ = State::alone;
  if (calls_heard_ != 0) {
    state_ = State::watched;
    return;  // the next one tries again
  }
  may_go_alone_ = false;
  to_prove_ = proof;
  if (!hooks_.hear(false)) {
    hear_again_locked();
  } else if (contexts_ <= 1) {
    stretch_.set(++last_stretch_);
  }
}

void LaunchDetour::hear_again() {
  const std::lock_guard<std::mutex> lock(mutex_);
  hear_again_locked();
}

void LaunchDetour::hear_again_locked() {
  may_go_alone_ = false;
  proven_ = 0;
  stretch_.set(0);
  if (state_ == State::alone) {
    hooks_.hear(true);
    state_ = State::watched;
  }
}

void LaunchDetour::code_changes(bool handles_end) {
  if (!watches_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  hear_again_locked();
  if (handles_end) {
    known_.clear();
  }
}

void LaunchDetour::context_made() {
  ++contexts_;
  code_changes(false);
}

void LaunchDetour::compare(const HeardLaunch& launch) {
  if (!is_plain_launch(launch.id)) {
    return;
  }
  compared_.fetch_add(1, std::memory_order_relaxed);
  if (!std::exchange(here.through_ours, false)) {
    came_otherwise();
    return;
  }
  proven_.fetch_add(1, std::memory_order_relaxed);
  const PlainLaunch call = plain_launch(launch.id, launch.parameters);
  if (launch.symbol != nullptr && known_.find(call.function, call.stream) == nullptr) {
    known_.add({call.function, call.stream, launch.context, launch.symbol});
  }
}

void LaunchDetour::came_otherwise() {
  const std::lock_guard<std::mutex> lock(mutex_);
  hear_again_locked();
  if (compared_ <= grace || search_waits_ || way_back_waits_) {
    return;
  }
  if (!is_still_loaded(searched_)) {
    return;  // from a library that came since
  }
  way_back_waits_ = work_waits_ = true;
  hooks_.work_waits();
}

void LaunchDetour::look_ahead() {
  const std::lock_guard<std::mutex> lock(mutex_);
  look_for_new_code_locked();
}

void LaunchDetour::block_ended(bool settled) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool libraries_changed = look_for_new_code_locked();
  may_go_alone_ = settled && state_ == State::watched && !libraries_changed && !search_waits_ &&
                  !way_back_waits_ && proven_ >= to_prove_;
}

// Whether there is other code than when pointers were changed.
bool LaunchDetour::look_for_new_code_locked() {
  const bool libraries_changed = !is_still_loaded(searched_);
  if (libraries_changed && !search_waits_ && searches_ < most_searches) {
    hear_again_locked();
    search_waits_ = work_waits_ = true;
    hooks_.work_waits();
  }
  return libraries_changed;
}

void LaunchDetour::give_up() {
  const std::lock_guard<std::mutex> lock(mutex_);
  searches_ = most_searches;
  way_back_waits_ = work_waits_ = true;
}

void LaunchDetour::work() {
  if (state_ == State::alone) {
    // A new library may be the only one that launches: then no block ends.
    const std::lock_guard<std::mutex> lock(mutex_);
    look_for_new_code_locked();
  }
  if (!work_waits_.exchange(false)) {
    return;
  }
  bool back = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    back = std::exchange(way_back_waits_, false);
    ++searches_;
    if (back) {
      hear_again_locked();
      state_ = State::idle;
      watches_ = false;
    }
  }
  if (back) {
    imports_back_.replace();
    change_object_words(back_, but_not_);
    return;
  }
  const LoadedCode loaded = loaded_code();  // those that come meanwhile, next time
  imports_there_.replace();
  const bool done = change_object_words(there_, but_not_).has_value();
  const std::lock_guard<std::mutex> lock(mutex_);
  search_waits_ = false;
  searched_ = loaded;
  if (!done) {
    searches_ = most_searches;
    return;
  }
  compared_ = proven_ = 0;
  to_prove_ = first_proof;
  watches_ = true;
  state_ = state_ == State::idle ? State::watched : state_.load();
}

}  // namespace ridgepoint::collector
