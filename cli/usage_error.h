// What is wrong with a command line, in words that name what the user typed.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::cli {

// When a flag of the named command is given a value, as in --causal=false: CLI11 takes numbers and
// words for yes and no there, which few mean and nobody is told of.
std::optional<Error> flag_with_value(const CLI::App& app, const std::vector<std::string>& words);

// When an option of the named command lacks its value, and what follows is another option of it or
// the -- before a program: CLI11 takes that for the value. --option=-x gives such a value all the
// same.
std::optional<Error> missing_value(const CLI::App& app, const std::vector<std::string>& words);

// An option that the named command does not have, with what was meant: CLI11 blames a word after
// it, which it takes for the option's value or for the program. Also a number behind a flag that
// takes its value with = only. Nothing when help is asked for.
std::optional<Error> unknown_option(const CLI::App& app, const std::vector<std::string>& words);

// A word that is no option before the -- of a command that runs a program: CLI11 takes it for the
// program and blames what follows.
std::optional<Error> word_before_program(const CLI::App& app,
                                         const std::vector<std::string>& words);

// A first word that is no option and no command; --help after it must not hide that. `words`: the
// command line without the program's name.
std::optional<Error> unknown_command(const CLI::App& app, const std::vector<std::string>& words);

// `words`: the command line without the program's name.
Error usage_error(const CLI::ParseError& fault, const CLI::App& app,
                  const std::vector<std::string>& words);

}  // namespace ridgepoint::cli
