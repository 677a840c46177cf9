#include "analyzer/core/base64.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

// RFC 4648, section 10.
TEST(Base64, GivesTheTextsOfItsStandard) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
}

TEST(Base64, AnyBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 257; ++i) {
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64, OtherTextIsRefused) {
  for (const char* text : {"Zg=", "Z===", "Zg=a", "Zm9v!mFy", "Zg==Zg=="}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

}  // namespace
}  // namespace ridgepoint
