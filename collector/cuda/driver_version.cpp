#include "collector/cuda/driver_version.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace ridgepoint::collector {
namespace {

// "580.159.04": at least two groups of digits.
bool is_version(const std::string& word) {
  const auto dots = std::count(word.begin(), word.end(), '.');
  return dots >= 1 && std::isdigit(static_cast<unsigned char>(word.front())) != 0 &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

std::string parse_driver_version(const std::string& text) {
  // The first line names the driver; the second the compiler that built it.
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; words >> word;) {
    if (is_version(word)) {
      return word;
    }
  }
  return {};
}

std::string kernel_driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return parse_driver_version(line);
}

bool has_driver() {
  return !kernel_driver_version().empty() || access("/dev/dxg", F_OK) == 0;
}

}  // namespace ridgepoint::collector
