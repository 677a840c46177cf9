#include "collector/inject/conditional_graphs.h"

#include <fmt/format.h>

#include <vector>

#include "collector/replay/driver_api.h"

namespace ridgepoint::collector {

ConditionalGraphs::Contents ConditionalGraphs::contents_of(const DriverApi& driver,
                                                           CUgraph_st* graph) {
  Contents contents;
  std::vector<CUgraph> to_read = {graph};
  while (!to_read.empty()) {
    const CUgraph next = to_read.back();
    to_read.pop_back();
    std::size_t count = 0;
    if (driver.graph_nodes(next, nullptr, &count) != CUDA_SUCCESS || count == 0) {
      continue;
    }
    std::vector<CUgraphNode> nodes(count);
    if (driver.graph_nodes(next, nodes.data(), &count) != CUDA_SUCCESS) {
      continue;
    }
    for (const CUgraphNode node : nodes) {
      CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
      CUgraph child = nullptr;
      if (driver.graph_node_type(node, &type) != CUDA_SUCCESS) {
        continue;
      }
      if (type == CU_GRAPH_NODE_TYPE_KERNEL) {
        ++contents.kernels;
      } else if (type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        contents.conditional = true;
      } else if (type == CU_GRAPH_NODE_TYPE_GRAPH &&
                 driver.child_graph(node, &child) == CUDA_SUCCESS) {
        to_read.push_back(child);
      }
    }
  }
  return contents;
}

void ConditionalGraphs::instantiated(const DriverApi& driver, CUgraph_st* graph,
                                     CUgraphExec_st* executable) {
  const Contents contents = contents_of(driver, graph);
  const std::lock_guard<std::mutex> lock(mutex_);
  graphs_.insert_or_assign(executable, contents);
}

void ConditionalGraphs::launched(CUgraphExec_st* executable) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = graphs_.find(executable);
  if (found != graphs_.end()) {
    conditional_launched_ = conditional_launched_ || found->second.conditional;
    kernels_outside_ += found->second.kernels;
  }
}

bool ConditionalGraphs::were_launched() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return conditional_launched_;
}

std::string ConditionalGraphs::what_is_known(std::optional<std::uint64_t> kernel_records) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string text =
      "The program launched CUDA graphs with conditional nodes (IF, WHILE, SWITCH): the GPU alone "
      "decides how often what is in these runs. ";
  if (!kernel_records) {
    return text + "A graph is one row, and the rounds of its loops are not counted apart.";
  }
  if (*kernel_records <= kernels_outside_) {
    return text + "CUPTI delivered no record of a kernel in them: none of their rounds is listed.";
  }
  return text + fmt::format(
                    "{} kernels in them have a record and are listed; whether these are "
                    "all of them cannot be checked.",
                    *kernel_records - kernels_outside_);
}

}  // namespace ridgepoint::collector
