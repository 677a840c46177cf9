// The recordings of tests/data/nsight-compute and questions to an imported session.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "analyzer/import/import.h"

namespace ridgepoint::test {

inline std::string sample_path(const std::string& name) {
  return std::string(RIDGEPOINT_SOURCE_DIR) + "/tests/data/nsight-compute/" + name;
}

inline std::string sample(const std::string& name) {
  std::ifstream file(sample_path(name), std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline Session imported(const std::string& text, const std::string& name = "file.csv") {
  Result<Session> session = import_session(text, name);
  EXPECT_TRUE(session.has_value()) << (session ? "" : format_error(session.error()));
  return session ? *session : Session();
}

// NaN when it was not measured, or when the session has no such counter.
inline double value(const Session& session, const std::string& counter, std::size_t launch) {
  const std::vector<double>* column = session.counters.find(counter);
  return column == nullptr ? not_measured : column->at(launch);
}

inline std::string issue(const Session& session, const std::string& code) {
  for (const Issue& one : session.issues) {
    if (one.code == code) {
      return one.text;
    }
  }
  return {};
}

}  // namespace ridgepoint::test
