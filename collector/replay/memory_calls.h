// The driver calls, other than launches, that matter: when kernels are run again, which memory
// there is and who else touches it; in a timeline, what has records of its own, and graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

struct CUgraph_st;
struct CUgraphExec_st;
struct CUmemPoolHandle_st;

namespace ridgepoint::collector {

struct MemoryCall {
  enum class Kind {
    allocates,
    releases,
    protects,        // changes who may access it, or (no address) unloads code and its variables
    moves,           // copies, fills, prefetches
    awaits_host,     // makes a stream wait for what the host does, which may be another launch
    begins_capture,  // of a stream
    ends_capture,
    makes_graph,
    instantiates_graph,  // makes it executable
    shares,              // with another process or a graphics API
    reaches_peers,       // lets GPUs of this process reach each other's memory
    opens_pool,          // the same for the memory of one pool
  };
  Kind kind = Kind::moves;
  std::uint64_t address = 0;  // of an allocation: known when the call has returned
  std::size_t bytes = 0;
  bool mapped = false;       // by cuMemMap
  std::vector<int> devices;  // of `protects`, `opens_pool`: who may access it, as the driver counts
  bool revokes = false;      // of `protects`: some who could may not any more
  CUmemPoolHandle_st* pool = nullptr;
  CUgraph_st* graph = nullptr;
  CUgraphExec_st* executable = nullptr;  // of `graph`: known when the call has returned
};

// CUPTI_DRIVER_TRACE_CBID_..., all that memory_call() knows.
std::vector<std::uint32_t> memory_call_ids();
// Of those, the ones that a timeline must know of: copies and fills, stream captures, graphs.
std::vector<std::uint32_t> rare_call_ids();
// Empty for other calls. `parameters` are the call's arguments as CUPTI gives them; `returned`:
// the call has succeeded, else it is about to be made.
std::optional<MemoryCall> memory_call(std::uint32_t id, const void* parameters, bool returned);

}  // namespace ridgepoint::collector
