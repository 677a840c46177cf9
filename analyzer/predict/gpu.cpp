#include "analyzer/predict/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "analyzer/core/json_text.h"
#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

using nlohmann::json;

constexpr double most_of_anything = 1e15;
constexpr double most_in_an_sm = double{1 << 20};

constexpr const char* hint = "share/ridgepoint/gpus has one to begin with, such as h200.json";

[[noreturn]] void refuse(const std::string& why) {
  throw json::other_error::create(500, why, nullptr);
}

// The library's own messages do not say which field they are about.
const json& field_of(const json& object, const char* field) {
  const auto found = object.find(field);
  if (found == object.end()) {
    refuse(fmt::format("it has no \"{}\"", field));
  }
  return *found;
}

std::string text_of(const json& object, const char* field) {
  const json& value = field_of(object, field);
  if (!value.is_string()) {
    refuse(fmt::format("{} must be a text", field));
  }
  return value.get<std::string>();
}

const json& object_of(const json& object, const char* field) {
  const json& value = field_of(object, field);
  if (!value.is_object()) {
    refuse(fmt::format("{} must be an object", field));
  }
  return value;
}

// Figures beyond any GPU would overflow what is derived from them; parts of one do not exist.
std::int64_t extent(const json& object, const char* field, double most = most_of_anything) {
  const json& number = field_of(object, field);
  const double value = number.is_number() ? number.get<double>() : 0;
  if (!(value >= 1 && value <= most && value == std::floor(value))) {
    refuse(fmt::format("{} must be a whole number from 1 to {:.0f}", field, most));
  }
  return static_cast<std::int64_t>(value);
}

std::array<std::int32_t, 2> compute_capability_of(const json& file) {
  constexpr double most = 99;
  const json& parts = field_of(file, "compute_capability");
  std::array<std::int32_t, 2> capability{};
  bool sound = parts.is_array() && parts.size() == capability.size();
  for (std::size_t i = 0; sound && i < capability.size(); ++i) {
    const double part = parts[i].is_number() ? parts[i].get<double>() : -1;
    sound = part >= 0 && part <= most && part == std::floor(part);
    capability[i] = sound ? static_cast<std::int32_t>(part) : 0;
  }
  if (!sound) {
    refuse("compute_capability must be two small whole numbers");
  }
  return capability;
}

DeviceInfo device_of(const json& file) {
  DeviceInfo d;
  d.name = text_of(file, "name");
  d.chip = text_of(file, "chip");
  const auto capability = compute_capability_of(file);
  d.compute_capability_major = capability[0];
  d.compute_capability_minor = capability[1];
  d.sm_count = extent(file, "sm_count");
  d.sm_clock_max_hz = static_cast<double>(extent(file, "sm_clock_max_hz"));
  d.memory_clock_max_hz = static_cast<double>(extent(file, "memory_clock_max_hz"));
  d.memory_bus_bits = extent(file, "memory_bus_bits");
  d.memory_bytes = extent(file, "memory_bytes");
  d.l2_bytes = extent(file, "l2_bytes");
  const json& limits = object_of(file, "limits");
  d.smem_per_sm_bytes = extent(limits, "smem_per_sm_bytes", most_in_an_sm);
  d.smem_per_block_bytes = extent(limits, "smem_per_block_bytes", most_in_an_sm);
  d.smem_reserved_per_block_bytes = extent(limits, "smem_reserved_per_block_bytes", most_in_an_sm);
  d.registers_per_sm = extent(limits, "registers_per_sm", most_in_an_sm);
  d.warps_per_sm = extent(limits, "warps_per_sm", most_in_an_sm);
  d.blocks_per_sm = extent(limits, "blocks_per_sm", most_in_an_sm);
  if (d.smem_reserved_per_block_bytes >= d.smem_per_block_bytes ||
      d.smem_per_block_bytes > d.smem_per_sm_bytes) {
    refuse("limits: a block's shared memory must exceed what is reserved in it and fit an SM");
  }
  return d;
}

// Rates in which the product differs from its chip.
void apply_rates(const json& file, ChipModel& chip, const std::string& source) {
  if (!file.contains("flop_per_clock_per_sm")) {
    return;
  }
  const json& rates = object_of(file, "flop_per_clock_per_sm");
  for (ComputeUnit& unit : chip.units) {
    if (rates.contains(unit.id)) {
      unit.flop_per_clock_per_sm = static_cast<double>(extent(rates, unit.id.c_str()));
      unit.source = source;
    }
  }
}

Result<GpuDescription> read_gpu(const std::filesystem::path& path,
                                const std::vector<ChipModel>& chips) {
  return read_file(path, data_file_limit_bytes).and_then([&](const std::string& text) {
    return parse_gpu(text, path.string(), chips);
  });
}

const ChipModel* chip_named(const std::vector<ChipModel>& chips, const std::string& name) {
  const auto found = std::find_if(chips.begin(), chips.end(), [&](const ChipModel& one) {
    return std::find(one.chips.begin(), one.chips.end(), name) != one.chips.end();
  });
  return found == chips.end() ? nullptr : &*found;
}

}  // namespace

Result<GpuDescription> parse_gpu(const std::string& text, const std::string& name) {
  return load_chips().and_then(
      [&](const std::vector<ChipModel>& chips) { return parse_gpu(text, name, chips); });
}

Result<GpuDescription> parse_gpu(const std::string& text, const std::string& name,
                                 const std::vector<ChipModel>& chips) {
  const std::string what = "reading the GPU description " + name;
  const auto document = parse_json(text, what, data_nesting_limit, hint);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  GpuDescription gpu;
  try {
    const json& file = *document;
    if (!file.is_object() || file.value("schema", json()) != "ridgepoint-gpu" ||
        file.value("version", json()) != 1) {
      return fail(ErrorDomain::input, what, "it is not a ridgepoint-gpu file of version 1", hint);
    }
    gpu.key = text_of(file, "key");
    gpu.device = device_of(file);
    const json& sources = object_of(file, "sources");
    for (const auto& source : sources.items()) {
      gpu.sources.emplace_back(source.key(), text_of(sources, source.key().c_str()));
    }
    if (!field_of(file, "l2_peak").is_null()) {
      const json& peak = object_of(file, "l2_peak");
      gpu.l2_peak = L2Peak{static_cast<double>(extent(peak, "bytes_per_clock")),
                           static_cast<double>(extent(peak, "clock_hz"))};
    }
    const ChipModel* chip = chip_named(chips, gpu.device.chip);
    if (chip == nullptr) {
      return fail(ErrorDomain::input, what,
                  "its chip \"" + gpu.device.chip + "\" has no description in data/chips", hint);
    }
    gpu.chip = *chip;
    apply_rates(file, gpu.chip,
                sources.contains("flop_per_clock_per_sm")
                    ? text_of(sources, "flop_per_clock_per_sm")
                    : name);
  } catch (const json::exception& error) {
    return fail(ErrorDomain::input, what, plain_message(error), hint);
  }
  return gpu;
}

Result<std::vector<GpuDescription>> load_gpus() {
  const auto data = data_directory();
  const auto chips = load_chips();
  if (!data || !chips) {
    return tl::make_unexpected(data ? chips.error() : data.error());
  }
  return load_data(*data, "gpus", [&](const std::string& text, const std::string& name) {
    return parse_gpu(text, name, *chips);
  });
}

Result<GpuDescription> find_gpu(const std::string& key_or_path) {
  std::error_code ignored;
  const bool is_path = key_or_path.find('/') != std::string::npos ||
                       std::filesystem::path(key_or_path).extension() == ".json" ||
                       std::filesystem::is_regular_file(key_or_path, ignored);
  if (is_path) {
    return load_chips().and_then(
        [&](const std::vector<ChipModel>& chips) { return read_gpu(key_or_path, chips); });
  }
  const auto gpus = load_gpus();
  if (!gpus) {
    return tl::make_unexpected(gpus.error());
  }
  std::string known;
  for (const GpuDescription& gpu : *gpus) {
    if (lower_case(gpu.key) == lower_case(key_or_path)) {
      return gpu;
    }
    known += (known.empty() ? "" : ", ") + gpu.key;
  }
  return fail(ErrorDomain::usage, "--gpu " + key_or_path, "no GPU of that name is described",
              "known are " + known + "; or name a .json file of the same form");
}

}  // namespace ridgepoint
