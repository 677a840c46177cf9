// What tests of the whole way share: launcher, injection library, journal and session, around a
// program whose GPU is a fake (injection_host.cpp says what its acts are).
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::test {

class FakeGpuRun : public ::testing::Test {
 protected:
  FakeGpuRun() {
    forget_settings();
    setenv("RIDGEPOINT_CUPTI", RIDGEPOINT_FAKE_CUPTI, 1);
    setenv("FAKE_CUDA_L2", "invalidated", 1);  // fake_resource_manager.cpp
  }
  ~FakeGpuRun() override { forget_settings(); }

  ProgramResult ridgepoint(std::vector<std::string> words) {
    words.insert(words.begin(), "ridgepoint");
    return run_program(words, folder.path().string());
  }
  // ridgepoint profile OPTIONS -o a.ridge -- injection_host ACTS
  ProgramResult profile_acts(const std::vector<std::string>& options, const std::string& acts) {
    std::vector<std::string> words = {"profile"};
    words.insert(words.end(), options.begin(), options.end());
    if (std::find(options.begin(), options.end(), "-o") == options.end()) {
      words.insert(words.end(), {"-o", "a.ridge"});
    }
    words.insert(words.end(), {"--", RIDGEPOINT_INJECTION_HOST});
    for (std::size_t at = 0; at < acts.size();) {
      const std::size_t end = std::min(acts.find(' ', at), acts.size());
      words.push_back(acts.substr(at, end - at));
      at = end + 1;
    }
    return ridgepoint(words);
  }
  Session session(const std::string& name = "a.ridge") {
    const Result<Session> read = read_session(folder / name);
    EXPECT_TRUE(read) << format_error(read.error());
    return read.value_or(Session());
  }
  static std::multiset<std::string> codes(const Session& session) {
    std::multiset<std::string> found;
    for (const Issue& issue : session.issues) {
      found.insert(issue.code);
    }
    return found;
  }
  TempDir folder;

 private:
  // Those of the fakes, whichever test made them.
  static void forget_settings() {
    std::vector<std::string> found;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
      const std::string text = *variable;
      if (text.rfind("FAKE_CU", 0) == 0) {
        found.push_back(text.substr(0, text.find('=')));
      }
    }
    for (const std::string& name : found) {
      unsetenv(name.c_str());
    }
  }
};

}  // namespace ridgepoint::test
