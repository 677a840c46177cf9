#include "reports/charts/memory_diagram.h"

#include <gmock/gmock.h>

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
