// A diagnosis as people read it: the same sentences in every report and in the window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

class RunGains;  // analyzer/rules/registry.h

// How the analysis orders them, for the heading of every list: the gain of a kernel or variant
// times its share of the time.
inline constexpr const char* diagnosis_order =
    "most severe first, then by the estimated gain of the run";

struct DiagnosisText {
  std::size_t position = 0;  // in the analysis' order, from 1; 0 outside a list
  std::string id;
  std::string title;
  std::string subject;  // "naive_softmax (naive)", "naive", or "the whole run"
  std::string severity;
  std::string explanation;
  std::vector<std::string> evidence;  // "HBM bandwidth utilisation 79.3 % (threshold 80.0 %)"
  std::string action;
  std::string gain;  // "up to 14.0 % of the kernel's time, 3.5 % of all kernels' time: formula"
  std::string gain_brief;  // "up to 3.5 % of the run", for a line; empty when not estimated
  std::string confidence;  // "high", "low: 40 samples cannot tell ..."
  std::string not_applicable_when;
  std::optional<std::size_t> kernel;
};

DiagnosisText describe(const Analysis& analysis, const Diagnosis& diagnosis);
// The same for one of many: `gains` is worked out once.
DiagnosisText describe(const Analysis& analysis, const RunGains& gains, const Diagnosis& diagnosis);
// The first `limit` of them, in the analysis' order, and every critical one after those: a short
// list must not hide it behind notices with a larger gain.
std::vector<DiagnosisText> describe_diagnoses(const Analysis& analysis, std::size_t limit);

}  // namespace ridgepoint
