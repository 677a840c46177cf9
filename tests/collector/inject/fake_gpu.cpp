#include "tests/collector/inject/fake_gpu.h"

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

CUdeviceptr FakeGpu::allocate(std::size_t bytes) {
  std::vector<char> memory(bytes + 16);
  const auto address = reinterpret_cast<CUdeviceptr>(memory.data());
  memory_[address] = std::move(memory);
  return address;
}

void FakeGpu::free(CUdeviceptr address) {
  memory_.erase(address);
}

bool FakeGpu::is_memory(CUdeviceptr address) const {
  const auto after = memory_.upper_bound(address);
  return after != memory_.begin() &&
         address - std::prev(after)->first < std::prev(after)->second.size();
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

void FakeGpu::run_program_kernel(const std::string& name, CUdeviceptr memory) const {
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
    ranges.push_back(value);
  }
  ++next;
}

void FakeGpu::Counting::empty_image() {
  ranges.clear();
  names.clear();
  passes = 0;
}

}  // namespace ridgepoint::test
