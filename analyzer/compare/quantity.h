// The quantities that two sessions are compared by and that budgets name. Their names are the paths
// of the JSON report below kernels[] and variants[] ("hbm_bytes", "utilisation.hbm"); a test holds
// the two together. A new quantity of the report is one line in kernel_quantities.cpp or
// variant_quantities.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

enum class Better { lower, higher, neither };

// What a value rests on, and so what can make it incomparable: another clock spoils timings,
// another cache state or replay mode spoils counters, neither touches what the compiler or the
// problem fixed.
enum class Basis { timing, counters, fixed };

struct QuantityInfo {
  std::string id;
  std::string label;  // for people
  std::string unit;   // as Evidence and TargetResult name them
  Better better = Better::neither;
  Basis basis = Basis::fixed;
  bool memory_size = false;  // bytes that a memory on the chip holds, printed in KiB
};

template <class Subject>
struct Quantity : QuantityInfo {
  std::optional<double> (*value)(const Subject&) = nullptr;
};

const std::vector<Quantity<KernelAnalysis>>& kernel_quantities();
const std::vector<Quantity<VariantAnalysis>>& variant_quantities();

// Besides the lists: "stalls.REASON" and "quantities.ID" of a kernel, whatever was recorded. Empty
// for names that no report can hold.
std::optional<QuantityInfo> kernel_quantity(const std::string& id);
std::optional<QuantityInfo> variant_quantity(const std::string& id);

// Empty when it was not measured, is not finite, or has an unknown name.
std::optional<double> value_of(const KernelAnalysis& kernel, const std::string& id);
std::optional<double> value_of(const VariantAnalysis& variant, const std::string& id);

}  // namespace ridgepoint
