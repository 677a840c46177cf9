#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& csv) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < csv.size();) {
    const std::size_t end = csv.find("\r\n", at);
    lines.push_back(csv.substr(at, end - at));
    at = end + 2;
  }
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

ReportOptions csv(CsvLayout layout, CsvNames names) {
  ReportOptions options;
  options.csv_layout = layout;
  options.csv_names = names;
  return options;
}

// A long table as (launch, quantity) -> value and unit, of the kernels whose name has `kernel`.
std::map<std::pair<std::string, std::string>, std::pair<double, std::string>> values_of(
    const std::string& text, const std::string& kernel) {
  std::map<std::pair<std::string, std::string>, std::pair<double, std::string>> values;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> f = fields_of(line);
    if (f.size() == 9 && f[0].find(kernel) != std::string::npos) {
      values[{f[2], f[3]}] = {std::stod(f[4]), f[5]};
    }
  }
  return values;
}

TEST(CsvReport, HasARowAKernelInSiUnits) {
  const auto lines = lines_of(render_report(test_support::sample_analysis(), "csv").value());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[0], StartsWith("kernel,variant,launches,time_s,"));
  EXPECT_THAT(lines[2], StartsWith("naive_softmax,naive,1,0.00114,"));
}

TEST(CsvReport, SharesOutTheBytesOfAKnownWorkload) {
  const auto lines = lines_of(render_report(test_support::sample_analysis(), "csv").value());
  const auto head = fields_of(lines[0]);
  const auto row = fields_of(lines[1]);
  const auto value = [&](const char* column) {
    const auto at = std::find(head.begin(), head.end(), column) - head.begin();
    return std::stod(row.at(static_cast<std::size_t>(at)));
  };
  EXPECT_EQ(head.size(), row.size());
  EXPECT_NEAR(value("hbm_inputs_outputs_bytes") + value("hbm_intermediates_bytes") +
                  value("hbm_again_bytes"),
              value("hbm_bytes"), 1);
}

TEST(CsvReport, LeavesFieldsEmptyThatWereNotMeasured) {
  const auto lines = lines_of(render_report(test_support::sparse_analysis(), "csv").value());
  EXPECT_THAT(lines.at(1), StartsWith("copy_kernel,,12,0.00031,1,,,"));
  EXPECT_EQ(fields_of(lines[0]).size(), fields_of(lines[1]).size());
}

TEST(LongCsv, GivesEachKernelAndEachLaunchInSiUnits) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  const std::string text =
      render_report({analysis, &session}, "csv", csv(CsvLayout::long_rows, CsvNames::ridgepoint))
          .value();
  EXPECT_EQ(lines_of(text).front(),
            "kernel,variant,launch,quantity,value,unit,range,device,time_s");
  const auto fused = values_of(text, "fused_attention_forward");
  const auto& kernel = *std::find_if(analysis.kernels.begin(), analysis.kernels.end(),
                                     [](const KernelAnalysis& k) { return k.variant == "fused"; });
  EXPECT_EQ(fused.at({"all", "time_s"}), std::pair(*kernel.time_s, std::string("s")));
  EXPECT_EQ(fused.at({"all", "hbm_bytes"}).second, "byte");
  EXPECT_EQ(fused.at({"all", "stall:" + kernel.stalls[0].reason}).first, kernel.stalls[0].share);
  // The one launch of the variant is the kernel.
  EXPECT_EQ(fused.at({"3", "time_s"}).first, *kernel.time_s);
}

// A value of the long table that belongs to no kernel, by the fields that say where it belongs.
std::optional<double> value_at(const std::string& text, const std::string& variant,
                               const std::string& range, const std::string& quantity) {
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> f = fields_of(line);
    if (f.size() == 9 && f[0].empty() && f[1] == variant && f[2] == "all" && f[3] == quantity &&
        f[6] == range) {
      return std::stod(f[4]);
    }
  }
  return std::nullopt;
}

TEST(LongCsv, GivesVariantsRangesAndTheWholeRunToo) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const std::string text =
      render_report(analysis, "csv", csv(CsvLayout::long_rows, CsvNames::ridgepoint)).value();
  const VariantAnalysis& fused = analysis.variants[1];
  EXPECT_EQ(value_at(text, "fused", "", "tokens_per_s"), fused.tokens_per_s);
  EXPECT_EQ(value_at(text, "fused", "", "hbm_bytes_predicted"),
            fused.traffic[MemoryLevel::hbm].predicted);
  ASSERT_FALSE(analysis.ranges.empty());
  const RangeAnalysis& range = analysis.ranges.front();
  EXPECT_EQ(value_at(text, "", range.path, "l2_bytes"), range.traffic[MemoryLevel::l2].total);
  EXPECT_EQ(value_at(text, "", "(whole run)", "hbm_read_bytes"),
            analysis.run->traffic[MemoryLevel::hbm].read);
}

TEST(LongCsv, HasNoRowForWhatWasNotMeasured) {
  const std::string text = render_report(test_support::sparse_analysis(), "csv",
                                         csv(CsvLayout::long_rows, CsvNames::ridgepoint))
                               .value();
  EXPECT_EQ(values_of(text, "copy").count({"all", "flop_per_s"}), 0U);
  for (const std::string& line : lines_of(text)) {
    EXPECT_NE(fields_of(line)[4], "") << line;
  }
}

TEST(NcuCsv, NamesTheCountersInNsightsBaseUnits) {
  const Session session = test_support::recording();
  const Analysis analysis = test_support::analysed(session);
  const auto lines =
      lines_of(render_report(analysis, "csv", csv(CsvLayout::wide, CsvNames::ncu)).value());
  const auto head = fields_of(lines.at(0));
  const auto row = fields_of(lines.at(1));
  ASSERT_EQ(head.size(), row.size());
  EXPECT_EQ(head[0], "Kernel Name");
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin());
  };
  EXPECT_DOUBLE_EQ(std::stod(row.at(column("gpu__time_duration.sum"))),
                   *analysis.kernels[0].time_s * 1e9);
  EXPECT_DOUBLE_EQ(std::stod(row.at(column("dram__bytes_read.sum"))),
                   *analysis.kernels[0].traffic[MemoryLevel::hbm].read);
  // A sum of several counters has no single name of Nsight's.
  EXPECT_LT(column("tensor_fp16_flop"), head.size());
}

TEST(NcuCsv, GivesEveryCounterOfEveryLaunchAsItWasRecorded) {
  const Session session = test_support::recording();
  const std::string text = render_report({test_support::analysed(session), &session}, "csv",
                                         csv(CsvLayout::long_rows, CsvNames::ncu))
                               .value();
  const auto values = values_of(text, "naive_softmax");
  for (std::size_t c = 0; c < session.counters.names.size(); ++c) {
    const double recorded = session.counters.columns[c][1];
    const auto found = values.find({"1", session.counters.names[c]});
    ASSERT_EQ(found == values.end(), std::isnan(recorded)) << session.counters.names[c];
    if (found != values.end()) {
      EXPECT_EQ(found->second.first, recorded);
    }
  }
  EXPECT_EQ(values.at({"1", "gpu__time_duration.sum"}).second, "ns");
}

TEST(LongCsv, LetsNoNameBecomeAFormula) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[0].name = "=HYPERLINK(\"http://x\")";
  analysis.kernels[0].stalls = {{"@SUM(A1)", 0.5, false}};
  analysis.devices[0].chip = "GH100";  // an invented chip has no counters
  analysis.kernels[0].quantities = {{"hbm_read_bytes", 4096}};
  for (const CsvNames names : {CsvNames::ridgepoint, CsvNames::ncu}) {
    const std::string text =
        render_report(analysis, "csv", csv(CsvLayout::long_rows, names)).value();
    EXPECT_THAT(text, HasSubstr("\"'=HYPERLINK"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("\n=")));
  }
  EXPECT_THAT(render_report(analysis, "csv", csv(CsvLayout::wide, CsvNames::ncu)).value(),
              HasSubstr("\"'=HYPERLINK"));
}

}  // namespace
}  // namespace ridgepoint
