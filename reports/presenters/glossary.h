// The terms of the reports, each with the definition that the analyzer uses.
#pragma once

#include <vector>

namespace ridgepoint {

struct GlossaryEntry {
  const char* term;
  const char* meaning;
};

const std::vector<GlossaryEntry>& glossary();

}  // namespace ridgepoint
