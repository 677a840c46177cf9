#include "tests/analyzer/rules/nsight_agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analyzer/analysis/analyse.h"
#include "analyzer/roofline/placement.h"
#include "tests/analyzer/import/samples.h"
#include "tests/analyzer/rules/nsight_rows.h"

namespace ridgepoint::test {
namespace {

// The session with one launch only.
Session cut(const Session& whole, std::size_t launch) {
  Session one = whole;
  one.launches = {whole.launches[launch]};
  for (std::vector<double>& column : one.counters.columns) {
    column = {column[launch]};
  }
  one.imported_rules.clear();
  return one;
}

void add_recording(const std::string& name, std::size_t first, std::vector<JudgedLaunch>& all) {
  const Session raw = imported(sample(name + ".raw.csv"));
  const Session details = imported(sample(name + ".details.csv"));
  for (std::size_t launch = 0; launch < details.launches.size(); ++launch) {
    auto analysis = analyse(cut(raw, first + launch));
    EXPECT_TRUE(analysis) << (analysis ? "" : format_error(analysis.error()));
    if (!analysis) {
      continue;
    }
    JudgedLaunch judged{name, first + launch, analysis->kernels.front(), analysis->diagnoses, {}};
    std::copy_if(details.imported_rules.begin(), details.imported_rules.end(),
                 std::back_inserter(judged.nsights),
                 [&](const ImportedRuleResult& one) { return one.launch == launch; });
    all.push_back(std::move(judged));
  }
}

}  // namespace

std::vector<JudgedLaunch> judged_launches() {
  std::vector<JudgedLaunch> all;
  add_recording("three-kernels-cache-none", 0, all);
  add_recording("sdpa-math-fwd-bwd", 6, all);  // the details page begins with ID 6
  return all;
}

std::vector<Row> agreement(const std::vector<JudgedLaunch>& launches) {
  std::vector<Row> rows;
  for (const SharedRule& rule : shared_rules()) {
    Row row;
    row.rule = rule.nsight;
    row.ours = rule.ours;
    row.estimates = rule.estimates;
    for (const JudgedLaunch& launch : launches) {
      const Finding theirs = rule.nsights(launch);
      const Finding ours = rule.our(launch);
      if (theirs.fired == ours.fired) {
        (ours.fired ? row.both : row.neither) += 1;
        if (theirs.gain && ours.gain) {
          row.widest_gap =
              std::max(row.widest_gap.value_or(0), std::abs(*theirs.gain - *ours.gain));
        }
        continue;
      }
      (theirs.fired ? row.only_nsight : row.only_ours) += 1;
      row.disagreements[rule.reason(launch, theirs.fired)].push_back(
          fmt::format("{} {}", launch.recording.substr(0, launch.recording.find('-')), launch.id));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string agreement_page(const std::vector<Row>& rows, std::size_t launches) {
  std::string page = fmt::format(
      "# Agreement with Nsight Compute's rules\n\n"
      "Of {} launches on an H200 (`tests/data/nsight-compute`) both pages were exported: the "
      "details "
      "page holds what\nNsight Compute's rules said, the raw page the counters, from which "
      "Ridgepoint "
      "judges each launch alone. The test\n`nsight_agreement_test` writes this page and fails when "
      "it "
      "no longer holds, or when the two differ for a reason that the\nlaunch's own counters do not "
      "show. A rule *fires* where it gives advice; its remarks count where the row says which.\n\n"
      "| Nsight Compute | Ridgepoint | both fire | only theirs | only ours | neither | widest gap "
      "of "
      "the estimates |\n|---|---|--:|--:|--:|--:|--:|\n",
      launches);
  std::string reasons;
  std::string estimates;
  constexpr double visible_gap = 0.005;
  for (const Row& row : rows) {
    page += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.rule, row.ours, row.both,
                        row.only_nsight, row.only_ours, row.neither,
                        row.widest_gap ? fmt::format("{:.1f} points", *row.widest_gap * 100) : "");
    for (const auto& [reason, where] : row.disagreements) {
      reasons += fmt::format("- **{}**, {} ({}): {}.\n", row.rule,
                             row.only_nsight > 0 ? "only theirs" : "only ours",
                             fmt::join(where, ", "), reason);
    }
    if (row.widest_gap.value_or(0) >= visible_gap) {
      estimates += fmt::format("- **{}**: {}\n", row.rule, row.estimates);
    }
  }
  return page + "\n## Where they differ, and why\n\n" + reasons +
         "\n## Why the estimates differ\n\n" + estimates +
         "\n## Not compared\n\n"
         "`MemoryL2Compression` fires for every launch that writes, since memory is compressible "
         "only "
         "where a program asked\nfor it: Ridgepoint has no such rule. `PMSamplingData` and "
         "`PCSamplingData` speak of the recording, not of the kernel.\n`SlowPipeLimiter`, "
         "`ThreadDivergence` and `SharedMemoryConflicts` gave no advice in these recordings.\n";
}

}  // namespace ridgepoint::test
