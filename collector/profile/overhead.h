// How much slower a program was for being measured, as far as one run can tell.
#pragma once

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// From Policy::run_s and measuring_s: the factor is a lower bound, since what every launch pays for
// being listened to is not in measuring_s.
void set_overhead(Policy& policy);
// Another run of the program, which was made for nothing but measuring.
void add_measuring_run(Policy& policy, std::optional<double> run_s);

}  // namespace ridgepoint::collector
