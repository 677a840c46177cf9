// Small helpers for texts that come from outside: kernel names, NVTX ranges, file contents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint {

// The text with every control character (C0, DEL and the C1 range in UTF-8) and every invalid UTF-8
// byte replaced by '?', so that it is safe on a terminal and in a report.
std::string printable(std::string_view text);

// With its letters of A to Z in lower case.
std::string lower_case(std::string text);

// A key as words for people: "branch_resolving" gives "Branch resolving".
std::string as_words(const std::string& key);

// The size of a memory on the chip, or of a part of it, which comes in powers of two and is spoken
// of so in CUDA's documents: "80 KiB", "44.6 KiB", "50 MiB"; below a KiB in bytes. At most two
// digits behind the point: of KiB right to 5 bytes.
//
// The rule for bytes in all that people read: shared memory, local memory and caches have sizes,
// written by this function (by tables and evidence through Unit::memory_size); bytes that move,
// bytes a second and device memory are decimal, "81.9 kB" (reports/presenters/format.h). One
// quantity never has both.
std::string memory_size_text(std::int64_t bytes);

// Whether the brackets of a JSON text nest deeper than `levels`, texts in quotes left out. Looks at
// bytes only: asked before anything is built, so that a file of a million '[' costs nothing.
bool nests_deeper_than(std::string_view json, int levels);

// The base name of a demangled C++ kernel: no return type, namespaces, template or call arguments.
// "void ns::gemm<float, 4>(float*)" gives "gemm". Returns the text itself when it is no C++ name.
std::string short_kernel_name(std::string_view demangled);

// The demangled form of an Itanium-mangled name, or the name itself when it is not mangled.
std::string demangle(const std::string& mangled);

}  // namespace ridgepoint
