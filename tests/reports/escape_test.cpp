#include "reports/escape.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(EscapeXml, ClosesElementsAndAttributes) {
  EXPECT_EQ(escape_xml("<script>alert('x')</script>"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape_xml("\" onload=\"a&b"), "&quot; onload=&quot;a&amp;b");
}

TEST(EscapeXml, ReplacesControlCharactersAndInvalidUtf8) {
  EXPECT_EQ(escape_xml("a\x01\xff\nb"), "a???b");
  EXPECT_EQ(escape_xml("naïve µs"), "naïve µs");
}

TEST(EscapeMarkdown, LeavesNoCellLinkEmphasisOrHtml) {
  EXPECT_EQ(escape_markdown("a|b"), "a\\|b");
  EXPECT_EQ(escape_markdown("_x_ **y** ~z~"), "\\_x\\_ \\*\\*y\\*\\* \\~z\\~");
  EXPECT_EQ(escape_markdown("<img src=x>"), "&lt;img src=x&gt;");
  EXPECT_EQ(escape_markdown("[x](http://e.example)"), "\\[x\\](http&#58;//e.example)");
  EXPECT_EQ(escape_markdown("www.e.example a@b"), "www&#46;e.example a&#64;b");
  EXPECT_EQ(escape_markdown("a\n# b"), "a?# b");
  EXPECT_EQ(escape_markdown("# b"), "\\# b");
}

TEST(EscapeMarkdown, KeepsOrdinaryTextReadable) {
  EXPECT_EQ(escape_markdown("naive_softmax: 79.3 % (threshold 80.0 %), N + 1"),
            "naive_softmax: 79.3 % (threshold 80.0 %), N + 1");
}

TEST(EscapeCsv, QuotesSeparatorsAndQuotes) {
  EXPECT_EQ(escape_csv("gemm<float, 4>"), "\"gemm<float, 4>\"");
  EXPECT_EQ(escape_csv("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(escape_csv("plain"), "plain");
}

TEST(EscapeCsv, StartsNoFormula) {
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)"}) {
    EXPECT_EQ(escape_csv(formula), std::string("'") + formula);
  }
  EXPECT_EQ(escape_csv("\t=1"), "?=1");
}

}  // namespace
}  // namespace ridgepoint
