// What a chip can do each clock, from data/chips/*.json (one file a chip, every figure with its
// source). Figures that differ between products with one chip (SMs, clocks, memory: H100 against
// H200) come from the device's attributes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint {

// One arithmetic unit: a compute ceiling of the roofline. FMA counts 2.
struct ComputeUnit {
  std::string id;     // "tensor_fp16", "fp32": key of the ceiling
  std::string label;  // "Tensor FP16"
  double flop_per_clock_per_sm = 0;
  std::string source;
};

// How registers and shared memory are handed out to a block; see analyzer/occupancy.
struct AllocationUnits {
  std::int64_t registers = 256;     // a warp's registers are rounded up to this
  std::int64_t sub_partitions = 4;  // schedulers, each with its share of the register file
  std::int64_t smem_bytes = 128;    // a block's shared memory is rounded up to this
};

struct ChipModel {
  std::string name;                                  // "Hopper GH100"
  std::vector<std::string> chips;                    // CUPTI's names: "GH100"
  std::array<std::int32_t, 2> compute_capability{};  // major, minor: {9, 0}
  std::vector<ComputeUnit> units;
  std::string memory_label;  // "HBM"
  double memory_transfers_per_clock = 2;
  std::string memory_source;
  double smem_bytes_per_clock_per_sm = 0;
  std::string smem_source;
  std::optional<double> l2_bytes_per_clock;  // whole chip; empty when not published
  std::string l2_source;
  // Halves of a split L2 keep copies of what their SMs read, so that data all SMs share takes room
  // in each.
  std::int64_t l2_partitions = 1;
  // Share of streamed bytes that the L2 counters see in both partitions; 0 where nobody measured
  // it.
  double l2_crossing_share = 0;
  // Share of the L2 that holds lines of a fused kernel's output, not yet written to memory, when
  // the kernel ends; 0 where nobody measured it.
  double l2_unwritten_share = 0;
  AllocationUnits allocation;

  const ComputeUnit* unit(const std::string& id) const;
};

Result<ChipModel> parse_chip(const std::string& json, const std::string& name);
// All chips of data_directory()/chips.
Result<std::vector<ChipModel>> load_chips();
// The chip of that CUPTI name; empty when there is no description of it.
Result<std::optional<ChipModel>> find_chip(const std::string& chip);
// The first chip of that compute capability, for a device whose chip CUPTI did not name. Chips of
// one capability differ in their number of SMs, which the device's attributes tell, not in rates.
Result<std::optional<ChipModel>> find_chip(std::int32_t major, std::int32_t minor);

}  // namespace ridgepoint
