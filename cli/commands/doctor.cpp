// `ridgepoint doctor`: can this machine measure, and if not, what to do?
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "collector/doctor/doctor.h"
#include "reports/text/text_layout.h"

namespace ridgepoint::cli {
namespace {

using collector::Check;

const char* word_for(Check::State state) {
  switch (state) {
    case Check::State::good:
      return "good";
    case Check::State::warning:
      return "warning";
    case Check::State::problem:
      return "problem";
    case Check::State::unknown:
      break;
  }
  return "unknown";
}

std::string text_of(const std::vector<Check>& checks, std::size_t width) {
  const std::string indent(22, ' ');
  std::string text;
  for (const Check& check : checks) {
    text += wrap(check.finding, width,
                 fmt::format("{:<8} {:<12} ", word_for(check.state), check.id), indent);
    if (!check.meaning.empty()) {
      text += wrap(check.meaning, width, indent + "means: ", indent + "       ");
    }
    if (!check.action.empty()) {
      text += wrap(check.action, width, indent + "do:    ", indent + "       ");
    }
  }
  return text;
}

std::string json_of(const std::vector<Check>& checks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    list.push_back({{"id", check.id},
                    {"state", word_for(check.state)},
                    {"finding", check.finding},
                    {"meaning", check.meaning},
                    {"action", check.action}});
  }
  const nlohmann::ordered_json document = {
      {"schema", "ridgepoint-doctor"}, {"version", "1.0"}, {"checks", list}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

ExitCode run_doctor(bool as_json) {
  const std::vector<Check> checks = collector::all_checks(collector::Machine::this_one());
  print_result(as_json ? json_of(checks) : text_of(checks, terminal_report_options().width));
  const bool ill = std::any_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.state == Check::State::problem;
  });
  return ill ? ExitCode::device : ExitCode::ok;
}

}  // namespace

void add_doctor(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("doctor", "Can this machine measure, and if not, what to do?");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "As JSON");
  command->footer(
      "Changes nothing and starts no CUDA. Exit code 5 when something stands in the way.\n\n"
      "Example:\n  ridgepoint doctor\n");
  command->callback([as_json, &chosen] { chosen = [as_json] { return run_doctor(*as_json); }; });
}

}  // namespace ridgepoint::cli
