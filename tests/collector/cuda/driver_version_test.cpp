#include "collector/cuda/driver_version.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

TEST(DriverVersion, IsFoundInBothFlavoursOfTheDriver) {
  EXPECT_EQ(parse_driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
                                 "580.159.04  Release Build  (dvs-builder)\nGCC version:  gcc "
                                 "version 13.3.0\n"),
            "580.159.04");
  EXPECT_EQ(parse_driver_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun"),
            "535.183.01");
}

TEST(DriverVersion, TextWithoutOneGivesNothing) {
  EXPECT_EQ(parse_driver_version(""), "");
  EXPECT_EQ(parse_driver_version("GCC version"), "");
  EXPECT_EQ(parse_driver_version("NVRM version: none\ngcc 13.3.0"), "");
}

}  // namespace
}  // namespace ridgepoint::collector
