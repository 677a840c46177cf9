#include "collector/profile/timing_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/core/text.h"
#include "collector/profile/launch_key.h"

namespace ridgepoint::collector {
namespace {

struct Times {
  std::vector<std::int64_t> each_ns;
  std::int64_t total_ns = 0;

  void add(std::int64_t time_ns) {
    each_ns.push_back(time_ns);
    total_ns += time_ns;
  }
  double median_s() {
    const auto middle = each_ns.begin() + static_cast<std::ptrdiff_t>(each_ns.size() / 2);
    std::nth_element(each_ns.begin(), middle, each_ns.end());
    return static_cast<double>(*middle) * 1e-9;
  }
};

template <class Visit>
void for_each_time(const std::vector<const Session*>& sessions, Visit visit) {
  for (const Session* session : sessions) {
    for (const Launch& launch : session->launches) {
      // Without a record of the GPU there is no time.
      if (launch.end_ns > launch.start_ns) {
        visit(session->kernels[launch.kernel], launch, launch.end_ns - launch.start_ns);
      }
    }
  }
}

struct KernelTime {
  std::string mangled;
  std::string name;
  std::int64_t total_ns = 0;
};
// Longest first.
std::vector<KernelTime> kernel_times(const std::vector<const Session*>& sessions) {
  std::map<std::string, KernelTime> by_name;
  for_each_time(sessions, [&](const KernelInfo& kernel, const Launch&, std::int64_t time_ns) {
    KernelTime& one = by_name[kernel.mangled];
    one.mangled = kernel.mangled;
    one.name = kernel.name;
    one.total_ns += time_ns;
  });
  std::vector<KernelTime> times;
  for (auto& [mangled, one] : by_name) {
    times.push_back(std::move(one));
  }
  std::stable_sort(times.begin(), times.end(), [](const KernelTime& a, const KernelTime& b) {
    return a.total_ns > b.total_ns;
  });
  return times;
}

std::size_t top_of(const FilterOptions& filter, std::size_t kernels) {
  return filter.top > 0 ? std::min(kernels, static_cast<std::size_t>(filter.top)) : kernels;
}

}  // namespace

FilterOptions chosen_by_time(FilterOptions filter, const std::vector<const Session*>& sessions) {
  filter.timed = true;
  if (filter.top > 0) {
    const std::vector<KernelTime> kernels = kernel_times(sessions);
    for (std::size_t i = 0; i < top_of(filter, kernels.size()); ++i) {
      filter.timed_kernels.push_back(kernel_key(kernels[i].mangled));
    }
  }
  if (filter.min_duration_s > 0) {
    std::map<std::uint64_t, Times> shapes;
    for_each_time(sessions, [&](const KernelInfo& kernel, const Launch& launch, std::int64_t ns) {
      shapes[launch_key(kernel_key(kernel.mangled), launch.grid, launch.block)].add(ns);
    });
    std::vector<std::pair<std::int64_t, std::uint64_t>> long_enough;
    for (auto& [key, times] : shapes) {
      if (times.median_s() >= filter.min_duration_s) {
        long_enough.emplace_back(times.total_ns, key);
      }
    }
    std::sort(long_enough.rbegin(), long_enough.rend());
    long_enough.resize(std::min(long_enough.size(), most_timed_shapes));
    for (const auto& [total_ns, key] : long_enough) {
      filter.timed_launches.push_back(key);
    }
  }
  return filter;
}

std::string timing_text(const FilterOptions& filter, const std::vector<const Session*>& sessions) {
  const std::vector<KernelTime> kernels = kernel_times(sessions);
  std::string text = fmt::format("timing run: {} kernels", kernels.size());
  if (filter.top > 0) {
    const std::size_t chosen = top_of(filter, kernels.size());
    std::int64_t all_ns = 0;
    std::int64_t chosen_ns = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      all_ns += kernels[i].total_ns;
      chosen_ns += i < chosen ? kernels[i].total_ns : 0;
    }
    text += fmt::format(
        "; the {} with the most time have {:.0f} % of it", chosen,
        all_ns > 0 ? 100.0 * static_cast<double>(chosen_ns) / static_cast<double>(all_ns) : 0.0);
    for (std::size_t i = 0; i < chosen; ++i) {
      text += fmt::format("\n  {:.6f} s  {}", static_cast<double>(kernels[i].total_ns) * 1e-9,
                          printable(short_kernel_name(kernels[i].name)));
    }
  }
  if (filter.min_duration_s > 0) {
    text += fmt::format("\n  {} launch shapes of at least {:g} us (median)",
                        filter.timed_launches.size(), filter.min_duration_s * 1e6);
    if (filter.timed_launches.size() == most_timed_shapes) {
      text += "; more are left out";
    }
  }
  return text;
}

}  // namespace ridgepoint::collector
