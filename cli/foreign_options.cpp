#include "cli/foreign_options.h"

#include <algorithm>
#include <array>

namespace ridgepoint::cli {
namespace {

struct ForeignOption {
  const char* name;
  const char* here;
};

constexpr const char* sections = "sections are chosen as a whole: -c lite, default or full";
constexpr const char* sets = "sets of counters are -c lite, -c default and -c full";
constexpr const char* counters_of_a_chip = "`ridgepoint metrics CHIP` lists the counters of a chip";
constexpr const char* kernel = "kernels are chosen by -k REGEX, searched in full and base names";
constexpr const char* kernel_by_number =
    "-k REGEX chooses kernels, --nth LIST of each kernel's launches";
constexpr const char* start =
    "--nvtx REGEX or --launch-skip N says where measuring begins; the program's calls of "
    "cudaProfilerStart are not looked at";
constexpr const char* range = "launches inside an NVTX range: --nvtx '[DOMAIN@][OUTER/...]REGEX'";
constexpr const char* period = "--stalls samples warps, every 2^N cycles with --sampling-period N";
constexpr const char* over_time = "--pm-sampling=US samples over time, every US microseconds";
constexpr const char* runs = "the program is run again, once a pass, by --replay application";
constexpr const char* pages =
    "the report is printed after the run; `ridgepoint report SESSION` shows it again, in many "
    "formats";
constexpr const char* overwrite = "files are replaced with --force";
constexpr const char* source = "--stalls gives samples by SASS instruction and source line";
constexpr const char* not_cpu = "the CPU is not sampled; NVTX ranges say what it does";
constexpr const char* timeline = "-c none takes a timeline of kernels, copies and NVTX ranges";

constexpr std::array known = {
    // Nsight Compute
    ForeignOption{"--metrics", "counters are named by -c: -c A,B,C"},
    ForeignOption{"--set", sets},
    ForeignOption{"--section", sections},
    ForeignOption{"--section-folder", sections},
    ForeignOption{"--section-folder-recursive", sections},
    ForeignOption{"--list-sets", sets},
    ForeignOption{"--list-sections", sets},
    ForeignOption{"--list-metrics", counters_of_a_chip},
    ForeignOption{"--query-metrics", counters_of_a_chip},
    ForeignOption{"--query-metrics-mode", counters_of_a_chip},
    ForeignOption{"--list-chips", "`ridgepoint metrics` lists the chips"},
    ForeignOption{"--chips", "--plan CHIP shows the passes on a chip that is not here"},
    ForeignOption{"--kernel-name", kernel},
    ForeignOption{"--kernel-name-base", kernel},
    ForeignOption{"--kernel-regex", kernel},
    ForeignOption{"--kernel-regex-base", kernel},
    ForeignOption{"--kernel-id", kernel_by_number},
    ForeignOption{"-s", "launches are skipped by --launch-skip N"},
    ForeignOption{"--launch-skip-before-match",
                  "--launch-skip N counts the launches that the other filters let through"},
    ForeignOption{"--devices", "GPUs are chosen by --device INDEX"},
    ForeignOption{"--replay-mode", "what runs again is chosen by --replay"},
    ForeignOption{"--app-replay-match", runs},
    ForeignOption{"--app-replay-mode", runs},
    ForeignOption{"--app-replay-buffer", runs},
    ForeignOption{"--range-replay-options", "NVTX ranges are counted by --replay range"},
    ForeignOption{"--clock-control",
                  "clocks are never changed: they are watched, and the report says how they were"},
    ForeignOption{"--graph-profiling",
                  "--graphs node shows the kernels of CUDA graphs in a timeline, --replay range "
                  "counts them inside an NVTX range"},
    ForeignOption{"--profile-from-start", start},
    ForeignOption{"--disable-profiler-start-stop", start},
    ForeignOption{"--nvtx-include", range},
    ForeignOption{"--nvtx-exclude", range},
    ForeignOption{"--range-filter", range},
    ForeignOption{"--target-processes",
                  "processes that the program starts are measured, unless --no-children is given"},
    ForeignOption{"--warp-sampling-interval", period},
    ForeignOption{"--sampling-interval", period},
    ForeignOption{"--pm-sampling-interval", over_time},
    ForeignOption{"--import-source", source},
    ForeignOption{"--source-folders", source},
    ForeignOption{"--import",
                  "`ridgepoint report SESSION` shows a session, `ridgepoint import` "
                  "takes what ncu has exported"},
    ForeignOption{"-i", "`ridgepoint report SESSION` shows a session"},
    ForeignOption{"--open-in-ui", "`ridgepoint view SESSION` opens the window"},
    ForeignOption{"--page", pages},
    ForeignOption{"--print-summary", pages},
    ForeignOption{"--print-details", pages},
    ForeignOption{"--csv", "--report FILE.csv writes the report as CSV"},
    ForeignOption{"--log-file", "--report FILE writes the report into a file"},
    ForeignOption{"--apply-rules", "diagnoses are always made"},
    ForeignOption{"--rule", "diagnoses are always made"},
    ForeignOption{"--check-exit-code", "--pass-exit-code ends with the program's own code"},
    ForeignOption{"--export", "the session is named by -o FILE"},
    ForeignOption{"--force-overwrite", overwrite},
    ForeignOption{"-f", overwrite},
    // Nsight Systems
    ForeignOption{"--trace", timeline},
    ForeignOption{"-t", timeline},
    ForeignOption{"--stats", pages},
    ForeignOption{"--capture-range", start},
    ForeignOption{"--capture-range-end", start},
    ForeignOption{"--nvtx-capture", range},
    ForeignOption{"--cuda-graph-trace", "CUDA graphs are shown as one or by node: --graphs"},
    ForeignOption{"--gpu-metrics-device", over_time},
    ForeignOption{"--gpu-metrics-devices", over_time},
    ForeignOption{"--gpu-metrics-frequency", over_time},
    ForeignOption{"--trace-fork-before-exec",
                  "processes that the program starts are measured, unless --no-children is given"},
    ForeignOption{"--sample", not_cpu},
    ForeignOption{"--cpuctxsw", not_cpu},
};

}  // namespace

std::string equivalent_of(const std::string& option) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const ForeignOption& one) { return option == one.name; });
  return found == known.end() ? "" : found->here;
}

}  // namespace ridgepoint::cli
