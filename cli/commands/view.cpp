// `ridgepoint view FILE`: opens the window, which is a program of its own so that this one needs no
// Qt.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"

namespace ridgepoint::cli {
namespace {

namespace fs = std::filesystem;

ExitCode run_view(const std::string& file) {
  std::error_code ignored;
  const fs::path window =
      fs::read_symlink("/proc/self/exe", ignored).parent_path() / "ridgepoint-gui";
  std::string program = window.string();
  std::vector<char*> arguments = {program.data()};
  std::string name = file;
  if (!file.empty()) {
    arguments.push_back(name.data());
  }
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const int code = errno;
  return print_error(
      {ErrorDomain::usage, code, "opening the window",
       code == ENOENT ? "this build has no ridgepoint-gui beside it" : std::strerror(code),
       "build with Qt 6 (qt6-base-dev, qt6-charts-dev, qt6-svg-dev, libqt6opengl6-dev), or use "
       "`ridgepoint report --format html`"});
}

}  // namespace

void add_view(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("view", "Open a session in the window");
  command->footer("Example:\n  ridgepoint view run.ridge\n");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "A session file");
  command->callback([file, &chosen] { chosen = [file] { return run_view(*file); }; });
}

}  // namespace ridgepoint::cli
