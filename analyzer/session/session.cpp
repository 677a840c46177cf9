#include "analyzer/session/session.h"

#include <algorithm>

namespace ridgepoint {

const std::vector<double>* CounterTable::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

std::vector<double>& CounterTable::column(const std::string& name, std::size_t rows) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    names.push_back(name);
    columns.emplace_back();
    found = names.end() - 1;
  }
  std::vector<double>& cells = columns[static_cast<std::size_t>(found - names.begin())];
  cells.resize(rows, not_measured);
  return cells;
}

}  // namespace ridgepoint
