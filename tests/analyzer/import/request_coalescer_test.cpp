// Why L2 looks up fewer bytes than the SMs receive (docs/hopper-attention.md): the recordings of an
// H200 have the counters of the unit between them.
#include <gtest/gtest.h>

#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::sample;
using test::value;

constexpr double sector_bytes = 32;
// Below it, instructions and constants are a share of the sectors that cannot be overlooked.
constexpr double enough_bytes = 200e6;

struct Flow {
  double from_l2, to_clusters, received;
};

// Of the large launches, by kernel.
std::vector<std::pair<std::string, Flow>> flows(const std::string& file) {
  const Session session = imported(sample(file));
  std::vector<std::pair<std::string, Flow>> all;
  for (std::size_t launch = 0; launch < session.launches.size(); ++launch) {
    const Flow flow = {sector_bytes * value(session, "lrc__lts2lrc_sectors_op_read.sum", launch),
                       sector_bytes * value(session, "lrc__xbar2gpc_sectors_op_read.sum", launch),
                       value(session, "l1tex__m_xbar2l1tex_read_bytes.sum", launch)};
    if (flow.received >= enough_bytes) {
      all.emplace_back(session.kernels[session.launches[launch].kernel].name, flow);
    }
  }
  return all;
}

TEST(RequestCoalescer, HandsOnWhatTheSmsReceiveAndTakesNoMoreFromL2) {
  for (const char* file : {"sdpa-flash-fwd-bwd.raw.csv", "sdpa-math-fwd-bwd.raw.csv",
                           "three-kernels-cache-none.raw.csv"}) {
    const auto all = flows(file);
    EXPECT_FALSE(all.empty()) << file;
    for (const auto& [kernel, flow] : all) {
      EXPECT_NEAR(flow.to_clusters / flow.received, 1.0, 0.01) << kernel;
      EXPECT_LE(flow.from_l2, 1.001 * flow.to_clusters) << kernel;
    }
  }
}

TEST(RequestCoalescer, AnswersOnceWhatBlocksOfAttentionAskForTogether) {
  bool seen = false;
  for (const auto& [kernel, flow] : flows("sdpa-flash-fwd-bwd.raw.csv")) {
    if (kernel.find("flash_fwd_kernel") != std::string::npos) {
      seen = true;
      EXPECT_NEAR(flow.from_l2 / flow.received, 0.744, 0.001);
    }
  }
  EXPECT_TRUE(seen);
}

TEST(RequestCoalescer, HasNothingToDoWhereNoDataIsShared) {
  bool seen = false;
  for (const auto& [kernel, flow] : flows("three-kernels-cache-none.raw.csv")) {
    if (kernel.find("copyk") != std::string::npos) {
      seen = true;
      EXPECT_NEAR(flow.from_l2 / flow.received, 1.0, 0.001);
    }
  }
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace ridgepoint
