#include "analyzer/traffic/traffic.h"

#include <algorithm>
#include <array>

#include "analyzer/traffic/sm_reads.h"

namespace ridgepoint {
namespace {

struct Unit {
  const char* quantity;
  const char* ceiling;
};
constexpr std::array tensor_units = {
    Unit{"tensor_fp16_flop", "tensor_fp16"}, Unit{"tensor_bf16_flop", "tensor_bf16"},
    Unit{"tensor_tf32_flop", "tensor_tf32"}, Unit{"tensor_fp8_flop", "tensor_fp8"},
    Unit{"tensor_int8_op", "tensor_int8"},   Unit{"tensor_fp64_flop", "tensor_fp64"}};
constexpr std::array vector_units = {Unit{"fp64_flop", "fp64"}, Unit{"fp32_flop", "fp32"},
                                     Unit{"fp16_flop", "fp16"}};

std::optional<double> both(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional<double>(*a + *b) : std::nullopt;
}

std::optional<double> whichever(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional<double>(*a + *b) : (a ? a : b);
}

// The bytes that instructions asked for, where they can be set against the bandwidth used. Neither
// counter sees the operands that WGMMA reads (GH100: 0.1 % of what a kernel fed by TMA uses). The
// one of all instructions adds something for what cp.async (LDGSTS) writes, which takes no
// wavefront of the data stage: seen were 127 % of what is used, and 4 to 49 % of the bytes it
// copied.
std::optional<double> comparable_request(const Quantities& q, const std::optional<double>& used) {
  const bool wgmma = q.get("gmma_instructions").value_or(0) > 0;
  const std::optional<double> exact = q.get("smem_load_store_bytes");
  const std::optional<double> requested = exact ? exact : q.get("smem_requested_bytes");
  return wgmma || (requested && used && *requested > *used) ? std::nullopt : requested;
}

// All that L2 gives: what its slices look up, and what its request coalescer hands on besides.
Traffic l2_traffic(const Quantities& q) {
  Traffic l2;
  l2.read = q.get("l2_read_bytes");
  l2.write = q.get("l2_write_bytes");
  l2.total = q.get("l2_lookup_bytes");
  if (const auto reads = sm_reads(q); reads && l2.total) {
    l2.merged = reads->merged();
    *l2.total += *l2.merged;
    if (l2.read) {
      *l2.read += *l2.merged;
    }
  }
  return l2;
}

}  // namespace

PerLevel<Traffic> traffic_of(const Quantities& q) {
  PerLevel<Traffic> traffic;
  Traffic& hbm = traffic[MemoryLevel::hbm];
  hbm.read = q.get("hbm_read_bytes");
  hbm.write = q.get("hbm_write_bytes");
  hbm.total = both(hbm.read, hbm.write);

  traffic[MemoryLevel::l2] = l2_traffic(q);

  Traffic& smem = traffic[MemoryLevel::smem];
  smem.total = q.get("smem_bytes");
  if (!smem.total) {
    if (const auto wavefronts = q.get("smem_wavefronts")) {
      smem.total = *wavefronts * bytes_per_wavefront;
    }
  }
  smem.requested = comparable_request(q, smem.total);
  return traffic;
}

FlopCounts flop_of(const Quantities& q) {
  FlopCounts flop;
  for (const Unit& unit : tensor_units) {
    flop.tensor = whichever(flop.tensor, q.get(unit.quantity));
  }
  flop.fp64 = q.get("fp64_flop");
  flop.fp32 = q.get("fp32_flop");
  flop.fp16 = q.get("fp16_flop");
  for (const auto& part : {flop.tensor, flop.fp64, flop.fp32, flop.fp16}) {
    flop.total = whichever(flop.total, part);
  }
  const bool all_counted = flop.tensor && flop.fp64 && flop.fp32 && flop.fp16;
  if (flop.total && *flop.total <= 0 && !all_counted) {
    flop.total.reset();  // none of the kind that was counted, which is not none
  }
  return flop;
}

std::vector<std::pair<std::string, double>> flop_by_unit(const Quantities& q) {
  std::vector<std::pair<std::string, double>> found;
  const auto add = [&](const Unit& unit) {
    if (const auto flop = q.get(unit.quantity); flop && *flop > 0) {
      found.emplace_back(unit.ceiling, *flop);
    }
  };
  std::for_each(tensor_units.begin(), tensor_units.end(), add);
  std::for_each(vector_units.begin(), vector_units.end(), add);
  return found;
}

std::optional<double> without_merged(const std::optional<double>& bytes, double merged) {
  return bytes ? std::optional<double>(std::max(0.0, *bytes - merged)) : std::nullopt;
}

void forget_merged(Traffic& traffic) {
  const double merged = traffic.merged.value_or(0);
  traffic.total = without_merged(traffic.total, merged);
  traffic.read = without_merged(traffic.read, merged);
  traffic.merged.reset();
}

// What merged is known of a sum only where it is of all parts: else the sum is what was looked up.
void add_traffic(Traffic& sum, const Traffic& part) {
  Traffic other = part;
  if (sum.merged.has_value() != other.merged.has_value()) {
    forget_merged(sum);
    forget_merged(other);
  }
  sum.total = both(sum.total, other.total);
  sum.read = both(sum.read, other.read);
  sum.write = both(sum.write, other.write);
  sum.requested = both(sum.requested, other.requested);
  sum.merged = both(sum.merged, other.merged);
}

void add_flop(FlopCounts& sum, const FlopCounts& part) {
  sum.tensor = both(sum.tensor, part.tensor);
  sum.fp64 = both(sum.fp64, part.fp64);
  sum.fp32 = both(sum.fp32, part.fp32);
  sum.fp16 = both(sum.fp16, part.fp16);
  sum.total = both(sum.total, part.total);
}

}  // namespace ridgepoint
