// Opens the page in a real Chromium without a network and looks at what became of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "reports/report.h"
#include "tests/support/golden.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class HtmlInABrowser : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* chromium = std::getenv("RIDGEPOINT_CHROMIUM");
    if (chromium == nullptr || *chromium == '\0' || !fs::exists(chromium)) {
      GTEST_SKIP() << "no Chromium was found when the build was configured";
    }
    chromium_ = chromium;
    std::string folder = (fs::temp_directory_path() / "ridgepoint-page.XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  // Loads the page and gives the document after its script has run. Console messages and refusals
  // of the content security policy land in log().
  std::string load(const Analysis& analysis) {
    std::ofstream(folder_ / "page.html") << render_report(analysis, "html").value();
    const std::string command =
        "timeout 90 '" + chromium_ +
        "' --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync "
        "--enable-logging=stderr --v=0 --user-data-dir='" +
        (folder_ / "profile").string() + "' --dump-dom 'file://" +
        (folder_ / "page.html").string() + "' > '" + (folder_ / "dom").string() + "' 2> '" +
        (folder_ / "log").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << log();
    return test_support::read_file((folder_ / "dom").string());
  }
  std::string log() const { return test_support::read_file((folder_ / "log").string()); }

 private:
  std::string chromium_;
  fs::path folder_;
};

TEST_F(HtmlInABrowser, RunsItsScriptAndShowsTheChart) {
  const std::string dom = load(test_support::sample_analysis());
  EXPECT_THAT(dom, HasSubstr("data-script=\"ready\""));
  EXPECT_THAT(dom, HasSubstr("class=\"roofline\""));
  EXPECT_THAT(dom, HasSubstr("aria-label=\"fused_attention at HBM"));
  EXPECT_THAT(dom, HasSubstr("<button type=\"button\">Headroom</button>"));
  EXPECT_THAT(log(), Not(HasSubstr("CONSOLE")));
}

TEST_F(HtmlInABrowser, LetsNoHostileTextRun) {
  Analysis analysis = test_support::sample_analysis();
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.name = kernel.short_name =
        "\"><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  }
  const std::string dom = load(analysis);
  EXPECT_THAT(dom, HasSubstr("data-script=\"ready\""));
  EXPECT_THAT(dom, Not(HasSubstr("<title>owned")));
  EXPECT_THAT(dom, Not(HasSubstr("<img")));
  EXPECT_THAT(log(), Not(HasSubstr("CONSOLE")));
}

}  // namespace
}  // namespace ridgepoint
