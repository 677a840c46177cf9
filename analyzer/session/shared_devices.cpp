#include "analyzer/session/shared_devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgepoint {
namespace {

using Energy = std::vector<std::pair<std::int64_t, double>>;

Energy energy_of(const Session& session, std::uint32_t device) {
  Energy energy;
  for (const PowerSample& sample : session.power) {
    if (sample.device == device && sample.energy_j) {
      energy.emplace_back(sample.time_ns, *sample.energy_j);
    }
  }
  std::sort(energy.begin(), energy.end());
  return energy;
}

// Empty when one of them was not read.
std::optional<bool> one_counter(const Energy& one, const Energy& other) {
  if (one.empty() || other.empty()) {
    return std::nullopt;
  }
  Energy both = one;
  both.insert(both.end(), other.begin(), other.end());
  std::sort(both.begin(), both.end());
  return std::is_sorted(both.begin(), both.end(),
                        [](const auto& a, const auto& b) { return a.second < b.second; });
}

}  // namespace

std::vector<std::pair<std::uint32_t, bool>> SharedDevices::place(const Session& session) {
  const std::size_t before = known_.size();
  std::vector<std::pair<std::uint32_t, bool>> places;
  for (std::uint32_t i = 0; i < session.devices.size(); ++i) {
    const DeviceInfo& device = session.devices[i];
    Known own{device, session.producer.host, energy_of(session, i)};
    std::optional<std::uint32_t> found;
    for (std::uint32_t at = 0; at < before && !found; ++at) {
      Known& other = known_[at];
      const bool hosts = own.host && other.host;
      if (device.name != other.device.name || (hosts && *own.host != *other.host)) {
        continue;
      }
      if (device.pci_bus_id.empty() || other.device.pci_bus_id.empty()) {
        nameless_ = true;
        continue;
      }
      const std::optional<bool> counter = one_counter(own.energy, other.energy);
      if (device.pci_bus_id != other.device.pci_bus_id || !counter.value_or(true)) {
        continue;
      }
      found = at;
      if (!counter && !hosts) {
        supposed_.push_back(device.pci_bus_id);
      }
      other.energy.insert(other.energy.end(), own.energy.begin(), own.energy.end());
    }
    places.emplace_back(found.value_or(static_cast<std::uint32_t>(known_.size())), !found);
    if (!found) {
      known_.push_back(std::move(own));
    }
  }
  return places;
}

std::vector<Issue> SharedDevices::issues() const {
  std::vector<Issue> issues;
  if (!supposed_.empty()) {
    std::vector<std::string> addresses = supposed_;
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    issues.push_back(
        {"merge.device_supposed",
         fmt::format("devices of the same PCI address ({}) are told as one: the sessions hold "
                     "neither host names nor energy readings that would tell GPUs of several hosts "
                     "apart",
                     fmt::join(addresses, ", "))});
  }
  if (nameless_) {
    issues.push_back({"merge.device_unknown",
                      "not every session says at which PCI address its GPU is: each such device is "
                      "told as one of its own, though processes may have shared it, and its power "
                      "may be told twice"});
  }
  return issues;
}

}  // namespace ridgepoint
