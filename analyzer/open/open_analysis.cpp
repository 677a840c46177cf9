#include "analyzer/open/open_analysis.h"

#include "analyzer/import/read_any.h"

namespace ridgepoint {

Result<Analysis> open_analysis(const std::filesystem::path& path, AnalysisOptions options) {
  return read_any(path).and_then([&](const Session& session) {
    options.source = session.producer.mode == "import" ? Source::imported : Source::recording;
    return analyse(session, options);
  });
}

}  // namespace ridgepoint
