// What the tool keeps of a launch of this thread, from its callback before to its callback after.
#pragma once

#include <string>

#include "collector/inject/pm_sampling.h"
#include "collector/inject/untimed_launches.h"

struct CUctx_st;

namespace ridgepoint::collector {

class ContextCounters;
class KernelReplay;
struct LaunchGate;

struct LaunchInHand {
  enum class Hold { nothing, shared, owned };
  Hold hold = Hold::nothing;
  LaunchGate* gate = nullptr;
  CUctx_st* context = nullptr;
  ContextCounters* counters = nullptr;
  KernelReplay* replay = nullptr;  // waits to hear that it was made
  bool graph = false;
  bool measuring = false;                      // it is held up: MeasuringTime
  bool captured = false;                       // into a graph: nothing runs now
  bool expected = false;                       // the recorder waits for its record
  bool paced = false;                          // LaunchPace waits to hear that it is over
  UntimedLaunches::Thread* untimed = nullptr;  // it will have no record
  // Of a launch that is to be sampled over time: its kernel's mangled name, and whether it is.
  const std::string* sampled = nullptr;
  PmSampling::Launch sampled_launch;
  bool sampling = false;
};
inline thread_local LaunchInHand in_hand;

}  // namespace ridgepoint::collector
