#include "analyzer/session/journal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "analyzer/core/file.h"
#include "tests/analyzer/session/full_session.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

// The session in two parts, as a run writes them: who and what first, then the measurements.
Session first_part() {
  Session part = test::full_session();
  part.launches.resize(1);
  part.launches[0].range = no_index;
  part.counters = {};
  part.counters.column("dram__bytes_read.sum", 1) = {1.5e9};
  part.stall_reasons = {};
  part.pc_samples = {};
  part.ranges = {};
  part.attention = std::nullopt;
  return part;
}
Session second_part() {
  Session part;
  Launch launch = test::full_session().launches[1];
  launch.range = no_index;
  part.launches = {launch};
  part.counters.column("lts__t_bytes.sum", 1) = {3e9};
  part.attention = test::full_session().attention;
  return part;
}

TEST(Journal, SealsItsPartsIntoOneSession) {
  const test::TempDir folder;
  Journal journal = Journal::create(folder / "a.ridge").value();
  ASSERT_TRUE(journal.append(first_part()));
  ASSERT_TRUE(journal.append(second_part()));
  ASSERT_TRUE(journal.seal());
  EXPECT_FALSE(fs::exists(journal.path()));
  const Session session = read_session(folder / "a.ridge").value();
  ASSERT_EQ(session.launches.size(), 2U);
  const std::vector<double>& read = *session.counters.find("dram__bytes_read.sum");
  const std::vector<double>& l2 = *session.counters.find("lts__t_bytes.sum");
  EXPECT_EQ(read[0], 1.5e9);
  EXPECT_TRUE(std::isnan(read[1]));
  EXPECT_TRUE(std::isnan(l2[0]));
  EXPECT_EQ(l2[1], 3e9);
  EXPECT_EQ(session.attention->variants[0].name, "fused");
  EXPECT_EQ(session.issues.size(), 1U) << "a sealed session does not claim to be torn";
}

TEST(Journal, OfAKilledRunOpensAndSaysSo) {
  const test::TempDir folder;
  {
    Journal journal = Journal::create(folder / "a.ridge").value();
    ASSERT_TRUE(journal.append(first_part()));
  }
  EXPECT_FALSE(fs::exists(folder / "a.ridge"));
  const Session session = read_session(folder / "a.ridge.journal").value();
  EXPECT_EQ(session.launches.size(), 1U);
  ASSERT_FALSE(session.issues.empty());
  EXPECT_EQ(session.issues.back().code, "journal.unsealed");
  EXPECT_NE(session.issues.back().text.find("the 1 part that"), std::string::npos);
}

TEST(Journal, CutAtAnyByteKeepsItsWholeParts) {
  const test::TempDir folder;
  {
    Journal journal = Journal::create(folder / "a.ridge").value();
    ASSERT_TRUE(journal.append(first_part()));
    ASSERT_TRUE(journal.append(second_part()));
  }
  const std::string whole = read_file(folder / "a.ridge.journal", 1 << 20).value();
  const std::size_t first_line = whole.find('\n') + 1;
  for (std::size_t length = first_line; length < whole.size(); length += 11) {
    const Result<Session> session = parse_session(whole.substr(0, length), "cut");
    ASSERT_TRUE(session) << format_error(session.error());
    ASSERT_EQ(session->launches.size(), 1U);
    ASSERT_EQ(session->issues.back().code, "journal.unsealed");
  }
}

TEST(Journal, SaysWhichLineIsDamagedAndHowManyFollow) {
  const test::TempDir folder;
  Journal journal = Journal::create(folder / "a.ridge").value();
  ASSERT_TRUE(journal.append(first_part()));
  ASSERT_TRUE(journal.append(second_part()));
  ASSERT_TRUE(journal.append(second_part()));
  std::string bytes = read_file(journal.path(), 1 << 20).value();
  bytes[bytes.find('\n') + 1] = 'x';  // the second of three parts
  const Session session = parse_session(bytes, "a").value();
  EXPECT_EQ(session.launches.size(), 1U);
  EXPECT_EQ(session.issues.back().code, "journal.damaged");
  EXPECT_NE(session.issues.back().text.find("Line 2 is damaged"), std::string::npos);
  EXPECT_NE(session.issues.back().text.find("it and 1 later line are left out"), std::string::npos);
}

TEST(Journal, NeverReplacesASessionOrAnotherRunsJournal) {
  const test::TempDir folder;
  ASSERT_TRUE(write_session(test::full_session(), folder / "a.ridge"));
  EXPECT_FALSE(Journal::create(folder / "a.ridge"));
  { Journal left_behind = Journal::create(folder / "b.ridge").value(); }
  const Result<Journal> second = Journal::create(folder / "b.ridge");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().why.find("b.ridge.journal"), std::string::npos);
  EXPECT_TRUE(Journal::create(folder / "b.ridge", {.force = true}));
}

TEST(Journal, IsReadableByItsOwnerOnly) {
  const test::TempDir folder;
  const Journal journal = Journal::create(folder / "a.ridge").value();
  EXPECT_EQ(fs::status(journal.path()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace ridgepoint
