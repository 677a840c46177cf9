// The device a run measures on.
#pragma once

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

struct CUctx_st;

namespace ridgepoint::collector {

// Makes `device` current and its context exist. Loads no kernel code: PC sampling has to be
// switched on between the two (pc_sampler.h).
Status select_device(int device);

// The context of the current device. The driver is reached through the runtime, so that nothing
// links libcuda and the program starts without a driver.
Result<CUctx_st*> current_context();

// What the runtime says of the device. The chip's name is CUPTI's and needs chip_name().
Result<DeviceInfo> describe_device(int device);

}  // namespace ridgepoint::collector
