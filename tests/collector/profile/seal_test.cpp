#include "collector/profile/seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "analyzer/session/session_file.h"
#include "collector/inject/journal_file.h"
#include "collector/profile/output_name.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Session part_with_launch(std::int64_t start_ns) {
  Session part;
  part.producer.mode = "profile";
  part.producer.command_line = "ridgepoint profile -- app";
  part.devices.emplace_back();
  part.kernels.push_back({"k", "k", {}, {}, {}, ""});
  Launch launch;
  launch.start_ns = start_ns;
  launch.end_ns = start_ns + 5;
  part.launches.push_back(launch);
  return part;
}

class Seal : public ::testing::Test {
 protected:
  // A journal of a process that has ended: its lock is gone with it.
  void leave_journal(const fs::path& session, std::int64_t process,
                     const std::vector<Session>& parts) {
    const pid_t child = fork();
    if (child == 0) {
      auto journal = JournalFile::create(journal_path(session, "run", {process}));
      bool good = journal.has_value();
      for (const Session& part : parts) {
        good = good && journal->append(part);
      }
      _exit(good ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
  }
  Session complete() {
    Session part;
    part.issues.push_back({complete_code, "complete"});
    return part;
  }
  // As the launcher does when the program has ended.
  Result<SealOutcome> seal() {
    return read_journals(folder / "a.ridge", "run").map([](LeftSessions&& left) {
      return write_sessions(std::move(left), false);
    });
  }
  test::TempDir folder;
};

TEST_F(Seal, WhatTheLauncherSawIsInTheSessionBeforeItIsWritten) {
  const fs::path session = folder / "run.ridge";
  leave_journal(session, 41, {part_with_launch(100), complete()});
  auto left = read_journals(session, "run");
  ASSERT_TRUE(left) << format_error(left.error());
  ASSERT_EQ(left->sessions.size(), 1U);
  left->sessions[0].session.power.push_back({7, 0, 350, 12.5, 1.9e9, 3.2e9, 40, 0});
  write_sessions(std::move(*left), false);
  const auto read = read_session(session);
  ASSERT_TRUE(read) << format_error(read.error());
  ASSERT_EQ(read->power.size(), 1U);
  EXPECT_DOUBLE_EQ(read->power[0].power_w, 350);
}

TEST_F(Seal, AJournalBecomesTheSessionAndIsGone) {
  leave_journal(folder / "a.ridge", 7, {part_with_launch(1), complete()});
  const auto outcome = seal();
  ASSERT_TRUE(outcome) << format_error(outcome.error());
  ASSERT_EQ(outcome->sessions.size(), 1U);
  const auto session = read_session(folder / "a.ridge");
  ASSERT_TRUE(session) << format_error(session.error());
  EXPECT_TRUE(session->issues.empty()) << session->issues[0].text;
  EXPECT_FALSE(fs::exists(journal_path(folder / "a.ridge", "run", {7})));
}

TEST_F(Seal, AProcessThatWasKilledLeavesASessionThatSaysSo) {
  leave_journal(folder / "a.ridge", 7, {part_with_launch(1)});
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  ASSERT_EQ(outcome->sessions.at(0).session.issues.size(), 1U);
  EXPECT_EQ(outcome->sessions[0].session.issues[0].code, "profile.cut_short");
  EXPECT_EQ(outcome->sessions[0].session.launches.size(), 1U);
}

TEST_F(Seal, ATornLastLineIsLeftOut) {
  leave_journal(folder / "a.ridge", 7, {part_with_launch(1)});
  std::ofstream(journal_path(folder / "a.ridge", "run", {7}), std::ios::app)
      << R"({"schema":"ridgepoint-journal","version")";
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->sessions.at(0).session.launches.size(), 1U);
}

TEST_F(Seal, ProcessesWithOneNameGetTheirIdInIt) {
  leave_journal(folder / "a.ridge", 7, {part_with_launch(1), complete()});
  leave_journal(folder / "a.ridge", 9, {part_with_launch(1), complete()});
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  ASSERT_EQ(outcome->sessions.size(), 2U);
  EXPECT_TRUE(fs::exists(folder / "a.ridge"));
  EXPECT_TRUE(fs::exists(folder / "a-9.ridge"));
}

TEST_F(Seal, AProcessThatStillRunsKeepsItsJournal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const fs::path journal = journal_path(folder / "a.ridge", "run", {7});
  const pid_t child = fork();
  if (child == 0) {
    auto file = JournalFile::create(journal);
    static_cast<void>(file->append(part_with_launch(1)));
    static_cast<void>(!write(ends[1], "x", 1));
    pause();
    _exit(0);
  }
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  const auto outcome = seal();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->sessions.empty());
  EXPECT_THAT(outcome->notes.at(0), HasSubstr("still runs"));
  EXPECT_TRUE(fs::exists(journal));
}

TEST_F(Seal, AnExistingSessionIsKeptAndSoAreTheNewRecords) {
  leave_journal(folder / "a.ridge", 7, {part_with_launch(1), complete()});
  std::ofstream(folder / "a.ridge") << "old";
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->sessions.empty());
  EXPECT_EQ(fs::file_size(folder / "a.ridge"), 3U);
  EXPECT_TRUE(fs::exists(journal_path(folder / "a.ridge", "run", {7})));
}

TEST_F(Seal, LaunchesAreInTheOrderTheyRan) {
  Session second = part_with_launch(1);
  second.devices.clear();
  second.kernels.clear();
  second.counters.column("a.sum", 1)[0] = 11;
  Session first = part_with_launch(5);
  first.counters.column("a.sum", 1)[0] = 55;
  leave_journal(folder / "a.ridge", 7, {first, second, complete()});
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  const Session& session = outcome->sessions.at(0).session;
  EXPECT_EQ(session.launches[0].start_ns, 1);
  EXPECT_EQ(session.counters.columns[0], (std::vector<double>{11, 55}));
}

TEST_F(Seal, ARangeStillOpenEndsWithTheLastThingSeen) {
  Session part = part_with_launch(100);
  NvtxRange range;
  range.name = "step";
  range.start_ns = 50;
  part.ranges.push_back(range);
  part.ranges.push_back(range);
  Session later;
  later.range_ends.push_back({1, 70});
  leave_journal(folder / "a.ridge", 7, {part, later});
  const auto outcome = seal();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->sessions.at(0).session.ranges[0].end_ns, 105);
  EXPECT_EQ(outcome->sessions.at(0).session.ranges[1].end_ns, 70);
}

}  // namespace
}  // namespace ridgepoint::collector
