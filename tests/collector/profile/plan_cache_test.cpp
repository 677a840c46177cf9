#include "collector/profile/plan_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analyzer/core/file_lock.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

PassPlan plan(const std::string& chip, std::size_t passes) {
  PassPlan plan;
  plan.chip = chip;
  plan.counters = {"gpu__time_duration.sum", "dram__bytes_read.sum"};
  plan.refused = {"a counter that this CUPTI lacks"};
  plan.too_wide = {"one that takes several passes"};
  plan.passes = passes;
  plan.one_pass_counters = 5;
  return plan;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class PlanCacheTest : public ::testing::Test {
 protected:
  test::TempDir folder;
  std::size_t entries() {
    std::ifstream in(file);
    return nlohmann::json::parse(in).at("runs").size();
  }
  fs::path file = folder / "cache" / "plans.json";
  PlanCache cache{file};
};

TEST_F(PlanCacheTest, APlanIsFoundWholeUnderItsKeyAlone) {
  cache.keep("key", {plan("GH100", 8), plan("GA100", 9)});
  const std::vector<PassPlan> found = cache.find("key");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].chip, "GA100");
  EXPECT_THAT(found[0].counters, ElementsAre("gpu__time_duration.sum", "dram__bytes_read.sum"));
  EXPECT_THAT(found[0].refused, ElementsAre("a counter that this CUPTI lacks"));
  EXPECT_THAT(found[0].too_wide, ElementsAre("one that takes several passes"));
  EXPECT_EQ(found[0].passes, 8U);
  EXPECT_EQ(found[0].one_pass_counters, 5U);
  EXPECT_THAT(cache.find("another key"), IsEmpty());
}

TEST_F(PlanCacheTest, ANewPlanTakesThePlaceOfTheOld) {
  cache.keep("key", {plan("GH100", 8)});
  cache.keep("other", {plan("GH100", 1)});
  cache.keep("key", {plan("GH100", 7)});
  EXPECT_EQ(cache.find("key").at(0).passes, 7U);
  EXPECT_EQ(cache.find("other").at(0).passes, 1U);
}

TEST_F(PlanCacheTest, TheOldestMakesRoom) {
  for (int i = 0; i < 20; ++i) {
    cache.keep("key " + std::to_string(i), {plan("GH100", 8)});
  }
  EXPECT_THAT(cache.find("key 3"), IsEmpty());
  EXPECT_EQ(cache.find("key 4").size(), 1U);
  EXPECT_EQ(cache.find("key 19").size(), 1U);
}

TEST_F(PlanCacheTest, WhatIsDamagedIsAsGoodAsNothingAndIsReplaced) {
  const std::string deep(100000, '[');
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{\"runs\": 3}"),
        std::string("{\"runs\": [1, {\"key\": \"key\"}, {\"key\": \"key\", \"plans\": [{}]}]}"),
        std::string("{\"runs\": [{\"key\": \"key\", \"plans\": [{\"chip\": 3}]}]}"), deep}) {
    write(file, text);
    EXPECT_THAT(cache.find("key"), IsEmpty()) << text.substr(0, 60);
    cache.keep("key", {plan("GH100", 8)});
    EXPECT_EQ(cache.find("key").size(), 1U) << text.substr(0, 60);
  }
}

TEST_F(PlanCacheTest, WithoutAPlaceOrAKeyNothingIsKept) {
  PlanCache(fs::path()).keep("key", {plan("GH100", 8)});
  EXPECT_THAT(PlanCache(fs::path()).find("key"), IsEmpty());
  cache.keep("", {plan("GH100", 8)});
  EXPECT_THAT(cache.find(""), IsEmpty());
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(PlanCacheTest, TheFileIsItsOwnersAlone) {
  cache.keep("key", {plan("GH100", 8)});
  struct stat status = {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(PlanCacheTest, AKeyOfAnyBytesIsFoundAgainAndReplaced) {
  const std::string odd = std::string("RIDGEPOINT_DATA=/tmp/\xff\xfe\x1b[31m\0é\\", 30);
  cache.keep(odd, {plan("GH100", 8)});
  cache.keep(odd, {plan("GH100", 7)});
  ASSERT_EQ(cache.find(odd).size(), 1U);
  EXPECT_EQ(cache.find(odd)[0].passes, 7U);
  EXPECT_THAT(cache.find("RIDGEPOINT_DATA=/tmp/\xff\xfd"), IsEmpty());
  EXPECT_EQ(entries(), 1U) << "no duplicates";
}

// Opened for writing by somebody, a pipe would be waited for.
TEST_F(PlanCacheTest, WhatIsNoRegularFileIsNeitherReadNorWritten) {
  fs::create_directories(file.parent_path());
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  const int writer = open(file.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(writer, 0);
  const auto is_left_alone = [&](const fs::path& at, const char* what) {
    const PlanCache odd{at};
    EXPECT_THAT(odd.find("key"), IsEmpty()) << what;
    odd.keep("key", {plan("GH100", 8)});
    odd.forget("key");
    EXPECT_THAT(odd.find("key"), IsEmpty()) << what;
  };
  is_left_alone(file, "a pipe");
  EXPECT_TRUE(fs::is_fifo(file));
  char byte = 0;
  EXPECT_LT(read(writer, &byte, 1), 0) << "nothing came through the pipe";
  close(writer);
  fs::create_symlink(file, folder / "link");
  is_left_alone(folder / "link", "a link to a pipe");
  is_left_alone(folder.path(), "a folder");
  is_left_alone("/dev/full", "a device");
  const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  is_left_alone(folder / "socket", "a socket");
  EXPECT_TRUE(fs::is_socket(folder / "socket"));
  close(listening);
}

// Of the file's text, nothing reaches a terminal that a terminal would obey.
TEST_F(PlanCacheTest, WhatCannotBeAPlanIsRefused) {
  const auto text = [&](const std::string& chip, const std::string& passes,
                        const std::string& counters, const std::string& refused) {
    return R"({"runs":[{"key":"key","plans":[{"chip":)" + chip + R"(,"counters":)" + counters +
           R"(,"refused":)" + refused + R"(,"too_wide":[],"passes":)" + passes +
           R"(,"one_pass_counters":0}]}]})";
  };
  const auto found = [&](const std::string& written) {
    write(file, written);
    return cache.find("key").size();
  };
  EXPECT_EQ(found(text(R"("GH100")", "8", R"(["a"])", "[]")), 1U);
  for (const char* chip :
       {R"("\u001b[2J")", R"("GH\n100")", R"("")", R"("\u009b31m")", "3", "null", R"(["GH100"])"}) {
    EXPECT_EQ(found(text(chip, "8", R"(["a"])", "[]")), 0U) << chip;
  }
  for (const char* passes :
       {"-1", "0", "1.5", "1e3", "18446744073709551615", "\"8\"", "null", "true"}) {
    EXPECT_EQ(found(text(R"("GH100")", passes, R"(["a"])", "[]")), 0U) << passes;
  }
  for (const char* names : {R"(["\u001b]0;title\u0007"])", R"(["a\nb"])", "[3]", "3", R"([""])"}) {
    EXPECT_EQ(found(text(R"("GH100")", "8", names, "[]")), 0U) << names;
    EXPECT_EQ(found(text(R"("GH100")", "8", R"(["a"])", names)), 0U) << names;
  }
  EXPECT_EQ(found(text(R"("GH100")", "8", "[]", "[]")), 0U) << "a plan of nothing";
}

TEST_F(PlanCacheTest, ProcessesAtOnceKeepAllTheirPlans) {
  constexpr int processes = 6;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    children.push_back(fork());
    if (children.back() == 0) {
      cache.keep("key " + std::to_string(i), {plan("GH100", 8)});
      _exit(0);
    }
  }
  for (const pid_t child : children) {
    waitpid(child, nullptr, 0);
  }
  for (int i = 0; i < processes; ++i) {
    EXPECT_EQ(cache.find("key " + std::to_string(i)).size(), 1U) << i;
  }
}

TEST_F(PlanCacheTest, AProcessThatHoldsTheFileForLongHoldsNobodyUp) {
  cache.keep("key", {plan("GH100", 8)});
  const FileLock held(file.string() + ".lock", std::chrono::milliseconds(0));
  ASSERT_TRUE(held);
  const auto start = std::chrono::steady_clock::now();
  cache.keep("other", {plan("GH100", 8)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(cache.find("key").size(), 1U) << "reading waits for nobody";
  EXPECT_THAT(cache.find("other"), IsEmpty());
}

// What is too large to be read again would be as good as nothing, and everybody's.
TEST_F(PlanCacheTest, TheOldestMakeRoomAlsoWhereTheFileGrowsTooLarge) {
  PassPlan large = plan("GH100", 8);
  large.counters.assign(1000, std::string(200, 'c'));
  for (int i = 0; i < 8; ++i) {
    cache.keep("key " + std::to_string(i), {large});
  }
  EXPECT_EQ(cache.find("key 7").size(), 1U);
  EXPECT_EQ(cache.find("key 5").size(), 1U);
  EXPECT_THAT(cache.find("key 0"), IsEmpty());
  large.counters.assign(9000, std::string(200, 'c'));
  cache.keep("too large for itself", {large});
  EXPECT_EQ(cache.find("key 7").size(), 1U);
  EXPECT_LE(fs::file_size(file), 1U << 20U);
}

TEST_F(PlanCacheTest, WhatIsForgottenIsMadeAnew) {
  cache.forget("key");
  EXPECT_FALSE(fs::exists(file));
  cache.keep("key", {plan("GH100", 8)});
  cache.keep("other", {plan("GH100", 8)});
  cache.forget("key");
  EXPECT_THAT(cache.find("key"), IsEmpty());
  EXPECT_EQ(cache.find("other").size(), 1U);
}

}  // namespace
}  // namespace ridgepoint::collector
