// File names of the sessions and journals of one run, which may have many processes.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct ProcessIdentity {
  std::int64_t process = 0;
  std::string host;
  std::string rank;  // of MPI, Slurm or torchrun; "norank" outside of them
};
ProcessIdentity this_process();

// %p process, %h host, %r rank, %% a percent sign; fails (usage) on another letter, and on a
// placeholder in a folder's name.
Status check_output_pattern(const std::filesystem::path& pattern);
std::filesystem::path expand_output(const std::filesystem::path& pattern,
                                    const ProcessIdentity& process);

// A process that starts another program in its place (exec) keeps its number, and a number is given
// again when its process has ended: the second program with it, in this run, is turn 2.
struct ProcessTurn {
  std::int64_t process = 0;
  int turn = 1;
  auto operator<=>(const ProcessTurn&) const = default;
};
std::string text_of(const ProcessTurn& process);  // "4711", "4711_2"

// "run.ridge" -> "run.ridge.RUNID-4711.journal", beside the session it will become.
std::filesystem::path journal_path(const std::filesystem::path& session, const std::string& run_id,
                                   const ProcessTurn& process);

struct JournalName {
  std::filesystem::path session;
  ProcessTurn process;
};
// The reverse; empty for files of other runs.
std::optional<JournalName> parse_journal_path(const std::filesystem::path& journal,
                                              const std::string& run_id);

// "run.ridge.RUNID-4711.journal" -> "run.ridge.RUNID-4711.28.failed": an empty file, whose name
// says that this journal could not be written any more, and why (errno).
std::filesystem::path failure_path(const std::filesystem::path& journal, int failure);
struct FailureName {
  std::filesystem::path journal;
  int failure = 0;
};
std::optional<FailureName> parse_failure_path(const std::filesystem::path& file);

// Random, so that nobody can guess a journal's name.
std::string new_run_id();

}  // namespace ridgepoint::collector
