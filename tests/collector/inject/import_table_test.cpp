#include "collector/inject/import_table.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csetjmp>
#include <thread>

namespace ridgepoint::collector {
namespace {

int ended_with = 0;
std::jmp_buf instead;

// Code that calls _exit does not expect it to return.
void note_end(int code) {
  ended_with = code;
  std::longjmp(instead, 1);
}

// The library's call of _exit does not end this program.
TEST(ImportTable, LeadsTheCallsOfALibraryThatIsLoadedLater) {
  ImportTable table({{"_exit", reinterpret_cast<void*>(note_end)}});
  table.replace();
  void* const library = dlopen(RIDGEPOINT_EXITING_LIBRARY, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  table.replace();
  using End = void (*)(int);
  const auto end = reinterpret_cast<End>(dlsym(library, "end_the_program"));
  if (setjmp(instead) == 0) {
    end(5);
  }
  EXPECT_EQ(ended_with, 5);
}

// The loader fills a table, which it then closes, while others may look at it.
TEST(ImportTable, LeavesLibrariesAloneWhileTheyAreBeingLoaded) {
  ImportTable table({{"_exit", reinterpret_cast<void*>(note_end)}});
  std::atomic<bool> stop{false};
  std::thread replaces([&] {
    while (!stop) {
      table.replace();
    }
  });
  int loaded = 0;
  for (int i = 0; i < 500; ++i) {
    if (void* const library = dlopen(RIDGEPOINT_EXITING_LIBRARY, RTLD_NOW)) {
      ++loaded;
      dlclose(library);
    }
  }
  stop = true;
  replaces.join();
  EXPECT_EQ(loaded, 500);
}

TEST(ImportTable, KnowsTheRealFunction) {
  EXPECT_EQ(real_function("_exit"), dlsym(RTLD_DEFAULT, "_exit"));
  EXPECT_EQ(real_function("ridgepoint_has_no_such_function"), nullptr);
}

}  // namespace
}  // namespace ridgepoint::collector
