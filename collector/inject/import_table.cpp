#include "collector/inject/import_table.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "collector/inject/loaded_memory.h"

namespace ridgepoint::collector {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t call_slot = R_X86_64_JUMP_SLOT;
constexpr std::uint32_t pointer_slot = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr std::uint32_t call_slot = R_AARCH64_JUMP_SLOT;
constexpr std::uint32_t pointer_slot = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t call_slot = ~0U;  // no CUDA there
constexpr std::uint32_t pointer_slot = ~0U;
#endif

// One loaded object: where its tables lie (System V ABI, "Dynamic Section").
struct Loaded {
  std::uintptr_t base = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  struct Slots {
    const ElfW(Rela) * first = nullptr;
    std::size_t count = 0;
  };
  Slots calls;
  Slots others;
  ReadOnlyAfterLoading read_only;
};

// glibc turns these offsets into addresses when it loads an object, musl does not.
template <class T>
const T* table_at(std::uintptr_t base, std::uintptr_t value) {
  return reinterpret_cast<const T*>(value < base ? base + value : value);
}

void read_dynamic(const ElfW(Dyn) * entry, Loaded& object) {
  for (; entry->d_tag != DT_NULL; ++entry) {
    const auto value = static_cast<std::uintptr_t>(entry->d_un.d_val);
    switch (entry->d_tag) {
      case DT_SYMTAB:
        object.symbols = table_at<ElfW(Sym)>(object.base, value);
        break;
      case DT_STRTAB:
        object.names = table_at<char>(object.base, value);
        break;
      case DT_JMPREL:
        object.calls.first = table_at<ElfW(Rela)>(object.base, value);
        break;
      case DT_PLTRELSZ:
        object.calls.count = value / sizeof(ElfW(Rela));
        break;
      case DT_RELA:
        object.others.first = table_at<ElfW(Rela)>(object.base, value);
        break;
      case DT_RELASZ:
        object.others.count = value / sizeof(ElfW(Rela));
        break;
      default:
        break;
    }
  }
}

Loaded describe(const dl_phdr_info& info) {
  Loaded object;
  object.base = info.dlpi_addr;
  object.read_only = read_only_after_loading(info);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_DYNAMIC) {
      read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(object.base + part.p_vaddr), object);
    }
  }
  return object;
}

struct Search {
  const std::vector<Import>& imports;
  unsigned long long& loaded;
  std::unique_ptr<const WritableMemory> writable;  // asked for when it is needed
  bool first = true;
  bool complete = true;
};

// False: the loader is at work on the object, and would meet a page that we have closed.
bool write_slot(const Loaded& object, std::uintptr_t slot, void* function, Search& search) {
  auto* const place = reinterpret_cast<std::atomic<void*>*>(slot);
  if (place->load() == function) {
    return true;
  }
  if (!object.read_only.has(slot)) {
    place->store(function);
    return true;
  }
  if (!search.writable) {
    search.writable = std::make_unique<const WritableMemory>();
  }
  if (search.writable->has(slot)) {
    return false;
  }
  auto* const page = reinterpret_cast<void*>(page_of(slot));
  const std::size_t bytes = sizeof(void*);  // mprotect() takes the whole page
  if (mprotect(page, bytes, PROT_READ | PROT_WRITE) == 0) {
    place->store(function);
    mprotect(page, bytes, PROT_READ);
  }
  return true;
}

void replace_in(const Loaded& object, const Loaded::Slots& slots, Search& search) {
  if (slots.first == nullptr || object.symbols == nullptr || object.names == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < slots.count; ++i) {
    const ElfW(Rela)& slot = slots.first[i];
    const auto kind = static_cast<std::uint32_t>(ELF64_R_TYPE(slot.r_info));
    if (kind != call_slot && kind != pointer_slot) {
      continue;
    }
    const ElfW(Sym)& symbol = object.symbols[ELF64_R_SYM(slot.r_info)];
    const char* name = object.names + symbol.st_name;
    for (const Import& import : search.imports) {
      if (symbol.st_shndx == SHN_UNDEF && std::strcmp(name, import.name.c_str()) == 0) {
        search.complete =
            write_slot(object, object.base + slot.r_offset, import.replacement, search) &&
            search.complete;
      }
    }
  }
}

int visit(dl_phdr_info* info, std::size_t /*bytes*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (std::exchange(search.first, false)) {
    if (info->dlpi_adds == search.loaded) {
      return 1;
    }
    search.loaded = info->dlpi_adds;
  }
  if (!object_contains(*info, reinterpret_cast<std::uintptr_t>(&visit))) {
    const Loaded object = describe(*info);
    replace_in(object, object.calls, search);
    replace_in(object, object.others, search);
  }
  return 0;
}

}  // namespace

void ImportTable::replace() {
  Search search{imports_, loaded_, nullptr};
  dl_iterate_phdr(visit, &search);
  if (!search.complete) {
    loaded_ = 0;  // the next time is not too late
  }
}

void* real_function(const char* name) {
  return dlsym(RTLD_DEFAULT, name);
}

}  // namespace ridgepoint::collector
