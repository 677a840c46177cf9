#include <fmt/format.h>

#include "analyzer/core/text.h"
#include "reports/formats/comparison_formats.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/session_comparison.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

void add_subjects(const std::vector<SubjectChange>& subjects, const std::string& what, bool all,
                  std::size_t width, std::string& out) {
  if (subjects.empty()) {
    return;
  }
  out += "\n" + text_table(without_empty_columns(subjects_table(subjects, what)), width) + "\n";
  for (const SubjectChange& subject : subjects) {
    out +=
        wrap(printable(subject.now_name) + ": " + printable(subject.cause), width, "  ", "      ");
  }
  for (const SubjectChange& subject : subjects) {
    const Table changes = changes_table(subject, all);
    if (!changes.rows.empty()) {
      out += "\n" + wrap(what + " " + subject_text(subject), width, "", "  ");
      out += text_table(changes, width);
    }
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + printable(name);
  }
  return text;
}

}  // namespace

std::string comparison_text(const ComparisonReport& report, const ReportOptions& options) {
  const auto width = static_cast<std::size_t>(options.width);
  std::string out;
  for (const ComparedTo& other : report.others) {
    const Comparison& comparison = other.comparison;
    out += out.empty() ? "" : "\n";
    out += wrap(printable(report.base.name) + ": " + provenance_line(*report.base.analysis), width,
                "base  ", "      ");
    out += wrap(printable(other.session.name) + ": " + provenance_line(*other.session.analysis),
                width, "new   ", "      ");
    out += "\n" + wrap(verdict_text(comparison), width, "", "  ");
    if (!comparison.differences.empty()) {
      out += "\nWhat else differs\n";
      for (const Difference& one : comparison.differences) {
        out += wrap(one.code + ": " + printable(one.text), width, "  ", "      ");
      }
    }
    add_subjects(comparison.variants, "variant", report.all_quantities, width, out);
    add_subjects(comparison.kernels, "kernel", report.all_quantities, width, out);
    if (!comparison.only_base.empty()) {
      out += "\n" + wrap(joined(comparison.only_base), width, "only in base: ", "  ");
    }
    if (!comparison.only_now.empty()) {
      out += "\n" + wrap(joined(comparison.only_now), width, "only in new: ", "  ");
    }
    out += "\n" + wrap(method_text(comparison.options), width, "", "");
  }
  return out;
}

}  // namespace ridgepoint
