#include "collector/profile/profile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "collector/nvml/power_monitor.h"
#include "collector/profile/launch_filter.h"
#include "collector/profile/output_name.h"

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
  const fs::path folder = options.output.parent_path();
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return fail(ErrorDomain::output, "writing " + options.output.string(),
                std::generic_category().message(errno), "choose a folder that you may write to",
                errno);
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
  settings.data_folder = fs::absolute(*data).string();
  settings.version = RIDGEPOINT_VERSION;
  settings.command_line = options.command_line;
  settings.record_host = options.record_host;
  settings.counter_profile = options.counter_profile;
  settings.counters = options.counters;
  settings.filter = options.filter;
  settings.cache_control = options.cache_control;
  settings.replay_timeout_s = options.replay_timeout_s;
  settings.timeline = options.timeline;
  settings.stalls = options.stalls;
  settings.sampling_period_log2 = options.sampling_period_log2;
  settings.follow_children = options.follow_children;
  settings.launcher_process = getpid();
  return settings;
}

constexpr std::chrono::milliseconds power_period{50};

// Power and clocks from outside, while the program runs: the watching costs it nothing, and goes on
// whatever happens to it.
class PowerWatch {
 public:
  explicit PowerWatch(bool wanted) {
    if (!wanted) {
      return;
    }
    PowerMonitorOptions options;
    options.period = power_period;
    Result<PowerMonitor> monitor = Nvml::open().and_then(
        [&](Nvml&& nvml) { return PowerMonitor::start(std::move(nvml), options); });
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
bool means_missing(const std::string& code) {
  return code == "cupti.unavailable" || code == "counters.unavailable" ||
         code == "counters.refused" || code == "stalls.unavailable" ||
         code == "replay.restore_failed" || code == "replay.hung";
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
  const Result<fs::path> library = injection_library();
  if (!library) {
    return tl::make_unexpected(library.error());
  }
  const Result<ProfileSettings> settings = settings_for(options);
  if (!settings) {
    return tl::make_unexpected(settings.error());
  }
  PowerWatch power(options.power);
  Result<ProgramEnd> end =
      run_program(options.program, {{settings_variable, settings_to_text(*settings)},
                                    {cuda_injection_variable, library->string()},
                                    {nvtx_injection_variable, library->string()}});
  if (!end) {
    return tl::make_unexpected(end.error());
  }
  power.end();
  ProfileOutcome outcome;
  outcome.end = *end;
  Result<SealOutcome> sealed = seal_journals(options.output, settings->run_id, options.force,
                                             [&](Session& session) { power.add_to(session); });
  if (sealed) {
    outcome.sealed = std::move(*sealed);
  } else {
    outcome.sealed.notes.push_back(format_error(sealed.error()));
  }
  // A program that used no GPU has other worries.
  if (!power.note().empty() && !outcome.sealed.sessions.empty()) {
    outcome.sealed.notes.push_back(power.note());
  }
  for (const SealedSession& session : outcome.sealed.sessions) {
    for (const Issue& issue : session.session.issues) {
      if (means_missing(issue.code)) {
        outcome.missing.push_back({ErrorDomain::device, 0,
                                   fmt::format("measuring process {}", session.process), issue.text,
                                   ""});
      }
    }
  }
  return outcome;
}

}  // namespace ridgepoint::collector
