#include "analyzer/gate/check_ids.h"

#include <set>
#include <unordered_map>

namespace ridgepoint {

std::string CheckName::suffix() const {
  return repetition > 1 ? " #" + std::to_string(repetition) : "";
}

std::vector<CheckName> check_names(const GateResult& result) {
  std::unordered_map<std::string, int> last;
  std::set<std::string> taken;
  std::vector<CheckName> names;
  for (const CheckResult& check : result.results) {
    const std::string base = std::string(key(check.scope)) + "/" + check.subject + "/" + check.id +
                             "/" + check.limit_kind;
    CheckName name;
    int& repetition = last[base];
    do {  // a kernel may be named so that another's number is its name
      name.repetition = ++repetition;
      name.text = base + name.suffix();
    } while (!taken.insert(name.text).second);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace ridgepoint
