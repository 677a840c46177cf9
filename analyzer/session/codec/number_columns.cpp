#include "analyzer/session/codec/number_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace ridgepoint::codec {
namespace {

// As JSON writes it, and as it reads once parsed. U+0000 can be written in no other way, so that a
// look at the first six bytes of every text in the file rules out that it forges a mark.
constexpr std::string_view mark_source = "\\u0000column ";
constexpr std::string_view forgery = "\"\\u0000";
constexpr std::string_view mark{"\0column ", 8};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Reads one list of numbers from the byte after its '['. Stops at whatever is not plain.
class ListReader {
 public:
  ListReader(std::string_view text, std::size_t at)
      : at_(text.data() + at), end_(text.data() + text.size()) {}

  // False when the list has to stay in the text. `room` counts down by the numbers read.
  bool read(NumberColumn& column, std::size_t& room) {
    do {
      skip_space();
      if (room == 0 || !cell(column)) {
        return false;
      }
      --room;
      skip_space();
    } while (at_ != end_ && *at_++ == ',');
    return at_[-1] == ']';
  }
  const char* end() const { return at_; }

 private:
  void skip_space() {
    while (at_ != end_ && is_space(*at_)) {
      ++at_;
    }
  }
  bool ends_here(const char* p) const {
    return p == end_ || *p == ',' || *p == ']' || is_space(*p);
  }

  bool cell(NumberColumn& column) {
    const char* p = at_;
    if (std::string_view(p, std::min<std::size_t>(4, end_ - p)) == "null") {
      at_ += 4;
      column.add(std::nan(""));
      return true;
    }
    const bool negative = p != end_ && *p == '-';
    p += negative ? 1 : 0;
    const char* const digits = p;
    std::uint64_t value = 0;
    constexpr std::ptrdiff_t most_digits = 19;  // of which any number fits 64 bits
    while (p != end_ && is_digit(*p) && p - digits <= most_digits) {
      value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
    }
    const std::ptrdiff_t count = p - digits;
    if (count == 0 || (count > 1 && *digits == '0')) {
      return false;
    }
    const bool zero_below = negative && value == 0;  // -0 has no whole number
    if (count <= most_digits && std::in_range<std::int64_t>(value) && ends_here(p) && !zero_below) {
      const auto magnitude = static_cast<std::int64_t>(value);
      column.add(negative ? -magnitude : magnitude);
      at_ = p;
      return true;
    }
    return real(digits, column);
  }

  // The grammar is checked here, since from_chars also takes "5." and hexadecimal "inf" and "nan".
  bool real(const char* digits, NumberColumn& column) {
    const char* p = digits;
    const auto some_digits = [&] {
      const char* const from = p;
      while (p != end_ && is_digit(*p)) {
        ++p;
      }
      return p != from;
    };
    bool whole = true;
    some_digits();
    if (p != end_ && *p == '.') {
      whole = false;
      ++p;
      if (!some_digits()) {
        return false;
      }
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
      whole = false;
      ++p;
      p += p != end_ && (*p == '+' || *p == '-') ? 1 : 0;
      if (!some_digits()) {
        return false;
      }
    }
    if (!ends_here(p) || (whole && p - digits > 1)) {
      return false;  // a whole number beyond 63 bits is the library's
    }
    double value = 0;
    const auto [stop, status] = std::from_chars(at_, p, value);
    if (status != std::errc() || stop != p) {
      return false;  // too large or too small for a double
    }
    column.add(value);
    at_ = p;
    return true;
  }

  const char* at_;
  const char* end_;
};

class Lifter {
 public:
  Lifter(std::string_view text, const TextLimits& limits, std::string& fault)
      : text_(text), limits_(limits), fault_(fault), room_(limits.numbers) {}

  LiftedText run() {
    if (text_.find(forgery) != std::string_view::npos) {
      lifting_ = false;
    }
    while (at_ < text_.size() && fault_.empty()) {
      step();
    }
    keep(text_.size());
    return std::move(result_);
  }

 private:
  void step() {
    switch (text_[at_]) {
      case '"':
        skip_text();
        return;
      case '[':
      case '{':
        open();
        return;
      case ']':
      case '}':
        --depth_;
        break;
      case ',':
        count_value();
        break;
      default:
        break;
    }
    ++at_;
  }

  void count_value() {
    if (++values_ > limits_.values) {
      fault_ =
          fmt::format("it holds more than {} values beside its columns of numbers", limits_.values);
    }
  }

  // To after the closing quote; a text that never ends is the library's to complain about.
  void skip_text() {
    ++at_;
    while (true) {
      at_ = std::min(text_.find_first_of("\"\\", at_), text_.size());
      if (at_ >= text_.size() || text_[at_] == '"') {
        break;
      }
      at_ += 2;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void open() {
    count_value();
    if (depth_ >= limits_.nesting) {
      fault_ = fmt::format("its JSON is nested more than {} levels deep", limits_.nesting);
      return;
    }
    if (text_[at_] == '[' && lifting_ && lift()) {
      return;
    }
    ++depth_;
    ++at_;
  }

  bool lift() {
    NumberColumn column;
    // Columns of one table are equally long.
    column.reserve(std::min({last_rows_, (text_.size() - at_) / 2, room_}));
    ListReader reader(text_, at_ + 1);
    std::size_t room = room_;
    if (!reader.read(column, room)) {
      if (room == 0) {
        fault_ = fmt::format("it holds more than {} numbers", limits_.numbers);
      }
      return false;
    }
    room_ = room;
    last_rows_ = column.size();
    keep(at_);
    result_.skeleton += fmt::format("\"{}{}\"", mark_source, result_.columns.size());
    at_ = kept_ = static_cast<std::size_t>(reader.end() - text_.data());
    result_.columns.push_back(std::move(column));
    result_.shifts.push_back({result_.skeleton.size(), at_});
    return true;
  }

  // Copies what lies between the last list and `end`.
  void keep(std::size_t end) {
    if (!fault_.empty()) {
      return;
    }
    if (result_.skeleton.size() + (end - kept_) > limits_.skeleton_bytes) {
      fault_ = fmt::format("it holds more than {} bytes beside its columns of numbers",
                           limits_.skeleton_bytes);
      return;
    }
    result_.skeleton.append(text_.substr(kept_, end - kept_));
  }

  std::string_view text_;
  const TextLimits& limits_;
  std::string& fault_;
  LiftedText result_;
  bool lifting_ = true;
  int depth_ = 0;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;
  std::size_t values_ = 0;
  std::size_t room_ = 0;
  std::size_t last_rows_ = 0;
};

}  // namespace

void NumberColumn::add(std::int64_t value) {
  if (has_reals_) {
    reals_.push_back(static_cast<double>(value));
  } else {
    integers_.push_back(value);
  }
}

void NumberColumn::add(double value) {
  if (!has_reals_) {
    reals_.reserve(integers_.capacity());
    reals_.assign(integers_.begin(), integers_.end());
    integers_ = {};
    has_reals_ = true;
  }
  reals_.push_back(value);
}

std::optional<std::int64_t> NumberColumn::integer(std::size_t row) const {
  if (whole()) {
    return integers_[row];
  }
  constexpr double exact = 9007199254740992.0;  // 2^53
  const double value = reals_[row];
  const bool fits = std::abs(value) <= exact && std::floor(value) == value;
  return fits ? std::optional<std::int64_t>(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::vector<double> NumberColumn::take() {
  if (whole()) {
    reals_.assign(integers_.begin(), integers_.end());
    integers_ = {};
  }
  has_reals_ = false;
  return std::move(reals_);
}

std::size_t LiftedText::original_offset(std::size_t skeleton_offset) const {
  const auto after =
      std::upper_bound(shifts.begin(), shifts.end(), skeleton_offset,
                       [](std::size_t at, const Shift& shift) { return at < shift.skeleton_end; });
  return after == shifts.begin()
             ? skeleton_offset
             : skeleton_offset - std::prev(after)->skeleton_end + std::prev(after)->original_end;
}

LiftedText lift_number_columns(std::string_view text, const TextLimits& limits,
                               std::string& fault) {
  return Lifter(text, limits, fault).run();
}

std::optional<std::size_t> marked_column(std::string_view text, std::size_t columns) {
  if (text.substr(0, mark.size()) != mark) {
    return std::nullopt;
  }
  std::size_t column = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data() + mark.size(), end, column);
  return status == std::errc() && stop == end && column < columns
             ? std::optional<std::size_t>(column)
             : std::nullopt;
}

}  // namespace ridgepoint::codec
