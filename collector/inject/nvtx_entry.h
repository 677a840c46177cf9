// NVTX's side of the injection: the functions that the program's NVTX calls end in.
#pragma once

#include "collector/inject/nvtx_ranges.h"

namespace ridgepoint::collector {

// The ranges of this process. Never destroyed: NVTX may call until the very end.
NvtxRanges& nvtx_ranges();

// NVTX calls are ignored until this is called, and after a fork in the child.
void listen_to_nvtx(bool listen);

// `get_export_table` is NVTX's NvtxGetExportTableFunc_t. Puts our functions into the table of the
// library or program that carries it; each such copy of NVTX initialises itself once. 1: success.
int attach_nvtx(const void* (*get_export_table)(unsigned));

// Around a fork, so that the child inherits no lock that a thread it does not have holds.
void lock_nvtx_for_fork();
void unlock_nvtx_after_fork();

// The calling thread's number, under which its ranges are kept. Asked of the system once a thread:
// every launch needs it.
std::uint64_t this_thread();

// The innermost range that a launch of the calling thread stands in, or no_index.
std::int64_t range_of_launch_here();

std::int64_t wall_clock_ns();

}  // namespace ridgepoint::collector
