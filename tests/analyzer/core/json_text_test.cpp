#include "analyzer/core/json_text.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

std::string why(std::string_view text) {
  const auto json = parse_json(text, "a budget", 20, "write one");
  return json ? "" : json.error().why;
}

TEST(JsonText, IsAnObjectOrAListAndHasEachNameOnce) {
  EXPECT_EQ(why("{\"a\": [1, 2]}"), "");
  EXPECT_EQ(why(" \n[]"), "");
  EXPECT_EQ(why("{\"a\": 1, \"a\": 2}"), "\"a\" is given twice in one object");
}

// A file of another kind is named as what it is, not by where its bytes stop making sense.
TEST(JsonText, AFileOfAnotherKindIsToldFromBrokenJson) {
  EXPECT_EQ(why(""), "it is not JSON: it is empty");
  EXPECT_EQ(why("kernel,time\n"), "it is not JSON: it begins with neither { nor [");
  EXPECT_EQ(why("\x28\xB5\x2F\xFD[[[[[[[[[[[[[[[[[[[[[[[["),
            "it is not JSON: it is packed with zstd, as sessions (.ridge) are");
  EXPECT_EQ(why("[[[[[[[[[[[[[[[[[[[[[[[["), "its JSON is nested too deeply");
}

}  // namespace
}  // namespace ridgepoint
