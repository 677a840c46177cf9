#include "analyzer/session/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>

#include "analyzer/core/file.h"
#include "analyzer/core/file_owner.h"
#include "analyzer/session/codec/document.h"
#include "analyzer/session/journal_read.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

template <class T>
void append_to(std::vector<T>& whole, std::vector<T>&& part) {
  whole.insert(whole.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
}

void merge_counters(CounterTable& whole, const CounterTable& part, std::size_t rows_before,
                    std::size_t rows_after) {
  for (std::size_t i = 0; i < part.names.size() && i < part.columns.size(); ++i) {
    std::vector<double>& cells = whole.column(part.names[i], rows_before);
    cells.insert(cells.end(), part.columns[i].begin(), part.columns[i].end());
  }
  for (std::vector<double>& cells : whole.columns) {
    cells.resize(rows_after, not_measured);
  }
}

}  // namespace

void merge_session(Session& whole, Session part) {
  if (!part.producer.mode.empty()) {
    whole.producer = std::move(part.producer);
  }
  if (!part.policy.counter_profile.empty()) {
    whole.policy = std::move(part.policy);
  }
  if (part.attention) {
    whole.attention = std::move(part.attention);
  }
  const std::size_t rows_before = whole.launches.size();
  append_to(whole.launches, std::move(part.launches));
  merge_counters(whole.counters, part.counters, rows_before, whole.launches.size());
  append_to(whole.devices, std::move(part.devices));
  append_to(whole.kernels, std::move(part.kernels));
  append_to(whole.stall_reasons, std::move(part.stall_reasons));
  append_to(whole.pc_samples, std::move(part.pc_samples));
  append_to(whole.instructions, std::move(part.instructions));
  append_to(whole.source_files, std::move(part.source_files));
  append_to(whole.cubins, std::move(part.cubins));
  append_to(whole.ranges, std::move(part.ranges));
  for (const RangeEnd& end : part.range_ends) {
    if (end.range < whole.ranges.size()) {
      whole.ranges[end.range].end_ns = end.end_ns;
    }
  }
  append_to(whole.memory_operations, std::move(part.memory_operations));
  append_to(whole.power, std::move(part.power));
  append_to(whole.power_phases, std::move(part.power_phases));
  append_to(whole.pm_series, std::move(part.pm_series));
  append_to(whole.imported_rules, std::move(part.imported_rules));
  append_to(whole.issues, std::move(part.issues));
}

Journal::Journal(Descriptor file, fs::path session_path, fs::path journal_path, bool force)
    : file_(std::move(file)),
      session_path_(std::move(session_path)),
      journal_path_(std::move(journal_path)),
      force_(force) {}

Result<Journal> Journal::create(const fs::path& session_path, const WriteOptions& options) {
  std::error_code ignored;
  if (!options.force && fs::exists(fs::symlink_status(session_path, ignored))) {
    return tl::make_unexpected(exists_error(session_path));
  }
  fs::path journal_path = session_path;
  journal_path += ".journal";
  if (options.force) {
    unlink(journal_path.c_str());
  }
  Descriptor file(open(journal_path.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC,
                       S_IRUSR | S_IWUSR));
  if (!file) {
    const int code = errno;
    if (code == EEXIST) {
      return fail(ErrorDomain::output, "writing " + session_path.string(),
                  "an earlier run left its journal " + journal_path.string(),
                  "open that file to see what the run measured, then remove it or use --force",
                  code);
    }
    return fail(ErrorDomain::output, "writing " + journal_path.string(),
                std::generic_category().message(code),
                "choose a folder that you may write to with -o", code);
  }
  give_to_folder_owner(file.get(), journal_path);
  return Journal(std::move(file), session_path, std::move(journal_path), options.force);
}

Status Journal::append(const Session& part) {
  const std::string line = codec::session_document(part, journal_schema) + "\n";
  return write_all(file_.get(), line, "writing " + journal_path_.string()).map([&] {
    merge_session(merged_, part);
  });
}

Result<Session> Journal::seal() {
  return write_session(merged_, session_path_, {force_}).map([&] {
    file_.close();
    unlink(journal_path_.c_str());
    return std::move(merged_);
  });
}

}  // namespace ridgepoint
