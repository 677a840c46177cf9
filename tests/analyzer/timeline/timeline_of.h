// The timeline of a session whose kernels the analysis leaves apart.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/timeline/analyse_timeline.h"

namespace ridgepoint::test_support {

inline std::shared_ptr<const Timeline> timeline_of(const Session& session) {
  std::vector<std::uint32_t> kernels;
  for (const Launch& one : session.launches) {
    kernels.push_back(one.kernel);
  }
  return analyse_timeline(session, kernels);
}

}  // namespace ridgepoint::test_support
