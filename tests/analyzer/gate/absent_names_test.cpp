#include "analyzer/gate/absent_names.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

using testing::ElementsAre;

const char* const tall = "void lib::gemm<float, 128>(float*, int)";
const char* const wide = "void lib::gemm<float, 256>(float*, int)";

KernelAnalysis present(const std::string& name, const std::string& short_name) {
  KernelAnalysis kernel;
  kernel.name = name;
  kernel.short_name = short_name;
  return kernel;
}

TEST(AbsentNames, AWholeNameIsShortAsThoseOfTheSessionAre) {
  EXPECT_THAT(absent_names({absent_kernel(tall, "*")}, {}), ElementsAre("gemm"));
  EXPECT_THAT(absent_names({absent_kernel(tall, "*"), absent_kernel(tall, "*")}, {}),
              ElementsAre("gemm", "gemm"))
      << "two limits of one kernel";
}

TEST(AbsentNames, APatternOverTheNameItselfStaysAsTheBudgetHasIt) {
  EXPECT_THAT(absent_names({absent_kernel("*gemm*<float, ?28>*", "*"),
                            absent_kernel("void lib::*", "*"), absent_kernel("*", "fused")},
                           {}),
              ElementsAre("*gemm*<float, ?28>*", "void lib::*", "*"));
}

TEST(AbsentNames, TwoOfOneShortNameAreToldApart) {
  EXPECT_THAT(absent_names({absent_kernel(tall, "first"), absent_kernel(tall, "second")}, {}),
              ElementsAre("gemm [first]", "gemm [second]"));
  EXPECT_THAT(absent_names({absent_kernel(tall, "*"), absent_kernel(wide, "*")}, {}),
              ElementsAre("gemm<float, 128>", "gemm<float, 256>"));
  EXPECT_THAT(
      absent_names({absent_kernel("void lib::gemm<lib::Tile<4>, lib::Of<int>::type>()", "*"),
                    absent_kernel("void lib::gemm<lib::Tile<8>, lib::Of<int>::type>()", "*")},
                   {}),
      ElementsAre("gemm<Tile<4>, Of<int>::type>", "gemm<Tile<8>, Of<int>::type>"));
  const std::string other = "void other::gemm<float, 128>(float*, int)";
  EXPECT_THAT(absent_names({absent_kernel(tall, "*"), absent_kernel(other, "*")}, {}),
              ElementsAre(tall, other));
}

TEST(AbsentNames, OneWhoseArgumentsCannotBeToldByTheirBracketsIsNamedWhole) {
  for (const std::string name :
       {"void my_gemm<int>::gemm<float>(x)", "void gemm<(Mode)2, (3>>1), float>(float*)"}) {
    EXPECT_THAT(absent_names({absent_kernel(name, "*")}, {present(wide, "gemm")}),
                ElementsAre(name));
  }
}

TEST(AbsentNames, OneThatIsCalledAsAKernelOfTheSessionIsToldFromIt) {
  EXPECT_THAT(absent_names({absent_kernel(tall, "*")}, {present(wide, "gemm")}),
              ElementsAre("gemm<float, 128>"));
  EXPECT_THAT(absent_names({absent_kernel(tall, "*")}, {present(wide, "gemm (dq) [fused]")}),
              ElementsAre("gemm<float, 128>"));
  KernelAnalysis of_the_variant = present(wide, "gemm");
  of_the_variant.variant = "fused";
  EXPECT_THAT(absent_names({absent_kernel(tall, "fused")}, {of_the_variant}),
              ElementsAre("gemm<float, 128>"));
  EXPECT_THAT(absent_names({{"gemm", tall, ""}}, {present("gemm", "gemm")}),
              ElementsAre("gemm<float, 128>"))
      << "a baseline's kernel";
}

}  // namespace
}  // namespace ridgepoint
