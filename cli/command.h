// What every command shares. A command is one file in commands/ and one line in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::cli {

// What the chosen command will do; set while the command line is parsed, called once it is known to
// be sound.
using Action = std::function<ExitCode()>;

// Adds its subcommand and options to `app`; when the user names it, sets `chosen`.
void add_attention(CLI::App& app, Action& chosen);
void add_ceilings(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_profile(CLI::App& app, Action& chosen);
void add_import(CLI::App& app, Action& chosen);
void add_merge(CLI::App& app, Action& chosen);
void add_doctor(CLI::App& app, Action& chosen);
void add_demo(CLI::App& app, Action& chosen);
void add_predict(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_metrics(CLI::App& app, Action& chosen);
void add_view(CLI::App& app, Action& chosen);

// The command line as typed, quoted where a shell would need it. Recorded in sessions.
const std::string& typed_command_line();
void set_typed_command_line(int argc, char** argv);

}  // namespace ridgepoint::cli
