#include "analyzer/stalls/stall_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

struct StallName {
  const char* reason;
  const char* label;
  const char* explanation;
};
// The warp states of CUPTI's PC sampling and of smsp__warps_issue_stalled_*.
constexpr std::array<StallName, 19> stall_names = {{
    {"long_scoreboard", "Long scoreboard", "Waits for global, local or texture memory (L1TEX)."},
    {"short_scoreboard", "Short scoreboard",
     "Waits for shared memory, MUFU or another MIO result."},
    {"mio_throttle", "MIO throttle",
     "The queue of shared-memory and special instructions is full."},
    {"lg_throttle", "LG throttle", "The queue of local and global memory instructions is full."},
    {"tex_throttle", "TEX throttle", "The queue of texture and surface instructions is full."},
    {"drain", "Drain", "The warp has ended and waits for its stores to leave."},
    {"math_pipe_throttle", "Math pipe throttle", "The arithmetic pipe it needs is busy."},
    {"gmma", "GMMA", "Waits for asynchronous warp-group matrix products (WGMMA)."},
    {"barrier", "Barrier", "Waits for other warps of the block at a barrier."},
    {"wait", "Wait", "A fixed latency between dependent instructions."},
    {"selected", "Selected", "Not a stall: the warp issued an instruction."},
    {"not_selected", "Not selected", "Ready, but the scheduler issued another warp."},
    {"no_instruction", "No instruction", "Waits for instruction fetch, or jumped."},
    {"branch_resolving", "Branch resolving", "Waits for a branch target."},
    {"dispatch_stall", "Dispatch stall", "The dispatcher holds the instruction back."},
    {"imc_miss", "IMC miss", "Waits for a constant that missed the immediate constant cache."},
    {"membar", "Memory barrier", "Waits at a memory fence."},
    {"sleeping", "Sleeping", "All threads of the warp sleep (nanosleep)."},
    {"misc", "Misc", "Another reason."},
}};

const StallName* find_stall(const std::string& reason) {
  const auto* found =
      std::find_if(stall_names.begin(), stall_names.end(),
                   [&](const StallName& one) { return reason == std::string_view(one.reason); });
  return found == stall_names.end() ? nullptr : found;
}

}  // namespace

std::string stall_label(const std::string& reason) {
  const StallName* known = find_stall(reason);
  return known != nullptr ? known->label : as_words(reason);
}

std::string stall_words(const std::string& reason) {
  std::string words = stall_label(reason);
  // "LG throttle" begins with an abbreviation, which keeps its capitals.
  const bool abbreviation = words.size() > 1 && std::isupper(static_cast<unsigned char>(words[1]));
  if (!words.empty() && !abbreviation) {
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  }
  return words;
}

std::string stall_explanation(const std::string& reason) {
  const StallName* known = find_stall(reason);
  return known != nullptr ? known->explanation : "";
}

}  // namespace ridgepoint
