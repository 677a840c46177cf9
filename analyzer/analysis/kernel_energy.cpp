#include "analyzer/analysis/kernel_energy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/analysis/power.h"

namespace ridgepoint {
namespace {

constexpr double seconds_per_ns = 1e-9;
// Pauses between launches cost less power than the launches: of a stretch they may take this much.
constexpr double most_pause_share = 0.05;

// A change of the running total: it happened after `since_ns` and was seen at `seen_ns`.
struct Step {
  std::int64_t since_ns;
  std::int64_t seen_ns;
  double total_j;
};

// Launches of one kernel back to back, with nothing beside or between them.
struct Stretch {
  std::vector<std::uint32_t> launches;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t busy_ns = 0;
};

struct Measured {
  double energy_j = 0;
  double time_s = 0;
  double uncertain_s = 0;
  std::int64_t busy_ns = 0;
  std::int64_t launches = 0;
};

std::vector<Step> steps_of(std::uint32_t device, const Session& session) {
  std::vector<const PowerSample*> samples;
  for (const PowerSample& sample : session.power) {
    if (sample.device == device && sample.energy_j) {
      samples.push_back(&sample);
    }
  }
  std::stable_sort(samples.begin(), samples.end(), [](const PowerSample* a, const PowerSample* b) {
    return a->time_ns < b->time_ns;
  });
  std::vector<Step> steps;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (*samples[i]->energy_j != *samples[i - 1]->energy_j) {
      steps.push_back({samples[i - 1]->time_ns, samples[i]->time_ns, *samples[i]->energy_j});
    }
  }
  return steps;
}

bool continues(const Stretch& stretch, const Launch& launch) {
  const std::int64_t busy_ns = stretch.busy_ns + launch.end_ns - launch.start_ns;
  const std::int64_t whole_ns = launch.end_ns - stretch.start_ns;
  return launch.start_ns >= stretch.end_ns && static_cast<double>(whole_ns - busy_ns) <=
                                                  most_pause_share * static_cast<double>(whole_ns);
}

// By the group of their launches. A launch without a time ran at some moment that is not known, so
// that it ends the stretch before it and begins none.
class Stretches {
 public:
  Stretches(const Session& session, const std::vector<std::size_t>& group_of)
      : session_(session), group_of_(group_of) {}

  std::map<std::size_t, std::vector<Stretch>> on(std::uint32_t device) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < session_.launches.size(); ++i) {
      if (session_.launches[i].device == device) {
        order.push_back(i);
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return session_.launches[a].start_ns < session_.launches[b].start_ns;
    });
    for (const std::uint32_t launch : order) {
      add(launch);
    }
    close();
    return std::move(found_);
  }

 private:
  void add(std::uint32_t index) {
    const Launch& launch = session_.launches[index];
    if (launch.end_ns <= launch.start_ns) {
      close();
      return;
    }
    const bool beside = launch.start_ns < busy_until_ns_;
    busy_until_ns_ = std::max(busy_until_ns_, launch.end_ns);
    if (beside) {
      spoilt_ = true;  // two at a time: whose energy it is cannot be told
    }
    if (open_.launches.empty() || group_of_[index] != group_ || !continues(open_, launch)) {
      close();
      spoilt_ = beside;
      group_ = group_of_[index];
      open_.start_ns = launch.start_ns;
    }
    open_.launches.push_back(index);
    open_.end_ns = launch.end_ns;
    open_.busy_ns += launch.end_ns - launch.start_ns;
  }

  void close() {
    if (!open_.launches.empty() && !spoilt_) {
      found_[group_].push_back(std::move(open_));
    }
    open_ = {};
    spoilt_ = false;
  }

  const Session& session_;
  const std::vector<std::size_t>& group_of_;
  std::map<std::size_t, std::vector<Stretch>> found_;
  Stretch open_;
  std::size_t group_ = 0;
  bool spoilt_ = false;
  std::int64_t busy_until_ns_ = 0;
};

// From the first to the last step within; nothing when there are fewer than makes a measurement.
void measure(const Stretch& stretch, const std::vector<Step>& steps, Measured& sum) {
  const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    return step.since_ns >= stretch.start_ns;
  });
  const auto end = std::find_if(first, steps.end(),
                                [&](const Step& step) { return step.seen_ns > stretch.end_ns; });
  if (end - first < fewest_energy_updates) {
    return;
  }
  const Step& last = *(end - 1);
  const auto uncertain = [](const Step& step) {
    return static_cast<double>(step.seen_ns - step.since_ns) * seconds_per_ns;
  };
  sum.energy_j += last.total_j - first->total_j;
  sum.time_s += static_cast<double>(last.seen_ns - first->seen_ns) * seconds_per_ns;
  sum.uncertain_s += uncertain(*first) + uncertain(last);
  sum.busy_ns += stretch.busy_ns;
  sum.launches += static_cast<std::int64_t>(stretch.launches.size());
}

}  // namespace

void fill_kernel_energy(std::vector<KernelAnalysis>& kernels,
                        const std::vector<LaunchGroup>& groups, const Session& session) {
  if (session.power.empty()) {
    return;
  }
  std::vector<std::size_t> group_of(session.launches.size(), groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t launch : groups[g].launches) {
      group_of[launch] = g;
    }
  }
  std::vector<Measured> sums(groups.size() + 1);
  for (std::uint32_t device = 0; device < session.devices.size(); ++device) {
    const std::vector<Step> steps = steps_of(device, session);
    if (steps.size() < static_cast<std::size_t>(fewest_energy_updates)) {
      continue;
    }
    for (const auto& [group, stretches] : Stretches(session, group_of).on(device)) {
      for (const Stretch& stretch : stretches) {
        measure(stretch, steps, sums[group]);
      }
    }
  }
  for (std::size_t g = 0; g < kernels.size() && g < groups.size(); ++g) {
    const Measured& sum = sums[g];
    if (sum.launches == 0 || sum.time_s <= 0 || sum.energy_j <= 0) {
      continue;
    }
    const double power_w = sum.energy_j / sum.time_s;
    const double launch_s =
        static_cast<double>(sum.busy_ns) * seconds_per_ns / static_cast<double>(sum.launches);
    kernels[g].energy = {power_w, power_w * launch_s, sum.launches, sum.uncertain_s / sum.time_s};
  }
}

}  // namespace ridgepoint
