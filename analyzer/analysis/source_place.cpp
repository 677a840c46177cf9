#include "analyzer/analysis/source_place.h"

namespace ridgepoint {

std::string source_place(const HotSpot& spot) {
  if (spot.source_line == 0) {
    return {};
  }
  // npos + 1 is 0: a name without a folder is taken whole.
  return spot.source_file.substr(spot.source_file.find_last_of('/') + 1) + ":" +
         std::to_string(spot.source_line);
}

}  // namespace ridgepoint
