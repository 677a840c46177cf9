// Files that are damaged, foreign or made to harm: always an error that says what is wrong, never a
// crash.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analyzer/core/zstd.h"
#include "analyzer/session/session_file.h"
#include "tests/analyzer/session/full_session.h"

namespace ridgepoint {
namespace {

std::string why(const std::string& bytes) {
  const Result<Session> read = parse_session(bytes, "f");
  return read ? "it opened" : read.error().why;
}

std::string with(const std::string& sections) {
  return R"({"schema":"ridgepoint-session","version":"1.0",)" + sections + "}";
}

TEST(HostileSession, SaysWhatAForeignFileIs) {
  EXPECT_EQ(why(""), "it is empty");
  EXPECT_EQ(why("GIF89a\x01"), "it is not a Ridgepoint session (it begins with \"GIF89a?\")");
  EXPECT_EQ(why("{}"), "it is JSON, but not a Ridgepoint session (no \"schema\")");
  EXPECT_EQ(why(R"({"schema":"other","version":"1.0"})"),
            "it is a \"other\" file, not a Ridgepoint session");
  EXPECT_EQ(why(R"({"schema":"ridgepoint-session","version":"one"})"),
            "it has no readable version (\"one\")");
  EXPECT_EQ(why(R"({"schema":7,"version":[]})"),
            "it is JSON, but not a Ridgepoint session (no \"schema\")");
}

TEST(HostileSession, NamesThePlaceOfAWrongField) {
  EXPECT_EQ(why(with(R"("devices":[{"sm_count":"many"}])")),
            "devices[0].sm_count is not a whole number in range");
  EXPECT_EQ(why(with(R"("devices":[{"sm_count":1.5}])")),
            "devices[0].sm_count is not a whole number in range");
  EXPECT_EQ(why(with(R"("devices":{"a":1})")), "devices is not a list");
  EXPECT_EQ(why(with(R"("launches":{"grid_x":[1,-1]})")),
            "launches.grid_x[1] is not a whole number in range");
  EXPECT_EQ(why(with(R"("launches":{"grid_x":[1,2],"grid_y":[1]})")),
            "launches.grid_y is not a column as long as the others");
  EXPECT_EQ(why(with(R"("launches":[1])")), "launches is not an object of columns");
  EXPECT_EQ(why(with(R"("attention":3)")), "attention is not an object");
}

TEST(HostileSession, RefusesDeepNestingWithoutBuildingIt) {
  EXPECT_EQ(why("{\"a\":" + std::string(1000000, '[')),
            "its JSON is nested more than 32 levels deep");
  EXPECT_EQ(why(with("\"x\":\"" + std::string(100, '[') + "\"")), "it opened")
      << "brackets in a text do not nest";
}

TEST(HostileSession, RefusesNumbersThatNoFieldHolds) {
  EXPECT_NE(why(with(R"("producer":{},"policy":{"overhead_factor":1e999})")).find("not valid JSON"),
            std::string::npos);
  EXPECT_EQ(why(with(R"("policy":{"passes":18446744073709551615})")),
            "policy.passes is not a whole number in range");
}

TEST(HostileSession, EveryTruncationIsAnError) {
  const std::string whole = zstd_compress(session_to_json(test::full_session()));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_NE(why(whole.substr(0, length)), "it opened") << length;
  }
  const std::string plain = session_to_json(test::full_session());
  for (std::size_t length = 0; length < plain.size(); length += 7) {
    ASSERT_NE(why(plain.substr(0, length)), "it opened") << length;
  }
}

TEST(HostileSession, NoFlippedBitOfASessionFileChangesASession) {
  const std::string text = session_to_json(test::full_session());
  const std::string whole = zstd_compress(text);
  std::size_t opened = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    if (const Result<Session> read = parse_session(bytes, "f")) {
      ASSERT_EQ(session_to_json(*read), text) << "bit " << bit;
      ++opened;
    }
  }
  EXPECT_LT(opened, whole.size() / 8) << "few bits of a frame mean nothing, as RFC 8878 has it";
}

TEST(HostileSession, SurvivesAnyFlippedBytes) {
  const std::string plain = session_to_json(test::full_session());
  std::mt19937 random(20261129);
  std::size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = plain;
    for (int flips = 0; flips < 3; ++flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256U);
    }
    refused += parse_session(bytes, "f") ? 0U : 1U;
  }
  EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace ridgepoint
