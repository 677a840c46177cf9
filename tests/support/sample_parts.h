// What sample_analysis() is put together from. INVENTED, as it says there.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint::test_support {

// Of the invented device; the size of a large data-centre GPU.
inline constexpr double hbm_peak = 4.80e12;
inline constexpr double l2_peak = 9.70e12;
inline constexpr double smem_peak = 29.7e12;
inline constexpr double tensor_peak = 989.4e12;
inline constexpr double fp32_peak = 66.9e12;

DeviceInfo sample_device();
std::vector<Ceiling> sample_ceilings();
std::vector<KernelAnalysis> sample_kernels();
// Of these kernels.
std::vector<VariantAnalysis> sample_variants(const std::vector<KernelAnalysis>& kernels);
std::vector<Diagnosis> sample_diagnoses();
std::vector<TargetResult> sample_targets();

}  // namespace ridgepoint::test_support
