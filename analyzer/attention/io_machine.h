// The machine of the IO model, from a device's attributes and what is known of its chip.
#pragma once

#include "analyzer/attention/io_model.h"
#include "analyzer/chips/chip.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Without a chip (null) the L2 is taken to be one piece that nothing crosses.
IoMachine io_machine(const DeviceInfo& device, const ChipModel* chip);

}  // namespace ridgepoint
