#include "reports/presenters/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analyzer/core/text.h"

namespace ridgepoint {

std::string precision_label(const Analysis& analysis, const std::string& precision) {
  const Ceiling* ceiling = analysis.ceiling(precision);
  return ceiling != nullptr && !ceiling->label.empty() ? printable(ceiling->label)
                                                       : as_words(precision);
}

std::string roof_label(BoundBy bound, const std::string& pipe) {
  return bound == BoundBy::smem && !pipe.empty() ? pipe : label(bound);
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
  if (kernel.bound_by == BoundBy::smem) {
    return roof_label(kernel.bound_by, kernel.bound_pipe);
  }
  if (!kernel.bound_pipe.empty()) {
    text += " (" + kernel.bound_pipe + ")";
  } else if (kernel.bound_by == BoundBy::compute && !kernel.flop.precision.empty()) {
    text += " (" + precision_label(analysis, kernel.flop.precision) + ")";
  }
  return text;
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
