#include "cli/command.h"

namespace ridgepoint::cli {
namespace {

std::string& stored() {
  static std::string line;
  return line;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=.,:/@%") == std::string::npos;
  if (plain) {
    return word;
  }
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

}  // namespace

const std::string& typed_command_line() {
  return stored();
}

void set_typed_command_line(int argc, char* const* argv) {
  std::string line = "ridgepoint";
  for (int i = 1; i < argc; ++i) {
    line += " " + quoted(argv[i]);
  }
  stored() = line;
}

}  // namespace ridgepoint::cli
