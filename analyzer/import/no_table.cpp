#include "analyzer/import/no_table.h"

#include <algorithm>
#include <array>

#include "analyzer/core/text.h"
#include "analyzer/import/number.h"

namespace ridgepoint::importing {
namespace {

// What the profiler prints when it has nothing to show, most telling first.
struct KnownFailure {
  std::string_view text;
  const char* why;
  const char* hint;
};

constexpr std::array<KnownFailure, 6> known_failures = {{
    {"ERR_NVGPUCTRPERM", "the profiler was refused the hardware counters (ERR_NVGPUCTRPERM)",
     "let users read counters (module option NVreg_RestrictProfilingToAdminUsers=0, or run with "
     "CAP_SYS_ADMIN), then record again; https://developer.nvidia.com/ERR_NVGPUCTRPERM"},
    {"another application", "another program held the hardware counters",
     "stop other profilers and monitoring (dcgmi profile --pause), then record again"},
    {"Target process terminated before first instrumented API call",
     "the profiled process ended without using the GPU",
     "record child processes too (ncu --target-processes all), or check the program"},
    {"cudaErrorNoDevice", "the profiled program found no GPU", "record on a machine with a GPU"},
    {"==ERROR==", "",
     "record again, then export with: ncu --import FILE.ncu-rep --page raw --csv --print-units "
     "base"},
    {"No kernels were profiled", "the profiler says that no kernels were profiled",
     "check the filters (--kernel-name, --launch-skip, --nvtx), and record child processes too "
     "(--target-processes all)"},
}};

constexpr std::size_t longest_quote = 200;
constexpr const char* export_hint =
    "export with: ncu --import FILE.ncu-rep --page raw --csv --print-units base > FILE.csv";

std::string line_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
  return printable(trimmed(line).substr(0, longest_quote));
}

bool ends_with(const std::string& name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), name.rbegin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + ('a' - 'A')) : b);
         });
}

}  // namespace

std::optional<Error> binary_report(std::string_view bytes, const std::string& name,
                                   const std::string& what) {
  const auto begins = [&](std::string_view magic) {
    return bytes.substr(0, magic.size()) == magic;
  };
  using namespace std::string_view_literals;
  if (begins("NVR\0"sv) || ends_with(name, ".ncu-rep") ||
      ends_with(name, ".nsight-cuprof-report")) {
    return Error{ErrorDomain::input, 0, what,
                 "it is an Nsight Compute report, which only NVIDIA's tools read",
                 "export it with: ncu --import " + printable(name) +
                     " --page raw --csv --print-units base > " + printable(name) +
                     ".csv, and open that"};
  }
  if (begins("SQLite format 3\0"sv) || ends_with(name, ".sqlite") || ends_with(name, ".nsys-rep") ||
      ends_with(name, ".qdrep")) {
    return Error{ErrorDomain::input, 0, what,
                 "it is an Nsight Systems recording: a time line without hardware counters",
                 "record counters with: ncu --set full -o NAME PROGRAM, then export them with: ncu "
                 "--import NAME.ncu-rep --page raw --csv --print-units base > NAME.csv"};
  }
  const bool gzip = begins("\x1f\x8b"sv);
  if (gzip || begins("PK\x03\x04"sv)) {
    return Error{ErrorDomain::input, 0, what,
                 gzip ? "it is packed with gzip" : "it is a zip archive",
                 "unpack it first, with " + std::string(gzip ? "gunzip" : "unzip")};
  }
  return std::nullopt;
}

Error no_launches(std::string_view text, bool has_header, const std::string& what) {
  for (const KnownFailure& failure : known_failures) {
    const std::size_t at = text.find(failure.text);
    if (at != std::string_view::npos) {
      const std::string why(failure.why);
      return {ErrorDomain::input, 0, what,
              "no kernels here: " +
                  (why.empty() ? "the profiler says \"" + line_at(text, at) + "\"" : why),
              failure.hint};
    }
  }
  if (has_header) {
    return {ErrorDomain::input, 0, what, "no kernels here: it has a header but no row of a kernel",
            export_hint};
  }
  if (trimmed(text).empty()) {
    return {ErrorDomain::input, 0, what, "it is empty", export_hint};
  }
  return {ErrorDomain::input, 0, what,
          "it is neither a Ridgepoint session nor an Nsight Compute CSV (it begins with \"" +
              printable(trimmed(text).substr(0, 32)) + "\")",
          std::string("sessions are written by `ridgepoint attention` and `ridgepoint profile`; ") +
              export_hint};
}

}  // namespace ridgepoint::importing
