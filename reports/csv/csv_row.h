// Rows of comma-separated values after RFC 4180. Texts are made safe for spreadsheets
// (escape_csv()); what was not measured is an empty field.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "reports/escape.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

class CsvRow {
 public:
  CsvRow& text(std::string_view value) { return raw(escape_csv(value)); }
  // The shortest digits that read back as the same double.
  CsvRow& number(const std::optional<double>& value) {
    return raw(value && std::isfinite(*value) ? fmt::format("{}", *value) : "");
  }
  CsvRow& cell(const Cell& value) {
    if (const auto* one = std::get_if<double>(&value)) {
      return number(*one);
    }
    const auto* words = std::get_if<std::string>(&value);
    return words != nullptr ? text(*words) : raw("");
  }
  std::string line() const { return line_ + "\r\n"; }

 private:
  CsvRow& raw(const std::string& field) {
    line_ += (first_ ? "" : ",") + field;
    first_ = false;
    return *this;
  }
  std::string line_;
  bool first_ = true;
};

}  // namespace ridgepoint
