// `ridgepoint profile` in a build without CUDA: a plain word about what is missing.
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"

namespace ridgepoint::cli {

void add_profile(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("profile", "Profile any CUDA program (not in this build)");
  auto program = std::make_shared<std::vector<std::string>>();
  command->add_option("PROGRAM", *program, "The program and its arguments, after --")->required();
  command->allow_extras();
  command->footer("Example:\n  ridgepoint profile -- ./app\n");
  command->callback([program, &chosen] {
    chosen = [] {
      return print_error({ErrorDomain::device, 0, "profile",
                          "this build of Ridgepoint cannot measure: it was made without CUDA",
                          "install the CUDA Toolkit 13 with CUPTI and build again; `ridgepoint "
                          "demo` shows a recording"});
    };
  });
}

}  // namespace ridgepoint::cli
