// `ridgepoint doctor`: can this machine measure, and if not, what to do? Changes nothing, starts no
// CUDA, and works without a GPU. No CUDA or CUPTI type here.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint::collector {

struct Check {
  enum class State { good, unknown, warning, problem };
  std::string id;  // "permission"
  State state = State::unknown;
  std::string finding;  // what was seen
  std::string meaning;  // for measuring; empty when good
  std::string action;   // what to do; empty when nothing is to be done
};

// Where the checks look: the machine, or a folder that a test made to look like one.
struct Machine {
  std::filesystem::path root = "/";
  std::function<std::optional<std::string>(const char*)> environment;

  static Machine this_one();
  // The text of a small file below the root, "proc/version"; empty optional when it is not there.
  std::optional<std::string> text_of(const std::string& path) const;
};

// One function a check (or several that go together), one line in all_checks().
std::vector<Check> check_driver(const Machine& machine);
std::vector<Check> check_permission(const Machine& machine);
std::vector<Check> check_other_tools(const Machine& machine);
std::vector<Check> check_platform(const Machine& machine);
std::vector<Check> check_cupti(const Machine& machine);
std::vector<Check> check_toolkit(const Machine& machine);
std::vector<Check> check_nvdisasm(const Machine& machine);
std::vector<Check> check_device_file(const Machine& machine);
std::vector<Check> check_devices(const Machine& machine);

std::vector<Check> all_checks(const Machine& machine);

}  // namespace ridgepoint::collector
