#include "reports/presenters/diagnosis.h"

#include <algorithm>

#include "analyzer/core/text.h"
#include "analyzer/rules/registry.h"
#include "reports/presenters/format.h"

namespace ridgepoint {
namespace {

std::string subject_of(const Analysis& analysis, const Diagnosis& diagnosis) {
  if (diagnosis.kernel && *diagnosis.kernel < analysis.kernels.size()) {
    const KernelAnalysis& kernel = analysis.kernels[*diagnosis.kernel];
    return printable(kernel.short_name) +
           (kernel.variant.empty() ? "" : " (" + printable(kernel.variant) + ")");
  }
  return diagnosis.variant.empty() ? "the whole run" : printable(diagnosis.variant);
}

std::string evidence_line(const Evidence& evidence) {
  const std::vector<std::string> numbers =
      format_judged({evidence.value, evidence.threshold}, printed_unit(evidence));
  return printable(evidence.quantity) + " " + numbers[0] +
         (evidence.threshold ? " (threshold " + numbers[1] + ")" : "");
}

// "up to 0.733 % of the run": what lists are sorted by.
std::string gain_brief(const RunGains& gains, const Diagnosis& diagnosis) {
  return std::string(label(diagnosis.gain_kind)) + " " +
         format_quantity(gains.of(diagnosis), Unit::share) +
         (diagnosis.variant.empty() ? " of the run" : " of the variant");
}

// "up to 14.5 % of the kernel's time, 0.733 % of all kernels' time: formula".
std::string gain_text(const Analysis& analysis, const RunGains& gains, const Diagnosis& diagnosis) {
  const bool of_kernel = diagnosis.kernel && *diagnosis.kernel < analysis.kernels.size();
  const bool of_variant = !of_kernel && !diagnosis.variant.empty();
  std::string text = std::string(label(diagnosis.gain_kind)) + " " +
                     format_quantity(*diagnosis.estimated_gain, Unit::share) +
                     (of_kernel ? " of the kernel's time"
                                : (of_variant ? " of the variant's time" : " of the time"));
  // What the list is sorted by: without it the order looks wrong.
  const double of_run = gains.of(diagnosis);
  if (of_kernel && of_run > 0) {
    text += ", " + format_quantity(of_run, Unit::share) + " of " +
            (diagnosis.variant.empty() ? "all kernels' time"
                                       : "the time of " + printable(diagnosis.variant));
  }
  if (!diagnosis.gain_formula.empty()) {
    text += ": " + printable(diagnosis.gain_formula);
  }
  return text;
}

}  // namespace

DiagnosisText describe(const Analysis& analysis, const Diagnosis& diagnosis) {
  return describe(analysis, RunGains(analysis), diagnosis);
}

DiagnosisText describe(const Analysis& analysis, const RunGains& gains,
                       const Diagnosis& diagnosis) {
  DiagnosisText text;
  text.id = printable(diagnosis.id);
  text.title = printable(diagnosis.title);
  text.subject = subject_of(analysis, diagnosis);
  text.severity = key(diagnosis.severity);
  text.explanation = printable(diagnosis.explanation);
  for (const Evidence& one : diagnosis.evidence) {
    text.evidence.push_back(evidence_line(one));
  }
  text.action = printable(diagnosis.action);
  text.gain = "gain not estimated";
  if (diagnosis.estimated_gain) {
    text.gain_brief = gain_brief(gains, diagnosis);
    text.gain = gain_text(analysis, gains, diagnosis);
  }
  text.confidence = key(diagnosis.confidence);
  if (!diagnosis.confidence_why.empty()) {
    text.confidence += ": " + printable(diagnosis.confidence_why);
  }
  text.not_applicable_when = printable(diagnosis.not_applicable_when);
  if (diagnosis.kernel && *diagnosis.kernel < analysis.kernels.size()) {
    text.kernel = diagnosis.kernel;
  }
  return text;
}

std::vector<DiagnosisText> describe_diagnoses(const Analysis& analysis, std::size_t limit) {
  const RunGains gains(analysis);
  std::vector<DiagnosisText> texts;
  for (std::size_t i = 0; i < analysis.diagnoses.size(); ++i) {
    if (i < limit || analysis.diagnoses[i].severity == Severity::critical) {
      texts.push_back(describe(analysis, gains, analysis.diagnoses[i]));
      texts.back().position = i + 1;
    }
  }
  return texts;
}

}  // namespace ridgepoint
