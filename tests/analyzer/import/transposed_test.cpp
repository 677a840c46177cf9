// The raw page turned on its side gives the same session as the raw page.
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/import/csv.h"
#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::issue;
using test::sample;
using test::value;

std::string turned(const std::string& csv) {
  std::vector<std::vector<std::string>> cells;
  importing::CsvReader reader(csv, ',');
  for (importing::Row row; reader.next(row);) {
    cells.emplace_back(row.begin(), row.end());
  }
  std::string text;
  for (std::size_t column = 0; column < cells[0].size(); ++column) {
    for (std::size_t line = 0; line < cells.size(); ++line) {
      std::string cell = cells[line][column];
      for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) {
        cell.insert(at, 1, '"');
      }
      text += (line == 0 ? "\"" : ",\"") + cell + "\"";
    }
    text += '\n';
  }
  return text;
}

class Turned : public testing::TestWithParam<const char*> {};

TEST_P(Turned, IsTheSameRecording) {
  const std::string raw = sample(GetParam());
  const Session straight = imported(raw);
  const Session side = imported(turned(raw));
  ASSERT_EQ(side.launches.size(), straight.launches.size());
  ASSERT_EQ(side.counters.names, straight.counters.names);
  for (std::size_t i = 0; i < straight.counters.names.size(); ++i) {
    for (std::size_t launch = 0; launch < straight.launches.size(); ++launch) {
      const double a = straight.counters.columns[i][launch];
      const double b = side.counters.columns[i][launch];
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << straight.counters.names[i];
    }
  }
  EXPECT_EQ(side.devices[0].name, "NVIDIA H200");
  EXPECT_EQ(side.ranges.size(), straight.ranges.size());
  EXPECT_EQ(issue(side, "import.units_missing"), "");
}

INSTANTIATE_TEST_SUITE_P(Samples, Turned,
                         testing::Values("three-kernels-cache-none.raw.csv",
                                         "sdpa-flash-fwd-bwd.raw.csv"));

TEST(Transposed, TakesKernelsFromTheHeader) {
  const Session session =
      imported("Metric Name\tMetric Unit\tcopy(int)\tadd(int)\ngpu__time_duration.sum\tus\t3\t4\n");
  ASSERT_EQ(session.launches.size(), 2U);
  EXPECT_EQ(session.kernels[1].name, "add(int)");
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 1), 4000);
}

TEST(Transposed, RefusesATableThatTurningWouldBlowUp) {
  std::string text = "ID,,0\nKernel Name,,k\nm" + std::string(60000, ',') + "\n";
  for (int i = 0; i < 200; ++i) {
    text += "m__" + std::to_string(i) + ",,1\n";
  }
  const auto session = import_session(text, "f.csv");
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().why.find("transposed table of more than"), std::string::npos);
}

}  // namespace
}  // namespace ridgepoint
