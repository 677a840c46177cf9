// A variant of attention forward or backward as the phases of a measurement see it: what both
// interfaces (kernels/attention/variant.h, backward_variant.h) have in common. How one is run:
// AttentionBench.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "kernels/attention/backward_variant.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::collector {

class MeasuredVariant {
 public:
  explicit MeasuredVariant(const kernels::AttentionVariant& forward) : variant_(&forward) {}
  explicit MeasuredVariant(const kernels::AttentionBackwardVariant& backward)
      : variant_(&backward) {}

  // Null when the variant is of the other direction.
  const kernels::AttentionVariant* forward() const;
  const kernels::AttentionBackwardVariant* backward() const;

  std::string name() const;
  std::string description() const;
  std::string unsupported_reason(const kernels::AttentionProblem& problem,
                                 int compute_capability) const;
  std::size_t workspace_bytes(const kernels::AttentionProblem& problem) const;
  // Kept from the forward pass beyond O and the LSE; 0 forward.
  std::size_t saved_bytes(const kernels::AttentionProblem& problem) const;
  std::vector<kernels::KernelTile> tiles(const kernels::AttentionProblem& problem) const;
  int products() const;
  // Whether a run that names no variants includes it.
  bool by_default(const kernels::AttentionProblem& problem) const;
  bool operator==(const MeasuredVariant& other) const { return variant_ == other.variant_; }

 private:
  std::variant<const kernels::AttentionVariant*, const kernels::AttentionBackwardVariant*> variant_;
};

// All of "forward" or "backward", in the order reports show them.
std::vector<MeasuredVariant> measured_variants(const std::string& direction);

struct ChosenVariants {
  std::vector<MeasuredVariant> variants;
  std::vector<Issue> skipped;  // of those not asked for by name
};
// `names` empty: every variant of the direction that can run the problem and may help with it.
Result<ChosenVariants> choose_variants(const std::vector<std::string>& names,
                                       const std::string& direction,
                                       const kernels::AttentionProblem& problem,
                                       int compute_capability);

}  // namespace ridgepoint::collector
