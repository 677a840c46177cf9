// The journal: what survives when the measuring process is killed.
//
// Life cycle: create() makes NAME.ridge.journal exclusively (mode 0600) -> append() one partial
// session after another, each a line of JSON flushed to the kernel before append returns -> seal()
// writes NAME.ridge from the parts and removes the journal. A journal that was never sealed is read
// by read_session(): every whole line counts, a torn last line is dropped, and the session carries
// the issue "journal.unsealed".
//
// Parts are merged field by field: lists and table rows are appended (indices in a part refer to
// the merged session, so a part may refer to kernels an earlier part brought), single values are
// replaced by the later one.
#pragma once

#include <filesystem>
#include <string>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint {

class Journal {
 public:
  // `session_path` is the final NAME.ridge; fails when it, or its journal, exists and `force` is
  // not set.
  static Result<Journal> create(const std::filesystem::path& session_path,
                                const WriteOptions& options = {});

  // Movable, not copyable. Destroying one that was never sealed leaves the journal on disk.
  // Appends the sections that are set in `part`.
  Status append(const Session& part);
  // Merges all parts, writes the session file, removes the journal and returns the session.
  Result<Session> seal();

  const std::filesystem::path& path() const { return journal_path_; }

 private:
  Journal(Descriptor file, std::filesystem::path session_path, std::filesystem::path journal_path,
          bool force);

  Descriptor file_;
  std::filesystem::path session_path_;
  std::filesystem::path journal_path_;
  bool force_ = false;
  Session merged_;
};

// Appends `part` to `whole` by the journal's rules.
void merge_session(Session& whole, Session part);

}  // namespace ridgepoint
