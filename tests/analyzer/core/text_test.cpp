#include "analyzer/core/text.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(Printable, KeepsTextOfEveryScript) {
  EXPECT_EQ(printable("Kern λ 核 🚀"), "Kern λ 核 🚀");
}

TEST(Printable, ReplacesControlsOfBothSets) {
  EXPECT_EQ(printable("a\x1b[2Jb\tc\x7f"), "a?[2Jb?c?");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a?31m")
      << "U+009B starts an escape sequence on some terminals";
}

TEST(Printable, ReplacesMarksThatTurnTheDirectionOfText) {
  EXPECT_EQ(printable("safe\u202Egnp.exe\u2066x"), "safe?gnp.exe?x");
  EXPECT_EQ(printable("\u2027\u202F"), "\u2027\u202F") << "their neighbours are plain text";
}

TEST(Printable, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "??");
  EXPECT_EQ(printable("\xc0\xaf"), "??") << "overlong slash";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "surrogate";
  EXPECT_EQ(printable("cut \xe2\x82"), "cut ??") << "cut in the middle of a character";
}

TEST(ShortKernelName, IsTheFunctionsOwnName) {
  EXPECT_EQ(short_kernel_name("void ns::gemm<float, 4>(float*, int)"), "gemm");
  EXPECT_EQ(short_kernel_name(
                "void (anonymous namespace)::softmax_warp_forward<c10::Half, 11, false>(int)"),
            "softmax_warp_forward");
  EXPECT_EQ(short_kernel_name("ns::detail::kernel(Params<2>)"), "kernel");
  EXPECT_EQ(short_kernel_name("void cutlass::Kernel2<cutlass_80::gemm<int>>(T1::Params)"),
            "Kernel2");
}

TEST(ShortKernelName, LeavesPlainNamesAlone) {
  EXPECT_EQ(short_kernel_name("triton_poi_fused_add_0"), "triton_poi_fused_add_0");
  EXPECT_EQ(short_kernel_name(""), "");
  EXPECT_EQ(short_kernel_name("<<<"), "<<<");
}

TEST(Demangle, GivesTheSourceNameAndLeavesOthers) {
  EXPECT_EQ(demangle("_ZN2ns4gemmEi"), "ns::gemm(int)");
  EXPECT_EQ(demangle("plain_c_kernel"), "plain_c_kernel");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
}

TEST(LowerCase, ChangesLettersOfAsciiAlone) {
  EXPECT_EQ(lower_case("H200 µS é"), "h200 µs é");
}

TEST(MemorySizeText, NamesSizesAsDataSheetsDo) {
  EXPECT_EQ(memory_size_text(81920), "80 KiB");
  EXPECT_EQ(memory_size_text(45670), "44.6 KiB");
  EXPECT_EQ(memory_size_text(101392), "99.02 KiB") << "16 bytes more than 99 KiB differ from it";
  EXPECT_EQ(memory_size_text(512), "512 bytes");
  EXPECT_EQ(memory_size_text(0), "0 bytes");
  EXPECT_EQ(memory_size_text(1), "1 byte");
  EXPECT_EQ(memory_size_text(62914560), "60 MiB");
}

TEST(AsWords, MakesAKeyReadable) {
  EXPECT_EQ(as_words("branch_resolving"), "Branch resolving");
  EXPECT_EQ(as_words(""), "");
  EXPECT_EQ(as_words("a\x1b[31m"), "A?[31m");
}

}  // namespace
}  // namespace ridgepoint
