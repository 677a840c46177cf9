// The way out of CUPTI, for a program that goes on without us.
//
// Switching callbacks, records and counters off is not enough: what CUPTI has put into the driver
// stays, and launches go on paying for it (docs/profile-measured.md, "After detaching").
#pragma once

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;

// To be called from a callback at the end of one of the program's CUDA calls, which is where
// CUPTI's guide wants it, with every profiler closed. Records that are complete are delivered
// first. Afterwards no function of CUPTI may be called: it would come back.
// `records`: activity records are taken.
Status leave_cupti(const CuptiApi& api, bool records);

}  // namespace ridgepoint::collector
