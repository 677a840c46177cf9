#include "analyzer/core/byte_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgepoint {
namespace {

TEST(ByteText, EveryByteComesBackThroughJson) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
  }
  const std::string json = nlohmann::json(bytes_as_text(all)).dump();
  EXPECT_EQ(bytes_of_text(nlohmann::json::parse(json).get<std::string>()), all);
}

TEST(ByteText, AsciiStaysAsItIs) {
  EXPECT_EQ(bytes_as_text("/usr/share/ridgepoint"), "/usr/share/ridgepoint");
  EXPECT_EQ(bytes_as_text("\xE9"), "\xC3\xA9");
}

TEST(ByteText, WhatItDidNotWriteIsRefused) {
  for (const char* text : {"\xE9", "\xC3", "\xC3z", "\xE2\x82\xAC", "\x80"}) {
    EXPECT_EQ(bytes_of_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ridgepoint
