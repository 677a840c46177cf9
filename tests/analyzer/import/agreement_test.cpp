// Both layouts of one recording agree on every counter that both have, within the rounding of the
// details page: this is what the table of display names rests on.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::sample;

// Two decimals of a value printed with a prefix: half a unit of the second decimal of a value that
// may be as small as 1 is 0.5 %; values below 1 are off by half a hundredth of their unit.
bool agree(double raw, double rounded) {
  return std::abs(raw - rounded) <= std::max(0.0051, 0.0051 * std::abs(raw));
}

struct Pair {
  const char* name;
  std::size_t first_launch;  // of the raw page that the details page has
  std::size_t common_counters_at_least;
};

class BothLayouts : public testing::TestWithParam<Pair> {};

TEST_P(BothLayouts, AgreeOnEveryCommonCounter) {
  const std::string name = GetParam().name;
  const Session raw = imported(sample(name + ".raw.csv"));
  const Session details = imported(sample(name + ".details.csv"));
  const std::size_t first = GetParam().first_launch;
  ASSERT_EQ(details.launches.size() + first, raw.launches.size());
  std::size_t common = 0;
  for (std::size_t i = 0; i < details.counters.names.size(); ++i) {
    const std::vector<double>* other = raw.counters.find(details.counters.names[i]);
    if (other == nullptr) {
      continue;
    }
    ++common;
    for (std::size_t launch = 0; launch < details.launches.size(); ++launch) {
      const double a = (*other)[launch + first];
      const double b = details.counters.columns[i][launch];
      EXPECT_TRUE(agree(a, b)) << details.counters.names[i] << " of launch " << launch << ": " << a
                               << " and " << b;
    }
  }
  EXPECT_GE(common, GetParam().common_counters_at_least);
  for (std::size_t launch = 0; launch < details.launches.size(); ++launch) {
    const Launch& a = raw.launches[launch + first];
    const Launch& b = details.launches[launch];
    EXPECT_EQ(raw.kernels[a.kernel].name, details.kernels[b.kernel].name);
    EXPECT_EQ(count(a.grid), count(b.grid));
    EXPECT_EQ(count(a.block), count(b.block));
  }
}

std::string pair_name(const testing::TestParamInfo<Pair>& pair) {
  return pair.index == 0 ? "ThreeKernels" : "Math";
}

INSTANTIATE_TEST_SUITE_P(Recordings, BothLayouts,
                         testing::Values(Pair{"three-kernels-cache-none", 0, 75},
                                         Pair{"sdpa-math-fwd-bwd", 6, 75}),
                         pair_name);

}  // namespace
}  // namespace ridgepoint
