// What the readers of the layouts fill: a session in the making, with everything that was odd about
// the file. Bounded: a hostile file cannot make it larger than a fixed multiple of itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/import/header.h"
#include "analyzer/import/number.h"
#include "analyzer/session/session.h"

namespace ridgepoint::importing {

// Launches times counters: 16 Mi cells are 128 MiB, seven thousand launches of a full raw page.
inline constexpr std::size_t counter_cells_limit = std::size_t{16} << 20U;
// A launch or a counter costs far more memory than the few bytes it can take in a file.
inline constexpr std::size_t launches_limit = std::size_t{1} << 20U;
inline constexpr std::size_t counters_limit = 65536;
inline constexpr std::size_t rules_limit = std::size_t{1} << 20U;
inline constexpr std::size_t ranges_limit = std::size_t{1} << 20U;
inline constexpr std::size_t devices_limit = 1024;

struct Oddities {
  std::size_t rows_skipped = 0;        // not a row of the table: output of the program
  std::size_t cells_not_a_number = 0;  // nan, inf, n/a
  std::size_t cells_impossible = 0;    // negative, or beyond any counter
  std::size_t cells_unreadable = 0;    // text where a hardware counter has a number
  std::map<std::string, std::size_t> unknown_units;
  bool units_missing = false;
  bool rounded = false;     // the details layout
  bool summarised = false;  // a row stands for several launches
  std::string torn;         // why reading ended early; empty when it did not
};

class Recording {
 public:
  // True when one of the limits is passed; readers stop there.
  bool full() const;

  // The index of a launch with that identity: kernel, stream, device, grid, block, ranges.
  std::uint32_t add_launch(const Row& row, const Columns& columns);

  // The index of a counter, to be used with set().
  std::uint32_t counter(std::string_view name);
  // False when the table would pass its limit.
  bool set(std::uint32_t launch, std::uint32_t counter, double value);
  // Counts a cell of that counter that holds no number, by its kind.
  void note_absent(std::string_view counter, Cell::Kind kind);
  // NaN when it was not measured.
  double get(std::uint32_t launch, std::string_view counter) const;

  // Texts of a device's attributes, by the name without "device__attribute_".
  using Attributes = std::map<std::string, std::string, std::less<>>;
  bool wants_attributes(std::uint32_t launch) const;
  void set_attributes(std::uint32_t launch, Attributes attributes);

  struct Device {
    std::string compute_capability;
    Attributes attributes;
  };

  std::vector<Launch> launches;  // `kernel` is an index into kernel_names
  std::vector<std::string> kernel_names;
  std::vector<Device> devices;
  std::vector<NvtxRange> ranges;
  CounterTable counters;  // columns may be shorter than launches: the rest was not measured
  std::vector<ImportedRuleResult> rules;
  Oddities odd;

 private:
  std::unordered_map<std::string, std::uint32_t> kernel_index_;
  std::unordered_map<std::string, std::uint32_t> device_index_;
  std::unordered_map<std::string, std::uint32_t> counter_index_;
  std::unordered_map<std::string, std::int64_t> range_index_;
  std::size_t columns_in_use_ = 0;
};

}  // namespace ridgepoint::importing
