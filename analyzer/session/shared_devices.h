// Which devices of several sessions are one: processes of a run often share a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

// Where the devices of a session lie among those of the sessions before it. Two are one when both
// name the same PCI address, no two hosts are named, and the energy counters, which run on for as
// long as the driver is loaded, do not contradict: of one device the later reading is the higher.
// Where neither hosts nor energy say so, and where a session names no address, an issue says what
// was supposed.
class SharedDevices {
 public:
  // By device of `session`: its place, and whether it is a new one.
  std::vector<std::pair<std::uint32_t, bool>> place(const Session& session);
  std::vector<Issue> issues() const;

 private:
  struct Known {
    DeviceInfo device;
    std::optional<std::string> host;
    std::vector<std::pair<std::int64_t, double>> energy;  // wall clock and running total
  };
  std::vector<Known> known_;
  std::vector<std::string> supposed_;  // addresses of devices that are one by their address alone
  bool nameless_ = false;  // a device without address that may be one of another session
};

}  // namespace ridgepoint
