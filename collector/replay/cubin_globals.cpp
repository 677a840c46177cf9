#include "collector/replay/cubin_globals.h"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace ridgepoint::collector {
namespace {

// A view that gives nothing beyond its end, whatever offsets the file claims.
class Image {
 public:
  Image(const void* data, std::size_t bytes)
      : bytes_(static_cast<const char*>(data), data == nullptr ? 0 : bytes) {}
  template <class T>
  bool read(std::size_t offset, T& value) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
      return false;
    }
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return true;
  }
  std::string text(std::size_t offset) const {
    if (offset >= bytes_.size()) {
      return {};
    }
    const std::string_view rest = bytes_.substr(offset);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(0, end));
  }

 private:
  std::string_view bytes_;
};

}  // namespace

CubinSymbols cubin_symbols(const void* data, std::size_t bytes) {
  const Image image(data, bytes);
  CubinSymbols symbols;
  Elf64_Ehdr file;
  if (!image.read(0, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
      file.e_ident[EI_CLASS] != ELFCLASS64 || file.e_shentsize < sizeof(Elf64_Shdr)) {
    return symbols;
  }
  std::vector<Elf64_Shdr> sections;
  for (std::size_t i = 0; i < file.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!image.read(file.e_shoff + i * file.e_shentsize, section)) {
      return symbols;
    }
    sections.push_back(section);
  }
  const auto section_name = [&](std::size_t index) {
    return index < sections.size() && file.e_shstrndx < sections.size()
               ? image.text(sections[file.e_shstrndx].sh_offset + sections[index].sh_name)
               : std::string();
  };
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) {
      continue;
    }
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!image.read(table.sh_offset + at, symbol)) {
        break;
      }
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (type != STT_FUNC && type != STT_OBJECT) {
        continue;
      }
      std::string name = image.text(sections[table.sh_link].sh_offset + symbol.st_name);
      if (name.empty()) {
        continue;
      }
      if (type == STT_FUNC) {
        symbols.kernels.push_back(std::move(name));
      } else if (const std::string section = section_name(symbol.st_shndx);
                 section.rfind(".nv.global", 0) == 0 || section.rfind(".nv.constant3", 0) == 0) {
        // __device__ variables (also in .nv.global.init), and __constant__ ones, which the program
        // may set anew between two launches.
        symbols.globals.push_back(std::move(name));
      }
    }
  }
  return symbols;
}

}  // namespace ridgepoint::collector
