// What an import looks up, from data/import: the counter behind each display name, the counters
// that others determine, and the chip behind an architecture id or a compute capability.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::importing {

// value = sum over terms of scale * factors / divisors.
struct IdentityTerm {
  std::vector<std::string> factors;
  std::vector<std::string> divisors;
  double scale = 1;
};

struct CounterIdentity {
  std::string counter;
  std::vector<IdentityTerm> terms;
};

struct Tables {
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>
      display_names;                        // section -> display name -> counter
  std::vector<CounterIdentity> identities;  // in order: a later one may use an earlier one
  std::map<std::string, std::string> chip_by_id;
  std::map<std::string, std::vector<std::string>> chips_by_compute_capability;
};

// From data_directory()/import.
Result<Tables> load_tables();

}  // namespace ridgepoint::importing
