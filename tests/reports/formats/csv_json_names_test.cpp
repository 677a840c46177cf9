// docs/report-formats.md tells which columns of the CSV are which paths of the JSON: every column
// is looked up there, or under its own name, and has to hold the same value.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/report.h"
#include "tests/support/golden.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::json;

// The rows of the page's table whose second heading begins with `list`.
std::map<std::string, std::string> documented(const std::string& list) {
  std::istringstream lines(
      test_support::read_file(std::string(RIDGEPOINT_SOURCE_DIR) + "/docs/report-formats.md"));
  std::map<std::string, std::string> names;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> quoted;
    std::istringstream parts(line);
    std::size_t number = 0;
    for (std::string part; std::getline(parts, part, '`'); ++number) {
      if (number % 2 == 1) {
        quoted.push_back(part);
      }
    }
    if (line.rfind("| ", 0) == 0 && line.find(" CSV | `" + list + "`") != std::string::npos) {
      inside = true;
    } else if (inside && line.rfind('|', 0) != 0) {
      break;
    } else if (inside && quoted.size() == 2) {
      names[quoted[0]] = quoted[1];
    }
  }
  return names;
}

const Json& at_path(const Json& object, const std::string& path) {
  const Json* value = &object;
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');) {
    value = &value->at(part);
  }
  return *value;
}

// As the CSV writes it; no recording has a text with a comma.
std::string as_csv(const Json& value) {
  if (value.is_null()) {
    return "";
  }
  return value.is_string() ? value.get<std::string>() : fmt::format("{:.9g}", value.get<double>());
}
std::string as_number(const std::string& field) {
  char* end = nullptr;
  const double value = std::strtod(field.c_str(), &end);
  return end != field.c_str() && *end == '\0' ? fmt::format("{:.9g}", value) : field;
}

std::vector<std::vector<std::string>> table(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of('\r') + 1);
    rows.emplace_back();
    std::string field;
    bool quoted = false;
    for (const char c : line + ",") {
      quoted = quoted != (c == '"');
      if (c == ',' && !quoted) {
        rows.back().push_back(std::exchange(field, ""));
      } else if (c != '"') {
        field += c;
      }
    }
  }
  return rows;
}

struct Reports {
  Json json;
  std::vector<std::vector<std::string>> wide, rows;  // the heading first
};

Reports reports_of(const char* recording) {
  const Session session = test_support::recording(recording);
  const Analysis analysis = test_support::analysed(session);
  ReportOptions long_rows;
  long_rows.csv_layout = CsvLayout::long_rows;
  return {Json::parse(render_report(analysis, "json").value()),
          table(render_report(analysis, "csv").value()),
          table(render_report({analysis, &session}, "csv", long_rows).value())};
}

TEST(CsvAndJsonNames, EveryColumnOfAKernelIsWhereThePageSays) {
  const std::map<std::string, std::string> names = documented("kernels[]");
  ASSERT_FALSE(names.empty());
  const Reports reports = reports_of(test_support::batched_recording);
  const std::set<std::string> otherwise = {"bound_by", "grid", "block", "source"};
  const std::vector<std::string>& head = reports.wide.front();
  ASSERT_EQ(reports.wide.size(), reports.json["kernels"].size() + 1);
  for (std::size_t r = 1; r < reports.wide.size(); ++r) {
    for (std::size_t c = 0; c < head.size(); ++c) {
      const auto path = names.find(head[c]);
      if (otherwise.count(head[c]) == 0) {
        const std::string where = path != names.end() ? path->second : head[c];
        EXPECT_EQ(as_number(reports.wide[r][c]),
                  as_csv(at_path(reports.json["kernels"][r - 1], where)))
            << head[c] << " is " << where;
      }
    }
  }
  for (const auto& [column, path] : names) {
    EXPECT_THAT(head, testing::Contains(column)) << path;
  }
}

TEST(CsvAndJsonNames, EveryQuantityOfAVariantIsWhereThePageSays) {
  const std::map<std::string, std::string> names = documented("variants[]");
  ASSERT_FALSE(names.empty());
  const Reports reports = reports_of(test_support::batched_recording);
  std::set<std::string> seen;
  for (const std::vector<std::string>& row : reports.rows) {
    const std::string& quantity = row[3];
    // Rows of a whole variant: no kernel, no range, no sample.
    if (row[0].empty() && !row[1].empty() && row[8].empty() && quantity != "kernels") {
      const auto path = names.find(quantity);
      const std::string where = path != names.end() ? path->second : quantity;
      seen.insert(quantity);
      for (const Json& variant : reports.json["variants"]) {
        if (variant["name"] == row[1]) {
          EXPECT_EQ(as_number(row[4]), as_csv(at_path(variant, where)))
              << quantity << " is " << where;
        }
      }
    }
  }
  for (const auto& [quantity, path] : names) {
    EXPECT_EQ(seen.count(quantity), 1U) << quantity << " is " << path;
  }
}

}  // namespace
}  // namespace ridgepoint
