#pragma once

#include <string_view>

namespace ridgepoint {

// Whether the whole text fits the pattern: `*` stands for any text, `?` for one byte, everything
// else for itself (kernel names are full of brackets, which POSIX globs would take for classes).
// At most pattern x text steps, whatever the pattern.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace ridgepoint
