#include "collector/replay/cubin_globals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/replay/small_cubin.h"

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CubinSymbols, KernelsAndTheVariablesTheyMayUse) {
  const std::string file = test::small_cubin();
  const CubinSymbols symbols = cubin_symbols(file.data(), file.size());
  EXPECT_THAT(symbols.kernels, ElementsAre("kernel"));
  EXPECT_THAT(symbols.globals, ElementsAre("counter", "factor"));
}

TEST(CubinSymbols, ABrokenFileHasNoneAndDoesNoHarm) {
  const std::string whole = test::small_cubin();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const std::string cut = whole.substr(0, bytes);
    EXPECT_THAT(cubin_symbols(cut.data(), cut.size()).globals, IsEmpty()) << bytes;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(0xff);
    EXPECT_LE(cubin_symbols(changed.data(), changed.size()).globals.size(), 4U) << at;
  }
  EXPECT_THAT(cubin_symbols(nullptr, 100).kernels, IsEmpty());
}

}  // namespace
}  // namespace ridgepoint::collector
