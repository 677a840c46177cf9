// With CUPTI's own library: its reading of line tables needs no GPU.
#include "collector/profile/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "analyzer/core/file.h"
#include "collector/cupti/cupti_library.h"

namespace ridgepoint::collector {
namespace {

using ::testing::EndsWith;

class SourceLines : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("RIDGEPOINT_CUPTI");
    const Result<const CuptiApi*> loaded = load_cupti(cupti_candidates());
    ASSERT_TRUE(loaded) << format_error(loaded.error());
    api = *loaded;
    Result<std::string> read = read_file(RIDGEPOINT_SAMPLED_CUBIN, 1U << 20U);
    ASSERT_TRUE(read) << format_error(read.error());
    cubin = *read;
  }
  const CuptiApi* api = nullptr;
  std::string cubin;
};

TEST_F(SourceLines, AKernelsInstructionsLeadToItsLines) {
  ASSERT_TRUE(has_line_table(cubin));
  bool product = false;
  for (std::uint64_t offset = 0; offset < 0x100; offset += 16) {
    if (const auto line = source_line(*api, cubin, "scale", offset)) {
      EXPECT_THAT(line->file, EndsWith("/profile/sampled_kernel.cu"));
      EXPECT_GE(line->line, 2U);
      EXPECT_LE(line->line, 4U);
      product = product || line->line == 3;
    }
  }
  EXPECT_TRUE(product) << "the line with the multiplication";
}

TEST_F(SourceLines, WhatIsNotThereHasNoLine) {
  EXPECT_FALSE(source_line(*api, cubin, "no_such_kernel", 0));
  EXPECT_FALSE(source_line(*api, cubin, "scale", 1U << 20U));
  EXPECT_FALSE(has_line_table("a cubin without it"));
}

}  // namespace
}  // namespace ridgepoint::collector
