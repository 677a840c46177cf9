#include "cli/choices.h"

#include "analyzer/core/text.h"

namespace ridgepoint::cli {

CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string listed;
  std::string bare;
  for (const std::string& word : words) {
    listed += (listed.empty() ? "" : ", ") + word;
    bare += (bare.empty() ? "" : ",") + word;
  }
  return CLI::Validator(
      [words, listed](std::string& text) {
        const bool found = std::find(words.begin(), words.end(), text) != words.end();
        return found ? std::string() : "\"" + printable(text) + "\" is none of " + listed;
      },
      "{" + bare + "}");  // as CLI11's own, which cli/help_format.h reads
}

}  // namespace ridgepoint::cli
