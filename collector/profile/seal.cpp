#include "collector/profile/seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
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

bool take_issue(Session& session, const char* code) {
  const auto removed = std::remove_if(session.issues.begin(), session.issues.end(),
                                      [&](const Issue& issue) { return issue.code == code; });
  const bool found = removed != session.issues.end();
  session.issues.erase(removed, session.issues.end());
  return found;
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

void finish(Session& session, std::int64_t process) {
  take_issue(session, "journal.unsealed");
  if (!take_issue(session, complete_code)) {
    session.issues.insert(
        session.issues.begin(),
        {"profile.cut_short",
         fmt::format("The records of process {} have no end: it did not run its exit handlers (a "
                     "signal, abort or _exit), and what it did in its last second may be missing, "
                     "or its journal could not grow (a full disk, a limit on file sizes), and all "
                     "since then is missing.",
                     process)});
  }
  sort_launches(session);
  finish_samples(session);
}

fs::path with_process(const fs::path& path, std::int64_t process) {
  fs::path name = path;
  name.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), process, path.extension().string()));
  return name;
}

struct Found {
  fs::path journal;
  JournalName name;
};

Result<std::vector<Found>> find_journals(const fs::path& folder, const std::string& run_id) {
  std::vector<Found> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (const auto name = parse_journal_path(entry->path(), run_id)) {
      found.push_back({entry->path(), *name});
    }
  }
  if (error) {
    return fail(ErrorDomain::output, "looking for sessions in " + folder.string(), error.message(),
                {}, error.value());
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.name.process < b.name.process; });
  return found;
}

}  // namespace

Result<LeftSessions> read_journals(const fs::path& pattern, const std::string& run_id) {
  Result<std::vector<Found>> journals = find_journals(pattern.parent_path(), run_id);
  if (!journals) {
    return tl::make_unexpected(journals.error());
  }
  LeftSessions left;
  for (const Found& found : *journals) {
    std::error_code ignored;
    if (still_written(found.journal)) {
      left.notes.push_back(fmt::format("process {} still runs; its records so far: {}",
                                       found.name.process, found.journal.string()));
      continue;
    }
    if (fs::file_size(found.journal, ignored) == 0) {
      fs::remove(found.journal, ignored);  // ended before it launched anything
      continue;
    }
    Result<Session> session = read_session(found.journal);
    if (!session) {
      left.notes.push_back("left as it is: " + format_error(session.error()));
      continue;
    }
    finish(*session, found.name.process);
    left.sessions.push_back(
        {found.journal, found.name.session, found.name.process, std::move(*session)});
  }
  return left;
}

SealOutcome write_sessions(LeftSessions left, bool force) {
  SealOutcome outcome;
  outcome.notes = std::move(left.notes);
  std::set<fs::path> taken;
  for (LeftSession& one : left.sessions) {
    fs::path path = one.output;
    if (!taken.insert(path).second) {
      path = with_process(path, one.process);
      taken.insert(path);
    }
    if (Status written = write_session(one.session, path, {force}); !written) {
      outcome.notes.push_back(format_error(written.error()));
      outcome.notes.push_back("the records are kept in " + one.journal.string());
      continue;
    }
    std::error_code ignored;
    fs::remove(one.journal, ignored);
    outcome.sessions.push_back({path, one.process, std::move(one.session)});
  }
  return outcome;
}

}  // namespace ridgepoint::collector
