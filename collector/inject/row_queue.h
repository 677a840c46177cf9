// Rows from one thread to another without a lock: the thread that writes them is one that must not
// wait, and pays no more than a store.
//
// Life cycle: one thread fills next() and calls push(), as often as it likes -> another calls
// drain() now and then. What has been drained is written again: memory that is new costs a page
// fault for every hundred rows.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ridgepoint::collector {

template <class Row, std::size_t chunk_rows = 1024>
class RowQueue {
 public:
  RowQueue() : head_(new Chunk), tail_(head_) {}
  ~RowQueue() {
    for (Chunk* all : {head_, drained_.load(), spare_}) {
      while (all != nullptr) {
        delete std::exchange(all, all->next.load());
      }
    }
  }
  RowQueue(const RowQueue&) = delete;
  RowQueue& operator=(const RowQueue&) = delete;

  // The row that push() will hand over, with what another may have left in it; nobody sees it
  // before.
  Row& next() {
    if (written_ == chunk_rows) {
      Chunk* chunk = empty_chunk();
      tail_->next.store(chunk, std::memory_order_release);
      tail_ = chunk;
      written_ = 0;
    }
    return tail_->rows[written_];
  }
  void push() {
    tail_->filled.store(++written_, std::memory_order_release);
    // Another processor has read the next rows when they were others. By the next time they are
    // back; to wait for them then would hold up whatever locks the program takes after it.
    __builtin_prefetch(&tail_->rows[std::min(written_ + ahead, chunk_rows - 1)], 1);
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Of all times; from any thread.
  std::uint64_t pushed() const { return pushed_; }

  template <class Take>
  void drain(Take&& take) {
    while (true) {
      const std::size_t filled = head_->filled.load(std::memory_order_acquire);
      for (; read_ < filled; ++read_) {
        take(head_->rows[read_]);
      }
      Chunk* next = read_ == chunk_rows ? head_->next.load(std::memory_order_acquire) : nullptr;
      if (next == nullptr) {
        return;
      }
      put_away(std::exchange(head_, next));
      read_ = 0;
    }
  }

 private:
  struct Chunk {
    std::array<Row, chunk_rows> rows;
    std::atomic<std::size_t> filled{0};
    std::atomic<Chunk*> next{nullptr};
  };
  // By the reader: the writer takes all that are there at once, so that there is nothing to race
  // for but the first place.
  void put_away(Chunk* chunk) {
    if (chunks_ > most_chunks) {
      --chunks_;
      delete chunk;
      return;
    }
    Chunk* first = drained_.load(std::memory_order_relaxed);
    do {
      chunk->next.store(first, std::memory_order_relaxed);
    } while (!drained_.compare_exchange_weak(first, chunk, std::memory_order_release,
                                             std::memory_order_relaxed));
  }
  Chunk* empty_chunk() {
    if (spare_ == nullptr) {
      spare_ = drained_.exchange(nullptr, std::memory_order_acquire);
    }
    if (spare_ == nullptr) {
      auto* chunk = new Chunk;
      ++chunks_;
      return chunk;
    }
    Chunk* chunk = std::exchange(spare_, spare_->next.load(std::memory_order_relaxed));
    chunk->filled.store(0, std::memory_order_relaxed);
    chunk->next.store(nullptr, std::memory_order_relaxed);
    return chunk;
  }

  static constexpr std::size_t ahead = 3;
  static constexpr std::size_t most_chunks = 64;  // are kept, of all that there are
  std::atomic<std::size_t> chunks_{1};
  std::atomic<Chunk*> drained_{nullptr};
  // The reader's.
  Chunk* head_;
  std::size_t read_ = 0;
  // The writer's, on a line of its own.
  alignas(64) Chunk* tail_;
  Chunk* spare_ = nullptr;
  std::size_t written_ = 0;
  std::atomic<std::uint64_t> pushed_{0};
};

}  // namespace ridgepoint::collector
