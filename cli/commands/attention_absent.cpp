// `ridgepoint attention` in a build without CUDA: the same options, and a plain word about what is
// missing.
#include <memory>

#include "cli/command.h"
#include "cli/commands/attention_options.h"
#include "cli/console.h"

namespace ridgepoint::cli {

void add_attention(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "attention", "Measure naive and fused attention side by side (not in this build)");
  auto options = std::make_shared<AttentionCommand>();
  options->add_to(*command);
  command->callback([options, &chosen] {
    chosen = [options] {
      if (const Status sound = options->check(); !sound) {
        return print_error(sound.error());
      }
      return print_error({ErrorDomain::device, 0, "attention",
                          "this build of Ridgepoint cannot measure: it was made without CUDA",
                          "install the CUDA Toolkit 13 with CUPTI and build again; `ridgepoint "
                          "demo` shows a recording"});
    };
  });
}

}  // namespace ridgepoint::cli
