// Rows from one thread to another without a lock: the thread that writes them is one that must not
// wait, and pays no more than a store.
//
// Life cycle: one thread fills next() and calls push(), as often as it likes -> another calls
// drain() now and then.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ridgepoint::collector {

template <class Row, std::size_t chunk_rows = 1024>
class RowQueue {
 public:
  RowQueue() : head_(new Chunk), tail_(head_) {}
  ~RowQueue() {
    while (head_ != nullptr) {
      Chunk* next = head_->next;
      delete head_;
      head_ = next;
    }
  }
  RowQueue(const RowQueue&) = delete;
  RowQueue& operator=(const RowQueue&) = delete;

  // The row that push() will hand over; nobody sees it before.
  Row& next() {
    if (written_ == chunk_rows) {
      auto* chunk = new Chunk;
      tail_->next.store(chunk, std::memory_order_release);
      tail_ = chunk;
      written_ = 0;
    }
    return tail_->rows[written_];
  }
  void push() {
    tail_->filled.store(++written_, std::memory_order_release);
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
      delete head_;
      head_ = next;
      read_ = 0;
    }
  }

 private:
  struct Chunk {
    std::array<Row, chunk_rows> rows;
    std::atomic<std::size_t> filled{0};
    std::atomic<Chunk*> next{nullptr};
  };
  // The reader's.
  Chunk* head_;
  std::size_t read_ = 0;
  // The writer's, on a line of its own.
  alignas(64) Chunk* tail_;
  std::size_t written_ = 0;
  std::atomic<std::uint64_t> pushed_{0};
};

}  // namespace ridgepoint::collector
