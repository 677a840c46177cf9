#include "collector/attention/measured_variant.h"

#include <algorithm>

namespace ridgepoint::collector {

const kernels::AttentionVariant* MeasuredVariant::forward() const {
  const auto* const held = std::get_if<const kernels::AttentionVariant*>(&variant_);
  return held != nullptr ? *held : nullptr;
}
const kernels::AttentionBackwardVariant* MeasuredVariant::backward() const {
  const auto* const held = std::get_if<const kernels::AttentionBackwardVariant*>(&variant_);
  return held != nullptr ? *held : nullptr;
}

std::string MeasuredVariant::name() const {
  return std::visit([](const auto* v) { return v->name(); }, variant_);
}
std::string MeasuredVariant::description() const {
  return std::visit([](const auto* v) { return v->description(); }, variant_);
}
std::string MeasuredVariant::unsupported_reason(const kernels::AttentionProblem& problem,
                                                int compute_capability) const {
  return std::visit(
      [&](const auto* v) { return v->unsupported_reason(problem, compute_capability); }, variant_);
}
std::size_t MeasuredVariant::workspace_bytes(const kernels::AttentionProblem& problem) const {
  return std::visit([&](const auto* v) { return v->workspace_bytes(problem); }, variant_);
}
std::size_t MeasuredVariant::saved_bytes(const kernels::AttentionProblem& problem) const {
  return backward() != nullptr ? backward()->saved_bytes(problem) : 0;
}
std::vector<kernels::KernelTile> MeasuredVariant::tiles(
    const kernels::AttentionProblem& problem) const {
  return std::visit([&](const auto* v) { return v->tiles(problem); }, variant_);
}
bool MeasuredVariant::by_default(const kernels::AttentionProblem& problem) const {
  return forward() == nullptr || forward()->by_default(problem);
}
int MeasuredVariant::products() const {
  constexpr int of_forward = 2;  // Q K^T and P V
  return backward() != nullptr ? backward()->products() : of_forward;
}

std::vector<MeasuredVariant> measured_variants(const std::string& direction) {
  std::vector<MeasuredVariant> all;
  if (direction == "backward") {
    for (const kernels::AttentionBackwardVariant* variant :
         kernels::attention_backward_variants()) {
      all.emplace_back(*variant);
    }
  } else {
    for (const kernels::AttentionVariant* variant : kernels::attention_variants()) {
      all.emplace_back(*variant);
    }
  }
  return all;
}

namespace {

// Every variant that can run the problem; the others are named with their reasons.
Result<ChosenVariants> choose_all(const std::vector<MeasuredVariant>& known,
                                  const kernels::AttentionProblem& problem,
                                  int compute_capability) {
  ChosenVariants chosen;
  for (const MeasuredVariant& variant : known) {
    const std::string reason = variant.unsupported_reason(problem, compute_capability);
    if (reason.empty()) {
      if (variant.by_default(problem)) {
        chosen.variants.push_back(variant);
      }
    } else {
      chosen.skipped.push_back({"variant.skipped", variant.name() + " was not run: " + reason});
    }
  }
  if (chosen.variants.empty()) {
    return fail(ErrorDomain::usage, "choosing the variants",
                "none can run this problem here: " + chosen.skipped.front().text);
  }
  return chosen;
}

}  // namespace

Result<ChosenVariants> choose_variants(const std::vector<std::string>& names,
                                       const std::string& direction,
                                       const kernels::AttentionProblem& problem,
                                       int compute_capability) {
  const std::vector<MeasuredVariant> known = measured_variants(direction);
  if (names.empty()) {
    return choose_all(known, problem, compute_capability);
  }
  ChosenVariants chosen;
  for (const std::string& name : names) {
    const auto variant = std::find_if(known.begin(), known.end(),
                                      [&](const MeasuredVariant& v) { return v.name() == name; });
    if (variant == known.end()) {
      std::string list;
      for (const MeasuredVariant& other : known) {
        list += (list.empty() ? "" : ", ") + other.name();
      }
      return fail(ErrorDomain::usage, "choosing the variants",
                  "there is no " + direction + " variant '" + name + "'", "choose from: " + list);
    }
    if (const std::string reason = variant->unsupported_reason(problem, compute_capability);
        !reason.empty()) {
      return fail(ErrorDomain::usage, "choosing the variants", name + " cannot run it: " + reason);
    }
    if (std::find(chosen.variants.begin(), chosen.variants.end(), *variant) ==
        chosen.variants.end()) {
      chosen.variants.push_back(*variant);
    }
  }
  return chosen;
}

}  // namespace ridgepoint::collector
