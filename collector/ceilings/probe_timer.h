// Runs one probe often enough to know its rate.
#pragma once

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "kernels/ceilings/probe.h"

namespace ridgepoint::collector {

struct ProbeEffort {
  double launch_s = 10e-3;  // what one launch should take: events resolve some microseconds
  int repeats = 31;
};

// The median rate over the repeats and the clock seen in all of them; power is not measured here.
Result<MeasuredCeiling> time_probe(const kernels::ceilings::Probe& probe,
                                   const kernels::ceilings::ProbeDevice& device,
                                   const ProbeEffort& effort);

}  // namespace ridgepoint::collector
