#include "analyzer/chips/chip.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "analyzer/core/text.h"

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

}  // namespace

const ComputeUnit* ChipModel::unit(const std::string& id) const {
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const ComputeUnit& one) { return one.id == id; });
  return found == units.end() ? nullptr : &*found;
}

Result<ChipModel> parse_chip(const std::string& text, const std::string& name) {
  const std::string what = "reading the chip description " + name;
  if (nests_deeper_than(text, data_nesting_limit)) {
    return fail(ErrorDomain::input, what, "its JSON is nested too deeply");
  }
  try {
    const json file = json::parse(text);
    if (file.at("schema") != "ridgepoint-chip" || file.at("version") != 1) {
      return fail(ErrorDomain::input, what, "it is not a ridgepoint-chip file of version 1");
    }
    ChipModel chip = from_json(file);
    if (!plausible(chip)) {
      return fail(ErrorDomain::input, what,
                  "a rate or an allocation unit is not positive, or a list is empty");
    }
    return chip;
  } catch (const json::exception& error) {
    return fail(ErrorDomain::input, what, error.what());
  }
}

Result<std::vector<ChipModel>> load_chips() {
  const auto data = data_directory();
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  const std::filesystem::path folder = *data / "chips";
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == ".json") {
      files.push_back(at->path());
    }
  }
  if (failed) {
    return fail(ErrorDomain::input, "reading " + folder.string(), failed.message(), {},
                failed.value());
  }
  std::sort(files.begin(), files.end());
  std::vector<ChipModel> chips;
  for (const auto& path : files) {
    auto chip = read_file(path, data_file_limit_bytes).and_then([&](const std::string& text) {
      return parse_chip(text, path.string());
    });
    if (!chip) {
      return tl::make_unexpected(chip.error());
    }
    chips.push_back(std::move(*chip));
  }
  return chips;
}

Result<std::optional<ChipModel>> find_chip(const std::string& chip) {
  const auto chips = load_chips();
  if (!chips) {
    return tl::make_unexpected(chips.error());
  }
  for (const ChipModel& one : *chips) {
    if (std::find(one.chips.begin(), one.chips.end(), chip) != one.chips.end()) {
      return std::optional<ChipModel>(one);
    }
  }
  return std::optional<ChipModel>();
}

}  // namespace ridgepoint
