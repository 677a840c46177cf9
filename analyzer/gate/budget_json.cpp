#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "analyzer/compare/l2_counted_alike.h"
#include "analyzer/compare/quantity.h"
#include "analyzer/core/file.h"
#include "analyzer/core/json_text.h"
#include "analyzer/core/nearest_word.h"
#include "analyzer/gate/budget.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::json;

struct Complaint {
  std::string why;    // empty: none
  std::string meant;  // "did you mean ...? ", or nothing
};

// Reads the fields of one object. The first complaint is kept, with the path to it; later calls do
// nothing then, so that the code that reads a budget needs no error handling in between.
class Fields {
 public:
  Fields(const Json& object, std::string path, Complaint& complaint)
      : object_(object), path_(std::move(path)), complaint_(complaint) {
    if (!object.is_object()) {
      complain("", "is not an object");
    }
  }

  void complain(const std::string& field, const std::string& what, const std::string& meant = "") {
    if (complaint_.why.empty()) {
      const std::string place = path_ + (field.empty() ? "" : (path_.empty() ? "" : ".") + field);
      complaint_ = {(place.empty() ? "the whole" : place) + " " + what, meant};
    }
  }

  void only(std::initializer_list<const char*> known) {
    if (!complaint_.why.empty()) {
      return;
    }
    for (const auto& [name, value] : object_.items()) {
      const bool found = std::any_of(known.begin(), known.end(),
                                     [&name = name](const char* one) { return name == one; });
      if (!found) {
        complain(name, "is not a field of this place; known are " + joined(known),
                 did_you_mean(name, {known.begin(), known.end()}));
      }
    }
  }

  const Json* find(const char* field) {
    if (!complaint_.why.empty()) {
      return nullptr;
    }
    const auto found = object_.find(field);
    return found == object_.end() ? nullptr : &*found;
  }

  void text(const char* field, std::string& value) {
    if (const Json* json = find(field)) {
      if (!json->is_string() || json->get_ref<const std::string&>().empty() ||
          json->get_ref<const std::string&>().size() > budget_text_limit) {
        return complain(field, fmt::format("must be a text of 1 to {} bytes", budget_text_limit));
      }
      value = json->get<std::string>();
    }
  }
  void text(const char* field, std::optional<std::string>& value) {
    std::string read;
    text(field, read);
    if (!read.empty()) {
      value = std::move(read);
    }
  }

  void number(const char* field, std::optional<double>& value, double least, double most) {
    if (const Json* json = find(field)) {
      const double read = json->is_number() ? json->get<double>() : not_measured;
      if (!std::isfinite(read) || read < least || read > most) {
        return complain(field, fmt::format("must be a number{}", range(least, most)));
      }
      value = read;
    }
  }
  void number(const char* field, double& value, double least, double most) {
    std::optional<double> read;
    number(field, read, least, most);
    value = read.value_or(value);
  }

  void integer(const char* field, std::optional<std::int64_t>& value) {
    if (const Json* json = find(field)) {
      if (!json->is_number_integer() || json->get<std::int64_t>() < 0) {
        return complain(field, "must be a whole number");
      }
      value = json->get<std::int64_t>();
    }
  }

  void flag(const char* field, std::optional<bool>& value) {
    if (const Json* json = find(field)) {
      if (!json->is_boolean()) {
        return complain(field, "must be true or false");
      }
      value = json->get<bool>();
    }
  }

 private:
  static std::string joined(std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names) {
      text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
  }
  static std::string range(double least, double most) {
    if (std::isfinite(most)) {
      return fmt::format(" from {} to {}", least, most);
    }
    return std::isfinite(least) ? fmt::format(" of at least {}", least) : std::string();
  }

  const Json& object_;
  std::string path_;
  Complaint& complaint_;
};

constexpr double unlimited = HUGE_VAL;
// With alpha 0 no measurement could ever fail a limit.
constexpr double least_alpha = 1e-12;

void read_workload(const Json& json, Complaint& complaint, AttentionShape& shape) {
  Fields fields(json, "conditions.workload", complaint);
  fields.only({"batch", "heads", "kv_heads", "seqlen_q", "seqlen_k", "head_dim", "dtype", "causal",
               "direction"});
  const auto needed = [&](const char* name, std::int64_t& target) {
    std::optional<std::int64_t> value;
    fields.integer(name, value);
    if (!value) {
      fields.complain(name, "is missing");
    }
    target = value.value_or(0);
  };
  needed("batch", shape.batch);
  needed("heads", shape.heads);
  needed("kv_heads", shape.kv_heads);
  needed("seqlen_q", shape.seqlen_q);
  needed("seqlen_k", shape.seqlen_k);
  needed("head_dim", shape.head_dim);
  fields.text("dtype", shape.dtype);
  fields.text("direction", shape.direction);
  std::optional<bool> causal;
  fields.flag("causal", causal);
  shape.causal = causal.value_or(shape.causal);
}

void read_conditions(const Json& json, Complaint& complaint, BudgetConditions& conditions) {
  Fields fields(json, "conditions", complaint);
  fields.only({"device", "chip", "sm_count", "clock_tolerance", "cache_control", "workload"});
  fields.text("device", conditions.device);
  fields.text("chip", conditions.chip);
  fields.integer("sm_count", conditions.sm_count);
  fields.number("clock_tolerance", conditions.clock_tolerance, 0, 1);
  if (const Json* caches = fields.find("cache_control"); caches != nullptr && *caches == "") {
    conditions.cache_control = "";  // of a session that states none
  } else {
    fields.text("cache_control", conditions.cache_control);
  }
  if (const Json* workload = fields.find("workload")) {
    AttentionShape shape;
    read_workload(*workload, complaint, shape);
    conditions.workload = shape;
  }
}

template <class Subject>
std::vector<std::string> names_of(const std::vector<Quantity<Subject>>& quantities) {
  std::vector<std::string> names;
  for (const QuantityInfo& one : quantities) {
    names.push_back(one.id);
  }
  return names;
}

// A quantity near the one that is asked for; else, where the other scope has it, that scope.
template <class Own, class Other>
std::string meant(const BudgetCheck& check, const std::vector<Quantity<Own>>& own,
                  const std::vector<Quantity<Other>>& other) {
  const std::string near = did_you_mean(check.quantity, names_of(own));
  const std::vector<std::string> others = names_of(other);
  if (!near.empty() || std::find(others.begin(), others.end(), check.quantity) == others.end()) {
    return near;
  }
  return std::string("a ") +
         key(check.scope == BudgetScope::kernel ? BudgetScope::variant : BudgetScope::kernel) +
         " has it; ";
}

void read_check(const Json& json, const std::string& path, Complaint& complaint,
                BudgetCheck& check) {
  Fields fields(json, path, complaint);
  fields.only({"id", "scope", "match", "variant", "quantity", "min", "max", "max_increase",
               "max_decrease", "sm_clock_hz", "l2_merged"});
  std::string scope;
  fields.text("id", check.id);
  fields.text("scope", scope);
  fields.text("match", check.match);
  fields.text("variant", check.variant);
  fields.text("quantity", check.quantity);
  fields.number("min", check.min, -unlimited, unlimited);
  fields.number("max", check.max, -unlimited, unlimited);
  fields.number("max_increase", check.max_increase, 0, unlimited);
  fields.number("max_decrease", check.max_decrease, 0, 1);
  fields.number("sm_clock_hz", check.sm_clock_hz, 1, unlimited);
  fields.flag("l2_merged", check.l2_merged);
  if (scope != "kernel" && scope != "variant") {
    return fields.complain("scope", "must be \"kernel\" or \"variant\"");
  }
  check.scope = scope == "kernel" ? BudgetScope::kernel : BudgetScope::variant;
  if (check.scope == BudgetScope::variant && fields.find("variant") != nullptr) {
    return fields.complain("variant", "belongs to checks of kernels; use match");
  }
  const std::optional<QuantityInfo> quantity = check.scope == BudgetScope::kernel
                                                   ? kernel_quantity(check.quantity)
                                                   : variant_quantity(check.quantity);
  if (!quantity) {
    return fields.complain(
        "quantity", "\"" + check.quantity + "\" is none of a " + scope + " in the JSON report",
        check.scope == BudgetScope::kernel
            ? meant(check, kernel_quantities(), variant_quantities())
            : meant(check, variant_quantities(), kernel_quantities()));
  }
  if (check.sm_clock_hz && quantity->basis != Basis::timing) {
    return fields.complain("sm_clock_hz",
                           "has no meaning for \"" + check.quantity + "\": no clock changes it");
  }
  if (check.l2_merged && !counts_merged(check.quantity)) {
    return fields.complain("l2_merged", "has no meaning for \"" + check.quantity +
                                            "\": it says how L2 bytes are counted");
  }
  if (!check.min && !check.max && !check.max_increase && !check.max_decrease) {
    fields.complain("", "has no limit: give min, max, max_increase or max_decrease");
  }
}

void read_document(const Json& json, Complaint& complaint, Budget& budget) {
  Fields fields(json, "", complaint);
  std::string schema;
  std::string version;
  fields.text("schema", schema);
  fields.text("version", version);
  if (schema != budget_schema) {  // before its fields: they are those of another file
    return fields.complain(
        "schema", schema.empty() ? fmt::format("is not \"{}\"", budget_schema)
                                 : fmt::format("is \"{}\", not \"{}\"", schema, budget_schema));
  }
  fields.only({"schema", "version", "conditions", "alpha", "checks"});
  if (version.rfind(fmt::format("{}.", budget_version_major), 0) != 0) {
    return fields.complain("version", fmt::format("is \"{}\"; this program reads {}.x", version,
                                                  budget_version_major));
  }
  fields.number("alpha", budget.alpha, least_alpha, 0.5);
  if (const Json* conditions = fields.find("conditions")) {
    read_conditions(*conditions, complaint, budget.conditions);
  }
  const Json* checks = fields.find("checks");
  if (checks == nullptr || !checks->is_array()) {
    return fields.complain("checks", "is missing or not a list");
  }
  if (checks->size() > budget_check_limit) {
    return fields.complain("checks", fmt::format("has more than {} entries", budget_check_limit));
  }
  for (std::size_t i = 0; i < checks->size() && complaint.why.empty(); ++i) {
    budget.checks.emplace_back();
    read_check((*checks)[i], fmt::format("checks[{}]", i), complaint, budget.checks.back());
  }
}

}  // namespace

Result<Budget> parse_budget(std::string_view text, const std::string& name) {
  const auto json =
      parse_json(text, name, budget_nesting_limit,
                 "write a first budget with: ridgepoint check SESSION --init -o budget.json");
  if (!json) {
    return tl::make_unexpected(json.error());
  }
  Budget budget;
  Complaint complaint;
  read_document(*json, complaint, budget);
  if (!complaint.why.empty()) {
    return fail(
        ErrorDomain::input, name, complaint.why,
        complaint.meant + "docs/ci.md describes budgets; `ridgepoint check --init` writes one");
  }
  return budget;
}

Result<Budget> read_budget(const std::filesystem::path& path) {
  return read_file(path, budget_size_limit_bytes).and_then([&](const std::string& text) {
    return parse_budget(text, path.string());
  });
}

}  // namespace ridgepoint
