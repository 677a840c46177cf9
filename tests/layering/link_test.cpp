// Every tool must start on a machine without driver, CUPTI or Qt: those are loaded at run time or
// live elsewhere.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace {

std::string needed_libraries(const std::string& program) {
  const std::string command = "readelf -d '" + program + "' 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string needed;
  std::array<char, 512> line{};
  while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    const std::string text = line.data();
    if (text.find("(NEEDED)") != std::string::npos) {
      needed += text;
    }
  }
  return needed;
}

TEST(Links, CommandLineNeedsNoDriverNoCuptiNoQt) {
  const std::string needed = needed_libraries(std::string(RIDGEPOINT_BIN_DIR) + "/ridgepoint");
  ASSERT_NE(needed.find("libc.so"), std::string::npos) << "readelf told nothing";
  for (const char* library :
       {"libcuda.so", "libcudart", "libcupti", "libnvidia-ml", "libQt6", "libnvperf"}) {
    EXPECT_EQ(needed.find(library), std::string::npos) << library << " in\n" << needed;
  }
}

TEST(Links, WindowNeedsNoCuda) {
  const std::string program = std::string(RIDGEPOINT_BIN_DIR) + "/ridgepoint-gui";
  if (!std::filesystem::exists(program)) {
    GTEST_SKIP() << "this build has no window";
  }
  const std::string needed = needed_libraries(program);
  ASSERT_NE(needed.find("libQt6Charts"), std::string::npos) << "readelf told nothing";
  for (const char* library : {"libcuda.so", "libcudart", "libcupti", "libnvidia-ml", "libnvperf"}) {
    EXPECT_EQ(needed.find(library), std::string::npos) << library << " in\n" << needed;
  }
}

}  // namespace
