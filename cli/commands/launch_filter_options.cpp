#include "cli/commands/launch_filter_options.h"

#include <cstdint>
#include <string>

#include "cli/number_range.h"

namespace ridgepoint::cli {
namespace {

constexpr const char* group = "Filters: launches that are counted; the others run at full speed";
constexpr std::int64_t most = std::int64_t{1} << 40U;

void add_text(CLI::App& command, const char* names, std::string& value, const char* text,
              const char* type) {
  command.add_option(names, value, text)->type_name(type)->group(group);
}

void add_number(CLI::App& command, const char* name, std::int64_t& value, std::int64_t least,
                const char* text) {
  command.add_option(name, value, text)
      ->type_name("N")
      ->check(whole_number_in(least, most))
      ->group(group);
}

}  // namespace

void add_launch_filters(CLI::App& command, collector::FilterOptions& filter) {
  add_text(command, "-k,--kernel", filter.kernel,
           "Kernels whose full or base name matches anywhere: ^gemm$ is the whole base name",
           "REGEX");
  add_text(command, "--nvtx", filter.nvtx,
           "Launches inside an NVTX range whose name matches, inside one that matches OUTER",
           "[DOMAIN@][OUTER/...]REGEX");
  add_text(command, "--nvtx-domain", filter.nvtx_domain, "Domain of those ranges", "NAME");
  command
      .add_option(
          "--nvtx-scope", filter.nvtx_scope,
          "Whose ranges a launch is in: its thread's (thread), every thread's (process), or "
          "every thread's when its own has none (auto, the default)")
      ->type_name("SCOPE")
      ->check(CLI::IsMember({"auto", "thread", "process"}))
      ->group(group);
  command
      .add_option("--device", filter.devices,
                  "GPUs by their number in the program, from 0; may be repeated")
      ->type_name("INDEX")
      ->check(whole_number_in(0, 255))
      ->expected(1)
      ->take_all()
      ->group(group);
  add_number(command, "--top", filter.top, 1,
             "The N kernels with the most time; a first run of the program takes the times");
  command
      .add_option_function<double>(
          "--min-duration", [&filter](double us) { filter.min_duration_s = us * 1e-6; },
          "Launches of US microseconds or more (median of their kernel and shape); a first run of "
          "the program takes the times")
      ->type_name("US")
      ->check(number_in(0.001, 1e12))
      ->group(group);
  add_text(command, "--nth", filter.nth,
           "Of each kernel's launches on a device those with these numbers, from 1: 3, 1,5-7, 10-",
           "LIST");
  add_number(command, "--launch-skip", filter.launch_skip, 0, "Leave out the first N of those");
  add_number(command, "--launch-count", filter.launch_count, 1, "Count at most N of those");
  add_text(command, "--no-replay", filter.no_replay,
           "Kernels never run a second time (they wait for a peer): one pass only; default: NCCL "
           "and NVSHMEM",
           "REGEX");
}

}  // namespace ridgepoint::cli
