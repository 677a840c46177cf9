// The `ridgepoint` command: parses the command line and hands over to a command.
#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/version.h"

namespace {

using ridgepoint::Error;
using ridgepoint::ErrorDomain;
using ridgepoint::ExitCode;

constexpr const char* footer =
    "Exit codes: 0 fine, 1 regression or missed budget, 2 no verdict, 3 bad usage, 4 bad input "
    "file,\n"
    "            5 device or permission problem, 6 the profiled program failed.\n\n"
    "Examples:\n"
    "  ridgepoint demo                                     look at a recording made on an H200\n"
    "  ridgepoint attention --seqlen 16384 --head-dim 64   measure naive and fused on this GPU\n"
    "  ridgepoint report run.ridge --format html -o run.html\n"
    "  ridgepoint view run.ridge                           open the window\n";

int to_int(ExitCode code) {
  return static_cast<int>(code);
}

// The subcommand the user got as far as naming, for the hint.
std::string help_command(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? "ridgepoint --help"
                       : "ridgepoint " + named.front()->get_name() + " --help";
}

int run(int argc, char** argv) {
  namespace cli = ridgepoint::cli;
  CLI::App app("Ridgepoint: where a CUDA kernel stands on the roofline, why, and what to change.",
               "ridgepoint");
  app.footer(footer);
  app.set_version_flag("--version", std::string("ridgepoint ") + cli::version);
  app.require_subcommand(1);
  cli::set_typed_command_line(argc, argv);
  cli::Action chosen;
  cli::add_attention(app, chosen);
  cli::add_profile(app, chosen);
  cli::add_merge(app, chosen);
  cli::add_doctor(app, chosen);
  cli::add_demo(app, chosen);
  cli::add_report(app, chosen);
  cli::add_metrics(app, chosen);
  cli::add_view(app, chosen);
  if (argc < 2) {
    cli::print_note(app.help());
    return to_int(ExitCode::usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& shown) {
    return app.exit(shown);  // --help and --version
  } catch (const CLI::ParseError& fault) {
    return to_int(cli::print_error(
        {ErrorDomain::usage, 0, "command line", fault.what(), "see " + help_command(app)}));
  }
  return to_int(chosen());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return to_int(
        ridgepoint::cli::print_error({ErrorDomain::internal, 0, "running", "out of memory", ""}));
  } catch (const std::exception& fault) {
    return to_int(
        ridgepoint::cli::print_error({ErrorDomain::internal, 0, "running", fault.what(),
                                      "this is a fault in Ridgepoint; please report it"}));
  }
}
