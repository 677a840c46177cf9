// Any bytes as a GPU description for `predict --gpu FILE`: an input error, or a device with an
// extent in every dimension and a chip that has rates.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "analyzer/predict/gpu.h"

namespace {

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

const std::vector<ridgepoint::ChipModel>& chips() {
  static const auto loaded = ridgepoint::load_chips();
  if (!loaded) {
    stop(format_error(loaded.error()));
  }
  return *loaded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto gpu = ridgepoint::parse_gpu(text, "fuzz.json", chips());
  if (!gpu) {
    if (gpu.error().domain != ridgepoint::ErrorDomain::input) {
      stop(format_error(gpu.error()));
    }
    return 0;
  }
  const ridgepoint::DeviceInfo& d = gpu->device;
  if (d.sm_count < 1 || !(d.sm_clock_max_hz >= 1) || d.l2_bytes < 1 || d.registers_per_sm < 1 ||
      d.warps_per_sm < 1 || d.blocks_per_sm < 1 || gpu->chip.units.empty()) {
    stop("a GPU was accepted that cannot be computed with");
  }
  return 0;
}
