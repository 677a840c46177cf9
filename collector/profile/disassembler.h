// SASS of a cubin, by nvdisasm of the CUDA toolkit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

// By function (mangled) and offset from its first instruction.
using Disassembly = std::map<std::string, std::map<std::uint64_t, std::string>>;

// $RIDGEPOINT_NVDISASM alone when it is set; else in PATH, then in the toolkits that CUDA_PATH and
// CUDA_HOME name, then in /usr/local/cuda.
Result<std::filesystem::path> find_nvdisasm();

// Runs nvdisasm on the functions named (on all when their symbols are not found). The cubin stays
// in memory. Fails when it takes longer than a minute or prints more than 256 MiB.
Result<Disassembly> disassemble(const std::filesystem::path& nvdisasm, const std::string& cubin,
                                const std::vector<std::string>& functions);

// What nvdisasm -c prints.
Disassembly parse_disassembly(std::string_view text);

// Places of the functions in the cubin's symbol table; those it does not have are left out.
std::vector<std::size_t> symbol_indices(const std::string& cubin,
                                        const std::vector<std::string>& functions);

}  // namespace ridgepoint::collector
