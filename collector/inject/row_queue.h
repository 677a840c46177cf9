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
  RowQueue() = default;
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
    if (next_ == end_) [[unlikely]] {
      begin_chunk();
    }
    return *next_;
  }
  // The same without asking for memory, where it is at hand: of those that were let in last.
  bool is_at_hand() const { return next_ < limit_; }
  Row& next_at_hand() { return *next_; }
  void let_in(std::size_t rows) {
    limit_ = next_ + std::min(rows, static_cast<std::size_t>(end_ - next_));
  }
  void push() {
    ++next_;
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    want_to_write(next_ + ahead);  // of the chunk, or what is beside it in memory
  }
  // Of all times; from any thread.
  std::uint64_t pushed() const { return pushed_; }

  template <class Take>
  void drain(Take&& take) {
    for (const std::uint64_t pushed = pushed_.load(std::memory_order_acquire); taken_ < pushed;
         ++taken_) {
      if (read_ == chunk_rows) {
        put_away(std::exchange(head_, head_->next.load(std::memory_order_relaxed)));
        read_ = 0;
      }
      take(head_->rows[read_]);
      ++read_;
    }
  }

 private:
  // Another processor has read the next rows when they were others. By the next time they are back,
  // and no longer its as well; to wait for that then would hold up whatever locks the program takes
  // after it. The compiler asks for them only to read, unless told that all processors know this.
  static void want_to_write(const Row* row) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*row));
#else
    __builtin_prefetch(row, 1);
#endif
  }
  struct Chunk {
    std::array<Row, chunk_rows> rows;
    std::atomic<Chunk*> next{nullptr};
  };
  [[gnu::noinline]] void begin_chunk() {
    Chunk* chunk = empty_chunk();
    tail_->next.store(chunk, std::memory_order_relaxed);  // with the next push()
    tail_ = chunk;
    next_ = chunk->rows.data();
    end_ = next_ + chunk_rows;
    limit_ = next_;
  }
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
    chunk->next.store(nullptr, std::memory_order_relaxed);
    return chunk;
  }

  static constexpr std::size_t ahead = 3;
  static constexpr std::size_t most_chunks = 64;  // are kept, of all that there are
  // The writer's. First, so that it shares its line with what stands before the queue.
  Chunk* tail_ = new Chunk;
  Row* next_ = tail_->rows.data();  // of the tail, like the next two
  const Row* limit_ = next_;
  const Row* end_ = next_ + chunk_rows;
  std::atomic<std::uint64_t> pushed_{0};
  Chunk* spare_ = nullptr;
  std::array<std::byte, 64> apart_{};  // a line that is never touched
  // The reader's.
  Chunk* head_ = tail_;
  std::size_t read_ = 0;  // of the head
  std::uint64_t taken_ = 0;
  std::atomic<std::size_t> chunks_{1};
  std::atomic<Chunk*> drained_{nullptr};
};

}  // namespace ridgepoint::collector
