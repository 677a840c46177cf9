#include "collector/doctor/doctor.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ridgepoint::collector {

Machine Machine::this_one() {
  Machine machine;
  machine.environment = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
  };
  return machine;
}

std::optional<std::string> Machine::text_of(const std::string& path) const {
  constexpr std::size_t most = std::size_t{64} << 10U;
  std::ifstream file(root / path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::vector<Check> all_checks(const Machine& machine) {
  constexpr std::array checks = {check_driver,   check_devices,     check_permission,
                                 check_cupti,    check_device_file, check_other_tools,
                                 check_platform, check_toolkit,     check_nvdisasm};
  std::vector<Check> all;
  for (const auto& check : checks) {
    std::vector<Check> found = check(machine);
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace ridgepoint::collector
