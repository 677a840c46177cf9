#include "analyzer/session/process_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

constexpr std::size_t most_named = 5;
constexpr double apart_from = 1.2;  // processes on one GPU slow each other by more than noise

struct Unlike {
  double time_s = 0;
  std::string text;
};

std::string listed(std::vector<Unlike> unlike) {
  std::stable_sort(unlike.begin(), unlike.end(),
                   [](const Unlike& a, const Unlike& b) { return a.time_s > b.time_s; });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most_named, unlike.size()); ++i) {
    texts.push_back(unlike[i].text);
  }
  const std::size_t more = unlike.size() - texts.size();
  return fmt::format("{}{}", fmt::join(texts, "; "),
                     more > 0 ? fmt::format("; and {} more", more) : "");
}

}  // namespace

void ProcessKernels::add(const std::vector<Launch>& launches) {
  auto& kernels = processes_.emplace_back();
  for (const Launch& launch : launches) {
    Launched& one = kernels[launch.kernel];
    if (launch.end_ns > launch.start_ns) {
      ++one.timed;
      one.time_s += static_cast<double>(launch.end_ns - launch.start_ns) * 1e-9;
    }
  }
}

std::vector<Issue> ProcessKernels::issues(const std::vector<KernelInfo>& kernels) const {
  std::vector<Unlike> missing;
  std::vector<Unlike> slower;
  for (std::uint32_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const std::string name = short_kernel_name(kernels[kernel].name);
    std::vector<std::size_t> having;
    double time_s = 0;
    std::size_t slowest = 0;
    std::size_t fastest = 0;
    double most_s = 0;
    double least_s = 0;
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      const auto found = processes_[p].find(kernel);
      if (found == processes_[p].end()) {
        continue;
      }
      having.push_back(p + 1);
      time_s += found->second.time_s;
      if (found->second.timed == 0) {
        continue;
      }
      const double mean_s = found->second.time_s / static_cast<double>(found->second.timed);
      if (most_s == 0 || mean_s > most_s) {
        most_s = mean_s;
        slowest = p + 1;
      }
      if (least_s == 0 || mean_s < least_s) {
        least_s = mean_s;
        fastest = p + 1;
      }
    }
    if (!having.empty() && having.size() < processes_.size()) {
      missing.push_back({time_s, fmt::format("{} in {} alone", name, fmt::join(having, ", "))});
    }
    if (least_s > 0 && most_s > apart_from * least_s) {
      slower.push_back({time_s, fmt::format("{} {:.2f} times as long in {} as in {}", name,
                                            most_s / least_s, slowest, fastest)});
    }
  }
  std::vector<Issue> issues;
  if (!missing.empty()) {
    issues.push_back(
        {"merge.kernels_missing",
         "not every session has every kernel, by the order in which they were joined: " +
             listed(std::move(missing))});
  }
  if (!slower.empty()) {
    issues.push_back({"merge.kernels_apart",
                      "launches of one kernel take longer in one session than in another, by the "
                      "order in which they were joined: " +
                          listed(std::move(slower))});
  }
  return issues;
}

}  // namespace ridgepoint
