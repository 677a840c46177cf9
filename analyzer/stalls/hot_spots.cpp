#include "analyzer/stalls/hot_spots.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ridgepoint {
namespace {

struct Instruction {
  double samples = 0;
  std::map<std::uint32_t, double> by_reason;
};
using Instructions = std::map<std::uint64_t, Instruction>;  // by offset

HotSpot hot_spot(std::uint64_t offset, const Instruction& one, double all, const Session& session) {
  const auto most =
      std::max_element(one.by_reason.begin(), one.by_reason.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  HotSpot spot;
  spot.pc_offset = offset;
  spot.samples = static_cast<std::int64_t>(std::min(one.samples, 9e18));  // what an int64 holds
  spot.share = one.samples / all;
  spot.reason = session.stall_reasons[most->first];
  spot.reason_share = most->second / one.samples;
  return spot;
}

std::vector<HotSpot> hottest(const Instructions& instructions, const Session& session) {
  double all = 0;
  std::vector<Instructions::const_iterator> order;
  for (auto at = instructions.begin(); at != instructions.end(); ++at) {
    all += at->second.samples;
    order.push_back(at);
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(order.size(), hot_spot_limit));
  std::partial_sort(
      order.begin(), order.begin() + shown, order.end(), [](const auto& a, const auto& b) {
        return a->second.samples != b->second.samples ? a->second.samples > b->second.samples
                                                      : a->first < b->first;
      });
  std::vector<HotSpot> spots;
  for (std::ptrdiff_t i = 0; i < shown; ++i) {
    const auto& [offset, instruction] = *order[static_cast<std::size_t>(i)];
    spots.push_back(hot_spot(offset, instruction, all, session));
  }
  return spots;
}

void describe(HotSpot& spot, const SampledInstruction& instruction, const Session& session) {
  spot.sass = instruction.sass;
  if (instruction.file >= 0 &&
      static_cast<std::size_t>(instruction.file) < session.source_files.size()) {
    spot.source_file = session.source_files[static_cast<std::size_t>(instruction.file)];
    spot.source_line = instruction.line;
  }
}

}  // namespace

void fill_hot_spots(std::vector<KernelAnalysis>& kernels, const Session& session) {
  std::map<std::size_t, Instructions> by_kernel;
  for (const PcSample& sample : session.pc_samples) {
    if (sample.samples > 0 && sample.reason < session.stall_reasons.size()) {
      Instruction& one = by_kernel[sample.kernel][sample.pc_offset];
      one.samples += static_cast<double>(sample.samples);
      one.by_reason[sample.reason] += static_cast<double>(sample.samples);
    }
  }
  std::map<std::pair<std::size_t, std::uint64_t>, const SampledInstruction*> texts;
  for (const SampledInstruction& one : session.instructions) {
    texts.emplace(std::pair<std::size_t, std::uint64_t>(one.kernel, one.pc_offset), &one);
  }
  for (KernelAnalysis& kernel : kernels) {
    if (const auto found = by_kernel.find(kernel.session_kernel); found != by_kernel.end()) {
      kernel.hot_spots = hottest(found->second, session);
      for (HotSpot& spot : kernel.hot_spots) {
        if (const auto text = texts.find({kernel.session_kernel, spot.pc_offset});
            text != texts.end()) {
          describe(spot, *text->second, session);
        }
      }
    }
  }
}

}  // namespace ridgepoint
