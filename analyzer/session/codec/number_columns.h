// Lists of numbers taken out of a JSON text before the JSON library sees it. A session of a million
// launches is almost nothing else, and a general document costs it several times the memory and the
// time: read here, a number takes eight bytes and one pass.
//
// What is left is still JSON, with each list replaced by a mark, and is held to the grammar by the
// library. A list that holds anything but numbers and nulls, or a number that is not plain, stays
// in the text, so that the library speaks about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::codec {

// Whole numbers as long as every cell is one, else real numbers, with NaN for null.
class NumberColumn {
 public:
  void reserve(std::size_t rows) { integers_.reserve(rows); }
  void add(std::int64_t value);
  void add(double value);
  std::size_t size() const { return whole() ? integers_.size() : reals_.size(); }
  bool whole() const { return !has_reals_; }

  // Empty where the cell is null, has a fraction, or is beyond what a double counts exactly.
  std::optional<std::int64_t> integer(std::size_t row) const;
  double real(std::size_t row) const {
    return whole() ? static_cast<double>(integers_[row]) : reals_[row];
  }
  // All cells as real numbers; the column is empty afterwards.
  std::vector<double> take();

 private:
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  bool has_reals_ = false;
};

struct LiftedText {
  std::string skeleton;  // the text with a mark for each list that was taken out
  std::vector<NumberColumn> columns;
  // Where in the original text a byte of the skeleton comes from, for messages.
  std::size_t original_offset(std::size_t skeleton_offset) const;

  struct Shift {
    std::size_t skeleton_end;  // first byte after the mark
    std::size_t original_end;  // first byte after the list
  };
  std::vector<Shift> shifts;  // one a column, ascending
};

// What a text may hold at most; beyond it `fault` says which limit and the rest is not looked at,
// so that memory stays within a small multiple of the limits.
struct TextLimits {
  int nesting;
  std::size_t numbers;         // in lists of numbers
  std::size_t values;          // everything else
  std::size_t skeleton_bytes;  // of everything else
};

LiftedText lift_number_columns(std::string_view text, const TextLimits& limits, std::string& fault);

// The column that a mark stands for; empty for any other text.
std::optional<std::size_t> marked_column(std::string_view text, std::size_t columns);

}  // namespace ridgepoint::codec
