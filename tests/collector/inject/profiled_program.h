// Programs whose GPU is a fake (injection_host.cpp), profiled as a user would.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::test {

class ProfiledProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"FAKE_CUPTI_PASSES", "FAKE_CUPTI_SUBSCRIBE", "FAKE_CUPTI_ENABLE",
                                 "FAKE_CUPTI_LOSE_RECORD", "FAKE_CUPTI_PER_PASS", "FAKE_CUPTI_DROP",
                                 "FAKE_CUDA_BUSY", "FAKE_CUDA_MEMORY_MB"}) {
      unsetenv(variable);
    }
    setenv("RIDGEPOINT_CUPTI", RIDGEPOINT_FAKE_CUPTI, 1);
  }
  // ridgepoint profile OPTIONS -- PROGRAM...
  ProgramResult profile_words(std::vector<std::string> options,
                              const std::vector<std::string>& program) {
    std::vector<std::string> words = {"ridgepoint", "profile", "-q"};
    if (std::find(options.begin(), options.end(), "-o") == options.end()) {
      options.insert(options.end(), {"-o", "a.ridge"});
    }
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), program.begin(), program.end());
    return run_program(words, folder.path().string());
  }
  // ridgepoint profile OPTIONS -- injection_host ACTS
  ProgramResult profile(std::vector<std::string> options, const std::string& acts) {
    std::vector<std::string> program = {RIDGEPOINT_INJECTION_HOST};
    for (std::size_t at = 0; at < acts.size();) {
      const std::size_t end = std::min(acts.find(' ', at), acts.size());
      program.push_back(acts.substr(at, end - at));
      at = end + 1;
    }
    return profile_words(std::move(options), program);
  }
  Session session(const std::string& name = "a.ridge") {
    const Result<Session> read = read_session(folder / name);
    EXPECT_TRUE(read) << format_error(read.error());
    return read.value_or(Session());
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::set<std::string> codes(const Session& session) {
    std::set<std::string> found;
    for (const Issue& issue : session.issues) {
      found.insert(issue.code);
    }
    return found;
  }
  // Of an issue of the session; empty when it has none.
  std::string text_of(const std::string& code, const std::string& name = "a.ridge") {
    for (const Issue& issue : session(name).issues) {
      if (issue.code == code) {
        return issue.text;
      }
    }
    return "";
  }
  static std::vector<double> column(const Session& session) {
    return session.counters.columns.empty() ? std::vector<double>() : session.counters.columns[0];
  }
  TempDir folder;
};

}  // namespace ridgepoint::test
