#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace ridgepoint::test_support {
namespace {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  EXPECT_TRUE(file.good()) << "writing " << path;
}

std::string difference(const std::string& golden, const std::string& actual) {
  // Both names are the project's own, so the quotes suffice.
  const std::string command = "diff -u '" + golden + "' '" + actual + "' 2>&1 | head -n 60";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) {
    text += buffer.data();
  }
  return text;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << "reading " << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string golden = RIDGEPOINT_SOURCE_DIR "/tests/golden/" + name;
  const char* update = std::getenv("UPDATE_GOLDENS");
  if (update != nullptr && std::string(update) == "1") {
    write_file(golden, actual);
    return;
  }
  if (std::filesystem::exists(golden) && read_file(golden) == actual) {
    return;
  }
  write_file(golden + ".actual", actual);
  ADD_FAILURE() << name << " differs from its golden:\n"
                << difference(golden, golden + ".actual")
                << "UPDATE_GOLDENS=1 accepts the new output.";
}

}  // namespace ridgepoint::test_support
