#include "collector/replay/memory_map.h"

#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

CUctx_st* context(std::uintptr_t number) {
  return reinterpret_cast<CUctx_st*>(number);
}

TEST(MemoryMap, FindsTheAllocationThatHoldsAnAddress) {
  MemoryMap map;
  map.add({1000, 100, context(1), false});
  map.add({2000, 1, context(1), false});
  EXPECT_EQ(map.find(999), nullptr);
  ASSERT_NE(map.find(1000), nullptr);
  ASSERT_NE(map.find(1099), nullptr);
  EXPECT_EQ(map.find(1099)->address, 1000U);
  EXPECT_EQ(map.find(1100), nullptr);
  EXPECT_EQ(map.find(2001), nullptr);
}

TEST(MemoryMap, ForgetsWhatIsFreedAndSaysWhatItWas) {
  MemoryMap map;
  map.add({1000, 100, context(1), false});
  EXPECT_TRUE(map.take(1001, 1).empty()) << "no allocation begins there";
  EXPECT_EQ(map.take(1000, 1).size(), 1U);
  EXPECT_EQ(map.find(1000), nullptr);
}

TEST(MemoryMap, OneUnmapMayEndSeveralMappings) {
  MemoryMap map;
  for (std::uint64_t address = 0x1000; address < 0x5000; address += 0x1000) {
    map.add({address, 0x1000, context(1), true});
  }
  EXPECT_EQ(map.take(0x2000, 0x2000).size(), 2U);
  EXPECT_EQ(map.of(context(1)).size(), 2U);
  EXPECT_NE(map.find(0x4000), nullptr);
}

TEST(MemoryMap, WhatCouldNotBeFreedIsThereAsBefore) {
  MemoryMap map;
  map.add({1000, 100, context(1)});
  const std::uint64_t then = map.added();
  map.put_back(map.take(1000, 1));
  ASSERT_NE(map.find(1000), nullptr);
  EXPECT_FALSE(map.came_after(then, 1000, 1));
}

TEST(MemoryMap, KnowsWhoseMemoryItIs) {
  MemoryMap map;
  map.add({0x1000, 0x1000, context(1), true});
  map.add({0x2000, 0x1000, nullptr, true});
  EXPECT_EQ(map.owners(0x1800, 0x1000), (std::vector<CUctx_st*>{context(1), nullptr}));
  EXPECT_TRUE(map.owners(0x4000, 1).empty());
}

TEST(MemoryMap, KeepsContextsApart) {
  MemoryMap map;
  map.add({1000, 100, context(1), false});
  map.add({2000, 100, context(2), false});
  ASSERT_EQ(map.of(context(2)).size(), 1U);
  map.remove_context(context(1));
  EXPECT_TRUE(map.of(context(1)).empty());
  EXPECT_EQ(map.of(context(2)).size(), 1U);
}

TEST(MemoryMap, KnowsWhatWasAllocatedSinceAMoment) {
  MemoryMap map;
  map.add({1000, 100, context(1)});
  map.add({3000, 100, context(1)});
  const std::uint64_t then = map.added();
  map.add({2000, 100, context(1)});
  EXPECT_FALSE(map.came_after(then, 1000, 1));
  EXPECT_TRUE(map.came_after(then, 2000, 100));
  EXPECT_FALSE(map.came_after(then, 2000, 1001)) << "with some that was there";
  EXPECT_FALSE(map.came_after(then, 5000, 1)) << "nobody knows what is there";
  map.take(1000, 1);
  map.add({1000, 100, context(1)});
  EXPECT_TRUE(map.came_after(then, 1000, 1)) << "the same address anew";
}

TEST(MemoryMap, AccessBeginsWithTheFirstGrantToMappedMemory) {
  MemoryMap map;
  map.add({0x1000, 0x1000, context(1), true});
  map.add({0x2000, 0x1000, context(1), true});
  map.add({0x3000, 0x1000, context(1), false});
  EXPECT_TRUE(map.begins_access(0x1000, 0x2000));
  EXPECT_TRUE(map.begins_access(0x1800, 0x100)) << "a part of it";
  EXPECT_FALSE(map.begins_access(0x2000, 0x2000)) << "allocated memory is accessible at once";
  EXPECT_FALSE(map.begins_access(0x4000, 0x1000)) << "nobody knows what is there";
  map.grant(0x1800, 0x100);
  EXPECT_FALSE(map.begins_access(0x1000, 0x1000));
  EXPECT_FALSE(map.begins_access(0x1000, 0x2000));
  EXPECT_TRUE(map.begins_access(0x2000, 0x1000));
  map.take(0x1000, 1);
  map.add({0x1000, 0x1000, context(1), true});
  EXPECT_TRUE(map.begins_access(0x1000, 0x1000)) << "another mapping";
}

TEST(MemoryMap, AFailedAllocationIsNone) {
  MemoryMap map;
  map.add({0, 100, context(1), false});
  map.add({1000, 0, context(1), false});
  EXPECT_TRUE(map.of(context(1)).empty());
}

}  // namespace
}  // namespace ridgepoint::collector
