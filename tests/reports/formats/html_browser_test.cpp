// Opens the page in a real Chromium without a network, uses it as a reader would, and looks at what
// became of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "reports/report.h"
#include "tests/support/browser.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class HtmlInABrowser : public ::testing::Test {
 protected:
  // What a phone would show of it.
  test_support::Browser& open_narrow(const Analysis& analysis) {
    open(analysis);
    browser_->open(folder_ / "page.html", 400, 900);
    return *browser_;
  }

  void SetUp() override {
    const char* chromium = std::getenv("RIDGEPOINT_CHROMIUM");
    if (chromium == nullptr || *chromium == '\0' || !fs::exists(chromium)) {
      GTEST_SKIP() << "no Chromium that runs was found when the build was configured";
    }
    browser_ = std::make_unique<test_support::Browser>(chromium, folder_.path());
  }

  test_support::Browser& open(const Analysis& analysis) {
    const fs::path page = folder_ / "page.html";
    std::ofstream(page) << render_report(analysis, "html").value();
    browser_->open(page);
    EXPECT_EQ(browser_->ask("document.documentElement.dataset.script"), "ready");
    return *browser_;
  }

  test::TempDir folder_;
  std::unique_ptr<test_support::Browser> browser_;
};

// Where the first mark of a kernel stands on the screen, in x.
std::string place(const char* selector) {
  return std::string("document.querySelector('") + selector + "').getBoundingClientRect().x";
}

Analysis many_kernels(std::size_t number) {
  Analysis analysis = test_support::sample_analysis();
  analysis.variants.clear();
  const std::vector<KernelAnalysis> models = analysis.kernels;
  analysis.kernels.clear();
  for (std::size_t i = 0; i < number; ++i) {
    KernelAnalysis kernel = models[i % models.size()];
    kernel.variant.clear();
    kernel.time_s = 1e-3 / static_cast<double>(1 + i);
    kernel.short_name = "kernel_" + std::to_string(i);
    kernel.name = "void library::" + kernel.short_name + "<float, 128, 64, true>(float const*)";
    analysis.kernels.push_back(std::move(kernel));
  }
  for (std::size_t i = 0; i < number; ++i) {
    Diagnosis diagnosis = analysis.diagnoses.front();
    diagnosis.kernel = i;
    analysis.diagnoses.push_back(std::move(diagnosis));
  }
  return analysis;
}

TEST_F(HtmlInABrowser, ShowsARecordingWithoutAWordOnTheConsole) {
  const auto session = test_support::recording();
  auto& page = open(test_support::analysed(session));
  EXPECT_EQ(page.ask("document.querySelectorAll('#roofline-chart svg.roofline').length"), 1);
  EXPECT_THAT(page.ask("document.body.textContent").get<std::string>(), HasSubstr("Hot spots"));
  EXPECT_GT(page.ask("document.querySelectorAll('.spots-table tbody tr').length"), 5);
  EXPECT_EQ(page.ask("document.querySelectorAll('svg.diagram .row-name').length"), 3);
  EXPECT_THAT(page.complaints(), IsEmpty());
}

TEST_F(HtmlInABrowser, TellsAboutAMarkUnderThePointerAndInTheFocus) {
  auto& page = open(test_support::sample_analysis());
  page.hover(".point.fused.level-hbm");
  EXPECT_THAT(page.ask("document.getElementById('tip').hidden ? '' : "
                       "document.getElementById('tip').textContent")
                  .get<std::string>(),
              HasSubstr("fused_attention at HBM"));
  page.press("Escape");
  EXPECT_EQ(page.ask("document.getElementById('tip').hidden"), true);
  page.ask("document.querySelector('.point.naive').focus()");
  EXPECT_EQ(page.ask("document.getElementById('tip').hidden"), false);
}

TEST_F(HtmlInABrowser, SelectsAKernelInTheChartAndInTheTable) {
  auto& page = open(test_support::sample_analysis());
  page.click(".point.fused.level-hbm");
  EXPECT_EQ(page.ask("document.querySelectorAll('.point.selected').length"), 3);
  EXPECT_EQ(page.ask("document.querySelector('#kernel-table tr.selected th').textContent"),
            "fused_attention");
  EXPECT_THAT(page.ask("document.getElementById('selection').textContent").get<std::string>(),
              HasSubstr("Selected: fused_attention"));
  page.press("Escape");
  EXPECT_EQ(page.ask("document.querySelectorAll('.selected').length"), 0);
  page.click("#kernel-0 td");
  EXPECT_EQ(page.ask("[...document.querySelectorAll('.point.selected')].every("
                     "(one) => one.dataset.kernel === '0')"),
            true);
  page.ask("document.querySelector('.point[data-kernel=\"1\"]').focus()");
  page.press("Enter");
  EXPECT_EQ(page.ask("document.querySelector('.point.selected').dataset.kernel"), "1");
  EXPECT_THAT(page.complaints(), IsEmpty());
}

TEST_F(HtmlInABrowser, HidesLevelsAndPrecisions) {
  auto& page = open(test_support::sample_analysis());
  const std::string seen =
      "[...document.querySelectorAll('.point')].filter((one) => "
      "getComputedStyle(one).display !== 'none').length";
  const int all = page.ask(seen);
  page.click("input[data-hides=l2]");
  EXPECT_EQ(page.ask(seen), all - 4);
  page.click("input[data-hides=l2]");
  page.click("input[data-of=fp32]");
  EXPECT_EQ(page.ask(seen), all - 3);  // the softmax, at three levels
  EXPECT_EQ(page.ask("getComputedStyle(document.querySelector("
                     "'.roof-group[data-precision=fp32]')).display"),
            "none");
  page.click("input[data-of=fp32]");
  EXPECT_EQ(page.ask(seen), all);
}

TEST_F(HtmlInABrowser, ZoomsByButtonWheelAndKeyAndComesBack) {
  auto& page = open(test_support::sample_analysis());
  const std::string zoom = "Number(document.getElementById('roofline-chart').dataset.zoom)";
  const std::string mark = place(".point.fused.level-hbm");
  const double before = page.ask(mark);
  page.click("[data-zoom=in]");
  EXPECT_DOUBLE_EQ(page.ask(zoom), 1.5);
  EXPECT_NE(page.ask(mark).get<double>(), before);
  EXPECT_GT(page.ask("document.querySelectorAll('.ticks.zoomed text').length"), 4);
  page.click("[data-zoom=reset]");
  EXPECT_NEAR(page.ask(mark).get<double>(), before, 0.01);

  // The wheel belongs to the page until the chart has the focus.
  page.wheel("#roofline-chart svg", -240);
  EXPECT_DOUBLE_EQ(page.ask(zoom), 1);
  page.ask("document.getElementById('roofline-chart').focus()");
  page.wheel("#roofline-chart svg", -240);
  EXPECT_GT(page.ask(zoom).get<double>(), 1.3);

  const double zoomed = page.ask(mark);
  page.press("ArrowRight");
  EXPECT_LT(page.ask(mark).get<double>(), zoomed);
  page.drag("#roofline-chart svg", 60, 0);
  EXPECT_GT(page.ask(mark).get<double>(), zoomed - 50);
  page.press("0");
  EXPECT_DOUBLE_EQ(page.ask(zoom), 1);
  EXPECT_NEAR(page.ask(mark).get<double>(), before, 0.01);
  page.press("+");
  EXPECT_DOUBLE_EQ(page.ask(zoom), 1.5);
  EXPECT_THAT(page.complaints(), IsEmpty());
}

TEST_F(HtmlInABrowser, FollowsTheSystemsThemeAndTheButton) {
  auto& page = open(test_support::sample_analysis());
  const std::string background = "getComputedStyle(document.body).backgroundColor";
  page.prefer_dark(true);
  EXPECT_EQ(page.ask(background), "rgb(15, 19, 24)");
  page.click("#theme");
  EXPECT_EQ(page.ask(background), "rgb(246, 247, 249)");
  page.prefer_dark(false);
  page.click("#theme");
  EXPECT_EQ(page.ask(background), "rgb(15, 19, 24)");
}

TEST_F(HtmlInABrowser, StaysReadableOnAPhone) {
  const auto session = test_support::recording(test_support::decode_recording);
  auto& page = open_narrow(test_support::analysed(session));
  // What a scroll bar leaves of the 400 pixels: nothing is wider, and bars take half of it.
  const double width = page.ask("document.documentElement.clientWidth").get<double>();
  ASSERT_GT(width, 380);
  EXPECT_EQ(page.ask("document.documentElement.scrollWidth").get<double>(), width);
  EXPECT_GT(page.ask("Math.min(...[...document.querySelectorAll('.stack')].map((one) => "
                     "one.getBoundingClientRect().width))")
                .get<double>(),
            width / 2)
      << "bars of stalls and of what moves";
  EXPECT_LT(page.ask("Math.max(...[...document.querySelectorAll('.spots-table th code')].map("
                     "(one) => one.getClientRects().length))"),
            2)
      << "offsets are one word";
  EXPECT_LT(page.ask("Math.max(...[...document.querySelectorAll('td.why')].map((one) => "
                     "one.getBoundingClientRect().height))")
                .get<double>(),
            200)
      << "reasons have room beside each other, not below";
}

// The chart is wider than a phone: a swipe scrolls to the rest of it, and moves what is zoomed.
TEST_F(HtmlInABrowser, AFingerScrollsTheWholeChartAndMovesAZoomedOne) {
  auto& page = open_narrow(test_support::sample_analysis());
  const std::string chart = "document.getElementById('roofline-chart')";
  EXPECT_GT(page.ask(chart + ".scrollWidth - " + chart + ".clientWidth").get<double>(), 100);
  EXPECT_EQ(page.ask("getComputedStyle(" + chart + ").touchAction"), "pan-x pan-y");
  page.click("[data-zoom=in]");
  EXPECT_EQ(page.ask("getComputedStyle(" + chart + ").touchAction"), "none");
  page.click("[data-zoom=reset]");
  EXPECT_EQ(page.ask("getComputedStyle(" + chart + ").touchAction"), "pan-x pan-y");
}

TEST_F(HtmlInABrowser, SortsTheKernelTable) {
  auto& page = open(test_support::sample_analysis());
  const std::string first = "document.querySelector('#kernel-table tbody th').textContent";
  page.click("#kernel-table thead th:first-child button");
  EXPECT_EQ(page.ask(first), "fused_attention");
  page.click("#kernel-table thead th:first-child button");
  EXPECT_EQ(page.ask(first), "naive_softmax");
}

TEST_F(HtmlInABrowser, StaysUsableWithTenThousandKernels) {
  const Analysis analysis = many_kernels(10000);
  EXPECT_LT(render_report(analysis, "html")->size(), 5'000'000U);
  auto& page = open(analysis);
  const std::string rows = "document.querySelectorAll('#kernel-table tbody tr').length";
  EXPECT_EQ(page.ask(rows), 200);
  EXPECT_THAT(page.ask("document.body.textContent").get<std::string>(),
              HasSubstr("9,800 further kernels"));
  page.click("#more-kernels-status button");
  EXPECT_EQ(page.ask(rows), 400);
  page.click("#more-kernels-status input");
  page.type("kernel_9876");
  EXPECT_EQ(page.ask(rows), 1);
  EXPECT_EQ(page.ask("document.querySelector('#kernel-table tbody th').textContent"),
            "kernel_9876");
  page.ask(
      "document.querySelector('#more-kernels-status input').value = ''; document.querySelector"
      "('#more-kernels-status input').dispatchEvent(new Event('input'))");
  // All are sorted, not only those shown: by time, ascending at the second click.
  page.ask(
      "[...document.querySelectorAll('#kernel-table thead button')].find((one) => "
      "one.textContent === 'Time').click()");
  page.ask(
      "[...document.querySelectorAll('#kernel-table thead button')].find((one) => "
      "one.textContent === 'Time').click()");
  EXPECT_EQ(page.ask("[...document.querySelectorAll('#kernel-table tbody tr:first-child td')].some("
                     "(one) => one.textContent === '100 ns')"),
            true);
  EXPECT_THAT(page.complaints(), IsEmpty());
}

TEST_F(HtmlInABrowser, LetsNoHostileTextRun) {
  Analysis analysis = many_kernels(300);
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.name = kernel.short_name = kernel.flop.precision =
        "\"><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
        "<!--<script>";
  }
  auto& page = open(analysis);
  page.click("#more-kernels-status button");
  EXPECT_EQ(page.ask("document.querySelectorAll('#kernel-table tbody tr').length"), 300);
  EXPECT_EQ(page.ask("document.querySelectorAll('img').length"), 0);
  EXPECT_THAT(page.ask("document.title").get<std::string>(), HasSubstr("Ridgepoint"));
  EXPECT_THAT(page.complaints(), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
