#include "analyzer/attention/io_machine.h"

namespace ridgepoint {

IoMachine io_machine(const DeviceInfo& device, const ChipModel* chip) {
  const auto l2 = static_cast<double>(device.l2_bytes);
  if (chip == nullptr) {
    return {device.sm_count, l2, 0, 0, 1};
  }
  return {device.sm_count, l2 / static_cast<double>(chip->l2_partitions), chip->l2_crossing_share,
          chip->l2_unwritten_share * l2, chip->l2_partitions};
}

}  // namespace ridgepoint
