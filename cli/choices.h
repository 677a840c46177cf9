// An option that takes one of a few words. CLI11's own checks name the numbers behind an
// enumeration, in help and errors, and take them for the words.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint::cli {

// A check of the words as they are.
CLI::Validator one_of(const std::vector<std::string>& words);

// For ->transform(): the number of the enumerator that a word stands for, which CLI11 reads into
// the variable.
template <class Enum>
CLI::Validator enumerator(const std::vector<std::pair<std::string, Enum>>& choices) {
  std::vector<std::string> words;
  for (const auto& choice : choices) {
    words.push_back(choice.first);
  }
  const CLI::Validator is_known = one_of(words);
  return CLI::Validator(
      [choices, is_known](std::string& text) {
        std::string fault = is_known(text);
        const auto found = std::find_if(choices.begin(), choices.end(),
                                        [&](const auto& choice) { return choice.first == text; });
        if (found != choices.end()) {
          text = std::to_string(static_cast<int>(found->second));
        }
        return fault;
      },
      is_known.get_description());
}

}  // namespace ridgepoint::cli
