// `ridgepoint predict --gpu NAME`: what attention would move and take at best on a GPU that is not
// here. Measures nothing and says so.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/file.h"
#include "analyzer/predict/gpu.h"
#include "analyzer/predict/predict.h"
#include "cli/command.h"
#include "cli/commands/problem_options.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/price.h"
#include "cli/version.h"
#include "reports/report.h"

namespace ridgepoint::cli {
namespace {

struct PredictCommand : ProblemOptions {
  std::string gpu;
  std::vector<std::string> variants;
  std::optional<double> price_per_hour;
  std::string format;  // empty: by the ending of the output, else text
  std::string output;
  ReportFiles reports;
};

// Before anything is predicted: a place that cannot be written, or one that --report has too.
Status check_output(const PredictCommand& o) {
  std::error_code ignored;
  const bool is_file =
      std::filesystem::is_regular_file(std::filesystem::symlink_status(o.output, ignored));
  if (is_file && !o.reports.force) {
    return tl::make_unexpected(exists_error(o.output));
  }
  std::vector<std::string> outputs = o.reports.paths;
  outputs.push_back(o.output);
  return check_outputs(outputs, {o.gpu});
}

ExitCode run_predict(PredictCommand o) {
  if (const auto format = format_for(o.format, o.output, report_formats())) {
    o.format = *format;
  } else {
    return print_error(format.error());
  }
  if (const Status sound = o.check_problem("predict"); !sound) {
    return print_error(sound.error());
  }
  if (const Status sound = o.reports.check({o.gpu}, false, o.format); !sound) {
    return print_error(sound.error());
  }
  if (const Status sound = check_output(o); !sound) {
    return print_error(sound.error());
  }
  if (o.gpu == "-") {
    return print_error({ErrorDomain::usage, 0, "predict --gpu -",
                        "a description is read from a file", "name one, as in --gpu my-gpu.json"});
  }
  const Result<GpuDescription> gpu = find_gpu(o.gpu);
  if (!gpu) {
    return print_error(gpu.error());
  }
  Result<Analysis> analysis = predict({o.shape(), o.variants, o.price_per_hour}, *gpu);
  if (!analysis) {
    return print_error(analysis.error());
  }
  analysis->producer.version = version;
  analysis->producer.command_line = typed_command_line();
  ReportOptions look = o.output.empty() ? terminal_report_options() : ReportOptions();
  look.figure = o.reports.figure.empty() ? look.figure : o.reports.figure;
  const Status written =
      write_report_result(*analysis, o.format, look, o.output, o.reports.force, {o.gpu})
          .and_then([&] { return o.reports.write(*analysis); });
  return written ? ExitCode::ok : print_error(written.error());
}

}  // namespace

void add_predict(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "predict", "Predict bytes, FLOP and least time of attention on a GPU that is not here");
  auto options = std::make_shared<PredictCommand>();
  command
      ->add_option("--gpu", options->gpu,
                   "A100, H100, H200, B200, L40S, RTX4090, or a description as in "
                   "share/ridgepoint/gpus")
      ->required()
      ->type_name("NAME|FILE");
  options->add_problem_to(*command);
  command->add_option("--variant", options->variants,
                      "Variant (repeatable): naive, fused, hopper, split_kv (keys in parts, for "
                      "few queries); backward also hopper_deterministic; default: all the GPU can "
                      "run, split_kv where the queries cannot fill it");
  add_price_option(*command, options->price_per_hour);
  command
      ->add_option("-f,--format", options->format,
                   "Report format, by name or ending (md); without it the ending of the output "
                   "decides, else text")
      ->transform(format_name(report_formats()));
  command->add_option("-o,--output", options->output, "Write here instead of to the terminal")
      ->type_name("FILE");
  options->reports.add_to(*command);
  command->footer(
      "Nothing is measured: bytes follow from the IO model, times are the least that the roofs "
      "allow.\n\n"
      "Examples:\n"
      "  ridgepoint predict --gpu H100 --seqlen 16384 --head-dim 128\n"
      "  ridgepoint predict --gpu A100 --batch 4 --heads 16 --seqlen 4096 --causal --report "
      "a.html\n"
      "  ridgepoint predict --gpu H100 --seqlen 16384 -o prediction.html\n"
      "  ridgepoint predict --gpu H200 --direction backward --seqlen 8192 --head-dim 128\n"
      "  ridgepoint predict --gpu H200 --heads 32 --kv-heads 8 --seqlen-q 1 --seqlen-k 65536 "
      "--head-dim 128\n"
      "  ridgepoint predict --gpu B200 --causal --report bytes.svg --figure traffic\n"
      "  ridgepoint predict --gpu my-gpu.json --variant fused --format json\n");
  command->callback([options, &chosen] { chosen = [options] { return run_predict(*options); }; });
}

}  // namespace ridgepoint::cli
