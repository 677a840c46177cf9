#include "analyzer/import/read_any.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/file.h"
#include "analyzer/session/session_file.h"
#include "tests/analyzer/import/samples.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

TEST(ReadAny, OpensAnExport) {
  const auto session = read_any(test::sample_path("three-kernels-cache-none.raw.csv"));
  ASSERT_TRUE(session);
  EXPECT_EQ(session->launches.size(), 3U);
}

TEST(ReadAny, OpensASessionWhateverItIsCalled) {
  const test::TempDir folder;
  const auto session = read_any(test::sample_path("three-kernels-cache-none.raw.csv"));
  for (const char* name : {"a.ridge", "a.json"}) {
    ASSERT_TRUE(write_session(*session, folder / name));
    const auto again = read_any(folder / name);
    ASSERT_TRUE(again) << format_error(again.error());
    EXPECT_EQ(again->kernels[2].name, session->kernels[2].name);
  }
}

TEST(ReadAny, SaysWhatIsWrongWithADamagedSession) {
  const test::TempDir folder;
  ASSERT_TRUE(
      write_file(folder / "a.ridge", "{\"schema\":\"other\",\"version\":\"1.0\"}", Overwrite::no));
  const auto session = read_any(folder / "a.ridge");
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().why, "it is a \"other\" file, not a Ridgepoint session");
}

TEST(ReadAny, SaysWhenThereIsNoFile) {
  const auto session = read_any("/nowhere/at/all.csv");
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().domain, ErrorDomain::input);
}

// `zstdcat run.csv.zst | ridgepoint report -`
TEST(ReadAny, TakesStandardInputForADash) {
  const Descriptor sample(
      open(test::sample_path("three-kernels-cache-none.raw.csv").c_str(), O_RDONLY));
  const Descriptor before(dup(STDIN_FILENO));
  ASSERT_GE(dup2(sample.get(), STDIN_FILENO), 0);
  const auto session = read_any("-");
  if (before) {
    dup2(before.get(), STDIN_FILENO);
  }
  ASSERT_TRUE(session) << session.error().why;
  EXPECT_EQ(session->kernels.size(),
            read_any(test::sample_path("three-kernels-cache-none.raw.csv"))->kernels.size());
}

}  // namespace
}  // namespace ridgepoint
