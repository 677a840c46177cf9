#include "analyzer/import/csv.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::importing {

bool CsvReader::quoted_field(std::string_view& field) {
  const std::size_t begin = ++at_;
  std::string* copy = nullptr;
  std::size_t piece = begin;
  while (true) {
    const std::size_t quote = text_.find('"', at_);
    if (quote == std::string_view::npos) {
      fault_ = fmt::format("the quoted field that begins in line {} never ends", line_);
      return false;
    }
    const bool doubled = quote + 1 < text_.size() && text_[quote + 1] == '"';
    at_ = quote + (doubled ? 2 : 1);
    if (doubled) {
      copy = copy == nullptr ? &unescaped_.emplace_back() : copy;
      copy->append(text_.substr(piece, quote + 1 - piece));
      piece = at_;
      continue;
    }
    const std::string_view inside = text_.substr(begin, quote - begin);
    line_ += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
    const std::string_view tail = plain_field();
    if (copy == nullptr && tail.empty()) {
      field = inside;
      return true;
    }
    copy = copy == nullptr ? &unescaped_.emplace_back() : copy;
    copy->append(text_.substr(piece, quote - piece)).append(tail);
    field = *copy;
    return true;
  }
}

std::string_view CsvReader::plain_field() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
    ++at_;
  }
  std::string_view field = text_.substr(begin, at_ - begin);
  if (!field.empty() && field.back() == '\r' && (at_ == text_.size() || text_[at_] == '\n')) {
    field.remove_suffix(1);
  }
  return field;
}

bool CsvReader::end_of_row() {
  if (at_ == text_.size()) {
    return true;
  }
  const bool ends = text_[at_++] == '\n';
  line_ += ends ? 1 : 0;
  return ends;
}

bool CsvReader::next(Row& row) {
  row.clear();
  unescaped_.clear();
  if (at_ >= text_.size() || !fault_.empty()) {
    return false;
  }
  row_line_ = line_;
  do {
    if (row.size() == csv_cells_a_row_limit) {
      fault_ = fmt::format("line {} has more than {} cells", row_line_, csv_cells_a_row_limit);
      return false;
    }
    std::string_view field;
    if (at_ < text_.size() && text_[at_] == '"') {
      if (!quoted_field(field)) {
        return false;
      }
    } else {
      field = plain_field();
    }
    row.push_back(field);
  } while (!end_of_row());
  return true;
}

}  // namespace ridgepoint::importing
