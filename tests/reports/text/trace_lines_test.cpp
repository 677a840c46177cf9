#include "reports/text/trace_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/trace_svg.h"
#include "reports/text/sparkline.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TraceChart chart() {
  TraceChart chart;
  chart.title = "One run of <fused>";
  chart.note = "Read every 10 us.";
  chart.time_s = {0.5, 1.5, 2.5, 3.5};
  chart.duration_s = 4;
  chart.marks = {{"a <phase>", 0, 2}};
  TracePanel panel;
  panel.title = "HBM read";
  panel.tooltip = "what \"it\" counts";
  panel.unit = Unit::share;
  panel.values = {0, 0.5, 1, std::nan("")};
  panel.mean = 0.5;
  panel.lowest = 0;
  panel.highest = 1;
  chart.panels = {panel};
  return chart;
}

TEST(Sparkline, RisesFromTheBottomToTheTopAndIsBlankWhereNothingIsKnown) {
  EXPECT_EQ(sparkline({0, 1, 0.5, std::nan(""), 7}, 0, 1), "▁█▅ █");
  EXPECT_EQ(sparkline({1, 2}, 3, 3), "  ") << "an axis without extent";
}

TEST(TraceLines, ShowAPanelInALineWithItsFigures) {
  const std::string text = trace_lines(chart(), 100);
  EXPECT_THAT(text, HasSubstr("HBM read  ▁▅█"));
  EXPECT_THAT(text, HasSubstr("50.0 % mean, 0 % to 100 %"));
  EXPECT_THAT(text, HasSubstr("From left to right: 4.00 s."));
}

TEST(TraceLines, KeepToTheWidth) {
  for (const std::size_t width : {40U, 60U, 80U, 200U}) {
    std::string text = trace_lines(chart(), width);
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = text.find('\n', start);
      EXPECT_LE(display_width(text.substr(start, end - start)), width);
      start = end + 1;
    }
  }
}

TEST(TraceSvg, DrawsTheLineAndEscapesEveryName) {
  const std::string svg = trace_svg(chart());
  EXPECT_THAT(svg, HasSubstr("One run of &lt;fused&gt;"));
  EXPECT_THAT(svg, HasSubstr("a &lt;phase&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<fused>")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  // Three samples that are known: a start and two lines.
  const std::size_t path = svg.find("class=\"line\" d=\"M");
  ASSERT_NE(path, std::string::npos);
  const std::string data = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(std::count(data.begin(), data.end(), 'L'), 2);
}

}  // namespace
}  // namespace ridgepoint
