#include "collector/inject/nvtx_ranges.h"

#include <algorithm>
#include <utility>

#include "analyzer/core/text.h"

namespace ridgepoint::collector {
namespace {

constexpr std::int64_t range_limit = std::int64_t{1} << 20U;
// Of ranges nobody has taken yet: a process that never uses the GPU must not gather them for ever.
constexpr std::size_t news_limit = std::size_t{1} << 16U;
constexpr std::size_t name_limit = 1024;  // bytes

}  // namespace

void NvtxRanges::set_filter(const NvtxPattern* pattern, NvtxScope scope) {
  const std::lock_guard<std::mutex> lock(mutex_);
  pattern_ = pattern;
  scope_ = scope;
}

bool NvtxRanges::set_listener(RangeListener* listener) {
  const std::lock_guard<std::mutex> lock(mutex_);
  listener_ = listener;
  const auto completes = [](const Open& range) { return range.completes; };
  return std::any_of(started_.begin(), started_.end(), completes) ||
         std::any_of(stacks_.begin(), stacks_.end(), [&](const auto& stack) {
           return std::any_of(stack.second.begin(), stack.second.end(), completes);
         });
}

NvtxRanges::Open NvtxRanges::open(std::uint64_t thread, const std::string& domain,
                                  const std::string& name, std::int64_t time_ns,
                                  std::int64_t parent) {
  Open range;
  range.domain = domain;
  range.parts = pattern_ == nullptr ? 0 : pattern_->parts_of(domain, name);
  range.opened = ++last_opened_;
  if (opened_ >= range_limit || news_.opened.size() >= news_limit) {
    ++left_out_;
    return range;
  }
  range.index = opened_++;
  NvtxRange row;
  row.name = printable(name.substr(0, name_limit));
  row.domain = printable(domain.substr(0, name_limit));
  row.thread = thread;
  row.start_ns = time_ns;
  row.parent = parent;
  news_.opened.push_back(std::move(row));
  return range;
}

void NvtxRanges::close(const Open& range, std::int64_t time_ns) {
  if (range.index != no_index) {
    news_.ended.push_back({static_cast<std::uint64_t>(range.index), time_ns});
  }
}

void NvtxRanges::count_open() {
  ++open_now_;
  if (stretch_ != nullptr) {
    stretch_->hold();
  }
}

void NvtxRanges::count_closed() {
  --open_now_;
  if (stretch_ != nullptr) {
    stretch_->let_go();
  }
}

void NvtxRanges::push(std::uint64_t thread, const std::string& domain, const std::string& name,
                      std::int64_t time_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::vector<Open>& stack = stacks_[thread];
  const bool matched = matches(stack);
  const std::int64_t parent = stack.empty() ? no_index : stack.back().index;
  stack.push_back(open(thread, domain, name, time_ns, parent));
  count_open();
  Open& range = stack.back();
  range.completes = !matched && range.index != no_index && matches(stack);
  const std::int64_t index = range.completes ? range.index : no_index;
  lock.unlock();
  tell_opened(index, domain, name);
}

void NvtxRanges::pop(std::uint64_t thread, const std::string& domain, std::int64_t time_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto find = [&](std::vector<Open>& stack) {
    // Every domain has a stack of its own: what lies above belongs to others.
    return std::find_if(stack.rbegin(), stack.rend(),
                        [&](const Open& range) { return range.domain == domain; });
  };
  auto found = stacks_.find(thread);
  if (found == stacks_.end()) {
    return;  // pushed before this library was there
  }
  auto top = find(found->second);
  if (top == found->second.rend()) {
    return;
  }
  if (top->completes && listener_ != nullptr) {
    const std::int64_t index = top->index;
    lock.unlock();
    listener_.load()->range_closes(index);
    lock.lock();
    // Other threads have stacks of their own, but the map may have moved.
    found = stacks_.find(thread);
    top = find(found->second);
  }
  std::vector<Open>& stack = found->second;
  close(*top, time_ns);
  stack.erase(std::next(top).base());
  count_closed();
  if (stack.empty()) {
    stacks_.erase(found);
  }
}

std::uint64_t NvtxRanges::start(std::uint64_t thread, const std::string& domain,
                                const std::string& name, std::int64_t time_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool matched = matches({});
  Open range = open(thread, domain, name, time_ns, no_index);
  range.id = next_id_++;
  const std::uint64_t id = range.id;
  started_.push_back(std::move(range));
  count_open();
  Open& kept = started_.back();
  kept.completes = !matched && kept.index != no_index && matches({});
  const std::int64_t index = kept.completes ? kept.index : no_index;
  lock.unlock();
  tell_opened(index, domain, name);
  return id;
}

void NvtxRanges::end(std::uint64_t id, std::int64_t time_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto find = [&] {
    return std::find_if(started_.begin(), started_.end(),
                        [&](const Open& range) { return range.id == id; });
  };
  auto found = find();
  if (found != started_.end() && found->completes && listener_ != nullptr) {
    const std::int64_t index = found->index;
    lock.unlock();
    listener_.load()->range_closes(index);
    lock.lock();
    found = find();
  }
  if (found != started_.end()) {
    close(*found, time_ns);
    started_.erase(found);
    count_closed();
  }
}

void NvtxRanges::tell_opened(std::int64_t index, const std::string& domain,
                             const std::string& name) {
  RangeListener* listener = listener_;
  if (index != no_index && listener != nullptr) {
    listener->range_opened(index, domain, name);
  }
}

bool NvtxRanges::matches(const std::vector<Open>& stack) const {
  if (pattern_ == nullptr) {
    return false;
  }
  unsigned found = 0;
  auto started = started_.begin();
  for (const Open& range : stack) {
    for (; started != started_.end() && started->opened < range.opened; ++started) {
      found = next_part(found, started->parts);
    }
    found = next_part(found, range.parts);
  }
  for (; started != started_.end(); ++started) {
    found = next_part(found, started->parts);
  }
  return found == pattern_->parts();
}

NvtxRanges::Place NvtxRanges::place(std::uint64_t thread) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Place place;
  const auto own = stacks_.find(thread);
  const bool has_own = own != stacks_.end();
  const auto enter = [&](const Open& range) {
    place.innermost = std::max(place.innermost, range.index);
  };
  if (has_own) {
    place.innermost = own->second.back().index;
  } else {
    std::for_each(started_.begin(), started_.end(), enter);
    for (const auto& [other, stack] : stacks_) {
      std::for_each(stack.begin(), stack.end(), enter);
    }
  }
  place.matches = matches(has_own ? own->second : std::vector<Open>());
  if (scope_ == NvtxScope::process || (scope_ == NvtxScope::automatic && !has_own)) {
    place.matches = place.matches || std::any_of(stacks_.begin(), stacks_.end(), [&](auto& other) {
                      return matches(other.second);
                    });
  }
  return place;
}

NvtxRanges::News NvtxRanges::take_news() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(news_, {});
}

std::uint64_t NvtxRanges::left_out() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return left_out_;
}

}  // namespace ridgepoint::collector
