// A set of whole numbers as a user writes it: "3", "1,5-7", "10-".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

class NumberSet {
 public:
  // Numbers from 1. `what` names the option in the error.
  static Result<NumberSet> parse(const std::string& text, const std::string& what);
  bool has(std::int64_t number) const;

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;  // first and last
};

}  // namespace ridgepoint::collector
