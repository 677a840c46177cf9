#include "collector/profile/disassembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "analyzer/core/file.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Disassembler, ReadsInstructionsOfEachFunctionByOffset) {
  const Disassembly all = parse_disassembly(
      ".text._Z1fv:\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n"
      ".L_x_1:\n        /*0010*/               @P0 BRA `(.L_x_1) ;\n"
      "        /*no offset*/ MOV ;\n"
      ".text.g:\n        /*01f0*/                   EXIT ;\n");
  ASSERT_EQ(all.count("_Z1fv"), 1U);
  EXPECT_THAT(all.at("_Z1fv"), SizeIs(2));
  EXPECT_EQ(all.at("_Z1fv").at(0x10), "@P0 BRA `(.L_x_1)");
  EXPECT_EQ(all.at("g").at(0x1f0), "EXIT");
}

TEST(Disassembler, InstructionsBeforeAnyFunctionAndControlBytesDoNoHarm) {
  EXPECT_TRUE(parse_disassembly("/*0000*/ MOV ;\n").empty());
  EXPECT_EQ(parse_disassembly(".text.k:\n/*0000*/ A\x1b[2J ;").at("k").at(0), "A?[2J");
}

TEST(Disassembler, FindsFunctionsInTheSymbolTableOfACubin) {
  const Result<std::string> cubin = read_file(RIDGEPOINT_SAMPLED_CUBIN, 1U << 20U);
  ASSERT_TRUE(cubin) << format_error(cubin.error());
  EXPECT_THAT(symbol_indices(*cubin, {"scale"}), SizeIs(1));
  EXPECT_THAT(symbol_indices(*cubin, {"scale", "untouched"}), SizeIs(2));
  EXPECT_TRUE(symbol_indices(*cubin, {"scal", "scaled"}).empty());
  // Whatever is cut off of it, nothing beyond its end is read.
  for (std::size_t size = 0; size < cubin->size(); size += 97) {
    EXPECT_LE(symbol_indices(cubin->substr(0, size), {"scale"}).size(), 1U);
  }
}

TEST(Disassembler, RunsNvdisasmOnCodeInMemory) {
  const Result<Disassembly> all = disassemble(RIDGEPOINT_FAKE_NVDISASM, "code", {"k"});
  ASSERT_TRUE(all) << format_error(all.error());
  EXPECT_EQ(all->at("k").at(0x50), "LDG.E R2, desc[UR4][R2.64]");
}

TEST(Disassembler, AFailureIsAnErrorAndNoText) {
  EXPECT_FALSE(disassemble(RIDGEPOINT_FAKE_NVDISASM, "", {"k"}));
  EXPECT_FALSE(disassemble("/nowhere/nvdisasm", "code", {"k"}));
}

TEST(Disassembler, SaysWhereItIsToComeFromWhenThereIsNone) {
  setenv("RIDGEPOINT_NVDISASM", "/nowhere", 1);
  const auto found = find_nvdisasm();
  unsetenv("RIDGEPOINT_NVDISASM");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().why, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace ridgepoint::collector
