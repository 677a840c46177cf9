// Names and meaning: data/schemas/ridgepoint-gate-1.0.schema.json.
#include "analyzer/gate/check_ids.h"
#include "reports/formats/gate_formats.h"
#include "reports/formats/json_values.h"

namespace ridgepoint {

std::string gate_json(const GateReport& report, const ReportOptions& /*options*/) {
  using Json = nlohmann::ordered_json;
  Json remarks = Json::array();
  for (const Remark& one : report.result.remarks) {
    remarks.push_back({{"code", one.code}, {"text", one.text}});
  }
  Json checks = Json::array();
  const std::vector<CheckName> names = check_names(report.result);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CheckResult& one = report.result.results[i];
    checks.push_back({{"id", one.id},
                      {"unique_id", names[i].text},
                      {"scope", key(one.scope)},
                      {"subject", one.subject},
                      {"quantity", one.quantity.id},
                      {"unit", json_text(one.quantity.unit)},
                      {"kind", one.limit_kind},
                      {"value", json_number(one.value)},
                      {"baseline", json_number(one.baseline)},
                      {"limit", json_number(one.limit)},
                      {"status", key(one.status)},
                      {"why", json_text(one.why)}});
  }
  return json_document({{"schema", "ridgepoint-gate"},
                        {"version", "1.0"},
                        {"session", report.session},
                        {"budget", report.budget},
                        {"baseline", json_text(report.baseline)},
                        {"verdict", key(report.result.verdict())},
                        {"remarks", std::move(remarks)},
                        {"checks", std::move(checks)}});
}

}  // namespace ridgepoint
