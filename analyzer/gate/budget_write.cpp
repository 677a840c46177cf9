#include <nlohmann/json.hpp>
#include <utility>

#include "analyzer/gate/budget.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) {
    json[name] = *value;
  }
}

Json conditions_json(const BudgetConditions& c) {
  Json json = Json::object();
  put(json, "device", c.device);
  put(json, "chip", c.chip);
  put(json, "sm_count", c.sm_count);
  json["clock_tolerance"] = c.clock_tolerance;
  put(json, "cache_control", c.cache_control);
  if (c.workload) {
    const AttentionShape& w = *c.workload;
    Json workload = {{"batch", w.batch},       {"heads", w.heads},       {"kv_heads", w.kv_heads},
                     {"seqlen_q", w.seqlen_q}, {"seqlen_k", w.seqlen_k}, {"head_dim", w.head_dim}};
    if (!w.dtype.empty()) {  // any
      workload["dtype"] = w.dtype;
    }
    workload["causal"] = w.causal;
    workload["direction"] = w.direction;
    json["workload"] = std::move(workload);
  }
  return json;
}

Json check_json(const BudgetCheck& c) {
  Json json = Json::object();
  if (!c.id.empty()) {
    json["id"] = c.id;
  }
  json["scope"] = key(c.scope);
  json["match"] = c.match;
  if (c.scope == BudgetScope::kernel && c.variant != "*") {
    json["variant"] = c.variant;
  }
  json["quantity"] = c.quantity;
  put(json, "min", c.min);
  put(json, "max", c.max);
  put(json, "max_increase", c.max_increase);
  put(json, "max_decrease", c.max_decrease);
  put(json, "sm_clock_hz", c.sm_clock_hz);
  put(json, "l2_merged", c.l2_merged);
  return json;
}

}  // namespace

const char* key(BudgetScope scope) {
  return scope == BudgetScope::kernel ? "kernel" : "variant";
}

std::string budget_to_json(const Budget& budget) {
  Json checks = Json::array();
  for (const BudgetCheck& check : budget.checks) {
    checks.push_back(check_json(check));
  }
  const Json json = {{"schema", budget_schema},
                     {"version", "1.0"},
                     {"conditions", conditions_json(budget.conditions)},
                     {"alpha", budget.alpha},
                     {"checks", std::move(checks)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridgepoint
