#include "reports/charts/memory_diagram.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "reports/presenters/format.h"
#include "tests/support/recordings.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MemoryDiagram, ShowsTheBytesOnEachLinkOfEachVariant) {
  const Analysis analysis = test_support::analysed(test_support::recording());
  const std::string svg = memory_diagram_svg(analysis);
  for (const VariantAnalysis& variant : analysis.variants) {
    EXPECT_THAT(svg, HasSubstr(">" + variant.name + "</text>"));
    for (const MemoryLevel level : memory_levels) {
      const auto& total = variant.traffic[level].measured.total;
      EXPECT_THAT(svg, HasSubstr(">" + format_quantity(total, Unit::byte) + "</text>"));
    }
    const Traffic& hbm = variant.traffic[MemoryLevel::hbm].measured;
    EXPECT_THAT(svg, HasSubstr("read " + format_quantity(hbm.read, Unit::byte) + ", written " +
                               format_quantity(hbm.write, Unit::byte)));
  }
}

// Half of what the backward pass moves through L2 is neither read nor written: dQ is added up
// there.
TEST(MemoryDiagram, ShowsReductionsBesideReadsAndWritesOfL2) {
  const Analysis analysis =
      test_support::analysed(test_support::recording(test_support::backward_recording));
  const std::string svg = memory_diagram_svg(analysis);
  const auto position = std::find_if(analysis.variants.begin(), analysis.variants.end(),
                                     [](const auto& variant) { return variant.name == "fused"; });
  const Traffic& l2 = position->traffic[MemoryLevel::l2].measured;
  const std::string added = format_quantity(*l2.total - *l2.read - *l2.write, Unit::byte);
  EXPECT_THAT(svg, HasSubstr(">reductions, atomics " + added + " (pale)</text>"));
  EXPECT_THAT(svg, HasSubstr("of L2 " + added + " reductions and atomics")) << "for screen readers";
  const Analysis forward = test_support::analysed(test_support::recording());
  EXPECT_THAT(memory_diagram_svg(forward), Not(HasSubstr("reductions")));
}

TEST(MemoryDiagram, AddsUpTheKernelsOfAProgramUnlessOneWasNotMeasured) {
  Analysis analysis = test_support::sample_analysis();
  analysis.variants.clear();
  double sum = 0;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    sum += *kernel.traffic[MemoryLevel::hbm].total;
  }
  EXPECT_THAT(memory_diagram_svg(analysis),
              HasSubstr(">" + format_quantity(sum, Unit::byte) + "<"));
  analysis.kernels[1].traffic[MemoryLevel::hbm] = {};
  EXPECT_THAT(memory_diagram_svg(analysis), HasSubstr(">not measured</text>"));
}

TEST(MemoryDiagram, IsNotDrawnWhereNoBytesAreKnown) {
  EXPECT_EQ(memory_diagram_svg(test_support::sparse_analysis()), "");
  EXPECT_EQ(memory_diagram_svg(Analysis()), "");
}

TEST(MemoryDiagram, EscapesNames) {
  Analysis analysis = test_support::sample_analysis();
  analysis.variants[0].name = "<b>\"x";
  EXPECT_THAT(memory_diagram_svg(analysis), Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace ridgepoint
