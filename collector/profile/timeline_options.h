// What a timeline holds of programs that launch a great deal.
#pragma once

namespace ridgepoint::collector {

struct TimelineOptions {
  // Every kernel with its times, however fast they are launched; else see inject/launch_pace.h.
  bool every_launch = false;
  // The kernels, copies and fills inside CUDA graphs; else each graph as one.
  bool graph_nodes = false;
  // Fast launches too are heard by CUPTI's callbacks alone; else see inject/launch_detour.h.
  bool callbacks_only = false;
};

}  // namespace ridgepoint::collector
