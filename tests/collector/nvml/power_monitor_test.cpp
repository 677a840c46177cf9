#include "collector/nvml/power_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/collector/nvml/fake_nvml.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

class PowerMonitorTest : public ::testing::Test {
 protected:
  Result<PowerMonitor> start(const std::string& bus_id = {}) {
    PowerMonitorOptions options;
    options.period = std::chrono::milliseconds(1);
    options.pci_bus_id = bus_id;
    return Nvml::start(fake.api()).and_then([&](Nvml&& nvml) {
      return PowerMonitor::start(std::move(nvml), options);
    });
  }
  // Until the thread has asked so often; a machine under load may take its time.
  void wait_for_reads(int reads) {
    for (int i = 0; i < 5000 && fake.reads < reads; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_GE(fake.reads, reads);
  }
  test::FakeNvml fake;
};

TEST_F(PowerMonitorTest, WatchesFromAThreadOfItsOwnAndSumsUpEachPhase) {
  auto monitor = start();
  ASSERT_TRUE(monitor) << format_error(monitor.error());
  monitor->begin("energy", "fused");
  wait_for_reads(40);
  monitor->end(12);
  const std::vector<WatchedGpu> seen = monitor->stop();
  ASSERT_EQ(seen.size(), 2U);
  for (const WatchedGpu& gpu : seen) {
    ASSERT_EQ(gpu.phases.size(), 1U);
    EXPECT_EQ(gpu.phases[0].variant, "fused");
    EXPECT_EQ(gpu.phases[0].runs, 12);
    EXPECT_GE(gpu.phases[0].samples, 10);
    EXPECT_GT(gpu.phases[0].energy_updates, 5);
    EXPECT_GT(gpu.phases[0].energy_j.value_or(0), 0);
    EXPECT_GE(gpu.samples.size(), static_cast<std::size_t>(gpu.phases[0].samples));
    EXPECT_GT(gpu.phases[0].end_ns, gpu.phases[0].start_ns);
  }
  EXPECT_EQ(fake.stops, 1) << "NVML is shut down with the monitor";
}

TEST_F(PowerMonitorTest, WatchesOneGpuAloneWhenAskedTo) {
  auto monitor = start("0000:3b:00.0");
  ASSERT_TRUE(monitor) << format_error(monitor.error());
  wait_for_reads(3);
  const std::vector<WatchedGpu> seen = monitor->stop();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].pci_bus_id, "00000000:3B:00.0");
}

TEST_F(PowerMonitorTest, AGpuThatNvmlDoesNotShowIsADeviceError) {
  const auto monitor = start("0000:77:00.0");
  ASSERT_FALSE(monitor);
  EXPECT_EQ(monitor.error().domain, ErrorDomain::device);
  EXPECT_THAT(monitor.error().why, HasSubstr("0000:77:00.0"));
  EXPECT_EQ(fake.stops, 1);
}

TEST_F(PowerMonitorTest, SignalsReachTheThreadsThatWaitForThem) {
  auto monitor = start();
  ASSERT_TRUE(monitor);
  // Blocked here and in the monitor's thread, so that it stays pending until it is taken.
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
  kill(getpid(), SIGUSR1);
  const timespec patience{5, 0};
  EXPECT_EQ(sigtimedwait(&usr1, nullptr, &patience), SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &usr1, nullptr);
}

TEST(AddPower, TakesTheSeriesOfTheSessionsOwnDevice) {
  std::vector<WatchedGpu> watched(2);
  watched[0].pci_bus_id = "00000000:19:00.0";
  watched[1].pci_bus_id = "00000000:3B:00.0";
  watched[1].samples.resize(3);
  watched[1].phases.resize(1);
  Session session;
  EXPECT_TRUE(add_power(watched, "0000:3B:00.0", 1, session));
  ASSERT_EQ(session.power.size(), 3U);
  EXPECT_EQ(session.power[2].device, 1U);
  ASSERT_EQ(session.power_phases.size(), 1U);
  EXPECT_EQ(session.power_phases[0].device, 1U);
  EXPECT_FALSE(add_power(watched, "", 0, session)) << "an old CUDA may not tell the address";
}

}  // namespace
}  // namespace ridgepoint::collector
