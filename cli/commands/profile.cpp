// `ridgepoint profile -- APP ARGS`: profiles a program that knows nothing of it.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyse.h"
#include "analyzer/core/data_path.h"
#include "analyzer/core/text.h"
#include "cli/command.h"
#include "cli/commands/launch_filter_options.h"
#include "cli/commands/profile_checks.h"
#include "cli/console.h"
#include "cli/number_range.h"
#include "cli/output.h"
#include "cli/unknown_chip.h"
#include "collector/cuda/driver_version.h"
#include "collector/cupti/counter_choice.h"
#include "collector/cupti/unknown_counters.h"
#include "collector/profile/no_launch_hint.h"
#include "collector/profile/pass_plan.h"
#include "collector/profile/plan_text.h"
#include "collector/profile/profile.h"

namespace ridgepoint::cli {
namespace {

struct ProfileCommand {
  collector::ProfileOptions options;
  std::string output;
  std::string counters;  // empty: "default", or "none" with --stalls or --pm-sampling
  double pm_interval_us = 0;
  bool only_this_process = false;
  std::string plan_chip;
  bool pass_exit_code = false;
  bool quiet = false;
  ReportFiles reports;
  std::function<bool(const std::string&)> given;  // an option, by its long name
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    if (end > start) {
      parts.push_back(list.substr(start, end - start));
    }
    start = end + 1;
  }
  return parts;
}

std::string default_output(const std::string& program) {
  return fmt::format("profile-{}-{:%Y%m%dT%H%M%SZ}.ridge",
                     std::filesystem::path(program).filename().string(),
                     fmt::gmtime(std::time(nullptr)));
}

std::string counters_of(const ProfileCommand& command) {
  if (command.given("--counters")) {
    return command.counters;
  }
  return command.options.stalls || command.pm_interval_us > 0 ? "none" : "default";
}

collector::ProfileOptions options_of(const ProfileCommand& command) {
  collector::ProfileOptions options = command.options;
  options.output = command.output.empty() && !options.program.empty()
                       ? default_output(options.program.front())
                       : command.output;
  options.force = command.reports.force;
  options.command_line = typed_command_line();
  options.quiet = command.quiet;
  options.tell = [quiet = command.quiet](const std::string& text) {
    if (!quiet) {
      print_note(text);
    }
  };
  options.follow_children = !command.only_this_process;
  options.pm_interval_ns = std::llround(command.pm_interval_us * 1e3);
  options.counter_profile = counters_of(command);
  if (options.counter_profile != "none" &&
      !collector::is_counter_profile(options.counter_profile)) {
    options.counters = split(options.counter_profile);
    options.counter_profile = "custom";
  }
  return options;
}

// The report goes to stderr: stdout belongs to the program.
Status report(const collector::SealedSession& sealed, const ProfileCommand& command) {
  AnalysisOptions as_measured;
  as_measured.source = Source::measured;
  return analyse(sealed.session, as_measured).and_then([&](const Analysis& analysis) -> Status {
    if (!command.quiet) {
      const Result<std::string> text = render_report(analysis, "text");
      if (!text) {
        return tl::make_unexpected(text.error());
      }
      print_note(*text);
    }
    return command.reports.write({analysis, &sealed.session});
  });
}

// Counters that were asked for and cannot be had make a plan that will not be carried out.
ExitCode show_plan(const ProfileCommand& command) {
  collector::ProfileOptions options = options_of(command);
  if (options.counter_profile == "none") {
    return print_error({ErrorDomain::usage, 0, "--plan", "nothing is counted: there are no passes",
                        "name counters: --counters default, for example"});
  }
  if (const Status sound = check_profile_options(options, command.given); !sound) {
    return print_error(sound.error());
  }
  const Result<collector::PassPlan> plan = collector::plan_passes(
      command.plan_chip, options.counter_profile, options.counters, options.replay);
  if (!plan) {
    const bool unknown =
        plan.error().domain == ErrorDomain::usage && !has_counters(command.plan_chip);
    return print_error(unknown ? unknown_chip("planning the passes", command.plan_chip)
                               : plan.error());
  }
  std::string text = collector::plan_text(*plan, options) + "\n";
  for (const std::string& counter : plan->counters) {
    text += "  " + printable(counter) + "\n";
  }
  print_result(text);
  std::vector<std::string> missing = plan->refused;
  const bool named = options.counter_profile == "custom";
  if (named) {  // of a profile's counters the plan says it, and the rest is what was asked for
    missing.insert(missing.end(), plan->too_wide.begin(), plan->too_wide.end());
  }
  if (missing.empty()) {
    return ExitCode::ok;
  }
  return print_error(
      {named ? ErrorDomain::usage : ErrorDomain::device, 0, "counting on " + command.plan_chip,
       fmt::format("not to be had: {}", fmt::join(missing, ", ")),
       plan->refused.empty() ? "--replay kernel takes counters of several passes"
                             : collector::unknown_counters_hint(command.plan_chip, plan->refused,
                                                                data_directory().value_or(""))});
}

// What a program that ran well left nothing of, although it was asked for.
std::optional<Error> no_verdict(const collector::ProfileOptions& options,
                                const collector::SealOutcome& sealed) {
  const std::vector<collector::SealedSession>& sessions = sealed.sessions;
  const std::string what = "profiling " + options.program.front();
  const auto all_lack = [&](auto rows) {
    return std::all_of(sessions.begin(), sessions.end(),
                       [&](const auto& one) { return (one.session.*rows).empty(); });
  };
  if (sessions.empty() && sealed.journals_kept != 0) {
    return Error{ErrorDomain::verdict, 0, what, "there is no session",
                 "its records are in the journals named above"};
  }
  if (sessions.empty()) {
    const std::string nothing = "it did nothing on an NVIDIA GPU";
    return !collector::has_driver()
               ? Error{ErrorDomain::device, 0, what, nothing + ": " + collector::no_driver,
                       collector::no_driver_hint}
               : Error{ErrorDomain::verdict, 0, what, nothing,
                       "is it the right program? `ridgepoint doctor` checks this machine"};
  }
  if (options.counter_profile != "none" && all_lack(&Session::launches)) {
    return Error{ErrorDomain::verdict, 0, what, "no launch was counted",
                 collector::no_launch_hint(options.filter, sessions)};
  }
  if (options.pm_interval_ns > 0 && all_lack(&Session::pm_series)) {
    return Error{ErrorDomain::verdict, 0, what, "no launch was sampled over time",
                 "the filters chose none, or its kernels are too short: see the issues"};
  }
  return std::nullopt;
}

ExitCode run_profile(const ProfileCommand& command) {
  if (command.given("--plan")) {
    return show_plan(command);
  }
  if (command.options.program.empty()) {
    return print_error({ErrorDomain::usage, 0, "profile", "no program was given",
                        "ridgepoint profile -- APP ARGS"});
  }
  const collector::ProfileOptions options = options_of(command);
  std::vector<std::string> outputs = command.reports.paths;
  outputs.push_back(options.output);
  const Status sound = check_profile_options(options, command.given)
                           .and_then([&] { return check_session_output(options.output, {}); })
                           .and_then([&] { return command.reports.check(); })
                           .and_then([&] { return check_outputs(outputs, {}); });
  if (!sound) {
    return print_error(sound.error());
  }
  if (!command.quiet && !collector::has_driver()) {
    print_note(std::string(collector::no_driver) +
               ": the program runs, but what it does on a GPU cannot be measured");
  }
  const Result<collector::ProfileOutcome> outcome = collector::profile_program(options);
  if (!outcome) {
    return print_error(outcome.error());
  }
  const auto& sessions = outcome->sealed.sessions;
  ExitCode code = ExitCode::ok;
  if (sessions.size() == 1) {
    if (const Status reported = report(sessions.front(), command); !reported) {
      code = print_error(reported.error());
    }
  }
  for (const auto& session : sessions) {
    print_note("session: " + session.path.string());
  }
  for (const std::string& note : outcome->sealed.notes) {
    print_note(note);
  }
  if (sessions.size() > 1) {
    print_note("one session a process; `ridgepoint merge -o ALL.ridge SESSION...` joins them");
  }
  for (const Error& failure : outcome->sealed.failures) {
    const ExitCode own = print_error(failure);
    code = code == ExitCode::ok ? own : code;
  }
  for (const Error& missing : outcome->missing) {
    const ExitCode own = print_error(missing);
    code = code == ExitCode::ok ? own : code;
  }
  if (outcome->end.failed()) {
    code = print_error({ErrorDomain::program, 0, options.program.front(),
                        "the program ended with " + outcome->end.text(), ""});
  } else if (const std::optional<Error> nothing = no_verdict(options, outcome->sealed);
             nothing && code == ExitCode::ok) {
    code = print_error(*nothing);
  }
  return command.pass_exit_code ? static_cast<ExitCode>(outcome->end.shell_code()) : code;
}

void add_timeline_options(CLI::App& command, collector::TimelineOptions& timeline) {
  const std::string group = "Timeline (--counters none, --stalls)";
  command
      .add_flag("--every-launch", timeline.every_launch,
                "GPU time of every kernel, also of those launched so fast that taking it slows the "
                "program down")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--graphs",
          [&timeline](const std::string& level) { timeline.graph_nodes = level == "node"; },
          "CUDA graphs: graph, each as one (default), or node, every kernel in them, which costs "
          "more")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"graph", "node"}))
      ->group(group);
  command
      .add_option_function<std::string>(
          "--listen",
          [&timeline](const std::string& way) { timeline.callbacks_only = way == "callbacks"; },
          "How launches are heard that come too fast to be timed: auto, through the program's own "
          "pointers to the driver's functions where all come that way (default), or callbacks, as "
          "all others")
      ->type_name("WAY")
      ->check(CLI::IsMember({"auto", "callbacks"}))
      ->group(group);
}

void add_sampling_options(CLI::App& command, ProfileCommand& own) {
  command.add_flag("--stalls", own.options.stalls,
                   "Sample what the warps of every kernel wait for, by instruction, instead of "
                   "counting");
  command
      .add_option("--sampling-period", own.options.sampling_period_log2,
                  "With --stalls: one sample every 2^N cycles on each SM; default: 16")
      ->type_name("N")
      ->check(whole_number_in(5, 31));
  command
      .add_flag("--pm-sampling{20}", own.pm_interval_us,
                "Sample HBM, L2, tensor pipe and SM activity over the time of each chosen launch, "
                "every 20 or =US microseconds, instead of counting; a chosen launch has its GPU to "
                "itself")
      ->check(number_in(1, 1e6))
      ->option_text("[=US]");
}

void add_replay_options(CLI::App& command, collector::ProfileOptions& options) {
  command
      .add_option("--cache-control", options.cache_control,
                  "Caches before a kernel that runs again: flush (default), none or warm; with "
                  "one-pass counters, flush and warm make it run again")
      ->type_name("MODE")
      ->check(CLI::IsMember({"flush", "none", "warm"}));
  command
      .add_option("--replay-timeout", options.replay_timeout_s,
                  "Give up running a kernel again after S seconds; default: 10")
      ->type_name("S")
      ->check(number_in(0.01, 3600));
  command
      .add_option("--replay", options.replay,
                  "What runs again for counters of several passes: kernel (default), application "
                  "(the program, once a pass), or range (as application; an NVTX range of --nvtx "
                  "counts as a whole, nothing in it is put in a row)")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"kernel", "application", "range"}));
}

constexpr const char* footer =
    "The program keeps its standard input and output; the report goes to stderr.\n"
    "With several passes a kernel is run again for each; its memory is restored in between.\n\n"
    "Examples:\n"
    "  ridgepoint profile -- python3 train.py --steps 10\n"
    "  ridgepoint profile --counters none -o timeline.ridge -- ./app\n"
    "  ridgepoint profile --stalls -o s.ridge -- ./app && ridgepoint report s.ridge --hotspots "
    "gemm\n"
    "  ridgepoint profile -k 'flash|gemm' --launch-skip 100 --launch-count 20 -- python3 t.py\n"
    "  ridgepoint profile --top 5 --nvtx '^step$/attention' -- python3 t.py\n"
    "  ridgepoint profile --replay range --nvtx '^step$' -- python3 t.py\n"
    "  ridgepoint profile --pm-sampling --min-duration 500 --nth 3 -- python3 t.py\n"
    "  ridgepoint profile --counters default --plan GH100\n"
    "  ridgepoint profile -o 'run-%r.ridge' -- torchrun --nproc-per-node 8 train.py\n";

}  // namespace

void add_profile(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("profile", "Profile any CUDA program: counters, or a timeline");
  auto own = std::make_shared<ProfileCommand>();
  own->options.filter.no_replay = "^(nccl|nvshmem)";
  own->given = [command](const std::string& option) { return command->count(option) > 0; };
  command->add_option("PROGRAM", own->options.program, "The program and its arguments, after --");
  command
      ->add_option("-c,--counters", own->counters,
                   "none: a timeline; lite: one pass; default; full; or counters, with commas; "
                   "default: default, or none with --stalls or --pm-sampling")
      ->type_name("PROFILE|A,B,...");
  add_timeline_options(*command, own->options.timeline);
  add_sampling_options(*command, *own);
  command
      ->add_option("-o,--output", own->output,
                   "Session file; %p process, %h host, %r rank; default: "
                   "profile-<program>-<time>.ridge")
      ->type_name("FILE");
  add_replay_options(*command, own->options);
  command
      ->add_option("--plan", own->plan_chip,
                   "Run nothing: print the counters and passes of --counters on this chip (GH100)")
      ->type_name("CHIP")
      ->transform([](std::string chip) {
        std::transform(chip.begin(), chip.end(), chip.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        return chip;
      });
  command->add_flag("--no-children", own->only_this_process,
                    "Measure the program alone, not what it starts");
  command->add_flag(
      "--pass-exit-code", own->pass_exit_code,
      "End with the program's exit code (128 + signal), unchanged; else it is 6 when it failed");
  command->add_flag("--no-power{false}", own->options.power, "Do not watch power and clocks");
  command->add_flag("--record-host", own->options.record_host,
                    "Store this machine's name in the session");
  command->add_flag("-q,--quiet", own->quiet, "No plan before and no report after");
  own->reports.add_to(*command);
  add_launch_filters(*command, own->options.filter);
  command->footer(footer);
  command->callback([own, &chosen] { chosen = [own] { return run_profile(*own); }; });
}

}  // namespace ridgepoint::cli
