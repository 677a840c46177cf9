// Which way L2 is emptied. Device memory is the host's here; the fake driver's loads take as many
// cycles as its L2 would need, and its resource manager empties that L2, or only says so.
#include "collector/replay/cold_l2.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace ridgepoint::collector {
namespace {

enum class Manager { works, only_says_so, absent };

struct FakeGpu {
  Manager manager = Manager::works;
  bool l2_holds_data = false;
  int fills = 0;  // times that the buffer was read
  int flushes = 0;
  bool flush_fails = false;
  bool out_of_memory = false;
  bool late = false;          // work never ends
  int late_measurements = 0;  // so many end late, but end
  bool was_late = false;
  bool asked_late = false;
  int copies_of_unfinished = 0;
  int other_process_at = 0;  // has the GPU during this measurement, counted from 1
  int measurements = 0;
  std::map<std::string, CUfunction> functions;
};
FakeGpu* gpu = nullptr;

constexpr int l2_bytes = 1 << 20;

CUresult launch(const CUlaunchConfig*, CUfunction function, void** arguments, void**) {
  if (function == gpu->functions["ridgepoint_latency"]) {
    auto* cycles = *static_cast<std::uint64_t**>(arguments[1]);
    *cycles = latency_loads * (gpu->l2_holds_data ? 283 : 687);
    *cycles += ++gpu->measurements == gpu->other_process_at ? 2'000'000 : 0;
    gpu->l2_holds_data = true;
    if (gpu->late_measurements > 0) {
      --gpu->late_measurements;
      gpu->was_late = true;
    }
  } else if (function == gpu->functions["ridgepoint_read"]) {
    const auto* pieces = *static_cast<const MemoryPiece**>(arguments[0]);
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < *static_cast<unsigned*>(arguments[1]); ++i) {
      bytes += pieces[i].bytes;
    }
    EXPECT_EQ(bytes, 4 * l2_bytes);
    ++gpu->fills;
  }
  return CUDA_SUCCESS;
}

DriverApi fake_driver() {
  DriverApi api;
  api.mem_alloc = [](CUdeviceptr* address, std::size_t bytes) {
    *address = gpu->out_of_memory ? 0 : reinterpret_cast<CUdeviceptr>(std::calloc(1, bytes));
    return gpu->out_of_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
  };
  api.mem_free = [](CUdeviceptr address) {
    std::free(reinterpret_cast<void*>(address));
    return CUDA_SUCCESS;
  };
  api.mem_info = [](std::size_t* free, std::size_t* total) {
    *free = *total = std::size_t{8} << 30U;
    return CUDA_SUCCESS;
  };
  api.copy_to_host = [](void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
    gpu->copies_of_unfinished += gpu->late ? 1 : 0;
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return CUDA_SUCCESS;
  };
  api.copy_to_device = [](CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return CUDA_SUCCESS;
  };
  api.fill = [](CUdeviceptr to, unsigned char byte, std::size_t bytes, CUstream) {
    std::memset(reinterpret_cast<void*>(to), byte, bytes);
    return CUDA_SUCCESS;
  };
  api.launch = launch;
  api.module_load = [](CUmodule*, const void*) { return CUDA_SUCCESS; };
  api.module_function = [](CUfunction* function, CUmodule, const char* name) {
    *function = reinterpret_cast<CUfunction>(gpu->functions.size() + 1);
    gpu->functions[name] = *function;
    return CUDA_SUCCESS;
  };
  api.event_record = [](CUevent, CUstream) {
    // Asked for again after it was late, the work has ended.
    gpu->asked_late = std::exchange(gpu->was_late, false);
    return CUDA_SUCCESS;
  };
  api.event_query = [](CUevent) {
    return gpu->late || gpu->asked_late ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
  };
  api.context_device = [](CUdevice* device) {
    *device = 0;
    return CUDA_SUCCESS;
  };
  api.device_attribute = [](int* value, CUdevice_attribute, CUdevice) {
    *value = l2_bytes;
    return CUDA_SUCCESS;
  };
  api.device_uuid = [](CUuuid*, CUdevice) { return CUDA_SUCCESS; };
  api.error_name = [](CUresult, const char**) { return CUDA_ERROR_INVALID_VALUE; };
  return api;
}

const DeviceFileCalls fake_files = {
    [](const char*) { return gpu->manager == Manager::absent ? -1 : 42; },
    [](int, unsigned long, void* argument) {
      constexpr std::size_t command = 2;
      auto* words = static_cast<std::uint32_t*>(argument);
      words[7] = 0;
      if (words[command] == 0x2080130e) {
        ++gpu->flushes;
        gpu->l2_holds_data = gpu->l2_holds_data && gpu->manager != Manager::works;
        words[7] = gpu->flush_fails ? 0x56 : 0;
      }
      return 0;
    },
    [](int, const char*) {}};

class ColdL2Test : public ::testing::Test {
 protected:
  ColdL2Test() {
    gpu = &gpu_;
    kernels_.emplace(*MemoryKernels::load(driver_));
    l2_.emplace(driver_, *kernels_, pool_,
                WaitedStream{nullptr, nullptr, std::chrono::milliseconds(1)}, fake_files);
  }
  ~ColdL2Test() override {
    l2_->release_memory();
    pool_.release();
  }
  FakeGpu gpu_;
  DriverApi driver_ = fake_driver();
  ShadowPool pool_{driver_};
  std::optional<MemoryKernels> kernels_;
  std::optional<ColdL2> l2_;
};

TEST_F(ColdL2Test, IsInvalidatedWhereThatMakesLoadsSlow) {
  ASSERT_TRUE(l2_->prepare());
  EXPECT_TRUE(l2_->invalidates());
  const int before = gpu_.flushes;
  std::size_t launches = 5;
  ASSERT_TRUE(l2_->empty(launches));
  EXPECT_EQ(gpu_.flushes, before + 2) << "memory of the GPU and of the host";
  EXPECT_EQ(launches, 5U) << "it takes no kernel";
  EXPECT_EQ(gpu_.fills, 0);
}

TEST_F(ColdL2Test, IsFilledWhereNobodyCanInvalidateIt) {
  gpu_.manager = Manager::absent;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_FALSE(l2_->invalidates());
  std::size_t launches = 5;
  ASSERT_TRUE(l2_->empty(launches));
  EXPECT_EQ(gpu_.fills, 1);
  EXPECT_EQ(launches, 6U);
}

TEST_F(ColdL2Test, IsFilledWhereInvalidatingHasNoEffect) {
  gpu_.manager = Manager::only_says_so;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_FALSE(l2_->invalidates()) << "a guest of a vGPU is told that it was done";
}

// A kernel that waits for its turn on the GPU takes as long as one whose data come from DRAM.
TEST_F(ColdL2Test, OtherProcessesOnTheGpuDoNotChangeTheWay) {
  for (const Manager manager : {Manager::works, Manager::only_says_so}) {
    for (int at = 1; at <= 7; ++at) {
      gpu_.manager = manager;
      gpu_.measurements = 0;
      gpu_.other_process_at = at;
      ColdL2 l2(driver_, *kernels_, pool_,
                WaitedStream{nullptr, nullptr, std::chrono::milliseconds(1)}, fake_files);
      ASSERT_TRUE(l2.prepare());
      EXPECT_EQ(gpu_.measurements, 7);
      EXPECT_EQ(l2.invalidates(), manager == Manager::works) << at;
    }
  }
}

TEST_F(ColdL2Test, ACopyToTheHostIsNotBegunBehindWorkThatDoesNotEnd) {
  gpu_.late = true;
  EXPECT_FALSE(l2_->prepare());
  EXPECT_EQ(gpu_.copies_of_unfinished, 0);
}

// Which way it is stands in the session, and decides what it may be compared with.
TEST_F(ColdL2Test, ALackOfMemoryDoesNotChangeTheWay) {
  gpu_.out_of_memory = true;
  EXPECT_FALSE(l2_->prepare());
  gpu_.out_of_memory = false;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_TRUE(l2_->invalidates());
}

// A kernel of the program before it may have taken all the time that there was.
TEST_F(ColdL2Test, AMeasurementThatEndsLateDoesNotChangeTheWay) {
  gpu_.late = true;
  EXPECT_FALSE(l2_->prepare());
  EXPECT_EQ(l2_->why_filled(), "") << "nothing is decided";
  gpu_.late = false;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_TRUE(l2_->invalidates());
}

TEST_F(ColdL2Test, AMeasurementThatWasLateOnceIsMadeAgainForTheSameLaunch) {
  gpu_.late_measurements = 1;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_TRUE(l2_->invalidates());
}

// Else every launch of a run would wait for it in vain.
TEST_F(ColdL2Test, TwoThatAreLateDecideForTheBufferAndSayWhy) {
  gpu_.late_measurements = 2;
  ASSERT_TRUE(l2_->prepare()) << "the launch keeps its counters";
  EXPECT_FALSE(l2_->invalidates());
  EXPECT_EQ(l2_->why_filled(), "measuring the latency of L2: it did not end in time");
  const int measured = gpu_.measurements;
  l2_->release_memory();
  ASSERT_TRUE(l2_->prepare());
  EXPECT_EQ(gpu_.measurements, measured) << "it is not asked again";
  std::size_t launches = 0;
  ASSERT_TRUE(l2_->empty(launches));
  EXPECT_EQ(gpu_.fills, 1);
}

TEST_F(ColdL2Test, LooksForTheWayOnceAndTakesTheBufferAgainAfterGivingItBack) {
  gpu_.manager = Manager::only_says_so;
  ASSERT_TRUE(l2_->prepare());
  const int flushes = gpu_.flushes;
  l2_->release_memory();
  gpu_.manager = Manager::works;
  ASSERT_TRUE(l2_->prepare());
  EXPECT_EQ(gpu_.flushes, flushes);
  std::size_t launches = 0;
  ASSERT_TRUE(l2_->empty(launches));
  EXPECT_EQ(gpu_.fills, 1);
}

TEST_F(ColdL2Test, ARefusalLaterIsAnErrorAndNotAnotherState) {
  ASSERT_TRUE(l2_->prepare());
  gpu_.flush_fails = true;
  std::size_t launches = 0;
  EXPECT_FALSE(l2_->empty(launches));
  EXPECT_EQ(gpu_.fills, 0);
}

TEST_F(ColdL2Test, AfterARefusalTheWayIsLookedForAgainAndAfterTwoItIsFilled) {
  ASSERT_TRUE(l2_->prepare());
  for (const bool again : {true, false}) {
    ASSERT_TRUE(l2_->invalidates());
    gpu_.flush_fails = true;
    std::size_t launches = 0;
    EXPECT_FALSE(l2_->empty(launches));
    gpu_.flush_fails = false;
    ASSERT_TRUE(l2_->prepare());
    EXPECT_EQ(l2_->invalidates(), again);
    EXPECT_TRUE(l2_->empty(launches));
  }
  EXPECT_EQ(gpu_.fills, 1);
}

TEST_F(ColdL2Test, WorkThatDoesNotEndIsAnError) {
  ASSERT_TRUE(l2_->prepare());
  gpu_.late = true;
  std::size_t launches = 0;
  const Status emptied = l2_->empty(launches);
  ASSERT_FALSE(emptied);
  EXPECT_EQ(emptied.error().why, "it did not end in time");
}

TEST_F(ColdL2Test, WithoutMemoryForTheBufferItCannotBeEmptied) {
  gpu_.manager = Manager::absent;
  gpu_.out_of_memory = true;
  EXPECT_FALSE(l2_->prepare());
}

}  // namespace
}  // namespace ridgepoint::collector
