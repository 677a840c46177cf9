#include "collector/profile/overhead.h"

namespace ridgepoint::collector {

void set_overhead(Policy& policy) {
  policy.overhead_factor.reset();
  if (policy.run_s && policy.measuring_s && *policy.measuring_s < *policy.run_s) {
    policy.overhead_factor = *policy.run_s / (*policy.run_s - *policy.measuring_s);
  }
}

void add_measuring_run(Policy& policy, std::optional<double> run_s) {
  if (!policy.run_s || !policy.measuring_s) {
    return;
  }
  if (run_s) {
    *policy.run_s += *run_s;
    *policy.measuring_s += *run_s;
  } else {  // that it took time is known, and not how much
    policy.run_s.reset();
    policy.measuring_s.reset();
  }
  set_overhead(policy);
}

}  // namespace ridgepoint::collector
