// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>

#include "analyzer/core/error.h"
#include "analyzer/core/text.h"
#include "gui/views/view_registry.h"
#include "reports/text/text_layout.h"

namespace ridgepoint::gui {
namespace {

constexpr int smallest_side = 320;
constexpr int largest_side = 8192;

// "1440x900".
std::optional<QSize> parseSize(const std::string& text) {
  const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
  bool width_ok = false;
  bool height_ok = false;
  const QSize size =
      parts.size() == 2 ? QSize(parts[0].toInt(&width_ok), parts[1].toInt(&height_ok)) : QSize();
  const auto sane = [](int side) { return side >= smallest_side && side <= largest_side; };
  return width_ok && height_ok && sane(size.width()) && sane(size.height()) ? std::optional(size)
                                                                            : std::nullopt;
}

// CLI11 takes --force=true for a yes, and passes over what --help=no asks.
std::optional<std::string> flagWithValue(const CLI::App& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string(argv[i]) != "--"; ++i) {
    const std::string word = argv[i];
    const std::size_t sign = word.find('=');
    const CLI::Option* option = word.rfind('-', 0) == 0 && sign != std::string::npos
                                    ? app.get_option_no_throw(word.substr(0, sign))
                                    : nullptr;
    if (option != nullptr && option->get_expected_max() == 0) {
      return word.substr(0, sign);
    }
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

// CLI11's own list of choices shows in the help as "TEXT:{a,b}".
CLI::Validator oneOf(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](const std::string& given) {
        return std::find(words.begin(), words.end(), given) != words.end()
                   ? std::string()
                   : "\"" + printable(given) + "\" is none of " + joined(words);
      },
      "");
}

// As the other commands' help: 80 columns, and no type beside a name that says it.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr std::size_t width = 80;
    const std::string column(description_column, ' ');
    std::string left = "  " + option->get_name(is_positional, !is_positional);
    if (!is_positional && option->get_type_size() != 0) {
      left += " " + option->get_type_name();
    }
    left.resize(std::max(left.size() + 2, description_column), ' ');
    return wrap(option->get_description(), width, left, column);
  }

 private:
  static constexpr std::size_t description_column = 29;
};

constexpr const char* footer =
    "Examples:\n"
    "  ridgepoint-gui run.ridge\n"
    "  ridgepoint-gui run.ridge --screenshot window.png --size 1920x1080\n"
    "  ridgepoint-gui run.ridge --screenshot stalls.png --view stalls --theme dark";

}  // namespace

std::variant<ProgramOptions, ProgramExit> parseOptions(int argc, const char* const* argv) {
  CLI::App app("Shows Ridgepoint sessions: roofline, stalls, traffic and diagnoses.",
               "ridgepoint-gui");
  app.footer(footer);
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "ridgepoint-gui " RIDGEPOINT_VERSION);
  std::string file;
  std::string screenshot;
  std::string size = "1440x900";
  std::string theme;
  std::string select;
  std::string view;
  app.add_option("FILE", file, "A session (.ridge, .json) or the journal of a run that was killed");
  app.add_option("--screenshot", screenshot,
                 "Write a PNG of the window to this file and end; needs no display")
      ->type_name("FILE.png");
  bool force = false;
  app.add_flag("--force", force, "Replace the file of --screenshot when it exists");
  app.add_option("--size", size,
                 "Size of the window for --screenshot, sides of 320 to 8192; default: " + size)
      ->type_name("WxH");
  app.add_option("--theme", theme, "Colours; default: as chosen in the window")
      ->type_name("system|light|dark")
      ->check(oneOf({"system", "light", "dark"}));
  app.add_option("--select", select, "Select the kernel of this short name once the file is open")
      ->type_name("KERNEL");
  std::vector<std::string> views;
  for (const ViewEntry& entry : viewRegistry()) {
    views.emplace_back(entry.id);
  }
  app.add_option("--view", view, "Bring this view to the front for --screenshot: " + joined(views))
      ->type_name("NAME")
      ->check(oneOf(views));
  if (const auto flag = flagWithValue(app, argc, argv)) {
    return ProgramExit{static_cast<int>(ExitCode::usage),
                       "error: reading the command line: " + *flag +
                           " takes no value\nhint: leave out what follows it\n"};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    std::ostringstream out;
    std::ostringstream err;
    // CLI11's own codes start at 100; the project's are documented with the command line.
    const bool wrong = app.exit(problem, out, err) != 0;
    return ProgramExit{wrong ? static_cast<int>(ExitCode::usage) : 0,
                       wrong ? "error: reading the command line: " + std::string(problem.what()) +
                                   "\nhint: ridgepoint-gui --help lists the options\n"
                             : out.str()};
  }
  const std::optional<QSize> parsed = parseSize(size);
  if (!parsed) {
    return ProgramExit{
        static_cast<int>(ExitCode::usage),
        "error: reading --size: it is no size of the form 1440x900 with sides of 320 to 8192\n"};
  }
  if (!screenshot.empty() && !QString::fromLocal8Bit(screenshot.c_str())
                                  .endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    return ProgramExit{static_cast<int>(ExitCode::usage),
                       "error: reading --screenshot: pictures are written as PNG only\n"
                       "hint: give a name that ends with .png\n"};
  }
  ProgramOptions options;
  options.force = force;
  options.file = QString::fromLocal8Bit(file.c_str());
  options.screenshot = QString::fromLocal8Bit(screenshot.c_str());
  options.size = *parsed;
  options.view = QString::fromStdString(view);
  options.select = QString::fromLocal8Bit(select.c_str());
  if (!theme.empty()) {
    options.theme = theme == "dark"    ? ThemeChoice::dark
                    : theme == "light" ? ThemeChoice::light
                                       : ThemeChoice::system;
  }
  return options;
}

}  // namespace ridgepoint::gui
