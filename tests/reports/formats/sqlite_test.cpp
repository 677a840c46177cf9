// Asks the database what a user would ask it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;

class SqliteReport : public ::testing::Test {
 protected:
  std::string file() const { return (folder_ / "run.sqlite").string(); }

  // The rows of a query, cells joined with '|', NULL as "NULL".
  std::vector<std::string> ask(const std::string& sql) const {
    sqlite3* opened = nullptr;
    EXPECT_EQ(sqlite3_open_v2(file().c_str(), &opened, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, &sqlite3_close);
    std::vector<std::string> rows;
    char* error = nullptr;
    sqlite3_exec(
        opened, sql.c_str(),
        [](void* into, int columns, char** values, char** /*names*/) {
          std::string row;
          for (int i = 0; i < columns; ++i) {
            row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "NULL" : values[i]);
          }
          static_cast<std::vector<std::string>*>(into)->push_back(row);
          return 0;
        },
        &rows, &error);
    EXPECT_EQ(error, nullptr) << error;
    sqlite3_free(error);
    return rows;
  }

  test::TempDir folder_;
};

TEST_F(SqliteReport, HoldsTheWholeRecording) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  ASSERT_TRUE(save_report({analysis, &session}, "sqlite", {}, file(), false));
  EXPECT_THAT(ask("PRAGMA integrity_check"), ElementsAre("ok"));
  EXPECT_THAT(ask("SELECT value FROM meta WHERE key = 'schema'"), ElementsAre("ridgepoint-sqlite"));
  EXPECT_THAT(ask("SELECT name, chip FROM device"), ElementsAre("NVIDIA H200|GH100"));
  EXPECT_THAT(ask("SELECT name FROM variants ORDER BY id"),
              ElementsAre("naive", "fused", "hopper"));
  EXPECT_EQ(ask("SELECT * FROM kernels").size(), analysis.kernels.size());
  EXPECT_EQ(ask("SELECT * FROM diagnoses").size(), analysis.diagnoses.size());
  EXPECT_EQ(ask("SELECT * FROM targets").size(), analysis.targets.size());
  std::size_t counted = 0;
  for (const auto& column : session.counters.columns) {
    for (const double value : column) {
      counted += std::isfinite(value) ? 1U : 0U;
    }
  }
  EXPECT_THAT(ask("SELECT count(*) FROM counters"), ElementsAre(std::to_string(counted)));
  EXPECT_THAT(ask("PRAGMA foreign_key_check"), ElementsAre());
}

TEST_F(SqliteReport, AnswersTheUsualQuestionsInViews) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  ASSERT_TRUE(save_report({analysis, &session}, "sqlite", {}, file(), false));
  EXPECT_EQ(ask("SELECT * FROM slowest_kernels").size(), analysis.kernels.size());
  EXPECT_THAT(ask("SELECT variant FROM slowest_kernels LIMIT 1"), ElementsAre("naive"));
  EXPECT_THAT(ask("SELECT name, speedup_over_first > 1, hbm_bytes_of_first < 0.5 FROM "
                  "variant_comparison WHERE name = 'fused'"),
              ElementsAre("fused|1|1"));
  EXPECT_EQ(ask("SELECT * FROM advice").size(), analysis.diagnoses.size());
  const auto bytes = ask(
      "SELECT printf('%.0f', sum(value)) FROM launch_counters WHERE launch_id = 1 AND counter IN "
      "('dram__bytes_read.sum', 'dram__bytes_write.sum')");
  ASSERT_EQ(bytes.size(), 1U);
  EXPECT_DOUBLE_EQ(std::stod(bytes[0]), *analysis.kernels[1].traffic[MemoryLevel::hbm].total);
  EXPECT_THAT(ask("SELECT * FROM missed_targets WHERE value IS NULL"), ElementsAre());
}

// Whoever joins tables, or plots one, never reads `meta`.
TEST_F(SqliteReport, SaysOfEachVariantAndKernelWhetherItRan) {
  ASSERT_TRUE(save_report(test_support::sample_analysis(), "sqlite", {}, file(), false));
  const std::string sources =
      "SELECT source FROM variants UNION SELECT source FROM kernels UNION SELECT source FROM "
      "slowest_kernels UNION SELECT source FROM variant_comparison";
  EXPECT_THAT(ask(sources), ElementsAre("predicted"));
  const Analysis ran = test_support::analysed(test_support::recording());
  ASSERT_TRUE(save_report(ran, "sqlite", {}, file(), true));
  EXPECT_THAT(ask(sources), ElementsAre("recording"));
}

TEST_F(SqliteReport, HasWhatMergedInL2BesideItsBytes) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  ASSERT_TRUE(save_report(analysis, "sqlite", {}, file(), false));
  const auto rows = ask("SELECT printf('%.0f', l2_merged_bytes) FROM kernels ORDER BY id");
  ASSERT_EQ(rows.size(), analysis.kernels.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_DOUBLE_EQ(std::stod(rows[i]), *analysis.kernels[i].traffic[MemoryLevel::l2].merged);
  }
  EXPECT_THAT(ask("SELECT count(*) FROM variants WHERE l2_merged_bytes < l2_bytes"),
              ElementsAre("3"));
}

TEST_F(SqliteReport, HasTheTrafficOfEachRangeAndOfTheWholeRun) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  ASSERT_TRUE(save_report(analysis, "sqlite", {}, file(), false));
  EXPECT_EQ(ask("SELECT * FROM range_traffic").size(), analysis.ranges.size() + 1);
  const auto whole = ask("SELECT printf('%.0f', hbm_bytes) FROM range_traffic WHERE range IS NULL");
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_DOUBLE_EQ(std::stod(whole[0]), *analysis.run->traffic[MemoryLevel::hbm].total);
}

TEST_F(SqliteReport, HasWhatWasWatchedOverTime) {
  Analysis analysis = test_support::sparse_analysis();
  PowerTrace power;
  power.time_s = {0, 0.5};
  power.power_w = {250, std::nan("")};
  power.sm_clock_hz = {1.98e9, 1.5e9};
  power.memory_clock_hz = power.temperature_c = {std::nan(""), std::nan("")};
  power.phases.resize(1);
  power.phases[0].name = "latency";
  power.phases[0].energy_j = 12;
  analysis.power = {power};
  PmTrace trace;
  trace.variant = "fused";
  trace.time_s = {1e-5, 2e-5};
  trace.channels = {{"hbm_read_share", "share", "bytes read", {0.25, std::nan("")}}};
  PmTrace launch = trace;
  launch.variant.clear();
  launch.kernel = "gemm";
  launch.nth = 3;
  analysis.pm_traces = {trace, launch};
  ASSERT_TRUE(save_report(analysis, "sqlite", {}, file(), false));
  EXPECT_THAT(ask("SELECT time_s, power_w, sm_clock_hz FROM power_samples ORDER BY time_s"),
              ElementsAre("0.0|250.0|1980000000.0", "0.5|NULL|1500000000.0"));
  EXPECT_THAT(ask("SELECT phase, energy_j, power_w FROM power_phases"),
              ElementsAre("latency|12.0|NULL"));
  EXPECT_THAT(ask("SELECT variant, quantity, value, unit, kernel, nth FROM pm_samples"),
              ElementsAre("fused|hbm_read_share|0.25|share|NULL|NULL",
                          "NULL|hbm_read_share|0.25|share|gemm|3"));
}

TEST_F(SqliteReport, HasNullForWhatWasNotMeasured) {
  ASSERT_TRUE(save_report(test_support::sparse_analysis(), "sqlite", {}, file(), false));
  EXPECT_THAT(ask("SELECT flop, hbm_utilisation, variant_id FROM kernels"),
              ElementsAre("NULL|NULL|NULL"));
  EXPECT_THAT(ask("SELECT count(*) FROM launches"), ElementsAre("0"));
}

TEST_F(SqliteReport, ReplacesAFileOnlyWhenForcedAndLeavesNothingElse) {
  std::ofstream(file()) << "mine";
  const Status refused = save_report(test_support::sparse_analysis(), "sqlite", {}, file(), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().why, "it exists already");
  EXPECT_EQ(std::filesystem::file_size(file()), 4U);
  ASSERT_TRUE(save_report(test_support::sparse_analysis(), "sqlite", {}, file(), true));
  EXPECT_THAT(ask("PRAGMA integrity_check"), ElementsAre("ok"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(SqliteReport, KeepsHostileNamesAsTexts) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[0].short_name = "'); DROP TABLE kernels; --";
  ASSERT_TRUE(save_report(analysis, "sqlite", {}, file(), false));
  EXPECT_THAT(ask("SELECT short_name FROM kernels WHERE id = 0"),
              ElementsAre("'); DROP TABLE kernels; --"));
}

TEST_F(SqliteReport, CannotBePrinted) {
  const auto printed = render_report(test_support::sample_analysis(), "sqlite");
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().domain, ErrorDomain::usage);
}

}  // namespace
}  // namespace ridgepoint
