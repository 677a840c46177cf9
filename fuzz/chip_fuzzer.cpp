// Any bytes as a chip description: an input error, or a chip whose figures can be divided by.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "analyzer/chips/chip.h"

namespace {

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

bool is_rate(double value) {
  return std::isfinite(value) && value > 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto chip =
      ridgepoint::parse_chip(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!chip) {
    if (chip.error().domain != ridgepoint::ErrorDomain::input) {
      stop(format_error(chip.error()));
    }
    return 0;
  }
  for (const ridgepoint::ComputeUnit& unit : chip->units) {
    if (!is_rate(unit.flop_per_clock_per_sm) || chip->unit(unit.id) == nullptr) {
      stop("the unit \"" + unit.id + "\" has no rate or is not found");
    }
  }
  if (chip->chips.empty() || !is_rate(chip->memory_transfers_per_clock) ||
      !is_rate(chip->smem_bytes_per_clock_per_sm) || chip->l2_partitions < 1 ||
      chip->allocation.registers < 1 || chip->allocation.smem_bytes < 1) {
    stop("a chip was accepted that cannot be computed with");
  }
  return 0;
}
