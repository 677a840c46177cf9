#include "analyzer/import/notes.h"

#include <fmt/format.h>

#include "analyzer/core/text.h"
#include "analyzer/import/number.h"

namespace ridgepoint::importing {
namespace {

constexpr std::size_t longest_message = 300;
constexpr int messages_kept = 20;

void add(Session& session, std::string code, std::string text) {
  session.issues.push_back({std::move(code), std::move(text)});
}

// "1 value is", "5 values are".
std::string are(std::size_t count, const char* what) {
  return count == 1 ? fmt::format("1 {} is", what) : fmt::format("{} {}s are", count, what);
}

const char* they_count(std::size_t count) {
  return count == 1 ? "it counts as not measured." : "they count as not measured.";
}

}  // namespace

void note_chip(const ImportedDevice& device, const std::string& compute_capability,
               Session& session) {
  const std::string capability = printable(compute_capability.substr(0, 16));
  if (device.info.chip.empty()) {
    add(session, "import.chip_unknown",
        fmt::format("The file does not say which chip this is (compute capability \"{}\"), so "
                    "counters cannot be read as quantities.",
                    capability));
  } else if (device.chip_assumed) {
    add(session, "import.chip_assumed",
        fmt::format("The file names no chip. {} stands for the chips of compute capability {}; "
                    "they have the same counters.",
                    device.info.chip, capability));
  }
}

void note_oddities(const Oddities& odd, std::size_t identities, Session& session) {
  add(session, "import.not_recorded",
      "An Nsight Compute CSV does not record: the cache control (by default the caches are flushed "
      "before each pass), the clock control (by default locked to base), the time line, power, "
      "samples by instruction, local memory, and driver versions.");
  if (session.counters.find("gpu__time_duration.sum") == nullptr) {
    add(session, "import.no_duration",
        "The file has no duration (gpu__time_duration.sum): rates and utilisation cannot be told.");
  }
  if (identities > 0) {
    add(session, "import.identities",
        fmt::format("{} worked out from others in the file that determine {} by definition "
                    "(data/import/ncu-identities.json).",
                    are(identities, "counter"), identities == 1 ? "it" : "them"));
  }
  if (odd.rounded) {
    add(session, "import.details_page",
        "The details page rounds to two decimals and leaves out most counters, among them the DRAM "
        "bytes and FLOP. For all: ncu --import FILE.ncu-rep --page raw --csv --print-units base");
  }
  if (odd.summarised) {
    add(session, "import.summary",
        "This is a summary: each launch here is the mean over several (counter "
        "summary:invocations); the spread between them is lost.");
  }
  if (odd.units_missing) {
    add(session, "import.units_missing",
        "The table has no row of units: values are taken as they stand.");
  }
  for (const auto& [unit, count] : odd.unknown_units) {
    add(session, "import.unit_unknown",
        fmt::format("Unit \"{}\" is not known: what is in it ({} times) is taken as it stands.",
                    unit, count));
  }
  if (odd.cells_impossible > 0) {
    add(session, "import.impossible",
        fmt::format("{} negative or larger than any counter can be; {}",
                    are(odd.cells_impossible, "value"), they_count(odd.cells_impossible)));
  }
  if (odd.cells_unreadable > 0) {
    add(session, "import.unreadable",
        fmt::format("{} no number; {}", are(odd.cells_unreadable, "counter value"),
                    they_count(odd.cells_unreadable)));
  }
  if (odd.cells_not_a_number > 0) {
    add(session, "import.no_value",
        fmt::format("{} nan, inf or n/a; {}", are(odd.cells_not_a_number, "value"),
                    they_count(odd.cells_not_a_number)));
  }
  if (odd.rows_skipped > 0) {
    add(session, "import.rows_skipped",
        fmt::format("{} among the rows but not of the table, and left out.",
                    are(odd.rows_skipped, "line")));
  }
  if (!odd.torn.empty()) {
    add(session, "import.torn",
        "The file could not be read to its end: " + odd.torn + " (counted from the header).");
  }
}

void note_profiler_messages(std::string_view preamble, Session& session) {
  int kept = 0;
  for (std::size_t at = 0; at < preamble.size() && kept < messages_kept;) {
    const std::size_t end = std::min(preamble.find('\n', at), preamble.size());
    const std::string_view line = trimmed(preamble.substr(at, end - at));
    if (line.substr(0, 11) == "==WARNING==" || line.substr(0, 9) == "==ERROR==") {
      add(session, "import.profiler_message", printable(line.substr(0, longest_message)));
      ++kept;
    }
    at = end + 1;
  }
}

}  // namespace ridgepoint::importing
