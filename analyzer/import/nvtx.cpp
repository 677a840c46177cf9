#include "analyzer/import/nvtx.h"

#include <charconv>

namespace ridgepoint::importing {
namespace {

constexpr int fields_behind_the_name = 6;
// Ranges nest as deep as the program likes; a cell of a million of them is no recording.
constexpr int deepest_nesting = 256;

std::string_view without_trailing_fields(std::string_view text) {
  for (int i = 0; i < fields_behind_the_name; ++i) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
      return text;
    }
    text = text.substr(0, colon);
  }
  return text;
}

}  // namespace

std::int64_t append_ranges(std::string_view cell, std::vector<NvtxRange>& ranges) {
  std::uint64_t thread = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), thread);
  std::int64_t innermost = no_index;
  std::size_t at = 0;
  for (int depth = 0; depth < deepest_nesting; ++depth) {
    const std::size_t open = cell.find('"', at);
    const std::size_t close = open == std::string_view::npos ? open : cell.find('"', open + 1);
    if (close == std::string_view::npos) {
      break;
    }
    const std::string_view item = cell.substr(open + 1, close - open - 1);
    const std::size_t colon = item.find(':');
    NvtxRange range;
    range.thread = thread;
    range.parent = innermost;
    if (colon == std::string_view::npos) {
      range.name = item;
    } else {
      range.domain = item.substr(0, colon);
      range.name = without_trailing_fields(item.substr(colon + 1));
    }
    ranges.push_back(std::move(range));
    innermost = static_cast<std::int64_t>(ranges.size()) - 1;
    at = close + 1;
  }
  return innermost;
}

}  // namespace ridgepoint::importing
