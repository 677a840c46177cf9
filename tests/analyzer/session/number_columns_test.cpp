// Lists of numbers, taken out of the text: the same values and the same complaints as if the JSON
// library had read them.
#include "analyzer/session/codec/number_columns.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analyzer/session/session_file.h"
#include "tests/analyzer/session/full_session.h"

namespace ridgepoint::codec {
namespace {

constexpr TextLimits roomy = {32, 1000, 1000, 100000};

LiftedText lift(std::string_view text, TextLimits limits = roomy) {
  std::string fault;
  LiftedText lifted = lift_number_columns(text, limits, fault);
  EXPECT_EQ(fault, "");
  return lifted;
}

TEST(NumberColumns, LeaveAMarkInTheText) {
  const LiftedText lifted = lift(R"({"a":[1,-2 , 3],"b":["x"],"c":[0.5,null]})");
  EXPECT_EQ(lifted.skeleton, R"({"a":"\u0000column 0","b":["x"],"c":"\u0000column 1"})");
  ASSERT_EQ(lifted.columns.size(), 2U);
  EXPECT_EQ(lifted.columns[0].integer(1), -2);
  EXPECT_EQ(lifted.columns[1].real(0), 0.5);
  EXPECT_TRUE(std::isnan(lifted.columns[1].real(1)));
  EXPECT_EQ(lifted.columns[1].integer(1), std::nullopt);
}

TEST(NumberColumns, LeaveWhatIsNotPlainToTheLibrary) {
  for (const char* text :
       {"[]",        "[01]",       "[.5]",  "[5.]",    "[1e]",  "[+1]",
        "[nan]",     "[inf]",      "[0x1]", "[1e999]", "[1 2]", "[1,]",
        "[,1]",      "[1",         "[1,2",  "[-]",     "[nul]", "[18446744073709551615]",
        "[1,\"x\"]", "[[1],2,[]]x"}) {
    EXPECT_EQ(nlohmann::json::accept(lift(text).skeleton), nlohmann::json::accept(text)) << text;
  }
  EXPECT_TRUE(lift("[18446744073709551615]").columns.empty()) << "beyond 63 bits";
}

TEST(NumberColumns, KeepNanosecondsSinceTheEpochExactly) {
  EXPECT_EQ(lift("[1795980064943236142]").columns[0].integer(0), 1795980064943236142);
  EXPECT_EQ(lift("[9223372036854775807]").columns[0].integer(0), INT64_MAX);
}

TEST(NumberColumns, CannotBeForged) {
  const std::string forged = R"({"a":[1],"b":"\u0000column 0"})";
  EXPECT_TRUE(lift(forged).columns.empty()) << "then nothing is taken out";
  EXPECT_EQ(marked_column(std::string("\0column 0", 9), 0), std::nullopt);
  EXPECT_EQ(marked_column(std::string("\0column 7", 9), 8), std::optional<std::size_t>(7));
}

TEST(NumberColumns, AMarkIsNoText) {
  const auto why = [](const std::string& sections) {
    const auto read =
        parse_session(R"({"schema":"ridgepoint-session","version":"1.0",)" + sections + "}", "f");
    return read ? "it opened" : read.error().why;
  };
  EXPECT_EQ(why(R"("producer":{"mode":[1]})"), "producer.mode is not a text");
  EXPECT_EQ(why(R"("stall_reasons":[1,2])"), "stall_reasons[0] is not a text");
  EXPECT_EQ(why(R"("stall_reasons":["a",[1]])"), "stall_reasons[1] is not a text");
  EXPECT_EQ(why(R"("kernels":[1])"), "kernels[0] is not an object or a list");
  EXPECT_EQ(why(R"("producer":[1])"), "producer is not an object");
  EXPECT_EQ(why(R"("launches":{"kernel":[1,0.5]})"),
            "launches.kernel[1] is not a whole number in range");
  EXPECT_EQ(why(R"("launches":{"kernel":[1,null]})"),
            "launches.kernel[1] is not a whole number in range");
}

TEST(NumberColumns, SyntaxFaultsAreNamedWhereTheyStandInTheFile) {
  const auto read = parse_session(
      "{\"schema\":\"ridgepoint-session\",\"version\":\"1.0\",\n"
      "\"power\":{\"time_ns\":[1,2,3]},, \"x\":1}",
      "f");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().why.find("line 2, column 29"), std::string::npos) << read.error().why;
}

RC_GTEST_PROP(NumberColumns, GiveWhatTheLibraryGives, ()) {
  const auto cells = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto v) { return std::to_string(v); }),
      rc::gen::map(rc::gen::inRange(-1000, 1000), [](int v) { return std::to_string(v); }),
      rc::gen::map(rc::gen::arbitrary<double>(),
                   [](double v) { return std::isfinite(v) ? nlohmann::json(v).dump() : "null"; }),
      rc::gen::just(std::string("null")), rc::gen::just(std::string("-0")))));
  std::string text;
  for (const std::string& cell : cells) {
    text += (text.empty() ? "[" : ",") + cell;
  }
  text += "]";
  const nlohmann::json expected = nlohmann::json::parse(text);
  const LiftedText lifted = lift(text);
  RC_ASSERT(lifted.columns.size() == 1U);
  RC_ASSERT(lifted.columns[0].size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].is_null()) {
      RC_ASSERT(std::isnan(lifted.columns[0].real(i)));
    } else {
      RC_ASSERT(lifted.columns[0].real(i) == expected[i].get<double>());
    }
    if (lifted.columns[0].whole()) {
      RC_ASSERT(lifted.columns[0].integer(i) == expected[i].get<std::int64_t>());
    }
  }
}

RC_GTEST_PROP(SessionText, AnyCounterReadsBackAsItWas, ()) {
  Session session = test::full_session();
  const auto value = rc::gen::map(rc::gen::arbitrary<double>(), [](double v) {
    return std::isfinite(v) && std::abs(v) < 1e30 ? std::abs(v) : std::nan("");
  });
  for (std::vector<double>& column : session.counters.columns) {
    column = *rc::gen::container<std::vector<double>>(column.size(), value);
  }
  const auto again = parse_session(session_to_json(session), "f");
  RC_ASSERT(again.has_value());
  for (std::size_t c = 0; c < session.counters.columns.size(); ++c) {
    for (std::size_t row = 0; row < session.launches.size(); ++row) {
      const double was = session.counters.columns[c][row];
      const double is = again->counters.columns[c][row];
      const bool same = std::isnan(was) ? std::isnan(is) : was == is;
      RC_ASSERT(same);
    }
  }
}

}  // namespace
}  // namespace ridgepoint::codec
