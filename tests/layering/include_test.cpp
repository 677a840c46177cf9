// Data flows one way: kernels -> collector -> session file -> analyzer -> reports | gui. The
// includes must say so too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path source_root = RIDGEPOINT_SOURCE_DIR;

struct Include {
  std::string file;  // relative to the source root
  std::string target;
};

bool is_source(const fs::path& path) {
  static const std::vector<std::string> endings = {".h", ".cpp", ".cu", ".cuh"};
  return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

std::vector<Include> includes_below(const std::string& folder) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(source_root / folder)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) {
      continue;
    }
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);) {
      if (std::regex_search(line, match, pattern)) {
        found.push_back({fs::relative(entry.path(), source_root).string(), match[1]});
      }
    }
  }
  return found;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& p) { return text.rfind(p, 0) == 0; });
}

const std::vector<std::string> own_folders = {"kernels/", "collector/", "analyzer/",
                                              "reports/", "gui/",       "cli/"};
const std::vector<std::string> cuda_headers = {"cuda",  "cupti", "nvtx",          "nvml",
                                               "mma.h", "nvPTX", "generated_cuda"};

bool is_qt(const std::string& target) {
  return target[0] == 'Q' && target.size() > 1 && std::isupper(target[1]);
}

struct Layer {
  std::string folder;
  std::vector<std::string> may_use;  // of the project's own folders
  bool cuda;
  bool qt;
};

void PrintTo(const Layer& layer, std::ostream* out) {
  *out << layer.folder;
}

class LayerOf : public testing::TestWithParam<Layer> {};

TEST_P(LayerOf, IncludesOnlyWhatItMay) {
  const Layer& layer = GetParam();
  const std::vector<Include> includes = includes_below(layer.folder);
  ASSERT_FALSE(includes.empty()) << "no sources found: is the path right?";
  for (const Include& include : includes) {
    if (starts_with_any(include.target, own_folders)) {
      EXPECT_TRUE(starts_with_any(include.target, layer.may_use))
          << include.file << " includes " << include.target;
    }
    EXPECT_TRUE(layer.cuda || !starts_with_any(include.target, cuda_headers))
        << include.file << " includes " << include.target;
    EXPECT_TRUE(layer.qt || !is_qt(include.target))
        << include.file << " includes " << include.target;
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryFolder, LayerOf,
    testing::Values(Layer{"kernels", {"kernels/"}, true, false},
                    Layer{"collector", {"collector/", "kernels/", "analyzer/"}, true, false},
                    Layer{"analyzer", {"analyzer/"}, false, false},
                    Layer{"reports", {"reports/", "analyzer/"}, false, false},
                    Layer{"cli", {"cli/", "collector/", "reports/", "analyzer/"}, false, false},
                    Layer{"gui", {"gui/", "reports/", "analyzer/"}, false, true}),
    [](const auto& tested) { return tested.param.folder; });

TEST(Layers, KernelsKnowNothingOfTheProfiler) {
  for (const Include& include : includes_below("kernels")) {
    EXPECT_FALSE(starts_with_any(include.target, {"cupti", "nvtx", "nvml"})) << include.file;
  }
}

TEST(Layers, CollectorsPublicHeadersShowNoCudaType) {
  // What cli/ may include: the headers directly below collector/attention that measure something.
  for (const Include& include : includes_below("collector")) {
    if (include.file == "collector/attention/measure.h") {
      EXPECT_FALSE(starts_with_any(include.target, cuda_headers)) << include.target;
    }
  }
}

}  // namespace
