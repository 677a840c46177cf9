// Which of two rules speaks, where both would: stated once, for both.
#pragma once

#include "analyzer/rules/rule.h"

namespace ridgepoint {

// One to four whole waves and a partial one: tail_effect speaks, else wave_quantisation.
bool has_tail(double waves);

// Fewer blocks than SMs: small_grid or split_kv_for_small_grids speaks, and rules about unevenness
// do not.
bool has_idle_sms(const RuleContext& context, const KernelAnalysis& kernel, std::size_t index);

// causal_imbalance speaks, else load_imbalance.
bool is_causal_attention(const RuleContext& context, const KernelAnalysis& kernel);

// Fused attention of a known problem whose grid fills less than 80 % of the SMs, the line of
// FlashAttention's split heuristic: split_kv_for_small_grids speaks, else small_grid.
bool wants_split_kv(const RuleContext& context, const KernelAnalysis& kernel, std::size_t index);

}  // namespace ridgepoint
