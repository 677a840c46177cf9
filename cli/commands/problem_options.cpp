#include "cli/commands/problem_options.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/choices.h"
#include "cli/number_range.h"

namespace ridgepoint::cli {

void ProblemOptions::add_problem_to(CLI::App& command) {
  const std::string group = "Problem";
  const auto extent = [&](const char* name, std::int64_t& value, const char* text) {
    command.add_option(name, value, text)
        ->check(whole_number_in(0, std::int64_t{1} << 30))
        ->capture_default_str()
        ->group(group);
  };
  extent("-b,--batch", batch, "Batch size");
  extent("--heads", heads, "Query heads");
  extent("--kv-heads", kv_heads, "Key/value heads (GQA, MQA); 0: as --heads");
  extent("-n,--seqlen", seqlen, "Query and key length");
  extent("--seqlen-q", seqlen_q, "Query length; 0: as --seqlen");
  extent("--seqlen-k", seqlen_k, "Key length; 0: as --seqlen");
  extent("-d,--head-dim", head_dim, "Head dimension");
  command.add_option("--dtype", dtype, "Element type")
      ->check(one_of({"fp16", "bf16"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--direction", direction,
                  "forward: O from Q, K and V; backward: their gradients from that of O")
      ->check(one_of({"forward", "backward"}))
      ->capture_default_str()
      ->group(group);
  command.add_flag("--causal", causal, "Causal mask, aligned to the bottom right")->group(group);
  command.add_option("--scale", softmax_scale, "Softmax scale; 0: 1/sqrt(head dimension)")
      ->check(number_in(-1e6, 1e6))
      ->capture_default_str()
      ->group(group);
}

AttentionShape ProblemOptions::shape() const {
  AttentionShape s;
  s.batch = batch;
  s.heads = heads;
  s.kv_heads = kv_heads == 0 ? heads : kv_heads;
  s.seqlen_q = seqlen_q == 0 ? seqlen : seqlen_q;
  s.seqlen_k = seqlen_k == 0 ? seqlen : seqlen_k;
  s.head_dim = head_dim;
  s.dtype = dtype;
  s.causal = causal;
  s.softmax_scale = softmax_scale;
  s.direction = direction;
  return s;
}

Status ProblemOptions::check_problem(const std::string& command) const {
  const AttentionShape s = shape();
  // kv_heads, seqlen_q and seqlen_k of 0 have been resolved: what is left of them is another's.
  const std::array<std::pair<const char*, std::int64_t>, 5> extents = {
      {{"--batch", s.batch},
       {"--heads", s.heads},
       {"--seqlen", s.seqlen_q},
       {"--seqlen", s.seqlen_k},
       {"--head-dim", s.head_dim}}};
  for (const auto& [option, extent] : extents) {
    if (extent < 1) {
      return fail(ErrorDomain::usage, command + " " + option + " 0",
                  "an attention problem has at least 1 of each", "give 1 or more");
    }
  }
  if (s.heads % s.kv_heads != 0) {
    return fail(
        ErrorDomain::usage, command,
        fmt::format("{} query heads cannot share {} key/value heads evenly", s.heads, s.kv_heads),
        "make --heads a multiple of --kv-heads");
  }
  return {};
}

}  // namespace ridgepoint::cli
