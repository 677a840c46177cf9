// CUDA graphs with conditional nodes (IF, WHILE, SWITCH). How often what is in such a node runs is
// decided on the GPU, so launches cannot be held against records as with everything else.
//
// Life cycle: instantiated() when the program has made an executable graph -> launched() with each
// launch -> the questions when the program ends. Safe to call from several threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

struct CUgraph_st;
struct CUgraphExec_st;

namespace ridgepoint::collector {

struct DriverApi;

class ConditionalGraphs {
 public:
  // Asks `driver` what is in `graph`, on the thread that has just instantiated it.
  void instantiated(const DriverApi& driver, CUgraph_st* graph, CUgraphExec_st* executable);
  void launched(CUgraphExec_st* executable);

  bool were_launched() const;
  // For people. `kernel_records`: those that came of kernels in graphs, where they are listed one
  // by one; empty where a graph is one row.
  std::string what_is_known(std::optional<std::uint64_t> kernel_records) const;

 private:
  struct Contents {
    bool conditional = false;
    std::uint64_t kernels = 0;  // that run with every launch: outside of conditional nodes
  };
  static Contents contents_of(const DriverApi& driver, CUgraph_st* graph);

  mutable std::mutex mutex_;
  // A handle may come again for a later graph, which then takes the place of the earlier.
  std::unordered_map<CUgraphExec_st*, Contents> graphs_;
  bool conditional_launched_ = false;
  // Of all launches of graphs. One that fails is among them, so this is the most there can be.
  std::uint64_t kernels_outside_ = 0;
};

}  // namespace ridgepoint::collector
