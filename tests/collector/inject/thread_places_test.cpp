#include "collector/inject/thread_places.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace ridgepoint::collector {
namespace {

struct Own {
  int number = 0;
};
using Places = ThreadPlaces<Own>;

TEST(ThreadPlaces, AThreadFindsItsOwnAndNobodyElses) {
  Places places;
  EXPECT_EQ(places.find(), nullptr);
  ASSERT_TRUE(places.set({1}));
  ASSERT_TRUE(places.set({2}));
  ASSERT_NE(places.find(), nullptr);
  EXPECT_EQ(places.find()->number, 2);
  std::thread other([&] { EXPECT_EQ(places.find(), nullptr); });
  other.join();
  places.give_back();
  EXPECT_EQ(places.find(), nullptr);
}

TEST(ThreadPlaces, OfManyThreadsMostHaveAPlaceAndNoneThatOfAnother) {
  constexpr int threads = 200;
  const auto places = std::make_unique<Places>();
  std::atomic<int> arrived{0};
  std::atomic<int> with{0};
  std::vector<std::thread> all;
  for (int number = 1; number <= threads; ++number) {
    all.emplace_back([&, number] {
      const bool has = places->set({number});
      with += has ? 1 : 0;
      ++arrived;
      while (arrived < threads) {
        std::this_thread::yield();
      }
      const Own* own = places->find();
      EXPECT_EQ(own != nullptr, has);
      EXPECT_TRUE(own == nullptr || own->number == number);
      places->give_back();
    });
  }
  for (std::thread& thread : all) {
    thread.join();
  }
  EXPECT_GE(with, threads / 2);
  EXPECT_TRUE(places->set({1})) << "all have been given back";
}

}  // namespace
}  // namespace ridgepoint::collector
