#include "collector/inject/untimed_launches.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

std::atomic<std::uint64_t> instances{0};

bool same(const Dim3& a, const Dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Of all that tells one shape from another: a kernel may have as many as it has launches.
std::uint64_t hash_of(const CUctx_st* context, const LaunchStream& stream,
                      const KernelRecord& shape, const char* name) {
  std::uint64_t hash = std::hash<std::string_view>()(name);
  const auto add = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15;  // Fibonacci hashing
    hash ^= hash >> 32U;
  };
  add(reinterpret_cast<std::uintptr_t>(context));
  add(reinterpret_cast<std::uintptr_t>(stream.stream));
  add(stream.thread);
  for (const Dim3* dim : {&shape.grid, &shape.block, &shape.cluster}) {
    add(dim->x);
    add(dim->y);
    add(dim->z);
  }
  add(static_cast<std::uint64_t>(shape.dynamic_smem_bytes));
  return hash;
}

// Which of so many places a launch's shape is looked for in.
std::size_t place_of(const HeardLaunch& call, const LaunchStream& stream, const Dim3& grid,
                     std::size_t places) {
  const auto name = reinterpret_cast<std::uintptr_t>(call.symbol) >> 4U;
  const auto handle = reinterpret_cast<std::uintptr_t>(stream.stream) >> 6U;
  return (name ^ (name >> 8U) ^ handle ^ grid.x) % places;
}

}  // namespace

UntimedLaunches::UntimedLaunches(const CuptiApi& api, std::int64_t (*wall_clock_ns)())
    : id_(++instances), api_(&api), clock_(wall_clock_ns) {}

UntimedLaunches::~UntimedLaunches() {
  if (own.of == id_) {
    set_own({});
  }
  places.give_back_where([this](const Thread* thread) {
    return std::any_of(threads_.begin(), threads_.end(),
                       [&](const auto& mine) { return mine.get() == thread; });
  });
}

void UntimedLaunches::set_own(Own mine) {
  own = mine;
  if (mine.thread == nullptr) {
    places.give_back();
  } else {
    places.set(mine.thread);
  }
}

UntimedLaunches::AtThreadEnd::~AtThreadEnd() {
  if (own.thread != nullptr) {
    own.thread->ended.store(true, std::memory_order_release);  // it may be gone from here on
  }
  set_own({});
}

UntimedLaunches::Thread& UntimedLaunches::add_thread() {
  thread_local const AtThreadEnd at_end;
  static_cast<void>(&at_end);
  auto thread = std::make_unique<Thread>();
  thread->fence_is_one_sided = fence_.is_one_sided();
  set_own({id_, thread.get()});
  const std::lock_guard<std::mutex> lock(mutex_);
  threads_.push_back(std::move(thread));
  return *own.thread;
}

UntimedLaunches::Thread& UntimedLaunches::begin(const HeardLaunch& call, std::int64_t range) {
  const Own mine = own;
  Thread& thread = mine.of == id_ ? *mine.thread : add_thread();
  Row& row = thread.rows.next();
  row.shape = shape_of(thread, call);
  row.range = range <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(range)
                                                                : no_index;
  row.ticks = TickClock::ticks();
  thread.rows.let_in(1 + most_repeats);
  return thread;
}

void UntimedLaunches::made(Thread& thread) {
  thread.rows.push();
  ++thread.not_repeated;
}

std::uint32_t UntimedLaunches::shape_of(Thread& thread, const HeardLaunch& call) {
  KernelRecord& shape = thread.shape;
  shape.grid = shape.block = shape.cluster = {};
  shape.dynamic_smem_bytes = 0;
  read_shape(call.id, call.parameters, shape);
  const LaunchStream handle = stream_of_launch(call.id, call.parameters);
  const char* name = call.symbol == nullptr ? "" : call.symbol;
  const auto matches = [&](const Shape& other) {
    return other.context == call.context && other.handle == handle &&
           same(other.launch.grid, shape.grid) && same(other.launch.block, shape.block) &&
           same(other.launch.cluster, shape.cluster) &&
           other.launch.dynamic_smem_bytes == shape.dynamic_smem_bytes &&
           std::strcmp(other.launch.mangled.c_str(), name) == 0;
  };
  const std::size_t place = place_of(call, handle, shape.grid, thread.seen.size());
  if (thread.seen[place] != nullptr && matches(*thread.seen[place])) {
    return thread.numbers[place];
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint64_t hash = hash_of(call.context, handle, shape, name);
  const auto [first, last] = numbers_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (matches(shapes_[known->second])) {
      thread.seen[place] = &shapes_[known->second];
      return thread.numbers[place] = known->second;
    }
  }
  Shape added{call.context, handle, shape, 0};
  added.launch.mangled = name;
  thread.seen[place] = &add_shape(std::move(added), hash, thread.numbers[place]);
  return thread.numbers[place];
}

// Device and stream by CUPTI's numbers, which its records have as well.
const UntimedLaunches::Shape& UntimedLaunches::add_shape(Shape shape, std::uint64_t hash,
                                                         std::uint32_t& number) {
  auto* context = const_cast<CUctx_st*>(shape.context);
  if (api_->cuptiGetDeviceId(context, &shape.ordinal) != CUPTI_SUCCESS) {
    shape.ordinal = 0;
  }
  if (api_->cuptiGetStreamIdEx(context, shape.handle.stream, shape.handle.per_thread ? 1 : 0,
                               &shape.launch.stream) != CUPTI_SUCCESS) {
    shape.launch.stream = 0;
  }
  number = static_cast<std::uint32_t>(shapes_.size());
  numbers_.emplace(hash, number);
  return shapes_.emplace_back(std::move(shape));
}

void UntimedLaunches::hand_on(Recorder& recorder, bool must) {
  const std::lock_guard<std::mutex> alone(handing_on_);
  std::vector<HeldRow> rows = std::exchange(held_back_, {});
  std::vector<const Shape*> shapes;
  clock_.mark();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto thread = threads_.begin(); thread != threads_.end();) {
      const bool ended = (*thread)->ended.load(std::memory_order_acquire);
      (*thread)->rows.drain([&](const Row& row) {
        rows.push_back({row, clock_.wall_ns(row.ticks)});
      });
      of_ended_threads_ += ended ? (*thread)->rows.pushed() : 0;
      thread = ended ? threads_.erase(thread) : std::next(thread);
    }
    for (const Shape& shape : shapes_) {
      shapes.push_back(&shape);
    }
  }
  const Shape* shape = nullptr;
  KernelRecord launch;
  for (const HeldRow& held : rows) {
    if (shape != shapes[held.row.shape]) {
      shape = shapes[held.row.shape];
      launch = shape->launch;
    }
    launch.start_ns = launch.end_ns = held.time_ns;
    if (!recorder.unrecorded(shape->ordinal, launch, held.row.range, must)) {
      held_back_.push_back(held);
    }
  }
}

bool UntimedLaunches::repeats_here() {
  return own.thread != nullptr && own.thread->repeating.load(std::memory_order_relaxed);
}

bool UntimedLaunches::any_repeats() const {
  if (!fence_.seldom()) {
    return true;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(threads_.begin(), threads_.end(), [](const auto& thread) {
    return thread->repeating.load(std::memory_order_acquire);
  });
}

void UntimedLaunches::may_repeat(Thread& thread, const PlainLaunch& launch, Stretch::Word stretch) {
  if (TickClock::is_steady()) {
    thread.known.remember(launch, stretch, thread.rows.next().shape);
  }
}

std::uint32_t UntimedLaunches::take_repeats() {
  const Own mine = own;
  if (mine.of != id_) {
    return 0;
  }
  Thread& thread = *mine.thread;
  const std::uint64_t pushed = thread.rows.pushed();
  return static_cast<std::uint32_t>(pushed - std::exchange(thread.not_repeated, pushed));
}

std::uint64_t UntimedLaunches::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t count = of_ended_threads_;
  for (const std::unique_ptr<Thread>& thread : threads_) {
    count += thread->rows.pushed();
  }
  return count;
}

}  // namespace ridgepoint::collector
