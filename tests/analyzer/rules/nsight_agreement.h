// Nsight Compute's rule results beside ours, launch by launch, for the recordings of which both
// pages were exported: its findings come from the details page, ours from the counters of the raw
// page. What the two say of one rule is a row of the table in docs/nsight-agreement.md.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint::test {

// One launch, analysed alone: neither tool's verdict then depends on its neighbours.
struct JudgedLaunch {
  std::string recording;
  std::size_t id = 0;  // Nsight Compute's
  KernelAnalysis kernel;
  std::vector<Diagnosis> ours;
  std::vector<ImportedRuleResult> nsights;
};

std::vector<JudgedLaunch> judged_launches();

// What one of the tools says of one launch.
struct Finding {
  bool fired = false;
  std::optional<double> gain;  // share of the time, where it is estimated
};

struct Row {
  std::string rule;  // Nsight Compute's, with the kind where a rule has several
  std::string ours;  // rule ids
  int both = 0;
  int only_nsight = 0;
  int only_ours = 0;
  int neither = 0;
  std::optional<double> widest_gap;  // between the two estimates, where both give one
  std::string estimates;             // why they differ
  // Launches by what the two say and why, "" where nothing explains it.
  std::map<std::string, std::vector<std::string>> disagreements;
};

// A row for each of shared_rules().
std::vector<Row> agreement(const std::vector<JudgedLaunch>& launches);

// docs/nsight-agreement.md.
std::string agreement_page(const std::vector<Row>& rows, std::size_t launches);

}  // namespace ridgepoint::test
