// The numbers of files that are ours, in a process that is not.
#pragma once

#include "analyzer/core/descriptor.h"

namespace ridgepoint::collector {

// The same file under a number away from those that the program gives its own files: some programs
// close a range of descriptors, or expect their first open() to return 3. From 200 on; under a
// limit below 400 (`ulimit -n`) from half of it on; with no number free there, as it was. Never one
// of the standard streams, to which the program writes: none then, with errno. Closed by exec().
// `file` may be none.
Descriptor out_of_the_way(Descriptor file);

}  // namespace ridgepoint::collector
