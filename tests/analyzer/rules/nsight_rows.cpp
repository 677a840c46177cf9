#include "tests/analyzer/rules/nsight_rows.h"

#include <algorithm>
#include <string_view>

#include "analyzer/roofline/placement.h"
#include "analyzer/stalls/stall_names.h"

namespace ridgepoint::test {
namespace {

// INF is a remark, OPT advice.
Finding nsights(const JudgedLaunch& launch, std::string_view rule, std::string_view text = {},
                bool remarks_too = false) {
  Finding finding;
  for (const ImportedRuleResult& one : launch.nsights) {
    if (one.rule == rule && (remarks_too || one.type == "OPT") &&
        one.text.find(text) != std::string::npos) {
      finding.fired = true;
      if (one.estimated_speedup_pct) {
        finding.gain = std::max(finding.gain.value_or(0), *one.estimated_speedup_pct / 100);
      }
    }
  }
  return finding;
}

template <class Matches>
Finding ours_where(const JudgedLaunch& launch, const Matches& matches) {
  Finding finding;
  for (const Diagnosis& one : launch.ours) {
    if (matches(one)) {
      finding.fired = true;
      if (one.estimated_gain) {
        finding.gain = std::max(finding.gain.value_or(0), *one.estimated_gain);
      }
    }
  }
  return finding;
}

Finding ours(const JudgedLaunch& launch, const std::vector<std::string_view>& ids) {
  return ours_where(launch, [&](const Diagnosis& one) {
    return std::find(ids.begin(), ids.end(), one.id) != ids.end();
  });
}

const Evidence* evidence_of(const Diagnosis& diagnosis, std::string_view quantity) {
  const auto found =
      std::find_if(diagnosis.evidence.begin(), diagnosis.evidence.end(),
                   [&](const Evidence& one) { return one.quantity.rfind(quantity, 0) == 0; });
  return found == diagnosis.evidence.end() ? nullptr : &*found;
}

// The finding that has this stall reason as evidence; of any reason where none is given.
Finding our_stall(const JudgedLaunch& launch, std::string_view reason) {
  return ours_where(launch, [&](const Diagnosis& one) {
    return evidence_of(one, "stalled on " + stall_words(std::string(reason))) != nullptr;
  });
}

Finding our_occupancy(const JudgedLaunch& launch, bool achieved) {
  return ours_where(launch, [&](const Diagnosis& one) {
    const Evidence* theory = evidence_of(one, "theoretical occupancy");
    const Evidence* seen = evidence_of(one, "achieved occupancy");
    return theory != nullptr && (achieved ? seen != nullptr && seen->threshold.has_value()
                                          : theory->value < *theory->threshold);
  });
}

bool latency_bound(const JudgedLaunch& launch) {
  return launch.kernel.bound_by == BoundBy::latency;
}

double busiest(const JudgedLaunch& launch) {
  const auto pipe = busiest_pipe(launch.kernel);
  return pipe ? pipe->share : 0;
}

std::string none(const JudgedLaunch&, bool) {
  return {};
}

std::string occupancy_does_not_help(const JudgedLaunch& launch, bool nsight_fired) {
  if (!nsight_fired) {
    return {};
  }
  if (!latency_bound(launch)) {
    return "a roof, a pipe or the issue slots are used above 60 %: more warps would not shorten "
           "the kernel, and ours speaks of that limit instead";
  }
  if (launch.kernel.occupancy.waves.value_or(2) <= 1) {
    return "all blocks are resident from the start, so that room for more would stay empty: what "
           "lowers the mean is how few blocks there are and how unevenly they begin and end";
  }
  return {};
}

std::string idle_was_measured(const JudgedLaunch& launch, bool nsight_fired) {
  const auto& balance = launch.kernel.balance;
  constexpr double noticeable = 0.05;
  return nsight_fired && balance.active_max_share && balance.active_mean_share &&
                 *balance.active_max_share - *balance.active_mean_share < noticeable
             ? "the SMs' own cycles show less than 5 % of idle time: blocks of different length "
               "filled the gap that the count of waves supposes"
             : "";
}

std::string no_such_rule(const JudgedLaunch&, bool nsight_fired) {
  return nsight_fired ? "no rule of ours: it estimates nothing, and kernels that keep one block an "
                        "SM on purpose, as persistent ones do, would always be told off"
                      : "";
}

std::string direction(const JudgedLaunch& launch, bool nsight_fired) {
  return !nsight_fired && nsights(launch, "SOLBottleneck", "well-balanced", true).fired
             ? "theirs calls compute and memory balanced within 10 points; ours names the higher"
             : "";
}

std::string sms_explain_it(const JudgedLaunch& launch, bool nsight_fired) {
  return nsight_fired && ours(launch, {"load_imbalance"}).fired
             ? "the SMs themselves finish at different times, which load_imbalance says; their "
               "sub-partitions follow"
             : "";
}

std::string too_few_blocks(const JudgedLaunch& launch, bool nsight_fired) {
  return nsight_fired && ours(launch, {"small_grid"}).fired
             ? "most SMs have no block, which small_grid says: what few accesses there are cannot "
               "be even"
             : "";
}

std::string no_pairs(const JudgedLaunch& launch, bool nsight_fired) {
  constexpr double least = 0.01;
  const KernelAnalysis& k = launch.kernel;
  const double additions = k.quantity("fp32_add_instructions").value_or(0);
  const double products = k.quantity("fp32_mul_instructions").value_or(0);
  const double all = additions + products + k.quantity("fp32_fma_instructions").value_or(0);
  const double pairs = all > 0 ? std::min(additions, products) / all : 0;
  return nsight_fired && pairs * k.quantity("fma_pipe_share").value_or(1) < least
             ? "it only adds or only multiplies in FP32, or hardly does both: what could be fused "
               "takes the FMA pipe less than 1 % of the time"
             : "";
}

// Those of the accesses that use least of their sectors, whatever L1 holds of them.
std::string too_few_sectors(const JudgedLaunch& launch, bool nsight_fired) {
  constexpr double sector_bytes = 32;
  constexpr double least = 0.005;
  const KernelAnalysis& k = launch.kernel;
  double unused = 0;
  for (const char* kind : {"load", "store"}) {
    const std::string id = std::string("global_") + kind;
    const double used = k.quantity(id + "_bytes_per_sector").value_or(0);
    unused = std::max(
        unused, used <= 0 ? 0 : k.quantity(id + "_sectors").value_or(0) * (sector_bytes - used));
  }
  const double l2 = k.traffic[MemoryLevel::l2].total.value_or(0);
  const double of_l2 = l2 > 0 ? unused / l2 * k.utilisation[MemoryLevel::l2].value_or(0) : 0;
  const double sectors = k.quantity("global_load_sectors").value_or(0) +
                         k.quantity("global_store_sectors").value_or(0);
  const double l1 =
      k.quantity("l1_wavefront_share").value_or(0) - k.utilisation[MemoryLevel::smem].value_or(0);
  const double of_l1 = sectors > 0 ? unused / (sector_bytes * sectors) * l1 : 0;
  return nsight_fired && std::max(of_l1, of_l2) < least
             ? "its partly used sectors are so few that their unused bytes take L1 and L2 less "
               "than "
               "0.5 % of the time"
             : "";
}

constexpr const char* local_gain =
    "Where another of its rules is the parent, theirs is no more than the parent's; ours is no "
    "more than what the nearest roof leaves.";

}  // namespace

const std::vector<SharedRule>& shared_rules() {
  using L = const JudgedLaunch&;
  static const std::vector<SharedRule> all = {
      {"SOLBottleneck: latency or small grid", "bound by latency: nothing above 60 %",
       [](L l) {
         return Finding{nsights(l, "SOLBottleneck", "low compute throughput").fired ||
                            nsights(l, "SOLBottleneck", "grid is too small").fired,
                        {}};
       },
       [](L l) {
         return Finding{latency_bound(l), {}};
       },
       none, ""},
      {"SOLBottleneck: above 80 %", "the nearest roof, pipe or the issue slots above 80 %",
       [](L l) { return nsights(l, "SOLBottleneck", "greater than 80.0%", true); },
       [](L l) {
         return Finding{highest_utilisation(l.kernel).value_or(0) >= 0.8, {}};
       },
       none, ""},
      {"SOLBottleneck: compute, not memory", "bound by compute or issue slots",
       [](L l) {
         return Finding{nsights(l, "SOLBottleneck", "Compute is more heavily").fired ||
                            nsights(l, "SOLBottleneck", "analyzing workloads", true).fired,
                        {}};
       },
       [](L l) {
         return Finding{
             l.kernel.bound_by == BoundBy::compute || l.kernel.bound_by == BoundBy::issue, {}};
       },
       direction, ""},
      {"SOLBottleneck: DRAM", "bound by HBM bandwidth",
       [](L l) { return nsights(l, "SOLBottleneck", "analyzing DRAM", true); },
       [](L l) {
         return Finding{l.kernel.bound_by == BoundBy::hbm, {}};
       },
       none, ""},
      {"SOLBottleneck: L1", "bound by shared memory or the L1 data stage",
       [](L l) { return nsights(l, "SOLBottleneck", "analyzing L1", true); },
       [](L l) {
         return Finding{l.kernel.bound_by == BoundBy::smem, {}};
       },
       none, ""},
      {"HighPipeUtilization: below 20 %", "busiest pipe below 20 % of the time",
       [](L l) {
         return Finding{nsights(l, "HighPipeUtilization", "under-utilized").fired, {}};
       },
       [](L l) {
         return Finding{busiest(l) < 0.2, {}};
       },
       none, ""},
      {"HighPipeUtilization: above 60 %", "busiest pipe above 60 % of the time",
       [](L l) { return nsights(l, "HighPipeUtilization", "is the highest-utilized"); },
       [](L l) {
         return Finding{busiest(l) >= 0.6, {}};
       },
       none, ""},
      {"HighPipeUtilization: names the FMA pipe", "busiest pipe, from 20 %",
       [](L l) { return nsights(l, "HighPipeUtilization", "FMA is the highest", true); },
       [](L l) {
         return Finding{busiest(l) >= 0.2 && busiest_pipe(l.kernel)->name == "FMA pipe", {}};
       },
       none, ""},
      {"HighPipeUtilization: names the ALU pipe", "busiest pipe, from 20 %",
       [](L l) { return nsights(l, "HighPipeUtilization", "ALU is the highest", true); },
       [](L l) {
         return Finding{busiest(l) >= 0.2 && busiest_pipe(l.kernel)->name == "ALU pipe", {}};
       },
       none, ""},
      {"IssueSlotUtilization", "issue_slots_low, or the rule of its cause",
       [](L l) { return nsights(l, "IssueSlotUtilization"); },
       [](L l) {
         static const std::vector<std::string_view> causes = {
             "issue_slots_low",          "memory_stalls",         "barrier_stalls",
             "instruction_fetch_stalls", "low_occupancy_latency", "smem_capacity_limited",
             "math_pipe_stalls",         "wgmma_serialised"};
         return l.kernel.quantity("issue_active_share").value_or(1) < 0.6 ? ours(l, causes)
                                                                          : Finding();
       },
       none, "Theirs is all that idle slots could give, ours what the cause could."},
      {"CPIStall: any reason", "any stall rule", [](L l) { return nsights(l, "CPIStall"); },
       [](L l) { return our_stall(l, ""); }, none, local_gain},
      {"CPIStall: long scoreboard", "memory_stalls",
       [](L l) { return nsights(l, "CPIStall", "dependency on a L1TEX"); },
       [](L l) { return our_stall(l, "long_scoreboard"); }, none, local_gain},
      {"CPIStall: MIO throttle", "memory_stalls",
       [](L l) { return nsights(l, "CPIStall", "instruction queue to be not full"); },
       [](L l) { return our_stall(l, "mio_throttle"); }, none, local_gain},
      {"CPIStall: no instruction", "instruction_fetch_stalls",
       [](L l) { return nsights(l, "CPIStall", "fetch an instruction"); },
       [](L l) { return our_stall(l, "no_instruction"); }, none,
       "Theirs divides by the warps' time as counted by itself, ours by no less than the sum of "
       "all "
       "reasons: in a kernel of 3,300 cycles the passes differ by a third (15.8 and 22.3 cycles)."},
      {"AchievedOccupancy", "low_occupancy_latency",
       [](L l) { return nsights(l, "AchievedOccupancy"); },
       [](L l) { return our_occupancy(l, true); }, occupancy_does_not_help, ""},
      {"TheoreticalOccupancy", "low_occupancy_latency, smem_capacity_limited",
       [](L l) { return nsights(l, "TheoreticalOccupancy"); },
       [](L l) { return our_occupancy(l, false); }, occupancy_does_not_help, ""},
      {"LaunchConfiguration: small grid", "small_grid",
       [](L l) { return nsights(l, "LaunchConfiguration", "less than the GPU's"); },
       [](L l) { return ours(l, {"small_grid"}); }, none, ""},
      {"LaunchConfiguration: tail effect", "tail_effect",
       [](L l) { return nsights(l, "LaunchConfiguration", "A wave of thread"); },
       [](L l) { return ours(l, {"tail_effect"}); }, idle_was_measured,
       "Theirs is a whole wave; ours no more than the idle time of the SMs that was counted."},
      {"LaunchConfiguration: two blocks an SM", "none",
       [](L l) { return nsights(l, "LaunchConfiguration", "at least two blocks"); },
       [](L) { return Finding(); }, no_such_rule, ""},
      {"WorkloadImbalance: SMs", "load_imbalance",
       [](L l) { return nsights(l, "WorkloadImbalance", "more SMs have"); },
       [](L l) { return ours(l, {"load_imbalance"}); }, none,
       "Theirs is (busiest - mean) / elapsed cycles times mean / busiest, ours without that "
       "factor: "
       "evened out, all of the difference is saved."},
      {"WorkloadImbalance: L1 slices", "load_imbalance: an L1 is an SM's",
       [](L l) { return nsights(l, "WorkloadImbalance", "more L1 Slices have"); },
       [](L l) { return ours(l, {"load_imbalance"}); }, none, "As for SMs."},
      {"WorkloadImbalance: SM sub-partitions", "subpartition_imbalance",
       [](L l) { return nsights(l, "WorkloadImbalance", "more SMSPs have"); },
       [](L l) { return ours(l, {"subpartition_imbalance"}); }, sms_explain_it, "As for SMs."},
      {"WorkloadImbalance: L2 slices", "l2_slice_imbalance",
       [](L l) { return nsights(l, "WorkloadImbalance", "more L2 Slices have"); },
       [](L l) { return ours(l, {"l2_slice_imbalance"}); }, too_few_blocks, "As for SMs."},
      {"MemoryCacheAccessPattern", "partly_used_sectors",
       [](L l) { return nsights(l, "MemoryCacheAccessPattern"); },
       [](L l) { return ours(l, {"partly_used_sectors"}); }, too_few_sectors,
       "Theirs charges these accesses with all that the busiest part of L1 or L2 does, ours with "
       "what their unused bytes are of all that the level could move in the kernel's time."},
      {"UncoalescedGlobalAccess", "uncoalesced_global",
       [](L l) { return nsights(l, "UncoalescedGlobalAccess"); },
       [](L l) { return ours(l, {"uncoalesced_global"}); }, none,
       "Theirs weighs excess sectors by the share of cycles in which L2 does anything, ours by the "
       "share of L2's roof that is used: a kernel that leaves most of L2 idle gains little there."},
      {"UncoalescedSharedAccess", "smem_bank_conflicts, from 10 % of the wavefronts",
       [](L l) { return nsights(l, "UncoalescedSharedAccess"); },
       [](L l) { return ours(l, {"smem_bank_conflicts"}); }, none,
       "Theirs weighs by the share of cycles in which L1 does anything, ours by the share of "
       "shared memory's roof that is used."},
      {"FPInstructions", "fp32_not_fused", [](L l) { return nsights(l, "FPInstructions"); },
       [](L l) { return ours(l, {"fp32_not_fused"}); }, no_pairs,
       "Theirs supposes that all additions and multiplications pair up, ours that as many do as "
       "there are of the rarer kind."},
      {"SOLFPRoofline", "fp64_heavy", [](L l) { return nsights(l, "SOLFPRoofline"); },
       [](L l) { return ours(l, {"fp64_heavy"}); }, none, ""},
  };
  return all;
}

}  // namespace ridgepoint::test
