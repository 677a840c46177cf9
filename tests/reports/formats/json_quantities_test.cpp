// Budgets and comparisons name quantities by their paths in the JSON report: every number there
// must be known to analyzer/compare/quantity.h, and be the same.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analyzer/compare/quantity.h"
#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using nlohmann::json;

// Lists hold grids and indices, which no limit speaks of.
void numbers_below(const json& value, const std::string& path,
                   std::vector<std::pair<std::string, double>>& numbers) {
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) {
      numbers_below(child, path.empty() ? name : path + "." + name, numbers);
    }
  } else if (value.is_number()) {
    numbers.emplace_back(path, value.get<double>());
  }
}

template <class Subject>
std::size_t expect_known(const json& reported, const Subject& subject) {
  std::vector<std::pair<std::string, double>> numbers;
  numbers_below(reported, "", numbers);
  for (const auto& [path, number] : numbers) {
    const auto value = value_of(subject, path);
    EXPECT_TRUE(value.has_value()) << path << " is no quantity";
    EXPECT_DOUBLE_EQ(value.value_or(0), number) << path;
  }
  return numbers.size();
}

void expect_all_known(const Analysis& analysis, std::size_t least) {
  const json report = json::parse(render_report(analysis, "json").value());
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    numbers += expect_known(report["kernels"][i], analysis.kernels[i]);
  }
  for (std::size_t i = 0; i < analysis.variants.size(); ++i) {
    numbers += expect_known(report["variants"][i], analysis.variants[i]);
  }
  EXPECT_GE(numbers, least);
}

TEST(JsonQuantities, AreAllKnownToBudgets) {
  expect_all_known(test_support::sample_analysis(), 100);
  expect_all_known(test_support::analysed(test_support::recording()), 200);
}

// The other way: a quantity that no report holds could never be checked by a reader.
TEST(JsonQuantities, AreAllInTheReport) {
  const json report = json::parse(render_report(test_support::sample_analysis(), "json").value());
  const auto pointer = [](std::string id) {
    for (char& c : id) {
      c = c == '.' ? '/' : c;
    }
    return json::json_pointer("/" + id);
  };
  for (const auto& quantity : kernel_quantities()) {
    EXPECT_TRUE(report["kernels"][0].contains(pointer(quantity.id))) << quantity.id;
  }
  for (const auto& quantity : variant_quantities()) {
    EXPECT_TRUE(report["variants"][0].contains(pointer(quantity.id))) << quantity.id;
  }
}

}  // namespace
}  // namespace ridgepoint
