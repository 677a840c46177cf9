#include "reports/text/text_layout.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "reports/presenters/elide.h"
#include "reports/presenters/format.h"

namespace ridgepoint {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t widest_cell = 40;

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The bytes of the first `width` code points.
std::string prefix(const std::string& text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (!continues_character(text[end]) && seen++ == width) {
      break;
    }
  }
  return text.substr(0, end);
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string space(width > have ? width - have : 0, ' ');
  return right ? space + text : text + space;
}

std::string trimmed_right(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string wrap(const std::string& text, std::size_t width, const std::string& first,
                 const std::string& rest) {
  std::string out;
  std::string line = first;
  bool fresh = true;  // no word on this line yet
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string::npos) {
      break;
    }
    at = std::min(text.find(' ', begin), text.size());
    std::string word = text.substr(begin, at - begin);
    while (!word.empty()) {
      const std::size_t used = display_width(line) + (fresh ? 0 : 1);
      const std::size_t room = width > used ? width - used : 0;
      if (display_width(word) <= room) {
        line += (fresh ? "" : " ") + word;
        word.clear();
        fresh = false;
      } else if (!fresh) {
        out += line + "\n";
        line = rest;
        fresh = true;
      } else {
        const std::string part = prefix(word, std::max<std::size_t>(room, 1));
        out += line + part + "\n";
        line = rest;
        word.erase(0, part.size());
      }
    }
  }
  return fresh && !out.empty() ? out : out + trimmed_right(line) + "\n";
}

namespace {

// The columns as printed: every cell elided, and the width of each column.
struct Layout {
  std::vector<std::vector<std::string>> columns;  // title first
  std::vector<std::size_t> widths;
  std::vector<bool> right;
};

Layout layout_of(const Table& table) {
  Layout layout;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::vector<std::string> cells = {table.columns[c].title};
    for (const Row& row : table.rows) {
      cells.push_back(format_cell(row.cells[c], table.columns[c].unit));
    }
    if (table.columns[c].sentence) {
      std::transform(cells.begin(), cells.end(), cells.begin(),
                     [](const std::string& cell) { return elide(cell, widest_cell); });
    } else {
      cells = elide_apart(cells, widest_cell);
    }
    std::size_t widest = 0;
    for (const std::string& cell : cells) {
      widest = std::max(widest, display_width(cell));
    }
    layout.columns.push_back(std::move(cells));
    layout.widths.push_back(widest);
    layout.right.push_back(right_aligned(table.columns[c]));
  }
  return layout;
}

// The first column and those from `begin` that fit beside it, at least one.
std::size_t end_of_part(const Layout& layout, std::size_t begin, std::size_t width) {
  std::size_t used = 2 + layout.widths[0];
  std::size_t end = begin;
  while (end < layout.widths.size()) {
    used += gap + layout.widths[end];
    if (used > width && end > begin) {
      break;
    }
    ++end;
  }
  return end;
}

// Names that leave no room for any number are of no use: the widest of them gives way.
void make_room_for_numbers(Layout& layout, std::size_t width) {
  constexpr std::size_t narrow = 20;
  const std::size_t end = end_of_part(layout, 1, width);
  const auto numbers = [&](std::size_t from, std::size_t to) {
    return std::find(layout.right.begin() + static_cast<std::ptrdiff_t>(from),
                     layout.right.begin() + static_cast<std::ptrdiff_t>(to),
                     true) != layout.right.begin() + static_cast<std::ptrdiff_t>(to);
  };
  if (numbers(0, end) || !numbers(end, layout.right.size())) {
    return;
  }
  const auto widest = static_cast<std::size_t>(
      std::max_element(layout.widths.begin(),
                       layout.widths.begin() + static_cast<std::ptrdiff_t>(end)) -
      layout.widths.begin());
  layout.widths[widest] = std::min(layout.widths[widest], narrow);
  layout.columns[widest] = elide_apart(layout.columns[widest], narrow);
}

std::string part(const Layout& layout, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t r = 0; r < layout.columns[0].size(); ++r) {
    std::string line = "  " + padded(layout.columns[0][r], layout.widths[0], layout.right[0]);
    for (std::size_t c = begin; c < end; ++c) {
      line +=
          std::string(gap, ' ') + padded(layout.columns[c][r], layout.widths[c], layout.right[c]);
    }
    out += trimmed_right(line) + "\n";
  }
  return out;
}

}  // namespace

std::string text_table(const Table& table, std::size_t width) {
  if (table.columns.empty()) {
    return "";
  }
  Layout layout = layout_of(table);
  make_room_for_numbers(layout, width);
  const std::size_t shown = end_of_part(layout, 1, width);
  std::string out = part(layout, 1, shown);
  if (shown < table.columns.size()) {
    const std::size_t hidden = table.columns.size() - shown;
    out += "  (" + std::to_string(hidden) +
           (hidden == 1 ? " more column does" : " more columns do") + " not fit this width)\n";
  }
  return out;
}

std::string text_table_in_parts(const Table& table, std::size_t width) {
  if (table.columns.empty()) {
    return "";
  }
  Layout layout = layout_of(table);
  make_room_for_numbers(layout, width);
  std::string out;
  std::size_t begin = 1;
  do {
    const std::size_t end = end_of_part(layout, begin, width);
    out += (out.empty() ? "" : "\n") + part(layout, begin, end);
    begin = end;
  } while (begin < table.columns.size());
  return out;
}

std::size_t table_width(const Table& table) {
  const Layout layout = layout_of(table);
  return std::accumulate(layout.widths.begin(), layout.widths.end(), gap * layout.widths.size());
}

}  // namespace ridgepoint
