#include "analyzer/chips/chip.h"

#include <algorithm>
#include <filesystem>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "analyzer/core/json_text.h"

namespace ridgepoint {
namespace {

using nlohmann::json;

// Figures beyond any chip would overflow what is derived from them, and the library does not look
// whether a number fits a whole one.
double figure(const json& object, const char* field) {
  constexpr double most = 1e15;
  const double value = object.at(field).get<double>();
  if (!(value > 0 && value <= most)) {
    throw json::other_error::create(500, std::string(field) + " is not a plausible number",
                                    nullptr);
  }
  return value;
}
std::int64_t whole_figure(const json& object, const char* field) {
  return static_cast<std::int64_t>(figure(object, field));
}

ChipModel from_json(const json& file) {
  ChipModel chip;
  file.at("name").get_to(chip.name);
  file.at("chips").get_to(chip.chips);
  file.at("compute_capability").get_to(chip.compute_capability);
  for (const json& unit : file.at("compute")) {
    chip.units.push_back({unit.at("id").get<std::string>(), unit.at("label").get<std::string>(),
                          figure(unit, "flop_per_clock_per_sm"),
                          unit.at("source").get<std::string>()});
  }
  const json& memory = file.at("memory");
  memory.at("label").get_to(chip.memory_label);
  chip.memory_transfers_per_clock = figure(memory, "transfers_per_clock");
  memory.at("source").get_to(chip.memory_source);
  const json& smem = file.at("smem");
  chip.smem_bytes_per_clock_per_sm = figure(smem, "bytes_per_clock_per_sm");
  smem.at("source").get_to(chip.smem_source);
  const json& l2 = file.at("l2");
  if (!l2.at("bytes_per_clock").is_null()) {
    chip.l2_bytes_per_clock = figure(l2, "bytes_per_clock");
  }
  l2.at("source").get_to(chip.l2_source);
  chip.l2_partitions = whole_figure(l2, "partitions");
  chip.l2_crossing_share = l2.value("crossing_share", 0.0);
  chip.l2_unwritten_share = l2.value("unwritten_share", 0.0);
  const json& allocation = file.at("allocation");
  chip.allocation.registers = whole_figure(allocation, "register_unit");
  chip.allocation.sub_partitions = whole_figure(allocation, "sub_partitions");
  chip.allocation.smem_bytes = whole_figure(allocation, "smem_unit_bytes");
  return chip;
}

bool plausible(const ChipModel& chip) {
  const auto positive = [](const ComputeUnit& unit) {
    return unit.flop_per_clock_per_sm > 0 && !unit.id.empty();
  };
  return !chip.chips.empty() && !chip.units.empty() &&
         std::all_of(chip.units.begin(), chip.units.end(), positive) &&
         chip.memory_transfers_per_clock > 0 && chip.smem_bytes_per_clock_per_sm > 0 &&
         chip.l2_bytes_per_clock.value_or(1) > 0 && chip.l2_partitions > 0 &&
         chip.l2_crossing_share >= 0 && chip.l2_crossing_share <= 1 &&
         chip.l2_unwritten_share >= 0 && chip.l2_unwritten_share <= 1 &&
         chip.allocation.registers > 0 && chip.allocation.sub_partitions > 0 &&
         chip.allocation.smem_bytes > 0;
}

template <typename Fits>
std::optional<ChipModel> first_of(const std::vector<ChipModel>& chips, Fits fits) {
  const auto found = std::find_if(chips.begin(), chips.end(), fits);
  return found == chips.end() ? std::nullopt : std::optional<ChipModel>(*found);
}

}  // namespace

const ComputeUnit* ChipModel::unit(const std::string& id) const {
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const ComputeUnit& one) { return one.id == id; });
  return found == units.end() ? nullptr : &*found;
}

Result<ChipModel> parse_chip(const std::string& text, const std::string& name) {
  const std::string what = "reading the chip description " + name;
  const auto document = parse_json(text, what, data_nesting_limit);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  try {
    const json& file = *document;
    if (!file.is_object() || file.value("schema", json()) != "ridgepoint-chip" ||
        file.value("version", json()) != 1) {
      return fail(ErrorDomain::input, what, "it is not a ridgepoint-chip file of version 1");
    }
    ChipModel chip = from_json(file);
    if (!plausible(chip)) {
      return fail(ErrorDomain::input, what,
                  "a rate or an allocation unit is not positive, or a list is empty");
    }
    return chip;
  } catch (const json::exception& error) {
    return fail(ErrorDomain::input, what, plain_message(error));
  }
}

Result<std::vector<ChipModel>> load_chips() {
  return data_directory().and_then(
      [](const std::filesystem::path& data) { return load_data(data, "chips", parse_chip); });
}

Result<std::optional<ChipModel>> find_chip(const std::string& chip) {
  return load_chips().map([&](const std::vector<ChipModel>& chips) {
    return first_of(chips, [&](const ChipModel& one) {
      return std::find(one.chips.begin(), one.chips.end(), chip) != one.chips.end();
    });
  });
}

Result<std::optional<ChipModel>> find_chip(std::int32_t major, std::int32_t minor) {
  return load_chips().map([&](const std::vector<ChipModel>& chips) {
    return first_of(chips, [&](const ChipModel& one) {
      return one.compute_capability == std::array{major, minor};
    });
  });
}

}  // namespace ridgepoint
