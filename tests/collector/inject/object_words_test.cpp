#include "collector/inject/object_words.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>

namespace ridgepoint::collector {
namespace {

class ObjectWords : public ::testing::Test {
 protected:
  void SetUp() override {
    library = dlopen(RIDGEPOINT_LAUNCHING_LIBRARY, RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    words = static_cast<const void**>(dlsym(library, "page_of_words"));
    words[5] = words[100] = &from;
    words[6] = &other;
  }
  void TearDown() override { dlclose(library); }
  std::optional<std::size_t> change(const int& now, const int& then,
                                    const std::vector<std::uintptr_t>& but_not = {}) {
    return change_object_words(
        {{reinterpret_cast<std::uintptr_t>(&now), reinterpret_cast<std::uintptr_t>(&then)}},
        but_not);
  }
  const int from = 1;
  const int to = 2;
  const int other = 3;
  void* library = nullptr;
  const void** words = nullptr;
};

TEST_F(ObjectWords, AreChangedInALibraryAndChangedBack) {
  EXPECT_EQ(change(from, to), 2U);
  EXPECT_EQ(words[5], &to);
  EXPECT_EQ(words[100], &to);
  EXPECT_EQ(words[6], &other);
  EXPECT_EQ(change(to, from), 2U);
  EXPECT_EQ(words[5], &from);
}

TEST_F(ObjectWords, OfALibraryThatIsLeftAloneStay) {
  EXPECT_EQ(change(from, to, {reinterpret_cast<std::uintptr_t>(words)}), 0U);
  EXPECT_EQ(words[5], &from);
}

TEST_F(ObjectWords, ThatTheProgramHasClosedStayAndDoNoHarm) {
  constexpr std::size_t bytes = 65536;
  ASSERT_EQ(mprotect(words, bytes, PROT_READ), 0);
  EXPECT_EQ(change(from, to), 0U);
  ASSERT_EQ(mprotect(words, bytes, PROT_NONE), 0);
  EXPECT_EQ(change(from, to), 0U);
  ASSERT_EQ(mprotect(words, bytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(words[5], &from);
}

TEST_F(ObjectWords, MayBeLookedForWhileLibrariesComeAndGo) {
  std::atomic<bool> stop{false};
  std::thread loads([&] {
    while (!stop) {
      if (void* again = dlopen(RIDGEPOINT_EXITING_LIBRARY, RTLD_NOW)) {
        dlclose(again);
      }
    }
  });
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(change(from, to), 2U);
    EXPECT_EQ(change(to, from), 2U);
  }
  stop = true;
  loads.join();
}

}  // namespace
}  // namespace ridgepoint::collector
