#include "reports/escape.h"
#include "reports/formats/comparison_formats.h"
#include "reports/formats/markdown_table.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/session_comparison.h"

namespace ridgepoint {
namespace {

void add_subjects(const std::vector<SubjectChange>& subjects, const std::string& what, bool all,
                  std::string& out) {
  if (subjects.empty()) {
    return;
  }
  out += "\n" + markdown_table(without_empty_columns(subjects_table(subjects, what))) + "\n";
  for (const SubjectChange& subject : subjects) {
    out +=
        "- **" + escape_markdown(subject.now_name) + "**: " + escape_markdown(subject.cause) + "\n";
  }
  for (const SubjectChange& subject : subjects) {
    const Table changes = changes_table(subject, all);
    if (!changes.rows.empty()) {
      out += "\n<details><summary>" + escape_xml(what + " " + subject_text(subject)) +
             "</summary>\n\n" + markdown_table(changes) + "\n</details>\n";
    }
  }
}

void add_list(const std::vector<std::string>& names, const std::string& where, std::string& out) {
  if (names.empty()) {
    return;
  }
  out += "\nOnly in " + where + ":\n\n";
  for (const std::string& name : names) {
    out += "- " + escape_markdown(name) + "\n";
  }
}

}  // namespace

std::string comparison_markdown(const ComparisonReport& report, const ReportOptions& /*options*/) {
  std::string out;
  for (const ComparedTo& other : report.others) {
    const Comparison& comparison = other.comparison;
    out += out.empty() ? "" : "\n";
    out += "# " + escape_markdown(verdict_text(comparison)) + "\n\n";
    out += "- base: " +
           escape_markdown(report.base.name + ": " + provenance_line(*report.base.analysis)) + "\n";
    out += "- new: " +
           escape_markdown(other.session.name + ": " + provenance_line(*other.session.analysis)) +
           "\n";
    if (!comparison.differences.empty()) {
      out += "\n> **What else differs**\n>\n";
      for (const Difference& one : comparison.differences) {
        out += "> - " + escape_markdown(one.code + ": " + one.text) + "\n";
      }
    }
    add_subjects(comparison.variants, "variant", report.all_quantities, out);
    add_subjects(comparison.kernels, "kernel", report.all_quantities, out);
    add_list(comparison.only_base, "base", out);
    add_list(comparison.only_now, "new", out);
    out += "\n" + escape_markdown(method_text(comparison.options)) + "\n";
  }
  return out;
}

}  // namespace ridgepoint
