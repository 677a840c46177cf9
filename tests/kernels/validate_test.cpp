#include "kernels/attention/validate.h"

#include <gmock/gmock.h>

#include <limits>

namespace ridgepoint::kernels {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

AttentionProblem good() {
  AttentionProblem p;
  p.heads = 8;
  p.kv_heads = 2;
  p.seqlen_q = 100;
  p.seqlen_k = 200;
  return p;
}

TEST(InvalidReason, AcceptsAnOrdinaryProblemAndEmptySequences) {
  AttentionProblem p = good();
  EXPECT_THAT(invalid_reason(p), IsEmpty());
  p.seqlen_q = p.seqlen_k = 0;
  EXPECT_THAT(invalid_reason(p), IsEmpty());
}

TEST(InvalidReason, NamesWhatIsWrong) {
  const auto reason = [](auto change) {
    AttentionProblem p = good();
    change(p);
    return invalid_reason(p);
  };
  EXPECT_THAT(reason([](auto& p) { p.batch = 0; }), HasSubstr("batch"));
  EXPECT_THAT(reason([](auto& p) { p.kv_heads = 3; }), HasSubstr("multiple of kv_heads (3)"));
  EXPECT_THAT(reason([](auto& p) { p.seqlen_k = -1; }), HasSubstr("negative"));
  EXPECT_THAT(reason([](auto& p) { p.seqlen_q = std::numeric_limits<std::int32_t>::max(); }),
              HasSubstr("must not exceed"));
  EXPECT_THAT(reason([](auto& p) { p.head_dim = 0; }), HasSubstr("head_dim"));
  EXPECT_THAT(reason([](auto& p) { p.softmax_scale = -1; }), HasSubstr("scale"));
  EXPECT_THAT(reason([](auto& p) { p.softmax_scale = std::numeric_limits<float>::quiet_NaN(); }),
              HasSubstr("scale"));
  EXPECT_THAT(reason([](auto& p) {
                p.seqlen_q = p.seqlen_k = 1 << 30;
                p.batch = 1000;
              }),
              HasSubstr("too large"));
}

}  // namespace
}  // namespace ridgepoint::kernels
