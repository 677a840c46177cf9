#include "analyzer/traffic/traffic_split.h"

#include <algorithm>
#include <set>

#include "analyzer/traffic/traffic.h"

namespace ridgepoint {
namespace {

struct Due {
  DueOnce read;
  DueOnce write;
};

void add(TrafficSplit& sum, const TrafficSplit& part) {
  sum.inputs_outputs += part.inputs_outputs;
  sum.intermediates += part.intermediates;
  sum.again += part.again;
  sum.kept += part.kept;
}

// `seen` holds the inputs that earlier kernels of the variant have read.
Due due_of(const std::vector<TensorUse>& uses, double launches, std::set<std::string>& seen) {
  Due due;
  for (const TensorUse& use : uses) {
    DueOnce& side = use.written ? due.write : due.read;
    if (use.intermediate) {
      side.intermediates += launches * use.bytes;
    } else if (use.written || seen.insert(use.tensor).second) {
      side.inputs_outputs += launches * use.bytes;
    }
  }
  return due;
}

// L2's total has reductions that are neither reads nor writes; they change memory, like writes.
std::optional<TrafficSplit> split_level(const Traffic& traffic, const Due& due) {
  if (!traffic.total || !traffic.read || *traffic.read < 0 || *traffic.total < *traffic.read) {
    return std::nullopt;
  }
  TrafficSplit split = split_bytes(*traffic.read, due.read);
  add(split, split_bytes(*traffic.total - *traffic.read, due.write));
  return split;
}

// Bytes that the SMs read and HBM did not have to send. What L2 returned is counted at its ports,
// without what was handed on to further SMs; those also carry answers to atomics, so that no more
// than the reads is taken.
std::optional<double> saved_by_l2(const KernelAnalysis& kernel) {
  const auto sent = kernel.quantity("l2_to_sm_bytes");
  const Traffic& l2 = kernel.traffic[MemoryLevel::l2];
  const auto& fetched = kernel.traffic[MemoryLevel::hbm].read;
  if (!sent || !l2.read || !fetched) {
    return kernel.l2_saved_bytes;
  }
  return std::max(0.0, std::min(*sent + l2.merged.value_or(0), *l2.read) - *fetched);
}

template <class T, class Get, class Add>
std::optional<T> sum_of(const std::vector<std::size_t>& members,
                        const std::vector<KernelAnalysis>& kernels, Get get, Add add_to) {
  std::optional<T> sum = members.empty() ? std::nullopt : std::optional<T>(T());
  for (const std::size_t member : members) {
    const std::optional<T> part = get(kernels[member]);
    if (!part) {
      return std::nullopt;
    }
    add_to(*sum, *part);
  }
  return sum;
}

}  // namespace

TrafficSplit split_bytes(double moved, const DueOnce& due) {
  TrafficSplit split;
  split.inputs_outputs = std::min(moved, due.inputs_outputs);
  split.intermediates = std::min(moved - split.inputs_outputs, due.intermediates);
  split.again = moved - split.inputs_outputs - split.intermediates;
  split.kept = due.inputs_outputs - split.inputs_outputs + due.intermediates - split.intermediates;
  return split;
}

std::optional<TrafficSplit> without_merged(std::optional<TrafficSplit> split, double merged) {
  if (split) {
    split->again = std::max(0.0, split->again - merged);
  }
  return split;
}

void split_traffic(std::vector<KernelAnalysis>& kernels, std::vector<VariantAnalysis>& variants,
                   const std::vector<std::vector<TensorUse>>& uses) {
  for (VariantAnalysis& variant : variants) {
    std::set<std::string> seen;
    for (const std::size_t member : variant.kernels) {
      KernelAnalysis& kernel = kernels[member];
      kernel.l2_saved_bytes = saved_by_l2(kernel);
      if (uses[member].empty()) {
        continue;
      }
      const Due due = due_of(uses[member], static_cast<double>(kernel.launches), seen);
      for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
        kernel.split[level] = split_level(kernel.traffic[level], due);
      }
    }
    // Where one of its kernels does not know what merged, L2 bytes of the variant are without it
    // (add_traffic()), and so are their parts.
    const bool with_merged = variant.traffic[MemoryLevel::l2].measured.merged.has_value();
    const auto left_out = [&](const KernelAnalysis& kernel, MemoryLevel level) {
      return with_merged ? 0 : kernel.traffic[level].merged.value_or(0);
    };
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
      variant.split[level] = sum_of<TrafficSplit>(
          variant.kernels, kernels,
          [&](const KernelAnalysis& kernel) {
            return without_merged(kernel.split[level], left_out(kernel, level));
          },
          add);
    }
    variant.l2_saved_bytes = sum_of<double>(
        variant.kernels, kernels,
        [&](const KernelAnalysis& kernel) {
          return without_merged(kernel.l2_saved_bytes, left_out(kernel, MemoryLevel::l2));
        },
        [](double& sum, double part) { sum += part; });
  }
}

}  // namespace ridgepoint
