// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <cstdio>
#include <memory>
#include <optional>

#include "gui/app/application.h"
#include "gui/app/held_messages.h"
#include "gui/app/main_window.h"
#include "gui/app/options.h"
#include "gui/app/screenshot.h"
#include "gui/app/theme_setting.h"

namespace {

int endWith(const ridgepoint::Error& error) {
  std::fprintf(stderr, "%s\n", ridgepoint::format_error(error).c_str());
  return static_cast<int>(ridgepoint::exit_code_for(error));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ridgepoint;
  using namespace ridgepoint::gui;
  const auto parsed = parseOptions(argc, argv);
  if (const auto* end = std::get_if<ProgramExit>(&parsed)) {
    std::fputs(end->text.c_str(), end->code == 0 ? stdout : stderr);
    return end->code;
  }
  const auto& options = std::get<ProgramOptions>(parsed);
  if (!options.screenshot.isEmpty() && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (!options.file.isEmpty()) {
    if (const Status usable = checkFile(options.file); !usable) {
      return endWith(usable.error());
    }
  }
  std::optional<HeldMessages> messages;
  if (!options.screenshot.isEmpty()) {
    messages.emplace();
  }
  auto guard = std::make_unique<DisplayGuard>();
  QApplication app(argc, argv);
  guard.reset();
  prepareApplication(app);
  applyTheme(app, options.theme.value_or(themeSetting()));
  if (!options.screenshot.isEmpty()) {
    if (const Status status = takeScreenshot(options); !status) {
      messages->release();
      return endWith(status.error());
    }
    return 0;
  }
  MainWindow window({});
  window.show();
  if (!options.file.isEmpty()) {
    window.openFile(options.file);
  }
  return QApplication::exec();
}
