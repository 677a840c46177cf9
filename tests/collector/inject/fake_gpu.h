// The GPU behind the fake CUPTI and the fake libcuda, which are one library: memory, kernels that
// do something to it, and the counting of what is launched.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ridgepoint::test {

// First bytes of images of counters: the device, of samples over time added to this.
inline constexpr int first_sample_image = 200;

struct FakeGpu {
  std::mutex mutex;
  CUdeviceptr program_memory = 0;  // its first number is what program kernels work on
  unsigned variable = 0;           // "counter", of a module: what kernels named "kernel" add to
  CUdeviceptr newest_memory = 0;   // that anybody allocated, Ridgepoint as well
  CUdeviceptr mapped_memory = 0;
  bool mapped_is_accessible = false;
  bool capturing = false;
  // A kernel is running that does not end.
  bool hung = false;

  // As PC sampling: every launch is seen at two instructions, see fake_pc_sampling.cpp.
  struct Sample {
    const char* function;
    std::uint64_t offset;
    std::uint32_t reason;
    std::uint32_t count;
  };
  bool sampling = false;
  std::map<int, std::vector<Sample>> samples;  // by device
  std::uint64_t cubin_crc = 0;
  void sample(const char* function);

  // 0 when there is no room: FAKE_CUDA_MEMORY_MB says how much there is, without it there is
  // always.
  CUdeviceptr allocate(std::size_t bytes);
  std::size_t room() const;
  void free(CUdeviceptr address);
  bool is_memory(CUdeviceptr address) const;

  CUfunction function(const std::string& name);
  const char* name(CUfunction function) const;
  // Adds one to the program's number; "read..." leaves it.
  void run_program_kernel(const std::string& name, CUdeviceptr memory);

  int device = 0;  // of the program's next launch

  // As PM sampling of one device: a launch while it is started is six samples, of which it is busy
  // in the middle four, with its number (last two digits) as every value (fake_pm_sampling.cpp).
  struct OverTime {
    bool enabled = false;
    bool started = false;
    std::vector<std::uint32_t> samples;
  };
  std::map<int, OverTime> over_time;
  // Kernels named "long..." take 60 ms while they are sampled.
  void pass_time(const std::string& name);
  void sample_over_time(std::uint32_t launch);

  // As the range profiler of one device: one range a launch while a pass is on, the same ones in
  // every pass; or one user range, which adds up what is launched in it. As on an H200 (CUDA 13.0),
  // passes go on where they were left until all were taken: a new image does not begin with the
  // first.
  struct Counting {
    bool started = false;
    bool by_user = false;
    bool is_open = false;
    int passes = 0;
    int all_passes = 0;  // also of images that have been emptied since
    std::size_t next = 0;
    std::vector<std::uint32_t> ranges;
    std::vector<std::string> names;  // of user ranges
    std::size_t most_ranges = 0;     // room in a pass; the rest is lost without a word
    void start_pass();
    int end_pass();  // the passes so far
    void empty_image();
    void count(std::uint32_t value);
  };
  std::map<int, Counting> counting;
  void count(std::uint32_t value) { counting[device].count(value); }

 private:
  // Pages that nobody writes to take none of the host's memory.
  struct Unmap {
    std::size_t bytes = 0;
    void operator()(void* memory) const;
  };
  std::map<CUdeviceptr, std::unique_ptr<void, Unmap>> memory_;
  std::size_t used_ = 0;
  std::map<std::string, std::string> functions_;
};

FakeGpu& fake_gpu();
int fake_setting(const char* variable, int otherwise);

}  // namespace ridgepoint::test
