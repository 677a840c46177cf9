// `ridgepoint profile` the whole way, with a program whose GPU is a fake. The tests of it are in
// injection_*_test.cpp, by subject.
#pragma once

#include <gmock/gmock.h>

#include "tests/collector/inject/fake_gpu_run.h"

namespace ridgepoint {

class Injection : public test::FakeGpuRun {
 protected:
  test::ProgramResult profile(std::vector<std::string> options, const std::string& acts) {
    options.insert(options.begin(), "-q");
    return profile_acts(options, acts);
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::vector<double> column(const Session& session) {
    return session.counters.columns.empty() ? std::vector<double>() : session.counters.columns[0];
  }
};

}  // namespace ridgepoint
