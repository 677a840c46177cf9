#include "reports/presenters/name_legend.h"

#include <algorithm>
#include <map>

#include "analyzer/analysis/short_names.h"
#include "analyzer/core/text.h"
#include "reports/presenters/elide.h"

namespace ridgepoint {
namespace {

constexpr std::size_t signature_width = 160;

}  // namespace

std::vector<std::string> name_legend(const Analysis& analysis, std::size_t kernels) {
  std::map<std::string, int> shared;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    ++shared[shared_name(kernel.short_name)];
  }
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < std::min(kernels, analysis.kernels.size()); ++i) {
    if (const std::string name = shared_name(analysis.kernels[i].short_name); shared[name] > 1) {
      groups[name].push_back(i);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [name, members] : groups) {
    std::vector<std::string> signatures;
    for (const std::size_t member : members) {
      signatures.push_back(printable(analysis.kernels[member].name));
    }
    signatures = elide_apart(signatures, signature_width);
    for (std::size_t i = 0; i < members.size(); ++i) {
      lines.push_back(printable(analysis.kernels[members[i]].short_name) + ": " + signatures[i]);
    }
  }
  if (!lines.empty()) {
    lines.insert(lines.begin(),
                 "Kernels that share a name, by their signatures (whole in CSV and JSON):");
  }
  return lines;
}

}  // namespace ridgepoint
