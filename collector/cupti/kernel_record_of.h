// One activity record of CUPTI as the project keeps it.
#pragma once

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/kernel_records.h"

namespace ridgepoint::collector {

KernelRecord kernel_record_of(const CUpti_ActivityKernel10& kernel);

}  // namespace ridgepoint::collector
