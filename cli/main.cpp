// The `ridgepoint` command: parses the command line and hands over to a command.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/core/file_size_signal.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/help_format.h"
#include "cli/usage_error.h"
#include "cli/version.h"

namespace {

using ridgepoint::ErrorDomain;
using ridgepoint::ExitCode;

constexpr const char* footer =
    "Exit codes: 0 fine, 1 regression or missed budget, 2 no verdict (nothing measured, "
    "matched or judged), 3 bad usage, 4 bad input file, 5 device or permission problem, 6 the "
    "profiled program failed.\n\n"
    "Examples:\n"
    "  ridgepoint help report                              the options of a command, with "
    "examples\n"
    "  ridgepoint demo                                     look at a recording made on an H200\n"
    "  ridgepoint attention --seqlen 16384 --head-dim 64   measure naive and fused on this GPU\n"
    "  ridgepoint report run.ridge --format html -o run.html\n"
    "  ridgepoint compare before.ridge after.ridge         what became faster or slower, and why\n"
    "  ridgepoint check run.ridge --budget budget.json     pass, fail or no verdict, for CI\n"
    "  ridgepoint view run.ridge                           open the window\n";

int to_int(ExitCode code) {
  return static_cast<int>(code);
}

// The exit code of a command whose output is out, or that of the failure to put it out.
int finish(ExitCode code) {
  const ridgepoint::Status written = ridgepoint::cli::finish_stdout();
  return to_int(written ? code : ridgepoint::cli::print_error(written.error()));
}

// `ridgepoint help report` is what many type for `ridgepoint report --help`.
std::vector<char*> with_help_as_option(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc >= 2 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    if (argc == 3 && std::string_view(words[1]) == "help") {
      words.pop_back();
    }
    words.push_back(help);
  }
  return words;
}

int run(const std::vector<char*>& words) {
  namespace cli = ridgepoint::cli;
  const int argc = static_cast<int>(words.size());
  char* const* const argv = words.data();
  CLI::App app("Ridgepoint: where a CUDA kernel stands on the roofline, why, and what to change.",
               "ridgepoint");
  app.footer(footer);
  app.formatter(std::make_shared<cli::HelpFormatter>(cli::help_width()));
  app.set_version_flag("--version", std::string("ridgepoint ") + cli::version);
  app.require_subcommand(1);
  cli::set_typed_command_line(argc, argv);
  cli::Action chosen;
  cli::add_attention(app, chosen);
  cli::add_profile(app, chosen);
  cli::add_merge(app, chosen);
  cli::add_ceilings(app, chosen);
  cli::add_doctor(app, chosen);
  cli::add_demo(app, chosen);
  cli::add_report(app, chosen);
  cli::add_import(app, chosen);
  cli::add_compare(app, chosen);
  cli::add_check(app, chosen);
  cli::add_predict(app, chosen);
  cli::add_metrics(app, chosen);
  cli::add_view(app, chosen);
  if (argc < 2) {
    cli::print_note(app.help());
    return to_int(ExitCode::usage);
  }
  const std::vector<std::string> typed(argv + 1, argv + argc);
  for (const auto check : {cli::unknown_command, cli::flag_with_value, cli::missing_value,
                           cli::unknown_option, cli::word_before_program}) {
    if (const auto error = check(app, typed)) {
      return to_int(cli::print_error(*error));
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& shown) {
    app.exit(shown);  // prints --help or --version
    std::cout.flush();
    return finish(ExitCode::ok);
  } catch (const CLI::ParseError& fault) {
    return to_int(cli::print_error(cli::usage_error(fault, app, typed)));
  }
  return finish(chosen());
}

}  // namespace

int main(int argc, char** argv) {
  ridgepoint::ignore_file_size_signal();
  try {
    return run(with_help_as_option(argc, argv));
  } catch (const std::bad_alloc&) {
    return to_int(
        ridgepoint::cli::print_error({ErrorDomain::internal, 0, "running", "out of memory", ""}));
  } catch (const std::exception& fault) {
    return to_int(
        ridgepoint::cli::print_error({ErrorDomain::internal, 0, "running", fault.what(),
                                      "this is a fault in Ridgepoint; please report it"}));
  }
}
