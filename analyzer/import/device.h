// The device of an export, from its device__attribute_* columns and its compute capability.
#pragma once

#include <string_view>

#include "analyzer/import/number.h"
#include "analyzer/import/recording.h"
#include "analyzer/import/tables.h"
#include "analyzer/session/session.h"

namespace ridgepoint::importing {

// Those the device is described with; the other two hundred are not kept.
bool is_used_attribute(std::string_view name);

struct ImportedDevice {
  DeviceInfo info;
  bool chip_assumed = false;  // the first of several chips with this compute capability
};

// `style` as in the rest of the file: attributes are printed with group separators.
ImportedDevice device_of(const Recording::Device& device, NumberStyle style, const Tables& tables);

}  // namespace ridgepoint::importing
