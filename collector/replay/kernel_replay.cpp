#include "collector/replay/kernel_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr int most_waits_for_own_work = 3;
constexpr std::chrono::milliseconds a_look{5};

}  // namespace

Result<std::unique_ptr<KernelReplay>> KernelReplay::create(const DriverApi& driver,
                                                           const CuptiApi& api, CUctx_st* context,
                                                           ReplayOptions options) {
  Result<MemoryKernels> kernels = MemoryKernels::load(driver);
  if (!kernels) {
    return tl::make_unexpected(kernels.error());
  }
  const char* what = "preparing to run kernels again";
  WaitedStream stream{nullptr, nullptr, options.timeout};
  std::optional<ColdCode> cold_code;
  const Status made =
      driver_status(driver, driver.stream_create(&stream.stream, CU_STREAM_NON_BLOCKING), what)
          .and_then([&] {
            return driver_status(driver,
                                 driver.event_create(&stream.event, CU_EVENT_DISABLE_TIMING), what);
          })
          .and_then([&] {
            if (options.cache != CacheControl::flush) {
              return Status();
            }
            return ColdCode::create(driver).map(
                [&](ColdCode made_now) { cold_code.emplace(std::move(made_now)); });
          });
  if (!made) {
    if (stream.event != nullptr) {
      driver.event_destroy(stream.event);
    }
    if (stream.stream != nullptr) {
      driver.stream_destroy(stream.stream);
    }
    kernels->unload();
    return tl::make_unexpected(made.error());
  }
  std::unique_ptr<KernelReplay> replay(
      new KernelReplay(driver, api, context, options, *kernels, stream));
  replay->cold_code_ = std::move(cold_code);
  return replay;
}

KernelReplay::KernelReplay(const DriverApi& driver, const CuptiApi& api, CUctx_st* context,
                           ReplayOptions options, const MemoryKernels& kernels,
                           const WaitedStream& stream)
    : driver_(&driver),
      api_(&api),
      context_(context),
      options_(options),
      kernels_(kernels),
      stream_(stream),
      pool_(driver),
      images_(driver, kernels_, pool_, stream),
      cold_l2_(driver, kernels_, pool_, stream) {}

bool KernelReplay::full() const {
  return batch_.size() >= options_.most_launches;
}

std::vector<MemoryRange> KernelReplay::find_variables(const KernelLaunch& launch,
                                                      const std::vector<std::string>& names) const {
  std::vector<MemoryRange> found;
  CUmodule module = nullptr;
  if (names.empty() || driver_->function_module(&module, launch.function()) != CUDA_SUCCESS) {
    return found;
  }
  for (const std::string& name : names) {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    if (driver_->module_global(&address, &bytes, module, name.c_str()) == CUDA_SUCCESS &&
        bytes != 0) {
      found.push_back({address, bytes, context_, false});
    }
  }
  return found;
}

std::vector<MemoryRange> KernelReplay::memory_of_context(const MemoryMap& memory) const {
  std::vector<MemoryRange> ranges = memory.of(context_);
  CUdevice device = 0;
  const bool known = driver_->context_device(&device) == CUDA_SUCCESS;
  ranges.erase(std::remove_if(ranges.begin(), ranges.end(),
                              [&](const MemoryRange& range) {
                                if (!range.mapped) {
                                  return false;
                                }
                                // Mapped, but access was not granted: a touch would be a fault.
                                CUmemLocation place = {};
                                place.type = CU_MEM_LOCATION_TYPE_DEVICE;
                                place.id = device;
                                unsigned long long access = 0;
                                return !known ||
                                       driver_->memory_access(&access, &place, range.address) !=
                                           CUDA_SUCCESS ||
                                       access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
                              }),
               ranges.end());
  return ranges;
}

// A kernel may only run again when all it can write is restored. Its arguments tell what it reaches
// directly; memory that others see as well, or that nobody announced, is left alone.
std::optional<ReplayTrouble> KernelReplay::check_pointers(
    const KernelLaunch& launch, const MemoryMap& memory,
    const std::vector<MemoryRange>& variables) const {
  for (const std::uint64_t word : launch.words()) {
    unsigned type = 0;
    if (driver_->pointer_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, word) != CUDA_SUCCESS) {
      continue;  // no pointer
    }
    unsigned managed = 0;
    driver_->pointer_attribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, word);
    if (type == CU_MEMORYTYPE_HOST || managed != 0) {
      return ReplayTrouble{"replay.host_memory",
                           "is given memory that the host sees too, which the host may change or "
                           "read at any time"};
    }
    const MemoryRange* range = memory.find(word);
    if (range == nullptr) {
      range = memory.find(word - 1);  // the end of an array
    }
    // Structures are passed with bytes that nobody set: what was left on this thread's stack, also
    // by the code here. No program was ever given an address of the pool.
    if (range == nullptr && pool_.holds(word)) {
      continue;
    }
    const bool variable =
        std::any_of(variables.begin(), variables.end(),
                    [&](const MemoryRange& v) { return word - v.address <= v.bytes; });
    if (!variable && (range == nullptr || range->context != context_)) {
      return ReplayTrouble{"replay.foreign_memory",
                           "is given device memory that this context did not allocate"};
    }
  }
  return std::nullopt;
}

bool KernelReplay::is_idle(std::chrono::milliseconds patience) const {
  CUresult code = CUDA_SUCCESS;
  return wait_for_context(*driver_, context_, stream_.event, patience, code) == Waited::finished;
}

std::string KernelReplay::timeout_text() const {
  return fmt::format("{:g} s (--replay-timeout)",
                     std::chrono::duration<double>(options_.timeout).count());
}

// Memory was not saved. A copy that is late is no kernel's fault, and goes on.
ReplayTrouble KernelReplay::not_saved(const Error& error) {
  own_work_late_ = own_work_late_ || is_late(error);
  return {is_late(error) ? "replay.late" : "replay.memory",
          fmt::format("Kernels were counted in one pass only, or not at all: {}: {}{}", error.what,
                      error.why, error.hint.empty() ? "" : " (" + error.hint + ")")};
}

// Nothing is saved or run again before: what is late would be taken for the program's. It is waited
// for in full a few times, and only looked at from then on, lest each of a million launches wait.
bool KernelReplay::own_work_ended() {
  if (!own_work_late_) {
    return true;
  }
  WaitedStream stream = stream_;
  if (waits_for_own_work_ >= most_waits_for_own_work) {
    stream.patience = std::min(stream.patience, a_look);
  }
  CUresult code = CUDA_SUCCESS;
  own_work_late_ = wait_for_stream(*driver_, stream, code) == Waited::timed_out;
  waits_for_own_work_ = own_work_late_ ? waits_for_own_work_ + 1 : 0;
  return !own_work_late_;
}

Waited KernelReplay::wait_for_program() {
  CUresult code = CUDA_SUCCESS;
  return wait_for_context(*driver_, context_, stream_.event, options_.timeout, code);
}

// The launch that the program made last has not ended: it may wait for something that the program
// does later.
void KernelReplay::give_up_newest() {
  if (!batch_.empty()) {
    waits_.insert(batch_.back().launch.function());
  }
}

std::optional<ReplayTrouble> KernelReplay::save(const LaunchCall& call, const MemoryMap& memory,
                                                const std::vector<std::string>& variables) {
  saved_.reset();
  const auto refused = [&](const char* code, const std::string& why) {
    return ReplayTrouble{code, fmt::format("Launches of {} were not run again: the kernel {}.",
                                           call.shape.mangled, why)};
  };
  Result<KernelLaunch> launch = KernelLaunch::copy(*driver_, call.id, call.parameters);
  if (!launch) {
    return refused("replay.refused", "cannot be: " + launch.error().why);
  }
  if (stuck_ || waits_.count(launch->function()) != 0) {
    return refused("replay.waits", "waits for something outside itself, or another still does");
  }
  if (!own_work_ended()) {
    return refused("replay.late", "comes while a copy of Ridgepoint's has not ended");
  }
  const std::vector<MemoryRange> found = find_variables(*launch, variables);
  if (const auto trouble = check_pointers(*launch, memory, found)) {
    return refused(trouble->code, trouble->text);
  }
  switch (wait_for_program()) {
    case Waited::finished:
      break;
    case Waited::timed_out:
      give_up_newest();
      return ReplayTrouble{
          "replay.waits",
          fmt::format("What the program had launched did not end within {}; kernels that were "
                      "launched meanwhile were not run again.",
                      timeout_text())};
    case Waited::failed:
      return refused("replay.refused", "comes after an error of the program's, or in a capture");
  }
  std::vector<MemoryRange> ranges = memory_of_context(memory);
  ranges.insert(ranges.end(), found.begin(), found.end());
  const bool empties_l2 = options_.cache != CacheControl::warm;
  Result<std::shared_ptr<const MemoryImage>> before =
      (empties_l2 ? cold_l2_.prepare() : Status()).and_then([&] { return images_.take(ranges); });
  if (!before) {
    images_.forget();
    return not_saved(before.error());
  }
  saved_.emplace(Waiting{call.correlation, call.shape.mangled, std::move(*launch), found, *before,
                         nullptr, 0});
  return std::nullopt;
}

void KernelReplay::made(std::uint32_t correlation, bool launched) {
  if (saved_ && saved_->correlation == correlation && launched) {
    if (batch_.empty()) {
      since_ = std::chrono::steady_clock::now();
    }
    batch_.push_back(std::move(*saved_));
  }
  saved_.reset();
}

void KernelReplay::release_memory() {
  images_.forget();
  cold_l2_.release_memory();
  pool_.release();
}

Status KernelReplay::close_counters() {
  const Status closed = profiler_ ? profiler_->close() : Status();
  profiler_.reset();
  image_is_empty_ = false;
  among_passes_ = false;
  return closed;
}

void KernelReplay::close() {
  static_cast<void>(close_counters());
  if (stuck_) {
    return;  // freeing anything would wait for the kernel that does not end
  }
  batch_.clear();
  release_memory();
  kernels_.unload();
  driver_->event_destroy(stream_.event);
  driver_->stream_destroy(stream_.stream);
}

}  // namespace ridgepoint::collector
