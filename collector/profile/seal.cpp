#include "collector/profile/seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

#include "analyzer/core/descriptor.h"
#include "analyzer/session/session_file.h"
#include "collector/profile/output_name.h"
#include "collector/profile/sampled_code.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

// The writing process holds a record lock on its journal, which the kernel drops when it ends.
bool still_written(const fs::path& journal) {
  const Descriptor file(open(journal.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return file && fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

// The text of the issue, which is removed.
std::optional<std::string> take_issue(Session& session, const char* code) {
  std::optional<std::string> text;
  const auto removed =
      std::remove_if(session.issues.begin(), session.issues.end(), [&](const Issue& issue) {
        if (issue.code != code) {
          return false;
        }
        text = issue.text;
        return true;
      });
  session.issues.erase(removed, session.issues.end());
  return text;
}

template <class T>
void reorder(std::vector<T>& rows, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t row : order) {
    sorted.push_back(std::move(rows[row]));
  }
  rows = std::move(sorted);
}

// Records arrive a buffer at a time, and buffers of several streams in any order.
void sort_launches(Session& session) {
  std::vector<std::size_t> order(session.launches.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return session.launches[a].start_ns < session.launches[b].start_ns;
  });
  reorder(session.launches, order);
  for (std::vector<double>& column : session.counters.columns) {
    reorder(column, order);
  }
}

bool has_records(const Session& session) {
  return !session.launches.empty() || !session.memory_operations.empty() ||
         !session.pm_series.empty() || !session.pc_samples.empty();
}

ProcessEnd end_of(Session& session, std::int64_t process, std::optional<int> failure,
                  const ProgramEnd& program) {
  ProcessEnd end;
  end.process = process;
  end.complete = take_issue(session, complete_code).has_value();
  end.early = take_issue(session, end_code).value_or("");
  end.failure = failure;
  end.any_record = has_records(session);
  if (program.process == process) {
    (program.signal != 0 ? end.signal : end.exit_code) =
        program.signal != 0 ? program.signal : program.exit_code;
  }
  return end;
}

void finish(Session& session, const ProcessEnd& end) {
  if (std::optional<Issue> issue = issue_of_end(end)) {
    session.issues.insert(session.issues.begin(), std::move(*issue));
  }
  sort_launches(session);
  finish_samples(session);
}

fs::path with_process(const fs::path& path, const ProcessTurn& process) {
  fs::path name = path;
  name.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), text_of(process), path.extension().string()));
  return name;
}

struct Found {
  fs::path journal;
  JournalName name;
  std::optional<int> failure;  // errno, when it could not be written any more
  fs::path failure_file;
};

Result<std::vector<Found>> find_journals(const fs::path& folder, const std::string& run_id) {
  std::map<fs::path, Found> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto failed = parse_failure_path(entry->path());
    const fs::path journal = failed ? failed->journal : entry->path();
    const auto name = parse_journal_path(journal, run_id);
    if (!name) {
      continue;
    }
    Found& one = found[journal];
    one.journal = journal;
    one.name = *name;
    if (failed) {
      one.failure = failed->failure;
      one.failure_file = entry->path();
    }
  }
  if (error) {
    return fail(ErrorDomain::output, "looking for sessions in " + folder.string(), error.message(),
                {}, error.value());
  }
  std::vector<Found> list;
  std::transform(found.begin(), found.end(), std::back_inserter(list),
                 [](auto& one) { return std::move(one.second); });
  std::sort(list.begin(), list.end(),
            [](const Found& a, const Found& b) { return a.name.process < b.name.process; });
  return list;
}

Error failure_of(const Found& found) {
  return {ErrorDomain::verdict, found.failure.value_or(0),
          fmt::format("writing the records of process {}", text_of(found.name.process)),
          found.failure ? failure_text(*found.failure)
                        : "its journal is empty: it was killed, or the disk is full",
          found.failure == ENOSPC || found.failure == EDQUOT
              ? "free some space, or write to another disk with -o"
          : found.failure == EFBIG ? "the limit on file sizes is too low (ulimit -f)"
                                   : ""};
}

// A process that launched nothing in the end, and says so by its last row.
bool nothing_happened(const Session& session, const ProcessEnd& end) {
  return end.complete && !end.any_record && session.issues.empty();
}

void read_journal(const Found& found, const ProgramEnd& program, LeftSessions& left) {
  std::error_code ignored;
  if (found.failure || fs::file_size(found.journal, ignored) == 0) {
    left.failures.push_back(failure_of(found));
    fs::remove(found.failure_file, ignored);
  }
  const std::uintmax_t bytes = fs::file_size(found.journal, ignored);
  if (ignored || bytes == 0) {  // not even its head could be written
    fs::remove(found.journal, ignored);
    return;
  }
  Result<Session> session = read_session(found.journal);
  if (!session && found.failure) {
    fs::remove(found.journal, ignored);  // of which there is half a head
    return;
  }
  if (!session) {
    left.notes.push_back("left as it is: " + format_error(session.error()));
    ++left.journals_kept;
    return;
  }
  take_issue(*session, "journal.unsealed");
  const ProcessEnd end = end_of(*session, found.name.process.process, found.failure, program);
  if (nothing_happened(*session, end)) {
    fs::remove(found.journal, ignored);
    return;
  }
  finish(*session, end);
  if (!end.complete && !end.any_record && !end.failure) {
    left.failures.push_back({ErrorDomain::verdict, 0,
                             fmt::format("recording process {}", text_of(found.name.process)),
                             session->issues.front().text, ""});
  }
  left.sessions.push_back(
      {found.journal, found.name.session, found.name.process, std::move(*session)});
}

}  // namespace

Result<LeftSessions> read_journals(const fs::path& pattern, const std::string& run_id,
                                   const ProgramEnd& program) {
  Result<std::vector<Found>> journals = find_journals(pattern.parent_path(), run_id);
  if (!journals) {
    return tl::make_unexpected(journals.error());
  }
  LeftSessions left;
  for (const Found& found : *journals) {
    if (still_written(found.journal)) {
      left.notes.push_back(fmt::format("process {} still runs; its records so far: {}",
                                       text_of(found.name.process), found.journal.string()));
      ++left.journals_kept;
      continue;
    }
    read_journal(found, program, left);
  }
  return left;
}

SealOutcome write_sessions(LeftSessions left, bool force) {
  SealOutcome outcome;
  outcome.notes = std::move(left.notes);
  outcome.failures = std::move(left.failures);
  outcome.journals_kept = left.journals_kept;
  std::set<fs::path> taken;
  for (LeftSession& one : left.sessions) {
    fs::path path = one.output;
    if (!taken.insert(path).second) {
      path = with_process(path, one.process);
      taken.insert(path);
    }
    if (Status written = write_session(one.session, path, {force}); !written) {
      outcome.failures.push_back(written.error());
      outcome.notes.push_back("the records are kept in " + one.journal.string());
      ++outcome.journals_kept;
      continue;
    }
    std::error_code ignored;
    fs::remove(one.journal, ignored);
    outcome.sessions.push_back({path, one.process.process, std::move(one.session)});
  }
  return outcome;
}

}  // namespace ridgepoint::collector
