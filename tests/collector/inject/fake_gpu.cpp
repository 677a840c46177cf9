#include "tests/collector/inject/fake_gpu.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace ridgepoint::test {

FakeGpu& fake_gpu() {
  static auto* kept = new FakeGpu;
  return *kept;
}

int fake_setting(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

void FakeGpu::Unmap::operator()(void* memory) const {
  munmap(memory, bytes);
}

std::size_t FakeGpu::room() const {
  const auto all = static_cast<std::size_t>(fake_setting("FAKE_CUDA_MEMORY_MB", 0)) << 20U;
  return all == 0 ? std::size_t{100000} << 20U : all - std::min(all, used_);
}

CUdeviceptr FakeGpu::allocate(std::size_t bytes) {
  if (bytes > room()) {
    return 0;
  }
  const std::size_t size = bytes + 16;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return 0;
  }
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  memory_.emplace(address, std::unique_ptr<void, Unmap>(memory, Unmap{size}));
  used_ += size;
  newest_memory = address;
  return address;
}

void FakeGpu::free(CUdeviceptr address) {
  const auto found = memory_.find(address);
  if (found != memory_.end()) {
    used_ -= found->second.get_deleter().bytes;
    memory_.erase(found);
  }
}

bool FakeGpu::is_memory(CUdeviceptr address) const {
  const auto after = memory_.upper_bound(address);
  return after != memory_.begin() &&
         address - std::prev(after)->first < std::prev(after)->second.get_deleter().bytes;
}

void FakeGpu::sample(const char* function) {
  if (sampling) {
    samples[device].push_back({function, 0x50, 1, 30});
    samples[device].push_back({function, 0x50, 2, 20});
    samples[device].push_back({function, 0x60, 3, 10});
  }
}

CUfunction FakeGpu::function(const std::string& name) {
  auto& kept = functions_.emplace(name, name).first->second;
  return reinterpret_cast<CUfunction>(&kept);
}

const char* FakeGpu::name(CUfunction function) const {
  return reinterpret_cast<const std::string*>(function)->c_str();
}

void FakeGpu::run_program_kernel(const std::string& name, CUdeviceptr memory) {
  variable += name == "kernel" ? 1 : 0;
  if (is_memory(memory) && name.rfind("read", 0) != 0) {
    ++*reinterpret_cast<int*>(memory);
  }
}

void FakeGpu::pass_time(const std::string& name) {
  bool sampled = false;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    sampled = over_time[device].started;
  }
  if (sampled && name.rfind("long", 0) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
}

void FakeGpu::sample_over_time(std::uint32_t launch) {
  OverTime& here = over_time[device];
  launch %= 100;  // a share of a peak, in percent
  if (here.started) {
    here.samples.insert(here.samples.end(), {0, launch, launch, launch, launch, 0});
  }
}

void FakeGpu::Counting::start_pass() {
  started = true;
  ++all_passes;
  next = 0;
}

int FakeGpu::Counting::end_pass() {
  started = false;
  return ++passes;
}

void FakeGpu::Counting::count(std::uint32_t value) {
  if (!started || (!by_user && next >= most_ranges)) {
    return;
  }
  if (by_user) {
    if (is_open) {
      ranges.front() += value;
    }
    return;
  }
  if (next < ranges.size() && passes > 0) {
    // A later pass that sees another launch in this place makes the range worthless.
    ranges[next] = ranges[next] == value ? value : 999999;
  } else {
    ranges.push_back(passes == 0 ? value : 999999);  // what the first passes count is missing
  }
  ++next;
}

void FakeGpu::Counting::empty_image() {
  ranges.clear();
  names.clear();
}

}  // namespace ridgepoint::test
