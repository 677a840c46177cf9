// Archive that writes structs as JSON text. Empty lists and optionals are left out, so that the
// part of a session a journal line holds stays as small as what it says; so are columns of a table
// that hold the default in every row, which is what a reader gives an absent column.
//
// The text is written directly: a JSON document of a million launches would take gigabytes.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/session/codec/describe.h"
#include "analyzer/session/codec/scalar.h"

namespace ridgepoint::codec {

template <class T>
void write_json(std::string& text, const T& value);

// As JSON, quoted and escaped. Kernel names come from other people's binaries: bytes that are not
// UTF-8 are replaced, not a reason to lose a run.
void write_text(std::string& text, const std::string& value);
// The shortest digits that read back as the same number; "null" for what is not finite: JSON has
// no NaN and no infinity, and both mean "not measured" here.
void write_number(std::string& text, double value);

template <std::integral T>
void write_number(std::string& text, T value) {
  char digits[24];
  const auto [end, status] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

// Collects the text of one column a field while describe() runs over row after row; fields always
// come in the same order. The first row it is given is the default one, to compare with.
class ColumnWriter {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    if (next_ == columns_.size()) {
      Column& column = columns_.emplace_back();
      column.name = name;
      write_json(column.usual, value);
    } else {
      Column& column = columns_[next_];
      column.cells += ',';
      const std::size_t begin = column.cells.size();
      write_json(column.cells, value);
      column.differs =
          column.differs || std::string_view(column.cells).substr(begin) != column.usual;
    }
    ++next_;
  }
  void next_row() { next_ = 0; }
  // The first column is always written: it carries the number of rows.
  void finish(std::string& text) {
    char before = '{';
    for (Column& column : columns_) {
      if (column.differs || before == '{') {
        text += before;
        text += '"' + std::string(column.name) + "\":[";
        text.append(column.cells, 1, std::string::npos);
        text += ']';
        before = ',';
      }
      column.cells = {};
    }
    text += '}';
  }

 private:
  struct Column {
    const char* name = nullptr;
    std::string usual;
    std::string cells;  // each with a comma before it
    bool differs = false;
  };
  std::vector<Column> columns_;
  std::size_t next_ = 0;
};

class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& text) : text_(text) { text_ += '{'; }

  template <class T>
  void operator()(const char* name, const T& value) {
    const std::size_t before = begin(name);
    const std::size_t from = text_.size();
    write_json(text_, value);
    const std::string_view written = std::string_view(text_).substr(from);
    if (written == "null" || written == "[]" || written == "{}") {
      text_.resize(before);
    } else {
      first_ = false;
    }
  }
  template <class Row>
  void table(const char* name, const std::vector<Row>& rows) {
    if (rows.empty()) {
      return;
    }
    begin(name);
    first_ = false;
    ColumnWriter columns;
    const Row usual;
    describe(columns, usual);
    columns.next_row();
    for (const Row& row : rows) {
      describe(columns, row);
      columns.next_row();
    }
    columns.finish(text_);
  }
  void finish() { text_ += '}'; }

 private:
  // Where the text was before the member's name.
  std::size_t begin(const char* name) {
    const std::size_t before = text_.size();
    text_ += first_ ? "\"" : ",\"";
    text_ += name;
    text_ += "\":";
    return before;
  }

  std::string& text_;
  bool first_ = true;
};

template <class T>
struct JsonOf {
  static void write(std::string& text, const T& value) {
    if constexpr (std::same_as<T, bool>) {
      text += value ? "true" : "false";
    } else if constexpr (std::same_as<T, std::string>) {
      write_text(text, value);
    } else if constexpr (Scalar<T>) {
      write_number(text, value);
    } else {
      ObjectWriter object(text);
      describe(object, value);
      object.finish();
    }
  }
};
template <class T>
struct JsonOf<std::optional<T>> {
  static void write(std::string& text, const std::optional<T>& value) {
    if (value) {
      write_json(text, *value);
    } else {
      text += "null";
    }
  }
};
template <class T>
struct JsonOf<std::vector<T>> {
  static void write(std::string& text, const std::vector<T>& values) {
    text += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) {
        text += ',';
      }
      write_json(text, values[i]);
    }
    text += ']';
  }
};

template <class T>
void write_json(std::string& text, const T& value) {
  JsonOf<T>::write(text, value);
}

}  // namespace ridgepoint::codec
