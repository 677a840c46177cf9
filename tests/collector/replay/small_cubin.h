// Machine code of a module for tests of what is read from it; nobody runs it.
#pragma once

#include <elf.h>

#include <array>
#include <cstring>
#include <string>

namespace ridgepoint::test {

// A cubin as nvcc lays it out, as far as symbols go: a kernel, a __device__ and a __constant__
// variable, and a symbol of shared memory, which is no memory of its own.
inline std::string small_cubin() {
  const std::string sections = std::string("\0.symtab\0.strtab\0.text.k\0.nv.global.init\0", 42) +
                               std::string(".nv.constant3\0.shstrtab\0", 24);
  const std::string names = std::string("\0kernel\0counter\0factor\0.nv.reservedSmem\0", 40);
  const auto symbol = [&](const char* name, int type, std::uint16_t section) {
    Elf64_Sym s = {};
    s.st_name = static_cast<Elf64_Word>(names.find(std::string(1, '\0') + name) + 1);
    s.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_LOCAL, type));
    s.st_shndx = section;
    return s;
  };
  const std::array symbols = {Elf64_Sym{}, symbol("kernel", STT_FUNC, 3),
                              symbol("counter", STT_OBJECT, 4), symbol("factor", STT_OBJECT, 5),
                              symbol(".nv.reservedSmem", STT_OBJECT, SHN_UNDEF)};
  std::string file(sizeof(Elf64_Ehdr), '\0');
  const auto place = [&](const void* data, std::size_t bytes) {
    const std::size_t offset = file.size();
    file.append(static_cast<const char*>(data), bytes);
    return offset;
  };
  std::array<Elf64_Shdr, 7> table = {};
  const auto section = [&](std::size_t i, const char* name, std::uint32_t type) {
    table[i].sh_name = static_cast<Elf64_Word>(sections.find(std::string(1, '\0') + name) + 1);
    table[i].sh_type = type;
  };
  section(1, ".symtab", SHT_SYMTAB);
  section(2, ".strtab", SHT_STRTAB);
  section(3, ".text.k", SHT_PROGBITS);
  section(4, ".nv.global.init", SHT_PROGBITS);
  section(5, ".nv.constant3", SHT_PROGBITS);
  section(6, ".shstrtab", SHT_STRTAB);
  table[1].sh_offset = place(symbols.data(), sizeof(symbols));
  table[1].sh_size = sizeof(symbols);
  table[1].sh_link = 2;
  table[2].sh_offset = place(names.data(), names.size());
  table[6].sh_offset = place(sections.data(), sections.size());
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = table.size();
  header.e_shstrndx = 6;
  header.e_shoff = place(table.data(), sizeof(table));
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

}  // namespace ridgepoint::test
