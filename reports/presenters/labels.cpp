#include "reports/presenters/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

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

std::string as_words(const std::string& key_text) {
  std::string words = printable(key_text);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (!words.empty()) {
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  }
  return words;
}

}  // namespace

std::string precision_label(const Analysis& analysis, const std::string& precision) {
  const Ceiling* ceiling = analysis.ceiling(precision);
  return ceiling != nullptr && !ceiling->label.empty() ? printable(ceiling->label)
                                                       : as_words(precision);
}

std::string bound_text(const Analysis& analysis, const KernelAnalysis& kernel) {
  if (kernel.bound_by == BoundBy::unknown) {
    return "n/a";
  }
  std::string text = label(kernel.bound_by);
  // Nsight's names for what its percentages are of; they are not those of our roofs.
  if (!kernel.bound_basis.empty()) {
    const char* unit = kernel.bound_by == BoundBy::hbm       ? "DRAM"
                       : kernel.bound_by == BoundBy::l2      ? "L2"
                       : kernel.bound_by == BoundBy::smem    ? "L1"
                       : kernel.bound_by == BoundBy::compute ? "SM"
                                                             : label(kernel.bound_by);
    return std::string(unit) + " (Nsight)";
  }
  if (!kernel.bound_pipe.empty()) {
    text += " (" + kernel.bound_pipe + ")";
  } else if (kernel.bound_by == BoundBy::compute && !kernel.flop.precision.empty()) {
    text += " (" + precision_label(analysis, kernel.flop.precision) + ")";
  }
  return text;
}

std::string stall_label(const std::string& reason) {
  const StallName* known = find_stall(reason);
  return known != nullptr ? known->label : as_words(reason);
}

std::string stall_explanation(const std::string& reason) {
  const StallName* known = find_stall(reason);
  return known != nullptr ? known->explanation : "";
}

std::string quantity_label(const QuantityInfo& quantity) {
  constexpr std::string_view stalls = "stalls.";
  return quantity.id.rfind(stalls, 0) == 0
             ? "stalled: " + stall_label(quantity.id.substr(stalls.size()))
             : printable(quantity.label);
}

std::string verdict_label(Verdict verdict) {
  return verdict == Verdict::not_applicable ? "not applicable" : key(verdict);
}

std::string workload_text(const AttentionShape& shape) {
  std::string dtype = printable(shape.dtype);
  std::transform(dtype.begin(), dtype.end(), dtype.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format("batch {}, {} heads", shape.batch, shape.heads);
  if (shape.kv_heads != shape.heads) {
    text += fmt::format(" ({} KV heads)", shape.kv_heads);
  }
  text += shape.seqlen_q == shape.seqlen_k
              ? fmt::format(", N = {}", shape.seqlen_q)
              : fmt::format(", Nq = {}, Nk = {}", shape.seqlen_q, shape.seqlen_k);
  return text + fmt::format(", d = {}, {}, {}{}", shape.head_dim, dtype,
                            shape.causal ? "causal, " : "", printable(shape.direction));
}

std::string dim_text(const Dim3& dim) {
  return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z);
}

bool nothing_ran(const Analysis& analysis) {
  return analysis.source == Source::predicted && !analysis.variants.empty() &&
         std::none_of(analysis.variants.begin(), analysis.variants.end(),
                      [](const VariantAnalysis& variant) {
                        return variant.traffic[MemoryLevel::hbm].measured.total.has_value();
                      });
}

}  // namespace ridgepoint
