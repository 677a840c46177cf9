// `ridgepoint metrics`: which quantities a chip can give, and the hardware counters behind them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/metrics/counter_map.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/unknown_chip.h"
#include "reports/text/text_layout.h"

namespace ridgepoint::cli {
namespace {

std::string list_of_chips(const std::vector<CounterMap>& maps) {
  std::string text = "Chips with counters (choose one with --chip):\n";
  for (const CounterMap& map : maps) {
    text += fmt::format("  {:<28} {}\n", map.family, fmt::join(map.chips, " "));
  }
  return text;
}

std::string profiles_with(const CounterMap& map, const std::string& id) {
  std::vector<std::string> names;
  for (const auto& [profile, ids] : map.profiles) {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      names.push_back(profile);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string list_of_quantities(const CounterMap& map, std::size_t width) {
  std::string text = fmt::format("{} ({})\n", map.family, fmt::join(map.chips, " "));
  for (const QuantityDefinition& quantity : map.quantities) {
    const std::string profiles = profiles_with(map, quantity.id);
    text += fmt::format("\n{} [{}]  {}\n", quantity.id, quantity.unit,
                        quantity.only_imported ? "only from an import of Nsight Compute's raw page"
                        : profiles.empty()     ? "in no profile: from an import, or named by itself"
                                               : "profiles: " + profiles);
    text += wrap(quantity.description, width, "  ", "  ");
    for (const CounterTerm& term : quantity.terms) {
      text += term.scale == 1 ? fmt::format("    {}\n", term.counter)
                              : fmt::format("    {} x {}\n", term.counter, term.scale);
    }
  }
  return text;
}

ExitCode run_metrics(const std::string& chip) {
  if (chip.empty()) {
    const Result<std::vector<CounterMap>> maps = load_counter_maps();
    if (!maps) {
      return print_error(maps.error());
    }
    print_result(list_of_chips(*maps));
    return ExitCode::ok;
  }
  std::string name = chip;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  if (!has_counters(name)) {
    return print_error(unknown_chip("listing counters", name));
  }
  const Result<CounterMap> map = load_counter_map(name);
  if (!map) {
    return print_error(map.error());
  }
  print_result(list_of_quantities(*map, terminal_report_options().width));
  return ExitCode::ok;
}

}  // namespace

void add_metrics(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("metrics", "List the quantities of a chip and their hardware counters");
  command->footer("Example:\n  ridgepoint metrics GH100\n");
  auto chip = std::make_shared<std::string>();
  command->add_option("CHIP,--chip", *chip, "CUPTI chip name; without it, the chips are listed")
      ->check(CLI::Validator(
          [](const std::string& name) {
            return name.empty() ? std::string("the name is empty") : std::string();
          },
          ""));
  command->callback([chip, &chosen] { chosen = [chip] { return run_metrics(*chip); }; });
}

}  // namespace ridgepoint::cli
