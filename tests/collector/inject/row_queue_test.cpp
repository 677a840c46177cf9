#include "collector/inject/row_queue.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace ridgepoint::collector {
namespace {

struct Row {
  int number = 0;
};
using Queue = RowQueue<Row, 8>;

void push(Queue& queue, int number) {
  queue.next().number = number;
  queue.push();
}

std::vector<int> drain(Queue& queue) {
  std::vector<int> numbers;
  queue.drain([&](const Row& row) { numbers.push_back(row.number); });
  return numbers;
}

TEST(RowQueue, HandsOverWhatWasPushedOnceAndInOrder) {
  Queue queue;
  for (int number = 0; number < 20; ++number) {
    push(queue, number);
  }
  queue.next().number = 99;  // not pushed
  const std::vector<int> first = drain(queue);
  ASSERT_EQ(first.size(), 20U);
  EXPECT_EQ(first.front(), 0);
  EXPECT_EQ(first.back(), 19);
  push(queue, 20);
  EXPECT_EQ(drain(queue), std::vector<int>{20});
  EXPECT_EQ(queue.pushed(), 21U);
}

TEST(RowQueue, WritesWhatWasDrainedAgain) {
  Queue queue;
  std::set<const Row*> places;
  for (int number = 0; number < 1000; ++number) {
    places.insert(&queue.next());
    push(queue, number);
    if (number % 16 == 15) {
      ASSERT_EQ(drain(queue).back(), number);
    }
  }
  EXPECT_LE(places.size(), 6U * 8U) << "chunks of eight";
}

TEST(RowQueue, LosesNothingBetweenTwoThreads) {
  constexpr int rows = 200'000;
  Queue queue;
  std::thread writer([&] {
    for (int number = 0; number < rows; ++number) {
      push(queue, number);
    }
  });
  int expected = 0;
  while (expected < rows) {
    queue.drain([&](const Row& row) {
      ASSERT_EQ(row.number, expected);
      ++expected;
    });
  }
  writer.join();
  EXPECT_EQ(queue.pushed(), static_cast<std::uint64_t>(rows));
}

}  // namespace
}  // namespace ridgepoint::collector
