#include "analyzer/import/recording.h"

#include <array>
#include <charconv>

#include "analyzer/import/number.h"
#include "analyzer/import/nvtx.h"
#include "analyzer/session/check_values.h"

namespace ridgepoint::importing {
namespace {

template <class Integer>
Integer integer_in(std::string_view text) {
  text = trimmed(text);
  Integer value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "(256, 1, 1)"; what is not there stays 1.
Dim3 dimensions_in(std::string_view text) {
  std::array<std::uint32_t, 3> extent = {1, 1, 1};
  std::size_t at = 0;
  for (std::uint32_t& value : extent) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) {
      break;
    }
    const auto [end, status] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    value = status == std::errc() && value > 0 ? value : 1;
    at = static_cast<std::size_t>(end - text.data());
  }
  return {extent[0], extent[1], extent[2]};
}

}  // namespace

bool Recording::full() const {
  // Every column in use becomes as long as there are launches, whatever it holds now.
  return columns_in_use_ * launches.size() > counter_cells_limit ||
         launches.size() > launches_limit || counters.names.size() > counters_limit ||
         rules.size() > rules_limit;
}

std::uint32_t Recording::add_launch(const Row& row, const Columns& columns) {
  Launch launch;
  const std::string kernel(trimmed(columns.cell(row, Field::kernel)));
  launch.kernel = kernel_index_.try_emplace(kernel, static_cast<std::uint32_t>(kernel_names.size()))
                      .first->second;
  if (launch.kernel == kernel_names.size()) {
    kernel_names.push_back(kernel);
  }
  const std::string capability(trimmed(columns.cell(row, Field::compute_capability)));
  const std::string device =
      std::string(trimmed(columns.cell(row, Field::device))) + '\n' + capability;
  // A file with more devices than any machine has is nonsense: the rest counts as the last one.
  if (device_index_.find(device) == device_index_.end() && devices.size() < devices_limit) {
    device_index_.emplace(device, static_cast<std::uint32_t>(devices.size()));
    devices.push_back({capability, {}});
  }
  const auto known = device_index_.find(device);
  launch.device =
      known == device_index_.end() ? static_cast<std::uint32_t>(devices.size() - 1) : known->second;
  launch.stream = integer_in<std::uint32_t>(columns.cell(row, Field::stream));
  launch.grid = dimensions_in(columns.cell(row, Field::grid));
  launch.block = dimensions_in(columns.cell(row, Field::block));
  const std::string nested(trimmed(columns.cell(row, Field::push_pop_ranges)));
  if (!nested.empty()) {
    const auto [entry, added] = range_index_.try_emplace(nested, no_index);
    if (added && ranges.size() < ranges_limit) {
      entry->second = append_ranges(nested, ranges);
    }
    launch.range = entry->second;
  }
  launches.push_back(launch);
  return static_cast<std::uint32_t>(launches.size() - 1);
}

std::uint32_t Recording::counter(std::string_view name) {
  const auto [entry, added] = counter_index_.try_emplace(
      std::string(name), static_cast<std::uint32_t>(counters.names.size()));
  if (added) {
    counters.names.emplace_back(name);
    counters.columns.emplace_back();
  }
  return entry->second;
}

bool Recording::set(std::uint32_t launch, std::uint32_t counter, double value) {
  if (!possible_value(value)) {
    ++odd.cells_impossible;
    return true;
  }
  std::vector<double>& column = counters.columns[counter];
  if (launch >= column.size()) {
    columns_in_use_ += column.empty() ? 1 : 0;
    if (full()) {
      return false;
    }
    column.resize(launch + 1, not_measured);
  }
  column[launch] = value;
  return true;
}

void Recording::note_absent(std::string_view counter, Cell::Kind kind) {
  odd.cells_not_a_number += kind == Cell::Kind::not_a_number ? 1 : 0;
  // Words are in place among "launch__..." and display names; a counter with a roll-up (".sum",
  // ".avg.pct_of_...") always is a number.
  const bool is_hardware_counter =
      counter.find("__") != std::string_view::npos && counter.find('.') != std::string_view::npos;
  odd.cells_unreadable += kind == Cell::Kind::text && is_hardware_counter ? 1 : 0;
}

double Recording::get(std::uint32_t launch, std::string_view counter) const {
  const auto found = counter_index_.find(std::string(counter));
  if (found == counter_index_.end() || launch >= counters.columns[found->second].size()) {
    return not_measured;
  }
  return counters.columns[found->second][launch];
}

bool Recording::wants_attributes(std::uint32_t launch) const {
  return devices[launches[launch].device].attributes.empty();
}

void Recording::set_attributes(std::uint32_t launch, Attributes attributes) {
  devices[launches[launch].device].attributes = std::move(attributes);
}

}  // namespace ridgepoint::importing
