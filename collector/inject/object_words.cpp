#include "collector/inject/object_words.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "collector/inject/loaded_memory.h"

namespace ridgepoint::collector {
namespace {

using Word = std::uintptr_t;

class File {
 public:
  explicit File(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (is_open()) {
      close(file_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return file_ >= 0; }
  // The bytes that could be read.
  std::size_t read(void* into, std::size_t bytes, std::uint64_t from) const {
    const ssize_t got = pread(file_, into, bytes, static_cast<off_t>(from));
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }

 private:
  const int file_;
};

// Documentation/admin-guide/mm/pagemap.rst of Linux, as for the two bits below.
bool is_own_page(std::uint64_t entry) {
  constexpr std::uint64_t of_a_file = std::uint64_t{1} << 61U;  // or shared
  constexpr std::uint64_t present = std::uint64_t{1} << 63U;
  return (entry & present) != 0 && (entry & of_a_file) == 0;
}

// Written data of an object, and what was found in it.
struct Part {
  Word object = 0;  // where it is loaded
  Word begin = 0;
  Word end = 0;
  ReadOnlyAfterLoading read_only;
};
struct Find {
  Word object = 0;
  Word address = 0;
  WordChange change;
};

class Search {
 public:
  Search(const std::vector<WordChange>& changes, const std::vector<std::uintptr_t>& but_not)
      : changes_(changes), but_not_(but_not) {
    for (const WordChange& change : changes) {
      lowest_ = std::min(lowest_, change.from);
      highest_ = std::max(highest_, change.from);
    }
  }
  // Tried on a page that is known to be this process's own: there are systems on which every
  // answer is 0.
  bool can_begin() const;
  // The loader's lock is held by first() and last() alone: looking takes long where an object has
  // much data, and other threads may load libraries, or wait for the lock with a launch in hand. An
  // object that went away meanwhile reads as what took its place, or not at all.
  void first(const dl_phdr_info& object);
  void look();
  bool too_much() const { return looked_at_ > most_bytes; }
  bool found() const { return !finds_.empty(); }
  void last(const dl_phdr_info& object);
  std::size_t changed() const { return changed_; }

 private:
  void look_at(const Part& part);
  void look_at_words(const Part& part, Word begin, Word end);

  const std::vector<WordChange>& changes_;
  const std::vector<std::uintptr_t>& but_not_;
  const File pages_{"/proc/self/pagemap"};
  // Not by their addresses: the program may have closed a page to reading.
  const File memory_{"/proc/self/mem"};
  std::unique_ptr<const WritableMemory> writable_;  // asked for when it is needed
  Word lowest_ = ~Word{0};
  Word highest_ = 0;
  std::vector<Part> parts_;
  std::vector<Find> finds_;
  std::array<Word, 4096> words_{};
  static constexpr std::size_t most_bytes = std::size_t{256} << 20U;
  std::size_t looked_at_ = 0;
  std::size_t changed_ = 0;
};

bool Search::can_begin() const {
  std::uint64_t entry = 0;
  const Word here = reinterpret_cast<Word>(&entry);
  return memory_.is_open() && pages_.is_open() &&
         pages_.read(&entry, sizeof(entry), here / page_bytes() * sizeof(entry)) == sizeof(entry) &&
         is_own_page(entry);
}

void Search::first(const dl_phdr_info& object) {
  for (const std::uintptr_t address : but_not_) {
    if (object_contains(object, address)) {
      return;
    }
  }
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) {
      const Word begin = object.dlpi_addr + part.p_vaddr;
      parts_.push_back(
          {object.dlpi_addr, begin, begin + part.p_memsz, read_only_after_loading(object)});
    }
  }
}

void Search::look() {
  for (const Part& part : parts_) {
    if (!too_much()) {
      look_at(part);
    }
  }
}

void Search::look_at(const Part& part) {
  std::array<std::uint64_t, 512> entries{};
  const Word page = page_bytes();
  for (Word at = page_of(part.begin); at < part.end;) {
    const std::size_t wanted = std::min(entries.size(), (part.end - at + page - 1) / page);
    const std::size_t known =
        pages_.read(entries.data(), wanted * sizeof(entries[0]), at / page * sizeof(entries[0])) /
        sizeof(entries[0]);
    if (known == 0) {
      return;
    }
    for (std::size_t i = 0; i < known; ++i, at += page) {
      if (is_own_page(entries.at(i)) && !part.read_only.has(at)) {
        looked_at_ += page;
        if (too_much()) {
          return;
        }
        look_at_words(part, std::max(part.begin, at), std::min(part.end, at + page));
      }
    }
  }
}

void Search::look_at_words(const Part& part, Word begin, Word end) {
  constexpr Word size = sizeof(Word);
  for (Word at = (begin + size - 1) / size * size; at + size <= end;) {
    const std::size_t wanted = std::min(words_.size(), (end - at) / size) * size;
    const std::size_t got = memory_.read(words_.data(), wanted, at) / size;
    for (std::size_t i = 0; i < got; ++i) {
      if (words_[i] < lowest_ || words_[i] > highest_) {
        continue;
      }
      for (const WordChange& change : changes_) {
        if (words_[i] == change.from) {
          finds_.push_back({part.object, at + i * size, change});
        }
      }
    }
    at += wanted;
  }
}

void Search::last(const dl_phdr_info& object) {
  for (const Find& find : finds_) {
    if (find.object != object.dlpi_addr || !object_contains(object, find.address)) {
      continue;
    }
    if (!writable_) {
      writable_ = std::make_unique<const WritableMemory>();
    }
    if (writable_->has(find.address)) {
      Word seen = find.change.from;
      std::atomic_ref<Word> word(*reinterpret_cast<Word*>(find.address));
      changed_ += word.compare_exchange_strong(seen, find.change.to) ? 1 : 0;
    }
  }
}

int begin_with(dl_phdr_info* info, std::size_t /*bytes*/, void* search) {
  if (!object_contains(*info, reinterpret_cast<std::uintptr_t>(&begin_with)) &&
      !is_of_the_driver(*info)) {
    static_cast<Search*>(search)->first(*info);
  }
  return 0;
}

int end_with(dl_phdr_info* info, std::size_t /*bytes*/, void* search) {
  static_cast<Search*>(search)->last(*info);
  return 0;
}

}  // namespace

std::optional<std::size_t> change_object_words(const std::vector<WordChange>& changes,
                                               const std::vector<std::uintptr_t>& but_not) {
  const auto search = std::make_unique<Search>(changes, but_not);  // too large for a small stack
  if (!search->can_begin()) {
    return std::nullopt;
  }
  dl_iterate_phdr(begin_with, search.get());
  search->look();
  if (search->too_much()) {
    return std::nullopt;
  }
  if (search->found()) {
    dl_iterate_phdr(end_with, search.get());
  }
  return search->changed();
}

}  // namespace ridgepoint::collector
