// The text form of a counter map: data/counters/*.json. Everything is checked here, so that a map
// in memory is consistent: known units of aggregation, unique ids, profiles that name quantities.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/core/data_path.h"
#include "analyzer/core/json_text.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

using nlohmann::json;

// What is wrong, empty when nothing is.
using Complaint = std::string;

Complaint text_of(const json& object, const char* key, std::string& text) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string() ||
      found->get_ref<const std::string&>().empty()) {
    return std::string("\"") + key + "\" is missing or not a text";
  }
  text = found->get<std::string>();
  return {};
}

Complaint texts_of(const json& object, const char* key, std::vector<std::string>& texts) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) {
    return std::string("\"") + key + "\" is missing or not a list";
  }
  for (const json& item : *found) {
    if (!item.is_string()) {
      return std::string("\"") + key + "\" holds something that is not a text";
    }
    texts.push_back(item.get<std::string>());
  }
  return {};
}

Complaint aggregate_of(const std::string& name, Aggregate& aggregate) {
  if (name == "sum") {
    aggregate = Aggregate::sum;
  } else if (name == "time_weighted_mean") {
    aggregate = Aggregate::time_weighted_mean;
  } else if (name == "maximum") {
    aggregate = Aggregate::maximum;
  } else {
    return "unknown aggregate \"" + name + "\" (known: sum, time_weighted_mean, maximum)";
  }
  return {};
}

Complaint terms_of(const json& object, std::vector<CounterTerm>& terms) {
  const auto found = object.find("terms");
  if (found == object.end() || !found->is_array() || found->empty()) {
    return "\"terms\" is missing or empty";
  }
  for (const json& item : *found) {
    CounterTerm term;
    if (!item.is_object()) {
      return "a term is not an object";
    }
    if (Complaint complaint = text_of(item, "counter", term.counter); !complaint.empty()) {
      return complaint;
    }
    const auto scale = item.find("scale");
    if (scale == item.end() || !scale->is_number()) {
      return "the scale of " + term.counter + " is missing or not a number";
    }
    term.scale = scale->get<double>();
    terms.push_back(std::move(term));
  }
  return {};
}

Complaint quantity_of(const json& object, QuantityDefinition& quantity) {
  if (!object.is_object()) {
    return "a quantity is not an object";
  }
  std::string aggregate;
  for (Complaint complaint :
       {text_of(object, "id", quantity.id), text_of(object, "unit", quantity.unit),
        text_of(object, "description", quantity.description),
        text_of(object, "aggregate", aggregate), terms_of(object, quantity.terms)}) {
    if (!complaint.empty()) {
      return "quantity \"" + quantity.id + "\": " + complaint;
    }
  }
  const auto imported = object.find("only_imported");
  if (imported != object.end()) {
    if (!imported->is_boolean()) {
      return "quantity \"" + quantity.id + "\": \"only_imported\" is neither true nor false";
    }
    quantity.only_imported = imported->get<bool>();
  }
  if (object.contains("stands_in_for")) {
    if (Complaint complaint = text_of(object, "stands_in_for", quantity.stands_in_for);
        !complaint.empty()) {
      return "quantity \"" + quantity.id + "\": " + complaint;
    }
  }
  return aggregate_of(aggregate, quantity.aggregate);
}

Complaint map_of(const json& document, CounterMap& map) {
  std::string schema;
  std::string version;
  if (!document.is_object()) {
    return "it is not a JSON object";
  }
  for (Complaint complaint :
       {text_of(document, "schema", schema), text_of(document, "version", version),
        text_of(document, "family", map.family), texts_of(document, "chips", map.chips)}) {
    if (!complaint.empty()) {
      return complaint;
    }
  }
  if (schema != "ridgepoint-counters") {
    return "its schema is \"" + schema + "\", not \"ridgepoint-counters\"";
  }
  if (version.rfind("1.", 0) != 0) {
    return "its version is " + version + "; this program reads 1.x";
  }
  const auto quantities = document.find("quantities");
  if (quantities == document.end() || !quantities->is_array()) {
    return "\"quantities\" is missing or not a list";
  }
  for (const json& item : *quantities) {
    QuantityDefinition quantity;
    if (Complaint complaint = quantity_of(item, quantity); !complaint.empty()) {
      return complaint;
    }
    if (map.find(quantity.id) != nullptr) {
      return "quantity \"" + quantity.id + "\" is defined twice";
    }
    map.quantities.push_back(std::move(quantity));
  }
  for (const QuantityDefinition& quantity : map.quantities) {
    const QuantityDefinition* whole = map.find(quantity.stands_in_for);
    if (!quantity.stands_in_for.empty() && (whole == nullptr || !whole->stands_in_for.empty())) {
      return "quantity \"" + quantity.id + "\" stands in for \"" + quantity.stands_in_for +
             "\", which is no quantity of its own";
    }
  }
  const auto profiles = document.find("profiles");
  if (profiles == document.end() || !profiles->is_object()) {
    return "\"profiles\" is missing or not an object";
  }
  for (const auto& [name, unused] : profiles->items()) {
    std::vector<std::string> ids;
    if (Complaint complaint = texts_of(*profiles, name.c_str(), ids); !complaint.empty()) {
      return complaint;
    }
    const auto unknown = std::find_if(
        ids.begin(), ids.end(), [&](const std::string& id) { return map.find(id) == nullptr; });
    if (unknown != ids.end()) {
      return "profile \"" + name + "\" names \"" + *unknown + "\", which is no quantity";
    }
    const auto imported = std::find_if(
        ids.begin(), ids.end(), [&](const std::string& id) { return map.find(id)->only_imported; });
    if (imported != ids.end()) {
      return "profile \"" + name + "\" names \"" + *imported + "\", which cannot be measured";
    }
    map.profiles.emplace(name, std::move(ids));
  }
  return {};
}

}  // namespace

Result<CounterMap> parse_counter_map(const std::string& text, const std::string& name) {
  const std::string what = "reading the counter map " + name;
  const auto document = parse_json(text, what, data_nesting_limit);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  CounterMap map;
  if (Complaint complaint = map_of(*document, map); !complaint.empty()) {
    return fail(ErrorDomain::input, what, complaint);
  }
  return map;
}

}  // namespace ridgepoint
