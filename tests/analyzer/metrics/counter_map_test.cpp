#include "analyzer/metrics/counter_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string map_text(const std::string& quantities, const std::string& profiles) {
  return R"({"schema": "ridgepoint-counters", "version": "1.0", "family": "Test", "chips": ["T1"],
             "quantities": [)" +
         quantities + R"(], "profiles": {)" + profiles + "}}";
}

const std::string hbm =
    R"({"id": "hbm", "unit": "byte", "aggregate": "sum", "description": "both ways",
        "terms": [{"counter": "r.sum", "scale": 1}, {"counter": "w.sum", "scale": 2}]})";
const std::string reads =
    R"({"id": "reads", "unit": "byte", "aggregate": "sum", "description": "one way",
        "terms": [{"counter": "r.sum", "scale": 1}]})";

TEST(CounterMap, AsksForEachCounterOfAProfileOnce) {
  const auto map =
      parse_counter_map(map_text(hbm + "," + reads, R"("lite": ["reads", "hbm"])"), "t");
  ASSERT_TRUE(map) << format_error(map.error());
  EXPECT_THAT(*map->counters("lite"), ElementsAre("r.sum", "w.sum"));
}

TEST(CounterMap, UnknownProfileIsAUsageErrorThatNamesTheKnownOnes) {
  const auto map = parse_counter_map(map_text(hbm, R"("lite": ["hbm"], "full": ["hbm"])"), "t");
  ASSERT_TRUE(map);
  const auto counters = map->counters("heavy");
  ASSERT_FALSE(counters);
  EXPECT_EQ(counters.error().domain, ErrorDomain::usage);
  EXPECT_THAT(counters.error().hint, HasSubstr("full, lite"));
}

TEST(CounterMap, WhatOnlyAnImportHasCannotBeMeasured) {
  std::string imported = reads;
  imported.insert(1, R"("only_imported": true, )");
  EXPECT_TRUE(parse_counter_map(map_text(imported, ""), "t"));
  const auto map = parse_counter_map(map_text(imported, R"("lite": ["reads"])"), "t");
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error().why, HasSubstr("cannot be measured"));
}

TEST(CounterMap, AQuantityStandsInOnlyForOneThatThereIs) {
  std::string part = reads;
  part.insert(1, R"("stands_in_for": "hbm", )");
  const auto map = parse_counter_map(map_text(hbm + ", " + part, ""), "t");
  ASSERT_TRUE(map) << format_error(map.error());
  EXPECT_EQ(map->find("reads")->stands_in_for, "hbm");
  EXPECT_EQ(map->find("hbm")->stands_in_for, "");
  const auto alone = parse_counter_map(map_text(part, ""), "t");
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().why, HasSubstr("\"hbm\""));
}

TEST(Evaluate, SumsTheScaledTerms) {
  const auto map = parse_counter_map(map_text(hbm, ""), "t");
  ASSERT_TRUE(map);
  CounterTable table;
  table.column("r.sum", 2) = {1, 10};
  table.column("w.sum", 2) = {100, 1000};
  EXPECT_EQ(evaluate(*map->find("hbm"), table, 0), 201);
  EXPECT_EQ(evaluate(*map->find("hbm"), table, 1), 2010);
}

TEST(Evaluate, IsEmptyAndNeverZeroWhenATermWasNotMeasured) {
  const auto map = parse_counter_map(map_text(hbm, ""), "t");
  ASSERT_TRUE(map);
  CounterTable table;
  table.column("r.sum", 1) = {1};
  EXPECT_EQ(evaluate(*map->find("hbm"), table, 0), std::nullopt) << "no such column";
  table.column("w.sum", 1);
  EXPECT_EQ(evaluate(*map->find("hbm"), table, 0), std::nullopt) << "a hole in the column";
  EXPECT_EQ(evaluate(*map->find("hbm"), table, 7), std::nullopt) << "no such launch";
}

TEST(CounterMap, BadFilesAreRefusedWithTheirFault) {
  const struct {
    std::string text;
    const char* fault;
  } cases[] = {
      {"{", "it is not JSON: parse error at line 1"},
      {"[]", "not a JSON object"},
      {R"({"schema": "other", "version": "1.0", "family": "F", "chips": []})", "\"other\""},
      {R"({"schema": "ridgepoint-counters", "version": "2.0", "family": "F", "chips": []})", "2.0"},
      {map_text(hbm + "," + hbm, ""), "defined twice"},
      {map_text(hbm, R"("lite": ["nothing"])"), "\"nothing\", which is no quantity"},
      {map_text(R"({"id": "x", "unit": "1", "aggregate": "median", "description": "d",
                    "terms": [{"counter": "c", "scale": 1}]})",
                ""),
       "unknown aggregate \"median\""},
      {map_text(R"({"id": "x", "unit": "1", "aggregate": "sum", "description": "d", "terms": []})",
                ""),
       "\"terms\" is missing or empty"},
      {map_text(R"({"id": "x", "unit": "1", "aggregate": "sum", "description": "d",
                    "terms": [{"counter": "c", "scale": "1"}]})",
                ""),
       "scale of c"},
  };
  for (const auto& [text, fault] : cases) {
    const auto map = parse_counter_map(text, "bad.json");
    ASSERT_FALSE(map) << text;
    EXPECT_EQ(map.error().domain, ErrorDomain::input);
    EXPECT_THAT(map.error().why, HasSubstr(fault)) << text;
  }
}

TEST(CounterMaps, ShippedMapsLoadAndTheH200IsAmongThem) {
  const auto map = load_counter_map("GH100");
  ASSERT_TRUE(map) << format_error(map.error());
  EXPECT_EQ(map->family, "Hopper");
  for (const char* id :
       {"time_s", "hbm_read_bytes", "hbm_write_bytes", "l2_lookup_bytes", "smem_bytes",
        "tensor_fp16_flop", "tensor_bf16_flop", "hbm_peak_bytes_per_cycle"}) {
    EXPECT_NE(map->find(id), nullptr) << id;
  }
}

TEST(CounterMaps, UnknownChipIsADeviceErrorThatNamesTheKnownOnes) {
  const auto map = load_counter_map("GX999");
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().domain, ErrorDomain::device);
  EXPECT_THAT(map.error().why, HasSubstr("GH100"));
}

TEST(CounterMap, DeepNestingIsRefusedBeforeItIsBuilt) {
  const auto map = parse_counter_map(std::string(1 << 20, '['), "deep.json");
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().why, "its JSON is nested too deeply");
}

}  // namespace
}  // namespace ridgepoint
