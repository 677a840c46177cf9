#include "reports/openmetrics/metric_family.h"

#include <cmath>
#include <set>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

struct UnitWords {
  const char* suffix;    // the unit's name
  const char* replaces;  // how the column's id ends already
};

UnitWords words_of(Unit unit) {
  switch (unit) {
    case Unit::byte:
    case Unit::memory_size:
      return {"bytes", "bytes"};
    case Unit::second:
      return {"seconds", "s"};
    case Unit::hertz:
      return {"hertz", "hz"};
    case Unit::flop:
      return {"flop", "flop"};
    case Unit::byte_per_s:
      return {"bytes_per_second", "byte_per_s"};
    case Unit::flop_per_s:
      return {"flop_per_second", "flop_per_s"};
    case Unit::flop_per_byte:
      return {"flop_per_byte", "flop_per_byte"};
    case Unit::share:
      return {"ratio", "ratio"};
    case Unit::watt:
      return {"watts", "w"};
    case Unit::joule:
      return {"joules", "j"};
    case Unit::flop_per_joule:
      return {"flop_per_joule", "flop_per_j"};
    case Unit::token_per_s:
      return {"tokens_per_second", "tokens_per_s"};
    case Unit::token_per_joule:
      return {"tokens_per_joule", "tokens_per_j"};
    case Unit::none:
    case Unit::text:
    case Unit::count:
    case Unit::factor:
      break;
  }
  return {"", ""};
}

// Backslash, quote and line feed; printable() has dealt with other control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

}  // namespace

void MetricFamily::add(MetricLabels labels, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) {
    samples.emplace_back(std::move(labels), *value);
  }
}

MetricFamily family_of_column(const std::string& prefix, const Column& column) {
  const UnitWords words = words_of(column.unit);
  std::string base = column.id;
  const std::string ending = words.replaces;
  if (base == ending) {
    base.clear();
  } else if (!ending.empty() && base.ends_with("_" + ending)) {
    base.resize(base.size() - ending.size() - 1);
  }
  MetricFamily family;
  family.unit = words.suffix;
  family.name =
      prefix + (base.empty() ? "" : "_" + base) + (family.unit.empty() ? "" : "_" + family.unit);
  family.help = column.tooltip.empty() ? column.title : column.tooltip;
  return family;
}

void write_family(const MetricFamily& family, TextStream& out) {
  if (family.samples.empty()) {
    return;
  }
  out.add("# TYPE {} gauge\n", family.name);
  if (!family.unit.empty()) {
    out.add("# UNIT {} {}\n", family.name, family.unit);
  }
  out.add("# HELP {} {}\n", family.name, escaped(family.help));
  // A forged session may name a stall reason twice, and a scraper refuses the whole text for it:
  // the first counts.
  std::set<std::string> seen;
  for (const auto& [labels, value] : family.samples) {
    std::string inside;
    for (const auto& [name, text] : labels) {
      inside += (inside.empty() ? "" : ",") + name + "=\"" + escaped(text) + "\"";
    }
    if (!seen.insert(inside).second) {
      continue;
    }
    out.put(family.name + (inside.empty() ? "" : "{" + inside + "}"));
    out.add(" {}\n", value);
  }
}

}  // namespace ridgepoint
