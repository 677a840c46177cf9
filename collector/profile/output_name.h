// File names of the sessions and journals of one run, which may have many processes.
#pragma once

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

// "run.ridge" -> "run.ridge.RUNID-4711.journal", beside the session it will become.
std::filesystem::path journal_path(const std::filesystem::path& session, const std::string& run_id,
                                   std::int64_t process);

struct JournalName {
  std::filesystem::path session;
  std::int64_t process = 0;
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
