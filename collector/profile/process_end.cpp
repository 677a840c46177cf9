#include "collector/profile/process_end.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <system_error>

namespace ridgepoint::collector {
namespace {

std::string how(const ProcessEnd& end) {
  if (!end.early.empty()) {
    return "ended by " + end.early;
  }
  if (end.signal) {
    return "ended with " + signal_text(*end.signal);
  }
  if (end.exit_code) {
    return fmt::format("ended with exit code {} and did not run its exit handlers", *end.exit_code);
  }
  return "ended without its exit handlers, how is not known (SIGKILL leaves no word, nor does a "
         "start of another program in its place)";
}

}  // namespace

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  if (name == nullptr) {
    return fmt::format("signal {}", signal);
  }
  return fmt::format("signal {} (SIG{}{})", signal, name, signal == SIGINT ? ", Ctrl+C" : "");
}

std::string early_end_text(int end) {
  switch (end) {
    case end_by_exit_call:
      return "_exit";
    case end_by_quick_exit:
      return "quick_exit";
    case end_by_exec:
      return "a start of another program in its place (exec)";
    default:
      return signal_text(end);
  }
}

std::string failure_text(int failure) {
  return failure == 0 ? "the program closed it" : std::generic_category().message(failure);
}

std::optional<Issue> issue_of_end(const ProcessEnd& end) {
  if (end.failure) {
    return Issue{"profile.cut_short",
                 fmt::format("The journal of process {} could not be written any more: {}. What "
                             "the process did since then is missing.",
                             end.process, failure_text(*end.failure))};
  }
  if (!end.complete && !end.any_record) {
    return Issue{"profile.cut_short",
                 fmt::format("Process {} used the GPU and ended before its records were written: "
                             "it {}.",
                             end.process, how(end))};
  }
  if (!end.complete) {
    return Issue{"profile.cut_short",
                 fmt::format("The records of process {} have no end: it {}. What it did last may "
                             "be missing.",
                             end.process, how(end))};
  }
  if (end.early.empty()) {
    return std::nullopt;
  }
  const bool by_itself = end.early == early_end_text(end_by_exit_call) ||
                         end.early == early_end_text(end_by_quick_exit) ||
                         end.early == early_end_text(end_by_exec);
  return Issue{by_itself ? "profile.ended" : "profile.cut_short",
               fmt::format("Process {} {}, without its exit handlers; its records were written "
                           "before that.",
                           end.process, how(end))};
}

}  // namespace ridgepoint::collector
