// What is wrong with a command line, in words that name what the user typed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::cli {

// The word of `known` that was most likely meant by `typed`: it begins with it, or at most two
// letters are wrong, missing, swapped or too many. Empty when none is near.
std::string nearest_word(const std::string& typed, const std::vector<std::string>& known);

// `words`: the command line without the program's name. A first word that is no command is told
// apart from one that is missing.
Error usage_error(const CLI::ParseError& fault, const CLI::App& app,
                  const std::vector<std::string>& words);

}  // namespace ridgepoint::cli
