// `ridgepoint profile`, `ceilings` and `doctor` in a build without CUDA: a plain word about what is
// missing.
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"

namespace ridgepoint::cli {
namespace {

ExitCode say_absent(const char* command) {
  return print_error({ErrorDomain::device, 0, command,
                      "this build of Ridgepoint cannot measure: it was made without CUDA",
                      "install the CUDA Toolkit 13 with CUPTI and build again; `ridgepoint demo` "
                      "shows a recording"});
}

}  // namespace

void add_profile(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("profile", "Profile any CUDA program (not in this build)");
  auto program = std::make_shared<std::vector<std::string>>();
  command->add_option("PROGRAM", *program, "The program and its arguments, after --")->required();
  command->allow_extras();
  command->footer("Example:\n  ridgepoint profile -- ./app\n");
  command->callback([program, &chosen] { chosen = [] { return say_absent("profile"); }; });
}

void add_ceilings(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "ceilings", "Measure the rates that this GPU really reaches (not in this build)");
  command->allow_extras();
  command->footer("Example:\n  ridgepoint ceilings\n");
  command->callback([&chosen] { chosen = [] { return say_absent("ceilings"); }; });
}

void add_doctor(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("doctor", "Can this machine measure? (This build cannot.)");
  auto as_json = std::make_shared<bool>(false);  // accepted, so that scripts get the same answer
  command->add_flag("--json", *as_json, "As JSON");
  command->footer("Example:\n  ridgepoint doctor\n");
  command->callback([as_json, &chosen] { chosen = [] { return say_absent("doctor"); }; });
}

}  // namespace ridgepoint::cli
