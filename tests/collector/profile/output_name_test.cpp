#include "collector/profile/output_name.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

const ProcessIdentity process = {4711, "node3", "7"};

TEST(OutputName, PlaceholdersGiveEachProcessItsFile) {
  EXPECT_EQ(expand_output("/tmp/run-%h-%r-%p.ridge", process), "/tmp/run-node3-7-4711.ridge");
  EXPECT_EQ(expand_output("/tmp/100%%.ridge", process), "/tmp/100%.ridge");
}

TEST(OutputName, UnknownPlaceholdersAndFoldersAreRefused) {
  EXPECT_TRUE(check_output_pattern("/tmp/a-%p.ridge"));
  EXPECT_FALSE(check_output_pattern("/tmp/a-%q.ridge"));
  EXPECT_FALSE(check_output_pattern("/tmp/a%"));
  EXPECT_FALSE(check_output_pattern("/tmp/%r/a.ridge"));
  EXPECT_FALSE(check_output_pattern("/tmp/"));
}

TEST(OutputName, JournalsAreFoundByTheirRunAlone) {
  const auto path = journal_path("/tmp/run.ridge", "00ff", {4711});
  const auto name = parse_journal_path(path, "00ff");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->session, "/tmp/run.ridge");
  EXPECT_EQ(name->process, (ProcessTurn{4711, 1}));
  const auto second = parse_journal_path(journal_path("/tmp/run.ridge", "00ff", {4711, 2}), "00ff");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->process, (ProcessTurn{4711, 2}));
  EXPECT_EQ(second->session, "/tmp/run.ridge");
  EXPECT_FALSE(parse_journal_path("/tmp/run.ridge.00ff-4711_.journal", "00ff"));
  EXPECT_FALSE(parse_journal_path(path, "00fe"));
  EXPECT_FALSE(parse_journal_path("/tmp/run.ridge.00ff-x.journal", "00ff"));
  EXPECT_FALSE(parse_journal_path("/tmp/run.ridge.journal", "00ff"));
}

TEST(OutputName, RunsHaveDifferentNames) {
  EXPECT_NE(new_run_id(), new_run_id());
}

}  // namespace
}  // namespace ridgepoint::collector
