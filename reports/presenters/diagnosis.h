// A diagnosis as people read it: the same sentences in every report and in the window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct DiagnosisText {
  std::string id;
  std::string title;
  std::string subject;  // "naive_softmax (naive)", "naive", or "the whole run"
  std::string severity;
  std::string explanation;
  std::vector<std::string> evidence;  // "HBM bandwidth utilisation 79.3 % (threshold 80.0 %)"
  std::string action;
  std::string gain;  // "up to 14.0 % of the time: share of time x ..."; "gain not estimated"
  std::string not_applicable_when;
  std::optional<std::size_t> kernel;
};

DiagnosisText describe(const Analysis& analysis, const Diagnosis& diagnosis);
// The first `limit` of them, in the analysis' order.
std::vector<DiagnosisText> describe_diagnoses(const Analysis& analysis, std::size_t limit);

}  // namespace ridgepoint
