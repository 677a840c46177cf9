// The data files of the importer fit the counter maps they serve.
#include "analyzer/import/tables.h"

#include <gtest/gtest.h>

#include <set>

#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

TEST(ImportTables, NameOnlyChipsThatHaveACounterMap) {
  const auto tables = importing::load_tables();
  ASSERT_TRUE(tables) << format_error(tables.error());
  const auto maps = load_counter_maps();
  ASSERT_TRUE(maps);
  std::set<std::string> chips;
  for (const CounterMap& map : *maps) {
    chips.insert(map.chips.begin(), map.chips.end());
  }
  for (const auto& [id, chip] : tables->chip_by_id) {
    EXPECT_EQ(chips.count(chip), 1U) << chip;
  }
  for (const auto& [capability, names] : tables->chips_by_compute_capability) {
    EXPECT_FALSE(names.empty()) << capability;
    for (const std::string& chip : names) {
      EXPECT_EQ(chips.count(chip), 1U) << chip;
    }
  }
}

TEST(ImportTables, EveryIdentityServesAQuantityOrALaterIdentity) {
  const auto tables = importing::load_tables();
  ASSERT_TRUE(tables);
  const auto maps = load_counter_maps();
  std::set<std::string> wanted;
  for (const CounterMap& map : *maps) {
    for (const QuantityDefinition& quantity : map.quantities) {
      for (const CounterTerm& term : quantity.terms) {
        wanted.insert(term.counter);
      }
    }
  }
  for (auto identity = tables->identities.rbegin(); identity != tables->identities.rend();
       ++identity) {
    EXPECT_EQ(wanted.count(identity->counter), 1U) << identity->counter << " is of no use";
    for (const importing::IdentityTerm& term : identity->terms) {
      EXPECT_FALSE(term.factors.empty());
      wanted.insert(term.factors.begin(), term.factors.end());
      wanted.insert(term.divisors.begin(), term.divisors.end());
    }
  }
}

}  // namespace
}  // namespace ridgepoint
