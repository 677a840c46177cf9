// `ridgepoint demo`: the report of a recording that ships with the program. Measures nothing and
// says so.
#include <memory>
#include <optional>

#include "analyzer/core/data_path.h"
#include "analyzer/open/open_analysis.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/price.h"
#include "cli/target_options.h"
#include "reports/report.h"

namespace ridgepoint::cli {
namespace {

constexpr const char* recording = "recordings/attention-n16384-d64.ridge";

struct DemoCommand {
  ReportFiles files;
  std::optional<double> price_per_hour;
  TargetLimits targets;
};

ExitCode run_demo(const DemoCommand& command) {
  const ReportFiles& files = command.files;
  if (const Status sound = files.check(); !sound) {
    return print_error(sound.error());
  }
  const Result<std::filesystem::path> data = data_directory();
  if (!data) {
    return print_error(data.error());
  }
  AnalysisOptions options;
  options.price_per_hour = command.price_per_hour;
  options.targets = command.targets;
  const Result<OpenedSession> opened = open_session(*data / recording, options);
  if (!opened) {
    return print_error(opened.error());
  }
  const ReportInput input(opened->analysis, &opened->session);
  const Result<std::string> text = render_report(input, "text", terminal_report_options());
  if (!text) {
    return print_error(text.error());
  }
  print_result(*text);
  if (const Status written = files.write(input); !written) {
    return print_error(written.error());
  }
  return ExitCode::ok;
}

}  // namespace

void add_demo(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("demo", "Show the report of a recording made on an NVIDIA H200");
  command->footer("Example:\n  ridgepoint demo --report demo.html\n");
  auto options = std::make_shared<DemoCommand>();
  options->files.add_to(*command);
  add_price_option(*command, options->price_per_hour);
  add_target_option(*command, options->targets);
  command->callback([options, &chosen] { chosen = [options] { return run_demo(*options); }; });
}

}  // namespace ridgepoint::cli
