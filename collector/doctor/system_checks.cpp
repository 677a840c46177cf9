// What the files of the kernel, the driver and other processes say.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/text.h"
#include "collector/cuda/driver_version.h"
#include "collector/doctor/doctor.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

// The value of a line "name: value".
std::optional<std::string> value_of(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.rfind(name + ":", 0) == 0) {
      const std::size_t start = line.find_first_not_of(" \t", name.size() + 1);
      return start == std::string::npos ? std::string() : line.substr(start);
    }
    at = end + 1;
  }
  return std::nullopt;
}

constexpr unsigned cap_sys_admin = 21;  // linux/capability.h

bool may_administrate(const Machine& machine) {
  const auto status = machine.text_of("proc/self/status");
  const auto held = status ? value_of(*status, "CapEff") : std::nullopt;
  std::uint64_t capabilities = 0;
  return held &&
         std::from_chars(held->data(), held->data() + held->size(), capabilities, 16).ec ==
             std::errc() &&
         ((capabilities >> cap_sys_admin) & 1U) != 0;
}

struct KnownTool {
  const char* process;  // the program's whole name
  const char* name;
  const char* action;
  bool is_start = false;  // several programs' names begin so
};
constexpr std::array known_tools = {
    KnownTool{"nv-hostengine", "DCGM's host engine",
              "pause it while you measure: dcgmi profile --pause, and --resume afterwards"},
    KnownTool{"dcgm-exporter", "the DCGM exporter",
              "stop it while you measure, or let it export no profiling (DCP) metrics"},
    KnownTool{"ncu", "Nsight Compute", "wait until it has ended"},
    KnownTool{"nsys", "Nsight Systems", "wait until it has ended"},
    KnownTool{"nvidia-cuda-mps", "the Multi-Process Service",
              "stop it while you measure: echo quit | nvidia-cuda-mps-control", true},
};

// The kernel keeps the first 15 characters of a name (TASK_COMM_LEN - 1).
bool runs_as(const std::string& comm, const KnownTool& tool) {
  constexpr std::size_t longest = 15;
  const std::string_view name = std::string_view(tool.process).substr(0, longest);
  return tool.is_start ? std::string_view(comm).substr(0, name.size()) == name : comm == name;
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string version_of_driver(const Machine& machine) {
  const auto text = machine.text_of("proc/driver/nvidia/version");
  return text ? parse_driver_version(*text) : std::string();
}

}  // namespace

std::vector<Check> check_driver(const Machine& machine) {
  const std::string version = version_of_driver(machine);
  if (!version.empty()) {
    return {{"driver", State::good, "NVIDIA driver " + version, "", ""}};
  }
  return {{"driver", State::problem, no_driver,
           "nothing can be measured on this machine; recordings can be looked at", no_driver_hint}};
}

std::vector<Check> check_permission(const Machine& machine) {
  const auto parameters = machine.text_of("proc/driver/nvidia/params");
  const auto admin_only = parameters ? value_of(*parameters, "RmProfilingAdminOnly") : std::nullopt;
  if (!parameters && version_of_driver(machine).empty()) {
    return {{"permission", State::unknown,
             fmt::format("{}, which would say who may read counters", no_driver),
             "nobody can read them without one", ""}};
  }
  if (!admin_only) {
    return {{"permission", State::unknown,
             "/proc/driver/nvidia/params does not say who may read counters",
             "whether counters can be read shows when they are first asked for", ""}};
  }
  if (*admin_only == "0") {
    return {{"permission", State::good, "every user may read the counters (RmProfilingAdminOnly=0)",
             "", ""}};
  }
  if (may_administrate(machine)) {
    return {{"permission", State::good,
             "only administrators may read the counters, and this process is one (CAP_SYS_ADMIN)",
             "", ""}};
  }
  return {{"permission", State::problem,
           "only administrators may read the counters (RmProfilingAdminOnly=1), and this process "
           "is none",
           "timelines and timings work; counters and stall samples are refused",
           "run with sudo; in a container add --cap-add=SYS_ADMIN; or let the administrator load "
           "the driver with NVreg_RestrictProfilingToAdminUsers=0"}};
}

std::vector<Check> check_device_file(const Machine& machine) {
  // As collector/replay/resource_manager.h does; the root of a test has a file of its own.
  constexpr const char* name = "/dev/nvidiactl";
  const fs::path path = machine.root / "dev/nvidiactl";
  if (Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC))) {
    return {{"device_file", State::good,
             fmt::format("{} can be opened, by which L2 is invalidated before a kernel", name), "",
             ""}};
  }
  const int why = errno;
  const std::string meaning =
      "L2 is filled with clean lines before a kernel, and not invalidated (--cache-control flush); "
      "the session says which";
  if (why == ENOENT && version_of_driver(machine).empty()) {
    return {{"device_file", State::unknown,
             fmt::format("{}, and so there is no {}", no_driver, name),
             "without it L2 cannot be invalidated before a kernel", ""}};
  }
  return {{"device_file", State::warning,
           fmt::format("{} cannot be opened: {}", name, std::strerror(why)), meaning,
           why == ENOENT ? "start a container with --gpus all; elsewhere nvidia-modprobe makes it"
                         : "let this user read and write it; in a container, start it with --gpus "
                           "all"}};
}

std::vector<Check> check_other_tools(const Machine& machine) {
  std::vector<Check> found;
  std::error_code error;
  for (fs::directory_iterator entry(machine.root / "proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string process = entry->path().filename().string();
    if (!is_number(process)) {
      continue;
    }
    std::string name = machine.text_of("proc/" + process + "/comm").value_or("");
    name = name.substr(0, name.find('\n'));
    for (const KnownTool& tool : known_tools) {
      if (runs_as(name, tool)) {
        found.push_back({"other_tools", State::warning,
                         fmt::format("{} runs (process {})", tool.name, process),
                         "it may hold the GPU's counters, of all GPUs: then they are refused as "
                         "busy",
                         tool.action});
      }
    }
  }
  for (const char* variable :
       {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "COMPUTE_PROFILE", "CUDA_PROFILE"}) {
    if (const auto value = machine.environment(variable)) {
      found.push_back({"other_tools", State::warning,
                       fmt::format("{}={} is set", variable, printable(*value)),
                       "another profiler would be loaded into each program, and a program can "
                       "have one only",
                       fmt::format("unset {}", variable)});
    }
  }
  if (found.empty()) {
    found.push_back({"other_tools", State::good,
                     "no other profiler or monitoring agent was seen among the processes", "", ""});
  }
  return found;
}

std::vector<Check> check_platform(const Machine& machine) {
  const std::string version = lower_case(machine.text_of("proc/version").value_or(""));
  if (version.find("microsoft") != std::string::npos) {
    return {{"platform", State::warning, "this is Windows Subsystem for Linux",
             "the Windows driver decides: counters need a recent one, and permission is given on "
             "the Windows side",
             "NVIDIA Control Panel, Developer, Manage GPU Performance Counters: allow all users"}};
  }
  return {{"platform", State::good, "Linux, not under WSL", "", ""}};
}

}  // namespace ridgepoint::collector
