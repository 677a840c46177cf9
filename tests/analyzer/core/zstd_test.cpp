#include "analyzer/core/zstd.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(Zstd, RoundTripsAnyBytes) {
  for (const std::string& bytes :
       {std::string(), std::string("a\0b", 3), std::string(1 << 20, 'x')}) {
    const std::string frame = zstd_compress(bytes);
    EXPECT_TRUE(is_zstd(frame));
    EXPECT_EQ(zstd_decompress(frame, 1 << 20, "opening f").value(), bytes);
  }
}

TEST(Zstd, RefusesEveryTornFrame) {
  std::string bytes;
  for (int i = 0; i < 2000; ++i) {
    bytes += std::to_string(i * i);
  }
  const std::string frame = zstd_compress(bytes);
  for (std::size_t length = 4; length < frame.size(); ++length) {
    ASSERT_FALSE(zstd_decompress(std::string_view(frame).substr(0, length), 1 << 20, "opening f"))
        << length;
  }
}

TEST(Zstd, StopsABombAtItsLimit) {
  const std::string bomb = zstd_compress(std::string(1 << 24, '\0'));
  EXPECT_LT(bomb.size(), 2000U);
  const Result<std::string> text = zstd_decompress(bomb, 1 << 20, "opening f");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().why.find("more than the limit"), std::string::npos);
}

}  // namespace
}  // namespace ridgepoint
