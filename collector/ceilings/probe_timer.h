// Runs one probe often enough to know its rate.
#pragma once

#include <functional>
#include <string>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "kernels/ceilings/probe.h"

namespace ridgepoint::collector {

struct ProbeEffort {
  double launch_s = 10e-3;  // what one launch should take: events resolve some microseconds
  int repeats = 31;
};

// Called right before and right after the repeats that count, with the name of the ceiling.
struct ProbeWatch {
  std::function<void(const std::string& name)> begin;
  std::function<void()> end;
};

// The median rate over the repeats and the clock seen in all of them; power is left to the watch.
Result<MeasuredCeiling> time_probe(const kernels::ceilings::Probe& probe,
                                   const kernels::ceilings::ProbeDevice& device,
                                   const ProbeEffort& effort, const ProbeWatch& watch = {});

}  // namespace ridgepoint::collector
