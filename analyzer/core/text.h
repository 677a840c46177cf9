// Small helpers for texts that come from outside: kernel names, NVTX ranges, file contents.
#pragma once

#include <string>
#include <string_view>

namespace ridgepoint {

// The text with every control character (C0, DEL and the C1 range in UTF-8) and every invalid UTF-8
// byte replaced by '?', so that it is safe on a terminal and in a report.
std::string printable(std::string_view text);

// With its letters of A to Z in lower case.
std::string lower_case(std::string text);

// Whether the brackets of a JSON text nest deeper than `levels`, texts in quotes left out. Looks at
// bytes only: asked before anything is built, so that a file of a million '[' costs nothing.
bool nests_deeper_than(std::string_view json, int levels);

// The base name of a demangled C++ kernel: no return type, namespaces, template or call arguments.
// "void ns::gemm<float, 4>(float*)" gives "gemm". Returns the text itself when it is no C++ name.
std::string short_kernel_name(std::string_view demangled);

// The demangled form of an Itanium-mangled name, or the name itself when it is not mangled.
std::string demangle(const std::string& mangled);

}  // namespace ridgepoint
