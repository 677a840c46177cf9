#include "collector/profile/source_lines.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "analyzer/core/text.h"
#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {

bool has_line_table(const std::string& cubin) {
  // The section's name; CUPTI itself takes 8 ms an instruction to find that there is none.
  return cubin.find(".debug_line") != std::string::npos;
}

std::optional<SourceLine> source_line(const CuptiApi& api, const std::string& cubin,
                                      const std::string& function, std::uint64_t pc_offset) {
  CUpti_GetSassToSourceCorrelationParams params = {};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = pc_offset;
  const auto code = api.cuptiGetSassToSourceCorrelation(&params);
  const std::unique_ptr<char, void (*)(void*)> file(params.fileName, std::free);
  const std::unique_ptr<char, void (*)(void*)> folder(params.dirName, std::free);
  if (code != CUPTI_SUCCESS || params.lineNumber == 0 || file == nullptr) {
    return std::nullopt;
  }
  const std::filesystem::path path = folder == nullptr
                                         ? std::filesystem::path(file.get())
                                         : std::filesystem::path(folder.get()) / file.get();
  return SourceLine{printable(path.lexically_normal().string()), params.lineNumber};
}

}  // namespace ridgepoint::collector
