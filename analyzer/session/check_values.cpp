#include "analyzer/session/check_values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace ridgepoint {
namespace {

// Far above any counter, size or rate (a peak of 1e16 FLOP/s for a year gives 3e23), and far enough
// below the largest double that sums and products of them stay finite.
constexpr double largest = 1e30;

std::string device_fault(const Session& session) {
  for (std::size_t i = 0; i < session.devices.size(); ++i) {
    const DeviceInfo& d = session.devices[i];
    // 0 stands for "not known" in all of these.
    const std::array<std::pair<const char*, double>, 12> values = {
        {{"sm_count", static_cast<double>(d.sm_count)},
         {"l2_bytes", static_cast<double>(d.l2_bytes)},
         {"smem_per_sm_bytes", static_cast<double>(d.smem_per_sm_bytes)},
         {"smem_per_block_bytes", static_cast<double>(d.smem_per_block_bytes)},
         {"smem_reserved_per_block_bytes", static_cast<double>(d.smem_reserved_per_block_bytes)},
         {"registers_per_sm", static_cast<double>(d.registers_per_sm)},
         {"warps_per_sm", static_cast<double>(d.warps_per_sm)},
         {"blocks_per_sm", static_cast<double>(d.blocks_per_sm)},
         {"sm_clock_max_hz", d.sm_clock_max_hz},
         {"memory_clock_max_hz", d.memory_clock_max_hz},
         {"memory_bytes", static_cast<double>(d.memory_bytes)},
         {"memory_bus_bits", static_cast<double>(d.memory_bus_bits)}}};
    for (const auto& [name, value] : values) {
      if (!possible_value(value)) {
        return fmt::format("devices[{}].{} is {:g}", i, name, value);
      }
    }
    for (const MeasuredCeiling& ceiling : d.measured_ceilings) {
      if (!possible_value(ceiling.value) || !possible_value(ceiling.ci95_half) ||
          !possible_value(ceiling.sm_clock_hz) || !possible_value(ceiling.power_w.value_or(0))) {
        return fmt::format("devices[{}] has a measured ceiling of {:g}", i, ceiling.value);
      }
    }
  }
  return {};
}

bool has_extent(const Dim3& dim) {
  return dim.x > 0 && dim.y > 0 && dim.z > 0;
}

std::string launch_fault(const Session& session) {
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    const Launch& launch = session.launches[i];
    if (!has_extent(launch.grid) || !has_extent(launch.block)) {
      return fmt::format("launches[{}] has a grid or block without extent", i);
    }
    if (launch.dynamic_smem_bytes < 0) {
      return fmt::format("launches[{}].dynamic_smem_bytes is {}", i, launch.dynamic_smem_bytes);
    }
  }
  return {};
}

std::string kernel_fault(const Session& session) {
  for (std::size_t i = 0; i < session.kernels.size(); ++i) {
    const KernelInfo& kernel = session.kernels[i];
    if (kernel.registers_per_thread.value_or(0) < 0 || kernel.static_smem_bytes.value_or(0) < 0 ||
        kernel.local_bytes_per_thread.value_or(0) < 0) {
      return fmt::format("kernels[{}] has a negative size", i);
    }
  }
  return {};
}

std::string counter_value_fault(const Session& session) {
  const CounterTable& counters = session.counters;
  for (std::size_t i = 0; i < counters.columns.size(); ++i) {
    for (const double value : counters.columns[i]) {
      if (!std::isnan(value) && !possible_value(value)) {  // NaN: not measured
        return fmt::format("counters.columns[{}] holds {:g}", i, value);
      }
    }
  }
  return {};
}

std::string attention_fault(const Session& session) {
  if (!session.attention) {
    return {};
  }
  const AttentionWorkload& work = *session.attention;
  const AttentionShape& shape = work.shape;
  for (const std::int64_t extent :
       {shape.batch, shape.heads, shape.kv_heads, shape.seqlen_q, shape.seqlen_k, shape.head_dim}) {
    if (extent < 1) {
      return fmt::format("attention.shape has an extent of {}", extent);
    }
  }
  if (!possible_value(work.analytic_flop) || !possible_value(work.analytic_bytes)) {
    return fmt::format("attention has {:g} analytic FLOP and {:g} analytic bytes",
                       work.analytic_flop, work.analytic_bytes);
  }
  for (const VariantRun& variant : work.variants) {
    if (variant.workspace_bytes < 0) {
      return fmt::format("attention variant {} has a workspace of {} bytes", variant.name,
                         variant.workspace_bytes);
    }
    if (variant.saved_bytes.value_or(0) < 0 || variant.products.value_or(1) < 1 ||
        variant.products.value_or(1) > 1000) {
      return fmt::format("attention variant {} keeps {} bytes and executes {} products",
                         variant.name, variant.saved_bytes.value_or(0),
                         variant.products.value_or(1));
    }
  }
  return {};
}

}  // namespace

bool possible_value(double value) {
  return value >= 0 && value <= largest;
}

std::string value_fault(const Session& session) {
  for (const auto& check :
       {device_fault, launch_fault, kernel_fault, counter_value_fault, attention_fault}) {
    if (std::string fault = check(session); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace ridgepoint
