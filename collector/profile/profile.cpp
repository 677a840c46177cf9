#include "collector/profile/profile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "collector/nvml/power_monitor.h"
#include "collector/profile/application_runs.h"
#include "collector/profile/chips_here.h"
#include "collector/profile/folder_check.h"
#include "collector/profile/launch_filter.h"
#include "collector/profile/output_name.h"
#include "collector/profile/overhead.h"
#include "collector/profile/plan_proof.h"
#include "collector/profile/plan_text.h"
#include "collector/profile/timing_choice.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

Status check_injection_free() {
  for (const char* variable : {cuda_injection_variable, nvtx_injection_variable}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      return fail(ErrorDomain::usage, "profiling",
                  fmt::format("{} is set already, to {}: another profiler is to be loaded",
                              variable, value),
                  fmt::format("unset {}; two profilers cannot share a process", variable));
    }
  }
  return {};
}

Status check_output(const ProfileOptions& options) {
  if (Status pattern = check_output_pattern(options.output); !pattern) {
    return pattern;
  }
  if (Status writable = check_folder(options.output); !writable) {
    return writable;
  }
  std::error_code ignored;
  const fs::path expected = expand_output(options.output, this_process());
  // With placeholders the name depends on processes that do not exist yet.
  if (!options.force && expected == options.output &&
      fs::exists(fs::symlink_status(expected, ignored))) {
    return tl::make_unexpected(exists_error(expected));
  }
  return {};
}

Result<ProfileSettings> settings_for(const ProfileOptions& options) {
  const Result<fs::path> data = data_directory();
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  ProfileSettings settings;
  settings.run_id = new_run_id();
  settings.output = options.output.string();
  std::error_code error;
  settings.data_folder = fs::absolute(*data, error).string();
  if (error) {  // where the current folder is gone
    return fail(ErrorDomain::input, "finding Ridgepoint's data files",
                data->string() + ": " + error.message(), "", error.value());
  }
  settings.version = RIDGEPOINT_VERSION;
  settings.command_line = options.command_line;
  settings.record_host = options.record_host;
  settings.counter_profile = options.counter_profile;
  settings.counters = options.counters;
  settings.filter = options.filter;
  settings.cache_control = options.cache_control;
  settings.replay_timeout_s = options.replay_timeout_s;
  settings.timeline = options.timeline;
  settings.replay = options.replay;
  settings.stalls = options.stalls;
  settings.sampling_period_log2 = options.sampling_period_log2;
  settings.pm_interval_ns = options.pm_interval_ns;
  settings.follow_children = options.follow_children;
  settings.launcher_process = getpid();
  settings.started_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::steady_clock::now().time_since_epoch())
                            .count();
  return settings;
}

// The command line is for people, and may be as long as all that a program can be handed: the
// settings, which hold it, may not.
std::string text_of(ProfileSettings settings) {
  constexpr std::size_t much = 64U << 10U;
  constexpr std::size_t enough = 4096;
  std::string text = settings_to_text(settings);
  if (text.size() > much && settings.command_line.size() > enough) {
    settings.command_line.resize(enough);
    settings.command_line += " ...";
    text = settings_to_text(settings);
  }
  return text;
}

constexpr std::chrono::milliseconds power_period{50};

// Power and clocks from outside, while the program runs: the watching costs it nothing, and goes on
// whatever happens to it.
class PowerWatch {
 public:
  // `open`: NVML, where it is open already.
  PowerWatch(bool wanted, std::optional<Nvml> open) {
    if (!wanted) {
      return;
    }
    PowerMonitorOptions options;
    options.period = power_period;
    Result<PowerMonitor> monitor =
        (open ? Result<Nvml>(std::move(*open)) : Nvml::open()).and_then([&](Nvml&& nvml) {
          return PowerMonitor::start(std::move(nvml), options);
        });
    if (monitor) {
      monitor_.emplace(std::move(*monitor));
      monitor_->begin("program");
    } else {
      note_ = "power and clocks were not watched: " + monitor.error().why;
    }
  }
  void end() {
    if (monitor_) {
      monitor_->end();
      seen_ = monitor_->stop();
    }
  }
  void add_to(Session& session) const {
    bool any = false;
    for (std::size_t i = 0; i < session.devices.size(); ++i) {
      any =
          add_power(seen_, session.devices[i].pci_bus_id, static_cast<std::uint32_t>(i), session) ||
          any;
    }
    if (any) {
      session.policy.power_sampling_period_s = std::chrono::duration<double>(power_period).count();
    }
  }
  const std::string& note() const { return note_; }

 private:
  std::optional<PowerMonitor> monitor_;
  std::vector<WatchedGpu> seen_;
  std::string note_;
};

// Codes of issues that mean: asked for, but not measured.
bool means_missing(const std::string& code, bool named_counters) {
  return (code == "counters.too_wide" && named_counters) || code == "cupti.unavailable" ||
         code == "counters.unavailable" || code == "counters.refused" ||
         code == "stalls.unavailable" || code == "pm_sampling.unavailable" ||
         code == "replay.restore_failed" || code == "replay.hung";
}

struct Run {
  ProgramEnd end;
  LeftSessions left;
};

enum class Take { times, counters };

Result<Run> run_once(const ProfileOptions& options, Take take, std::size_t pass = 0,
                     std::optional<Nvml> nvml = std::nullopt) {
  const Result<fs::path> library = injection_library();
  if (!library) {
    return tl::make_unexpected(library.error());
  }
  Result<ProfileSettings> settings = settings_for(options);
  if (!settings) {
    return tl::make_unexpected(settings.error());
  }
  settings->pass = pass;
  if (take == Take::times) {
    settings->timing = true;
    settings->counter_profile = "none";
    settings->counters.clear();
    settings->pm_interval_ns = 0;
  }
  PowerWatch power(options.power && take == Take::counters && pass == 0, std::move(nvml));
  Result<ProgramEnd> end =
      run_program(options.program, {{settings_variable, text_of(*settings)},
                                    {cuda_injection_variable, library->string()},
                                    {nvtx_injection_variable, library->string()}});
  if (!end) {
    return tl::make_unexpected(end.error());
  }
  power.end();
  Run run;
  run.end = *end;
  Result<LeftSessions> left = read_journals(options.output, settings->run_id, *end);
  if (left) {
    run.left = std::move(*left);
  } else {
    run.left.notes.push_back(format_error(left.error()));
  }
  for (LeftSession& one : run.left.sessions) {
    power.add_to(one.session);
  }
  // A program that used no GPU has other worries.
  if (!power.note().empty() && !run.left.sessions.empty()) {
    run.left.notes.push_back(power.note());
  }
  return run;
}

std::vector<const Session*> sessions_of(const LeftSessions& left) {
  std::vector<const Session*> sessions;
  for (const LeftSession& one : left.sessions) {
    sessions.push_back(&one.session);
  }
  return sessions;
}

void remove_journals(const LeftSessions& left) {
  for (const LeftSession& one : left.sessions) {
    std::error_code ignored;
    fs::remove(one.journal, ignored);
  }
}

void add_missing(ProfileOutcome& outcome, std::int64_t process, const Session& session) {
  const bool named_counters = session.policy.counter_profile == "custom";
  for (const Issue& issue : session.issues) {
    if (means_missing(issue.code, named_counters)) {
      outcome.missing.push_back(
          {ErrorDomain::device, 0, fmt::format("measuring process {}", process), issue.text, ""});
    }
  }
}

ProfileOutcome outcome_of(Run run, bool force) {
  ProfileOutcome outcome;
  outcome.end = run.end;
  std::vector<Session*> sessions;
  for (LeftSession& one : run.left.sessions) {
    sessions.push_back(&one.session);
  }
  name_chips(sessions);
  outcome.sealed = write_sessions(std::move(run.left), force);
  for (const SealedSession& session : outcome.sealed.sessions) {
    add_missing(outcome, session.process, session.session);
  }
  return outcome;
}

std::size_t passes_of(const LeftSessions& left) {
  std::int64_t passes = 1;
  for (const LeftSession& one : left.sessions) {
    passes = std::max(passes, one.session.policy.passes);
  }
  return static_cast<std::size_t>(passes);
}

void add_left(std::vector<LeftSession>& first, const std::vector<LeftSession>& later,
              std::size_t run, std::size_t runs) {
  const std::vector<std::size_t> matches = match_processes(first, later);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (matches[i] < later.size()) {
      add_run(first[i].session, later[matches[i]].session, run, runs);
    } else {
      add_run(first[i].session, Session(), run, runs);
    }
  }
  if (later.size() > first.size() && !first.empty()) {
    first.front().session.issues.push_back(
        {"application.processes",
         fmt::format("Run {} of {} had {} processes that use a GPU, the first {}.", run, runs,
                     later.size(), first.size())});
  }
}

// The first run has told how many passes there are. A run that fails ends the series: its counters
// are taken as far as they go, and what is missing is missing.
Result<ProfileOutcome> run_other_passes(const ProfileOptions& options, Run first) {
  const std::size_t runs = passes_of(first.left);
  std::vector<LeftSessions> later;
  for (std::size_t pass = 1; pass < runs && !first.end.failed(); ++pass) {
    options.tell(fmt::format("run {} of {}", pass + 1, runs));
    Result<Run> run = run_once(options, Take::counters, pass);
    if (!run) {
      return tl::make_unexpected(run.error());
    }
    add_left(first.left.sessions, run->left.sessions, pass + 1, runs);
    first.end.exit_code = run->end.exit_code;
    first.end.signal = run->end.signal;
    first.left.notes.insert(first.left.notes.end(), run->left.notes.begin(), run->left.notes.end());
    first.left.failures.insert(first.left.failures.end(), run->left.failures.begin(),
                               run->left.failures.end());
    first.left.journals_kept += run->left.journals_kept;
    later.push_back(std::move(run->left));
  }
  // Until their counters are in a file, the journals stay.
  const std::size_t sessions = first.left.sessions.size();
  ProfileOutcome outcome = outcome_of(std::move(first), options.force);
  if (outcome.sealed.sessions.size() == sessions) {
    std::for_each(later.begin(), later.end(), remove_journals);
  }
  return outcome;
}

// A timing run that has nothing to say: no second one, and no session.
ProfileOutcome ending_early(Run run) {
  ProfileOutcome outcome;
  outcome.end = run.end;
  outcome.sealed.notes = run.left.notes;
  outcome.sealed.failures = run.left.failures;
  outcome.sealed.journals_kept = run.left.journals_kept;
  outcome.sealed.notes.emplace_back("the program was not run a second time, for counters");
  for (const LeftSession& one : run.left.sessions) {
    add_missing(outcome, one.process.process, one.session);
  }
  remove_journals(run.left);
  return outcome;
}

// A kept plan that the run proves wrong would be told again and again.
void check_kept(const ToldPlans& told, ProfileOutcome& outcome) {
  if (!told.kept) {
    return;
  }
  for (const SealedSession& one : outcome.sealed.sessions) {
    if (const std::optional<std::string> wrong = what_differs(told.plans, one.session)) {
      told.kept->forget(told.key);
      outcome.sealed.notes.push_back(
          "the plan told before was kept from an earlier run and wrong: " + *wrong +
          "; it is forgotten, the next run makes it anew");
      return;
    }
  }
}

}  // namespace

Result<fs::path> injection_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path library =
      (program.parent_path().parent_path() / "lib" / "ridgepoint" / "libridgepoint_inject.so")
          .lexically_normal();
  if (error || !fs::exists(library, error)) {
    return fail(ErrorDomain::internal, "finding the injection library",
                library.string() + " is not there", "install Ridgepoint whole");
  }
  return library;
}

Result<ProfileOutcome> profile_program(const ProfileOptions& given) {
  ProfileOptions options = given;
  std::error_code ignored;
  options.output = fs::absolute(options.output, ignored).lexically_normal();
  Status sound =
      check_injection_free().and_then([&] { return check_output(options); }).and_then([&] {
        return LaunchFilter::create(options.filter).map([](auto&&) {});
      });
  if (!sound) {
    return tl::make_unexpected(sound.error());
  }
  std::optional<Nvml> nvml;
  const Result<ToldPlans> told = options.quiet ? ToldPlans() : tell_plans(options, nvml);
  if (!told) {
    return tl::make_unexpected(told.error());
  }
  double timing_s = 0;
  if (options.filter.by_time()) {
    options.tell("timing run: the program runs once for the times");
    Result<Run> run = run_once(options, Take::times);
    if (!run) {
      return tl::make_unexpected(run.error());
    }
    const std::vector<const Session*> sessions = sessions_of(run->left);
    if (run->end.failed() || sessions.empty()) {
      return ending_early(std::move(*run));
    }
    timing_s = run->end.wall_s;
    options.filter = chosen_by_time(options.filter, sessions);
    options.tell(timing_text(options.filter, sessions));
    remove_journals(run->left);
  }
  Result<Run> run = run_once(options, Take::counters, 0, std::move(nvml));
  if (!run) {
    return tl::make_unexpected(run.error());
  }
  for (LeftSession& one : run->left.sessions) {
    add_measuring_run(one.session.policy, timing_s);
  }
  Result<ProfileOutcome> outcome = options.replay != "kernel"
                                       ? run_other_passes(options, std::move(*run))
                                       : outcome_of(std::move(*run), options.force);
  if (outcome) {
    check_kept(*told, *outcome);
  }
  return outcome;
}

}  // namespace ridgepoint::collector
