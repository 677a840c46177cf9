// The options that state an attention problem, the same for measuring and predicting it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::cli {

struct ProblemOptions {
  std::int64_t batch = 1;
  std::int64_t heads = 8;
  std::int64_t kv_heads = 0;  // 0: as heads
  std::int64_t seqlen = 16384;
  std::int64_t seqlen_q = 0;  // 0: as seqlen
  std::int64_t seqlen_k = 0;
  std::int64_t head_dim = 64;
  std::string dtype = "fp16";
  bool causal = false;
  double softmax_scale = 0;
  std::string direction = "forward";

  void add_problem_to(CLI::App& command);
  AttentionShape shape() const;
  // What the parser's own range checks cannot see. `command` begins the message.
  Status check_problem(const std::string& command) const;
};

}  // namespace ridgepoint::cli
