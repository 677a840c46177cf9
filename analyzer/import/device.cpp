#include "analyzer/import/device.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ridgepoint::importing {
namespace {

constexpr std::string_view display_name = "display_name";
constexpr std::string_view chip_id = "chip";

struct WholeAttribute {
  std::string_view name;
  std::int64_t DeviceInfo::*field;
};

// Names of CUdevice_attribute in lower case (CUDA driver API, cuDeviceGetAttribute).
constexpr std::array<WholeAttribute, 10> whole_attributes = {{
    {"multiprocessor_count", &DeviceInfo::sm_count},
    {"l2_cache_size", &DeviceInfo::l2_bytes},
    {"max_shared_memory_per_multiprocessor", &DeviceInfo::smem_per_sm_bytes},
    {"max_shared_memory_per_block_optin", &DeviceInfo::smem_per_block_bytes},
    {"reserved_shared_memory_per_block", &DeviceInfo::smem_reserved_per_block_bytes},
    {"max_registers_per_multiprocessor", &DeviceInfo::registers_per_sm},
    {"max_warps_per_multiprocessor", &DeviceInfo::warps_per_sm},
    {"max_blocks_per_multiprocessor", &DeviceInfo::blocks_per_sm},
    {"total_memory", &DeviceInfo::memory_bytes},
    {"global_memory_bus_width", &DeviceInfo::memory_bus_bits},
}};

struct ClockAttribute {
  std::string_view name;  // in kHz
  double DeviceInfo::*field;
};

constexpr std::array<ClockAttribute, 2> clock_attributes = {{
    {"clock_rate", &DeviceInfo::sm_clock_max_hz},
    {"memory_clock_rate", &DeviceInfo::memory_clock_max_hz},
}};

std::optional<double> number_of(const Recording::Attributes& attributes, std::string_view name,
                                NumberStyle style) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) {
    return std::nullopt;
  }
  const Cell cell = parse_cell(found->second, style);
  // Beyond 2^53 a double has no whole numbers, and no attribute is that large or negative.
  constexpr double largest = 9007199254740992.0;
  const bool sensible = cell.kind == Cell::Kind::number && cell.value >= 0 && cell.value <= largest;
  return sensible ? std::optional<double>(cell.value) : std::nullopt;
}

void set_compute_capability(DeviceInfo& info, std::string_view text) {
  const char* const last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, info.compute_capability_major);
  if (status == std::errc() && end != last) {
    std::from_chars(end + 1, last, info.compute_capability_minor);
  }
}

}  // namespace

bool is_used_attribute(std::string_view name) {
  const auto named = [&](const auto& attribute) { return attribute.name == name; };
  return name == display_name || name == chip_id ||
         std::any_of(whole_attributes.begin(), whole_attributes.end(), named) ||
         std::any_of(clock_attributes.begin(), clock_attributes.end(), named);
}

ImportedDevice device_of(const Recording::Device& device, NumberStyle style, const Tables& tables) {
  ImportedDevice result;
  DeviceInfo& info = result.info;
  set_compute_capability(info, device.compute_capability);
  if (const auto name = device.attributes.find(display_name); name != device.attributes.end()) {
    info.name = name->second;
  }
  for (const WholeAttribute& attribute : whole_attributes) {
    info.*attribute.field =
        static_cast<std::int64_t>(number_of(device.attributes, attribute.name, style).value_or(0));
  }
  for (const ClockAttribute& attribute : clock_attributes) {
    info.*attribute.field = number_of(device.attributes, attribute.name, style).value_or(0) * 1000;
  }
  if (const auto id = number_of(device.attributes, chip_id, style)) {
    const auto chip = tables.chip_by_id.find(std::to_string(std::llround(*id)));
    info.chip = chip == tables.chip_by_id.end() ? "" : chip->second;
  }
  if (info.chip.empty()) {
    const auto chips = tables.chips_by_compute_capability.find(device.compute_capability);
    if (chips != tables.chips_by_compute_capability.end() && !chips->second.empty()) {
      info.chip = chips->second.front();
      result.chip_assumed = chips->second.size() > 1;
    }
  }
  return result;
}

}  // namespace ridgepoint::importing
