// The build's guard against slow WGMMA code: a compiler that prints a C751x note must fail.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace ridgepoint {
namespace {

int status_of(const std::string& compiler_script) {
  const std::string command = "'" RIDGEPOINT_SOURCE_DIR "/cmake/refuse_slow_ptxas.sh' sh -c '" +
                              compiler_script + "' 2>/dev/null";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RefuseSlowPtxas, FailsOnEachNoteThatMeansASerialisedProductOrAnIgnoredRegisterSplit) {
  for (const char* code : {"C7508", "C7510", "C7511", "C7512", "C7513", "C7514", "C7515"}) {
    EXPECT_EQ(status_of(std::string("echo \"ptxas info    : (") + code + ") Potential loss\" >&2"),
              1)
        << code;
  }
}

TEST(RefuseSlowPtxas, PassesACleanCompilationAndOtherNotes) {
  EXPECT_EQ(status_of("exit 0"), 0);
  EXPECT_EQ(status_of("echo \"ptxas info    : (C7519) warpgroup.arrive is injected\" >&2"), 0);
}

TEST(RefuseSlowPtxas, KeepsTheCompilersOwnFailure) {
  EXPECT_EQ(status_of("exit 3"), 3);
}

}  // namespace
}  // namespace ridgepoint
