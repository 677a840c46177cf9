// Names and meaning: data/schemas/ridgepoint-comparison-1.0.schema.json.
#include "reports/formats/comparison_formats.h"
#include "reports/formats/json_values.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::ordered_json;

Json session_json(const NamedAnalysis& session) {
  const Analysis& a = *session.analysis;
  return {{"name", session.name},
          {"source", key(a.source)},
          {"time_utc", json_text(a.producer.time_utc)},
          {"device", a.devices.empty() ? Json(nullptr) : json_text(a.devices.front().name)}};
}

Json test_json(const SubjectChange& s) {
  if (!s.test) {
    return nullptr;
  }
  return {{"name", "mann_whitney_u"},
          {"p", json_number(s.test->p_two_sided)},
          {"superiority", json_number(s.test->superiority)},
          {"smallest_p", json_number(s.test->smallest_p)},
          {"base_repeats", s.base_repeats},
          {"new_repeats", s.now_repeats}};
}

Json bound_json(const std::optional<BoundBy>& bound) {
  return bound ? Json(key(*bound)) : Json(nullptr);
}

Json subject_json(const SubjectChange& s) {
  Json changes = Json::array();
  for (const Change& change : s.changes) {
    changes.push_back({{"quantity", change.quantity.id},
                       {"unit", json_text(change.quantity.unit)},
                       {"base", json_number(change.base)},
                       {"new", json_number(change.now)},
                       {"factor", json_number(change.factor())}});
  }
  return {{"base_name", s.base_name},
          {"new_name", s.now_name},
          {"matched_by", key(s.matched_by)},
          {"outcome", key(s.outcome)},
          {"base_time_s", json_number(s.base_time_s)},
          {"new_time_s", json_number(s.now_time_s)},
          {"time_factor", json_number(s.time_factor)},
          {"test", test_json(s)},
          {"why_not", json_text(s.why_not)},
          {"bound_by", {{"base", bound_json(s.bound_base)}, {"new", bound_json(s.bound_now)}}},
          {"cause", s.cause},
          {"changes", std::move(changes)}};
}

Json subjects_json(const std::vector<SubjectChange>& subjects) {
  Json list = Json::array();
  for (const SubjectChange& subject : subjects) {
    list.push_back(subject_json(subject));
  }
  return list;
}

Json comparison_of(const ComparedTo& other) {
  const Comparison& c = other.comparison;
  Json differences = Json::array();
  for (const Difference& one : c.differences) {
    differences.push_back({{"code", one.code}, {"text", one.text}});
  }
  return {{"new", session_json(other.session)},
          {"verdict", key(c.verdict())},
          {"reason", c.verdict_reason()},
          {"differences", std::move(differences)},
          {"variants", subjects_json(c.variants)},
          {"kernels", subjects_json(c.kernels)},
          {"only_base", c.only_base},
          {"only_new", c.only_now},
          {"alpha", c.options.alpha},
          {"min_effect", c.options.min_effect},
          {"clock_tolerance", c.options.clock_tolerance}};
}

}  // namespace

std::string comparison_json(const ComparisonReport& report, const ReportOptions& /*options*/) {
  Json comparisons = Json::array();
  for (const ComparedTo& other : report.others) {
    comparisons.push_back(comparison_of(other));
  }
  return json_document({{"schema", "ridgepoint-comparison"},
                        {"version", "1.0"},
                        {"base", session_json(report.base)},
                        {"comparisons", std::move(comparisons)}});
}

}  // namespace ridgepoint
