// The numbers of files that are ours, in a process that is not.
#pragma once

namespace ridgepoint::collector {

// Away from the numbers that the program gives its own files: some programs close a range of
// descriptors, or expect their first open() to return 3.
inline constexpr int lowest_descriptor = 200;

}  // namespace ridgepoint::collector
