#include "collector/nvml/power_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/session/clock_reasons.h"
#include "tests/collector/nvml/fake_nvml.h"

namespace ridgepoint::collector {
namespace {

TEST(PowerReader, GivesEveryValueInSiUnits) {
  test::FakeNvml fake;
  fake.reasons = clock_reason_power_cap;
  const PowerSample sample = read_power(fake.api(), test::FakeNvml::device(0));
  EXPECT_DOUBLE_EQ(sample.power_w, 500);
  EXPECT_DOUBLE_EQ(sample.energy_j.value(), 1.1);
  EXPECT_DOUBLE_EQ(sample.sm_clock_hz.value(), 1.98e9);
  EXPECT_DOUBLE_EQ(sample.memory_clock_hz.value(), 3.201e9);
  EXPECT_DOUBLE_EQ(sample.temperature_c.value(), 45);
  EXPECT_EQ(sample.clock_reasons.value(), clock_reason_power_cap);
}

TEST(PowerReader, PrefersTheMomentaryPowerToTheAverageOfASecond) {
  test::FakeNvml fake;
  fake.has_instant_power = true;
  EXPECT_DOUBLE_EQ(read_power(fake.api(), test::FakeNvml::device(0)).power_w, 700);
}

TEST(PowerReader, WhatTheDeviceDoesNotReportIsNotMeasuredAndNotZero) {
  test::FakeNvml fake;
  fake.has_energy = false;
  EXPECT_FALSE(read_power(fake.api(), test::FakeNvml::device(0)).energy_j);
  const PowerSample nothing = read_power(NvmlApi(), test::FakeNvml::device(0));
  EXPECT_TRUE(std::isnan(nothing.power_w));
  EXPECT_FALSE(nothing.sm_clock_hz || nothing.memory_clock_hz || nothing.temperature_c ||
               nothing.clock_reasons || nothing.energy_j);
}

TEST(PowerReader, BusAddressesAreOneWhateverTheirDomainsDigitsAndCase) {
  EXPECT_TRUE(same_pci_bus_id("00000000:3B:00.0", "0000:3b:00.0"));
  EXPECT_TRUE(same_pci_bus_id("00010000:3B:00.0", "10000:3B:00.0"));
  EXPECT_FALSE(same_pci_bus_id("00000000:3B:00.0", "0000:19:00.0"));
  EXPECT_FALSE(same_pci_bus_id("00000001:3B:00.0", "0000:3b:00.0"));
  EXPECT_FALSE(same_pci_bus_id("", ""));
}

TEST(PowerReader, ListsEveryGpuWithItsAddress) {
  test::FakeNvml fake;
  const std::vector<NvmlGpu> gpus = nvml_gpus(fake.api());
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[1].pci_bus_id, "00000000:3B:00.0");
}

}  // namespace
}  // namespace ridgepoint::collector
