// Whether a session was made without a wish for counters, so that none are missing.
#pragma once

#include "analyzer/session/session.h"

namespace ridgepoint {

// `ridgepoint profile -c none`, and what has it by default: --stalls, --pm-sampling.
inline bool wanted_no_counters(const Producer& producer, const Policy& policy) {
  return producer.mode == "profile" && policy.counter_profile == "none";
}

}  // namespace ridgepoint
