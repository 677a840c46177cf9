#include "collector/ceilings/store.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/sample_session.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

// A session of `ridgepoint ceilings`; invented numbers.
Session measured_session() {
  Session session;
  session.producer.mode = "ceilings";
  session.devices.push_back(testing::sample_device());
  session.devices[0].measured_ceilings = {{"hbm.read", 4.2e12, 1e9, 1.9e9, std::nullopt}};
  return session;
}

struct CeilingStore : ::testing::Test {
  test::TempDir folder;
  const std::string uuid =
      device_uuid_text({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255});
};

TEST_F(CeilingStore, NamesADeviceAsNvidiaSmiDoes) {
  EXPECT_EQ(uuid, "GPU-01020304-0506-0708-090a-0b0c0d0e0fff");
}

TEST_F(CeilingStore, GivesBackWhatWasMeasuredOnThisDeviceAndNothingBefore) {
  const fs::path below = folder / "new";
  const Session session = measured_session();
  EXPECT_TRUE(stored_ceilings(below, uuid, session.devices[0]).value().empty());
  ASSERT_TRUE(store_ceilings(session, below, uuid));
  ASSERT_TRUE(store_ceilings(session, below, uuid)) << "the later measurement replaces the earlier";
  const auto stored = stored_ceilings(below, uuid, session.devices[0]).value();
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0].name, "hbm.read");
  EXPECT_EQ(stored[0].value, 4.2e12);
  EXPECT_FALSE(stored[0].power_w);
  EXPECT_EQ(fs::status(below).permissions(), fs::perms::owner_all);
}

TEST_F(CeilingStore, AnotherDeviceUnderTheSameNameIsNotBelieved) {
  const Session session = measured_session();
  ASSERT_TRUE(store_ceilings(session, folder.path(), uuid));
  DeviceInfo other = session.devices[0];
  other.sm_count = 7;
  EXPECT_TRUE(stored_ceilings(folder.path(), uuid, other).value().empty());
}

TEST_F(CeilingStore, APipeInItsPlaceIsNeitherReadNorWrittenNorWaitedFor) {
  const Session session = measured_session();
  ASSERT_EQ(mkfifo((folder / (uuid + ".ridge")).c_str(), 0600), 0);
  EXPECT_TRUE(stored_ceilings(folder.path(), uuid, session.devices[0]).value().empty());
  const Status stored = store_ceilings(session, folder.path(), uuid);
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().why, ::testing::HasSubstr("no regular file"));
}

TEST_F(CeilingStore, ADamagedFileIsAnErrorAndNotAMeasurement) {
  std::ofstream(folder / (uuid + ".ridge")) << "no session";
  const auto stored = stored_ceilings(folder.path(), uuid, testing::sample_device());
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().domain, ErrorDomain::input);
}

TEST_F(CeilingStore, FollowsTheXdgCacheFolderWhenThatIsAbsolute) {
  setenv("HOME", "/home/somebody", 1);
  setenv("XDG_CACHE_HOME", "/var/cache/somebody", 1);
  EXPECT_EQ(ceilings_folder(), "/var/cache/somebody/ridgepoint/ceilings");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(ceilings_folder(), "/home/somebody/.cache/ridgepoint/ceilings");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_TRUE(ceilings_folder().empty());
  const Status stored = store_ceilings(measured_session(), ceilings_folder(), uuid);
  ASSERT_FALSE(stored);
  EXPECT_NE(stored.error().hint.find("-o FILE"), std::string::npos);
}

}  // namespace
}  // namespace ridgepoint::collector
