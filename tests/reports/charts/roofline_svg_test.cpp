#include "reports/charts/roofline_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "reports/charts/label_placement.h"
#include "reports/presenters/elide.h"
#include "reports/presenters/format.h"
#include "reports/report.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t number = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++number;
  }
  return number;
}

// The file that holds the roofline alone.
std::string document(const Analysis& analysis) {
  return render_report(analysis, "svg").value();
}

TEST(RooflineSvg, DrawsAMarkAKernelAndLevelWithATooltip) {
  const std::string svg = roofline_svg(test_support::sample_analysis());
  EXPECT_EQ(occurrences(svg, "<g class=\"point "), 12U);
  EXPECT_EQ(occurrences(svg, "tabindex=\"0\""), 12U);
  EXPECT_THAT(svg, HasSubstr("<title>naive_softmax at HBM&#10;"));
}

TEST(RooflineSvg, LabelsEveryTheoreticalRoof) {
  const std::string svg = roofline_svg(test_support::sample_analysis());
  for (const char* roof : {"HBM3e 4.80 TB/s", "L2 9.70 TB/s", "Shared memory 29.7 TB/s",
                           "Tensor FP16 989 TFLOP/s", "FP32 66.9 TFLOP/s"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(">") + roof + "</text>"));
  }
}

// Half of what the fused kernel gets from L2 took no look-up: at 4 of 5 TB/s, say, of look-ups its
// mark stands at 8.
TEST(RooflineSvg, SaysUnderTheChartWhyAMarkMayStandAboveTheL2Roof) {
  Analysis analysis = test_support::sample_analysis();
  EXPECT_THAT(document(analysis), Not(HasSubstr("above its roof")));
  Traffic& l2 = analysis.kernels[3].traffic[MemoryLevel::l2];
  l2.merged = *l2.total / 2;
  const std::string svg = document(analysis);
  EXPECT_THAT(svg, HasSubstr("L2 marks count every SM that a look-up served, L2 roofs the "
                             "look-ups: a mark can lie above its roof.</text>"));
  const std::string half =
      format_quantity(*analysis.kernels[3].bandwidth[MemoryLevel::l2] / 2, Unit::byte_per_s);
  EXPECT_THAT(svg, HasSubstr("&#10;looked up: " + half + ", which is what the roof is of"));
}

struct Drawn {
  std::vector<Box> texts;                       // of kernels, in their order, then of flat roofs
  std::vector<std::optional<Segment>> leaders;  // of the kernels
};

// From the picture itself; widths as a common sans-serif font has them.
Drawn drawn(const std::string& svg) {
  const auto box = [](double x, double y, double size, const std::string& text, double from) {
    const double width = static_cast<double>(display_width(text)) * size * 0.5;
    return Box{x - width * from, y - size * 0.8, width, size};
  };
  Drawn picture;
  const std::regex named(
      "<g class=\"named\"[^>]*>(?:<line class=\"leader\" x1=\"([^\"]*)\" y1=\"([^\"]*)\" "
      "x2=\"([^\"]*)\" y2=\"([^\"]*)\"/>\n)?<text [^>]* x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*>"
      "([^<]*)</text>");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), named); at != std::sregex_iterator();
       ++at) {
    const auto number = [&](std::size_t group) { return std::stod((*at)[group].str()); };
    picture.texts.push_back(box(number(5), number(6), 13, (*at)[7].str(), 0.5));
    picture.leaders.push_back((*at)[1].matched ? std::optional<Segment>(Segment{
                                                     number(1), number(2), number(3), number(4)})
                                               : std::nullopt);
  }
  const std::regex roof(
      "<text class=\"roof-label\"[^>]* x=\"([^\"]*)\" y=\"([^\"]*)\" text-anchor=\"end\">([^<]*)<");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), roof); at != std::sregex_iterator();
       ++at) {
    picture.texts.push_back(
        box(std::stod((*at)[1].str()), std::stod((*at)[2].str()), 13, (*at)[3].str(), 1));
  }
  return picture;
}

TEST(RooflineSvg, NoLineFromANameToItsMarkPassesThroughAnotherText) {
  for (const char* name : {test_support::wide_recording, test_support::batched_recording,
                           test_support::backward_recording, test_support::decode_recording,
                           test_support::causal_recording}) {
    const Drawn picture =
        drawn(roofline_svg(test_support::analysed(test_support::recording(name))));
    ASSERT_GE(picture.leaders.size(), 4U) << name;
    for (std::size_t i = 0; i < picture.leaders.size(); ++i) {
      for (std::size_t j = 0; picture.leaders[i] && j < picture.texts.size(); ++j) {
        EXPECT_TRUE(i == j || !crosses(*picture.leaders[i], picture.texts[j]))
            << name << ": the line of kernel " << i << " through text " << j;
      }
    }
  }
}

TEST(RooflineSvg, CutsNoTextAtItsEdgeAndStrikesNoRoofsNameThroughWithMarks) {
  const std::string svg =
      roofline_svg(test_support::analysed(test_support::recording("profile-training-step")));
  const Drawn picture = drawn(svg);
  ASSERT_GT(picture.texts.size(), picture.leaders.size() + 2);
  for (const Box& text : picture.texts) {
    EXPECT_GE(text.x, 84);
    EXPECT_LE(text.x + text.width, 1040 - 24);
  }
  const std::regex ridge("<text class=\"ridge-label\"([^>]*) x=\"([^\"]*)\"[^>]*>([^<]*)<");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), ridge); at != std::sregex_iterator();
       ++at) {
    const bool end = (*at)[1].str().find("\"end\"") != std::string::npos;
    const double width = static_cast<double>(display_width((*at)[3].str())) * 12 * 0.5;
    EXPECT_LE(std::stod((*at)[2].str()) + (end ? 0 : width), 1040 - 24) << (*at)[3];
  }
  const std::regex mark("class=\"point [^>]* data-x=\"([^\"]*)\" data-y=\"([^\"]*)\"");
  std::size_t marks = 0;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), mark); at != std::sregex_iterator();
       ++at, ++marks) {
    const double x = std::stod((*at)[1].str());
    const double y = std::stod((*at)[2].str());
    for (std::size_t i = picture.leaders.size(); i < picture.texts.size(); ++i) {
      const Box& name = picture.texts[i];
      EXPECT_FALSE(x > name.x && x < name.x + name.width && y > name.y && y < name.y + name.height)
          << "a mark on the name of a roof";
    }
  }
  EXPECT_GT(marks, 50U);
}

TEST(RooflineSvg, NamesTheLongestKernelsOnlyWhenThereAreMany) {
  Analysis analysis = test_support::sample_analysis();
  const KernelAnalysis kernel = analysis.kernels[1];
  for (int i = 0; i < 200; ++i) {
    analysis.kernels.push_back(kernel);
  }
  EXPECT_EQ(occurrences(roofline_svg(analysis), "class=\"point-label"), 14U);
}

TEST(RooflineSvg, ShortensLongNamesBetweenCharacters) {
  Analysis analysis = test_support::sample_analysis();
  analysis.kernels[0].short_name = std::string(28, 'k') + "ééééééééééé";
  EXPECT_THAT(roofline_svg(analysis), HasSubstr(std::string(15, 'k') + "…kkkééééééééééé</text>"));
}

TEST(RooflineSvg, BeginsASecondLineWhereTheLegendIsTooLong) {
  Analysis analysis = test_support::sample_analysis();
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.variant = "variant " + kernel.short_name;
  }
  const std::string svg = roofline_svg(analysis);
  const auto last = svg.find(">measured ceiling<");
  ASSERT_NE(last, std::string::npos);
  const auto at = svg.rfind("class=\"legend\" x=\"", last);
  EXPECT_LT(std::stod(svg.substr(at + 18)), 900) << "the picture is 1040 wide";
}

TEST(RooflineSvg, SaysWhereNothingWasMeasured) {
  Analysis analysis = test_support::sample_analysis();
  analysis.source = Source::predicted;
  EXPECT_THAT(roofline_svg(analysis), HasSubstr(">predicted: nothing was measured</text>"));
  analysis.source = Source::measured;
  EXPECT_THAT(roofline_svg(analysis), Not(HasSubstr("predicted")));
}

TEST(RooflineSvg, StandsAloneWithoutCustomProperties) {
  const std::string svg = document(test_support::sample_analysis());
  EXPECT_THAT(svg, HasSubstr("<style>"));
  EXPECT_THAT(svg, Not(HasSubstr("var(--")));
}

TEST(RooflineSvg, IsDrawnForAnEmptyAnalysis) {
  EXPECT_THAT(roofline_svg(Analysis()), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace ridgepoint
