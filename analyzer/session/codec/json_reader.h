// Archive that fills structs from JSON. Absent and null fields keep their defaults and unknown ones
// are not looked at; a field of the wrong kind is an error that names its place:
// "launches.grid_x[17] is not a whole number in range". Reading goes on after an error, only the
// first is kept.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "analyzer/session/codec/describe.h"
#include "analyzer/session/codec/document.h"
#include "analyzer/session/codec/scalar.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::codec {

// What all readers of one document share: its columns and the first complaint.
struct Reading {
  std::vector<NumberColumn>& columns;
  std::string error;

  void report(const std::string& place, const std::string& complaint) {
    if (error.empty()) {
      error = place + " " + complaint;
    }
  }
  // The column whose mark this is, or null.
  NumberColumn* column(const Json& json) const { return column_of(json, columns); }
};

class JsonReader {
 public:
  JsonReader(const Json& object, std::string place, Reading& reading)
      : object_(object), place_(std::move(place)), reading_(reading) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (const Json* json = member(name)) {
      read(*json, place_.empty() ? name : place_ + "." + name, value, reading_);
    }
  }

  // A table is an object of equally long arrays.
  template <class Row>
  void table(const char* name, std::vector<Row>& rows);

  template <class T>
  static void read(const Json& json, const std::string& place, T& value, Reading& reading);

 private:
  const Json* member(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& object_;
  std::string place_;
  Reading& reading_;
};

// A list as the document holds it: in the JSON, or as a column taken out of it.
class ListCells {
 public:
  ListCells(const Json& json, const Reading& reading)
      : reading_(&reading), list_(&json), column_(reading.column(json)) {}

  bool is_list() const { return column_ != nullptr || list_->is_array(); }
  std::size_t size() const { return column_ != nullptr ? column_->size() : list_->size(); }
  NumberColumn* column() const { return column_; }
  const Json& operator[](std::size_t row) const { return (*list_)[row]; }

  template <Scalar T>
  const char* read(std::size_t row, T& value) const {
    if (column_ != nullptr) {
      return scalar_from_column(*column_, row, value);
    }
    const Json& cell = (*list_)[row];
    return reading_->column(cell) != nullptr ? expected_scalar<T>() : scalar_from_json(cell, value);
  }
  template <Scalar T>
  const char* read(std::size_t row, std::optional<T>& value) const {
    value.reset();
    const bool null = column_ != nullptr ? !column_->whole() && std::isnan(column_->real(row))
                                         : (*list_)[row].is_null();
    return null ? nullptr : read(row, value.emplace());
  }

 private:
  const Reading* reading_;
  const Json* list_;
  NumberColumn* column_;
};

// Fills row after row; column i of the description is looked up once, on the first row.
class ColumnReader {
 public:
  ColumnReader(const Json& table, std::string place, Reading& reading)
      : table_(table), place_(std::move(place)), reading_(reading) {}

  void begin_row(std::size_t row) {
    row_ = row;
    next_ = 0;
  }
  template <class T>
  void operator()(const char* name, T& value) {
    if (row_ == 0) {
      const auto found = table_.find(name);
      columns_.push_back(found == table_.end() ? std::optional<ListCells>()
                                               : ListCells(*found, reading_));
    }
    const std::optional<ListCells>& column = columns_[next_++];
    if (!column) {
      return;
    }
    if (const char* expected = column->read(row_, value)) {
      reading_.report(place_ + "." + name + "[" + std::to_string(row_) + "]",
                      std::string("is not ") + expected);
    }
  }

 private:
  const Json& table_;
  std::string place_;
  Reading& reading_;
  std::vector<std::optional<ListCells>> columns_;
  std::size_t row_ = 0;
  std::size_t next_ = 0;
};

template <class T>
struct FromJson {
  static void read(const Json& json, const std::string& place, T& value, Reading& reading) {
    if constexpr (Scalar<T>) {
      const char* expected =
          reading.column(json) != nullptr ? expected_scalar<T>() : scalar_from_json(json, value);
      if (expected != nullptr) {
        reading.report(place, std::string("is not ") + expected);
      }
    } else if (json.is_object()) {
      JsonReader reader(json, place, reading);
      describe(reader, value);
    } else {
      reading.report(place, "is not an object");
    }
  }
};
template <class T>
struct FromJson<std::optional<T>> {
  static void read(const Json& json, const std::string& place, std::optional<T>& value,
                   Reading& reading) {
    JsonReader::read(json, place, value.emplace(), reading);
  }
};
template <class T>
struct FromJson<std::vector<T>> {
  static void read(const Json& json, const std::string& place, std::vector<T>& values,
                   Reading& reading) {
    const ListCells cells(json, reading);
    const auto place_of = [&](std::size_t i) { return place + "[" + std::to_string(i) + "]"; };
    if (!cells.is_list()) {
      reading.report(place, "is not a list");
      return;
    }
    if constexpr (std::same_as<T, double>) {
      if (cells.column() != nullptr) {
        values = cells.column()->take();
        return;
      }
    }
    if constexpr (Scalar<T>) {
      values.resize(cells.size());
      for (std::size_t i = 0; i < values.size() && reading.error.empty(); ++i) {
        if (const char* expected = cells.read(i, values[i])) {
          reading.report(place_of(i), std::string("is not ") + expected);
        }
      }
    } else if (cells.column() != nullptr) {
      reading.report(place_of(0), "is not an object or a list");
    } else if (cells.size() > session_list_limit) {
      reading.report(place, fmt::format("has {} entries, more than the limit of {}", cells.size(),
                                        session_list_limit));
    } else {
      values.resize(cells.size());
      for (std::size_t i = 0; i < values.size() && reading.error.empty(); ++i) {
        JsonReader::read(cells[i], place_of(i), values[i], reading);
      }
    }
  }
};

template <class T>
void JsonReader::read(const Json& json, const std::string& place, T& value, Reading& reading) {
  FromJson<T>::read(json, place, value, reading);
}

template <class Row>
void JsonReader::table(const char* name, std::vector<Row>& rows) {
  const Json* json = member(name);
  if (json == nullptr) {
    return;
  }
  const std::string place = place_.empty() ? name : place_ + "." + name;
  if (!json->is_object()) {
    reading_.report(place, "is not an object of columns");
    return;
  }
  std::size_t row_count = 0;
  bool first = true;
  for (const auto& [column, list] : json->items()) {
    const ListCells cells(list, reading_);
    if (!cells.is_list() || (!first && cells.size() != row_count)) {
      reading_.report(place + "." + column, "is not a column as long as the others");
      return;
    }
    row_count = cells.size();
    first = false;
  }
  if (row_count > session_row_limit) {
    reading_.report(
        place, fmt::format("has {} rows, more than the limit of {}", row_count, session_row_limit));
    return;
  }
  rows.resize(row_count);
  ColumnReader reader(*json, place, reading_);
  for (std::size_t row = 0; row < row_count && reading_.error.empty(); ++row) {
    reader.begin_row(row);
    describe(reader, rows[row]);
  }
}

}  // namespace ridgepoint::codec
