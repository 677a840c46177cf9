// What CUPTI, NVML and the toolkit say. All are loaded, never linked.
#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "analyzer/core/text.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_library.h"
#include "collector/doctor/doctor.h"
#include "collector/doctor/nvml_checks.h"
#include "collector/nvml/nvml_library.h"
#include "collector/profile/disassembler.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

std::string path_of(const void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return "an unknown place";
  }
  std::error_code error;
  const fs::path whole = fs::canonical(info.dli_fname, error);
  return error ? std::string(info.dli_fname) : whole.string();
}

}  // namespace

std::vector<Check> check_cupti(const Machine& machine) {
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    return {{"cupti", State::problem, api.error().why,
             "neither counters nor a timeline can be taken", api.error().hint}};
  }
  const void* address = reinterpret_cast<const void*>((*api)->cuptiGetVersion);
  std::vector<Check> found = {
      {"cupti", State::good,
       fmt::format("CUPTI {} at {}", cupti_version_text(**api), path_of(address)), "", ""}};
  if (const auto paths = machine.environment("LD_LIBRARY_PATH");
      paths && paths->find("CUPTI") != std::string::npos) {
    found.push_back({"cupti", State::warning, "LD_LIBRARY_PATH names a CUPTI folder",
                     "programs that bring a CUPTI of their own (PyTorch does) get that one "
                     "instead, and may fail to start it",
                     "take it out of LD_LIBRARY_PATH; RIDGEPOINT_CUPTI names one for Ridgepoint "
                     "alone"});
  }
  return found;
}

std::vector<Check> check_toolkit(const Machine& machine) {
  std::error_code ignored;
  const std::string root = machine.environment("CUDA_HOME")
                               .value_or(machine.environment("CUDA_PATH")
                                             .value_or((machine.root / "usr/local/cuda").string()));
  const fs::path compiler = fs::path(root) / "bin" / "nvcc";
  if (fs::exists(compiler, ignored)) {
    return {{"toolkit", State::good,
             "CUDA Toolkit at " + fs::weakly_canonical(root, ignored).string(), "", ""}};
  }
  return {{"toolkit", State::unknown, "no CUDA Toolkit at " + printable(root),
           "not needed to measure; nvdisasm is its part that Ridgepoint uses", ""}};
}

// As a session is made from samples, which is in this environment and on this machine.
std::vector<Check> check_nvdisasm(const Machine& /*machine*/) {
  const Result<fs::path> found = find_nvdisasm();
  if (found) {
    return {{"nvdisasm", State::good, "nvdisasm at " + printable(found->string()), "", ""}};
  }
  return {{"nvdisasm", State::warning, "no nvdisasm: " + printable(found.error().why),
           "--stalls gives samples by instruction, and no SASS beside them",
           found.error().hint.empty() ? "set RIDGEPOINT_NVDISASM to its path, or unset it"
                                      : found.error().hint}};
}

std::vector<Check> check_devices(const Machine& /*machine*/) {
  const Result<Nvml> nvml = Nvml::open();
  if (!nvml) {
    return {nvml_silent()};
  }
  return nvml_checks(nvml->api());
}

}  // namespace ridgepoint::collector
