#include "cli/commands/attention_options.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>
#include <vector>

#include "analyzer/predict/plan.h"
#include "cli/choices.h"
#include "cli/number_range.h"
#include "cli/price.h"
#include "cli/target_options.h"

namespace ridgepoint::cli {
namespace {

const std::vector<std::pair<std::string, ProgressStyle>> progress_styles = {
    {"auto", ProgressStyle::automatic},
    {"json", ProgressStyle::json},
    {"none", ProgressStyle::none}};

constexpr int fewest_repeats_for_p99 = 200;

void add_measurement(CLI::App& command, AttentionCommand& o) {
  const std::string group = "Measurement";
  command
      .add_option("--variant", o.variants,
                  "Variant to run (repeatable): naive, fused, hopper, split_kv; backward also "
                  "hopper_deterministic; default: all that can run, split_kv where the queries "
                  "cannot fill the GPU")
      ->group(group);
  command.add_option("--device", o.device, "CUDA device index")
      ->check(whole_number_in(0, 1023))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--counters", o.profile,
                  "Counter profile: lite is one pass; none measures time alone")
      ->check(one_of({"none", "lite", "default", "full"}))
      ->capture_default_str()
      ->group(group);
  command.add_flag("--no-stalls", o.no_stalls, "Take no stall samples")->group(group);
  command
      .add_flag(
          "--no-power", o.no_power,
          "Do not watch power and clocks, nor run each variant alone for 1.5 s for its energy")
      ->group(group);
  command
      .add_flag("--pm-sampling{20}", o.pm_interval_us,
                "Sample HBM, L2, tensor pipe and SM activity over one run of each variant, every "
                "20 or =US microseconds")
      ->check(number_in(1, 1e6))
      ->option_text("[=US]")
      ->group(group);
  command.add_option("--warmup", o.warmup, "Runs before the timed ones")
      ->check(whole_number_in(0, 1000000))
      ->capture_default_str()
      ->group(group);
  command.add_option("--repeats", o.repeats, "Timed runs a variant")
      ->check(whole_number_in(1, 1000000))
      ->capture_default_str()
      ->group(group);
  command.add_option("--seed", o.seed, "Seed of the random inputs")
      ->check(whole_number_in(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->group(group);
}

// Before a GPU is looked for, so that a slip is told anywhere.
Status check_variants(const AttentionCommand& o) {
  std::vector<std::string> known;
  for (const PlannedVariant& variant : planned_variants(o.direction)) {
    known.emplace_back(variant.name);
  }
  for (const std::string& name : o.variants) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(ErrorDomain::usage, "--variant " + name,
                  "there are no kernels of that name, " + o.direction,
                  fmt::format("variants are {}", fmt::join(known, ", ")));
    }
  }
  return {};
}

void add_results(CLI::App& command, AttentionCommand& o) {
  command
      .add_option("-o,--output", o.output, "Session file; default: attention-<shape>-<time>.ridge")
      ->type_name("FILE");
  command.add_flag("--record-host", o.record_host, "Store this machine's name in the session");
  command.add_option("--progress", o.progress, "Progress on stderr")
      ->transform(enumerator(progress_styles));
  add_price_option(command, o.price_per_hour);
  add_target_option(command, o.targets);
  o.reports.add_to(command);
}

}  // namespace

void AttentionCommand::add_to(CLI::App& command) {
  add_problem_to(command);
  add_measurement(command, *this);
  add_results(command, *this);
  command.footer(fmt::format(
      "P99 latency wants at least {} repeats.\n\nExamples:\n"
      "  ridgepoint attention\n"
      "  ridgepoint attention --batch 4 --heads 16 --seqlen 4096 --head-dim 128 "
      "--causal --report run.html\n"
      "  ridgepoint attention --direction backward --seqlen 4096   gradients, P kept or "
      "computed again\n"
      "  ridgepoint attention --counters none --repeats 1000   timings alone, needs no "
      "permission\n",
      fewest_repeats_for_p99));
}

Status AttentionCommand::check() const {
  if (const Status sound = check_problem("attention"); !sound) {
    return sound;
  }
  if (const Status known = check_variants(*this); !known) {
    return known;
  }
  std::vector<std::string> outputs = reports.paths;
  outputs.push_back(session_path());
  return reports.check()
      .and_then([&] { return check_session_output(session_path(), {}); })
      .and_then([&] { return check_outputs(outputs, {}); });
}

std::string AttentionCommand::session_path() const {
  if (!output.empty()) {
    return output;
  }
  const AttentionShape s = shape();
  return fmt::format("attention-{}b{}-h{}-n{}-d{}-{}{}-{:%Y%m%dT%H%M%SZ}.ridge",
                     s.direction == "backward" ? "backward-" : "", s.batch, s.heads, s.seqlen_q,
                     s.head_dim, s.dtype, s.causal ? "-causal" : "",
                     fmt::gmtime(std::time(nullptr)));
}

}  // namespace ridgepoint::cli
