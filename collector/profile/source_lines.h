// Source lines of instructions, by CUPTI's reading of a cubin's line table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ridgepoint::collector {

struct CuptiApi;

struct SourceLine {
  std::string file;  // whole path, as the compiler saw it
  std::uint32_t line = 0;
};

// Whether it was compiled with -lineinfo (or -G).
bool has_line_table(const std::string& cubin);
// Empty for instructions that belong to no line.
std::optional<SourceLine> source_line(const CuptiApi& api, const std::string& cubin,
                                      const std::string& function, std::uint64_t pc_offset);

}  // namespace ridgepoint::collector
