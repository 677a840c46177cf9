#include "analyzer/open/open_analysis.h"

#include <utility>

#include "analyzer/import/read_any.h"

namespace ridgepoint {

Result<OpenedSession> open_session(const std::filesystem::path& path, AnalysisOptions options) {
  return read_any(path).and_then([&](Session&& session) {
    options.source = session.producer.mode == "import" ? Source::imported : Source::recording;
    return analyse(session, options).map([&](Analysis&& analysis) {
      return OpenedSession{std::move(session), std::move(analysis)};
    });
  });
}

Result<Analysis> open_analysis(const std::filesystem::path& path, AnalysisOptions options) {
  return open_session(path, options).map([](OpenedSession&& opened) {
    return std::move(opened.analysis);
  });
}

}  // namespace ridgepoint
