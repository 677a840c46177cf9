// Golden files: what a report printed when somebody last looked at it and found it right.
#pragma once

#include <string>

namespace ridgepoint::test_support {

// Fails the running test unless `actual` equals tests/golden/NAME byte for byte; then writes
// tests/golden/NAME.actual and prints the difference. With UPDATE_GOLDENS=1 in the environment it
// writes the golden instead (not in CI).
void expect_golden(const std::string& name, const std::string& actual);

// The whole file, or a failure of the running test and an empty text.
std::string read_file(const std::string& path);

}  // namespace ridgepoint::test_support
