// CUDA graphs of the fakes: what a program does with them, what CUPTI records of that, and what the
// driver says is in them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "collector/inject/launch_parameters.h"
#include "tests/collector/inject/fake_cupti_state.h"

#pragma GCC visibility push(default)

using ridgepoint::test::add_record;
using ridgepoint::test::call_back;
using ridgepoint::test::driver_call;
using ridgepoint::test::fake;
using ridgepoint::test::fake_setting;
using ridgepoint::test::mutex;

namespace {

struct Graph;
struct Node {
  CUgraphNodeType type;
  Graph* child;  // of a node that is a graph
};
struct Graph {
  std::vector<Node> nodes;
};

Graph& three_kernels() {
  static Graph graph{{{CU_GRAPH_NODE_TYPE_KERNEL, nullptr},
                      {CU_GRAPH_NODE_TYPE_KERNEL, nullptr},
                      {CU_GRAPH_NODE_TYPE_KERNEL, nullptr}}};
  return graph;
}
// A kernel, a fill, and in a graph of its own another kernel and a WHILE node.
Graph& kernels_and_a_loop() {
  static Graph loop{
      {{CU_GRAPH_NODE_TYPE_CONDITIONAL, nullptr}, {CU_GRAPH_NODE_TYPE_KERNEL, nullptr}}};
  static Graph graph{{{CU_GRAPH_NODE_TYPE_KERNEL, nullptr},
                      {CU_GRAPH_NODE_TYPE_MEMSET, nullptr},
                      {CU_GRAPH_NODE_TYPE_GRAPH, &loop}}};
  return graph;
}

// The first graph of the program; each of them is instantiated when it is launched.
void create() {
  if (!std::exchange(fake().graph_made, true)) {
    driver_call(CUPTI_DRIVER_TRACE_CBID_cuGraphCreate, 0, [] {
      fake().graph_traced = fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0;
    });
  }
  if (!fake().graph_traced && fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0) {
    static_cast<void>(std::fputs("CUPTI 13.0 crashes here\n", stderr));
    std::_Exit(71);
  }
}

// Executable graphs are known by the graph that they were made of.
CUgraphExec instantiate(Graph& graph) {
  create();
  CUgraphExec executable = nullptr;
  struct {
    CUgraphExec* executable;
    CUgraph graph;
    unsigned long long flags;
  } parameters = {&executable, reinterpret_cast<CUgraph>(&graph), 0};
  CUresult result = CUDA_SUCCESS;
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags;
  call_back(id, CUPTI_API_ENTER, 0, nullptr, &parameters, result);
  executable = reinterpret_cast<CUgraphExec>(&graph);
  call_back(id, CUPTI_API_EXIT, 0, nullptr, &parameters, result);
  return executable;
}

// Of a whole graph, or of this many kernels in it.
void record_graph(std::uint32_t correlation, std::uint32_t kernels) {
  const std::lock_guard<std::mutex> lock(mutex());
  CUpti_ActivityKernel10 record;
  std::memset(&record, 0, sizeof(record));
  if (fake().kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE) != 0) {
    CUpti_ActivityGraphTrace2 graph = {};
    graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    graph.correlationId = correlation;
    graph.graphId = 2;
    graph.streamId = 13;
    graph.start = 1000 * correlation;
    graph.end = graph.start + 900;
    add_record(graph);
  } else if (fake().kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != 0) {
    for (std::uint32_t node = 0; node < kernels; ++node) {
      record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
      record.name = "node";
      record.correlationId = correlation;
      record.graphId = 2;
      record.gridX = record.gridY = record.gridZ = 1;
      record.blockX = record.blockY = record.blockZ = 1;
      record.start = 1000 * correlation + 300 * node;
      record.end = record.start + 300;
      fake().records.push_back(record);
    }
  }
}

void launch(CUgraphExec executable, std::uint32_t kernels) {
  const ridgepoint::collector::LaunchGraphParameters parameters = {executable, nullptr};
  CUresult result = CUDA_SUCCESS;
  std::uint32_t correlation = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    correlation = ++fake().launches;
  }
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch;
  call_back(id, CUPTI_API_ENTER, correlation, nullptr, &parameters, result);
  if (static_cast<int>(correlation) != fake_setting("FAKE_CUPTI_LOSE_RECORD", 0)) {
    record_graph(correlation, kernels);
  }
  call_back(id, CUPTI_API_EXIT, correlation, nullptr, &parameters, result);
}

}  // namespace

extern "C" {

void fake_graph() {
  Graph& graph = three_kernels();
  launch(instantiate(graph), static_cast<std::uint32_t>(graph.nodes.size()));
}
// Its loop runs a kernel in each round; CUPTI records FAKE_CUPTI_MOST_ROUNDS of them at most.
void fake_loop(int rounds) {
  const int recorded = std::min(rounds, fake_setting("FAKE_CUPTI_MOST_ROUNDS", rounds));
  launch(instantiate(kernels_and_a_loop()), 2 + static_cast<std::uint32_t>(recorded));
}
void fake_instantiate() {
  instantiate(kernels_and_a_loop());
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, std::size_t* count) {
  auto& graph = *reinterpret_cast<Graph*>(handle);
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) {
    nodes[i] = reinterpret_cast<CUgraphNode>(&graph.nodes.at(i));
  }
  *count = graph.nodes.size();
  return CUDA_SUCCESS;
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  *type = reinterpret_cast<const Node*>(node)->type;
  return CUDA_SUCCESS;
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  *graph = reinterpret_cast<CUgraph>(reinterpret_cast<const Node*>(node)->child);
  return CUDA_SUCCESS;
}

}  // extern "C"
