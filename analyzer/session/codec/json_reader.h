// Archive that fills structs from JSON. Absent and null fields keep their defaults and unknown ones
// are not looked at; a field of the wrong kind is an error that names its place:
// "launches.grid_x[17] is not a whole number in range". Reading goes on after an error, only the
// first is kept.
#pragma once

#include <string>
#include <vector>

#include "analyzer/session/codec/describe.h"
#include "analyzer/session/codec/scalar.h"

namespace ridgepoint::codec {

class JsonReader {
 public:
  JsonReader(const Json& object, std::string place, std::string& error)
      : object_(object), place_(std::move(place)), error_(error) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (const Json* json = member(name)) {
      read(*json, place_.empty() ? name : place_ + "." + name, value, error_);
    }
  }

  // A table is an object of equally long arrays.
  template <class Row>
  void table(const char* name, std::vector<Row>& rows);

  template <class T>
  static void read(const Json& json, const std::string& place, T& value, std::string& error);
  static void report(std::string& error, const std::string& place, const char* expected) {
    if (error.empty()) {
      error = place + " is not " + expected;
    }
  }

 private:
  const Json* member(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& object_;
  std::string place_;
  std::string& error_;
};

// Fills row after row; column i of the description is looked up once, on the first row.
class ColumnReader {
 public:
  ColumnReader(const Json& table, std::string place, std::string& error)
      : table_(table), place_(std::move(place)), error_(error) {}

  void begin_row(std::size_t row) {
    row_ = row;
    next_ = 0;
  }
  template <class T>
  void operator()(const char* name, T& value) {
    if (row_ == 0) {
      const auto found = table_.find(name);
      columns_.push_back(found == table_.end() ? nullptr : &*found);
    }
    const Json* column = columns_[next_++];
    if (column == nullptr) {
      return;
    }
    const Json& cell = (*column)[row_];
    const char* expected = read_cell(cell, value);
    if (expected != nullptr && error_.empty()) {
      JsonReader::report(error_, place_ + "." + name + "[" + std::to_string(row_) + "]", expected);
    }
  }

 private:
  template <Scalar T>
  static const char* read_cell(const Json& cell, T& value) {
    return scalar_from_json(cell, value);
  }
  template <Scalar T>
  static const char* read_cell(const Json& cell, std::optional<T>& value) {
    value.reset();
    return cell.is_null() ? nullptr : scalar_from_json(cell, value.emplace());
  }

  const Json& table_;
  std::string place_;
  std::string& error_;
  std::vector<const Json*> columns_;
  std::size_t row_ = 0;
  std::size_t next_ = 0;
};

template <class T>
struct FromJson {
  static void read(const Json& json, const std::string& place, T& value, std::string& error) {
    if constexpr (Scalar<T>) {
      if (const char* expected = scalar_from_json(json, value)) {
        JsonReader::report(error, place, expected);
      }
    } else if (json.is_object()) {
      JsonReader reader(json, place, error);
      describe(reader, value);
    } else {
      JsonReader::report(error, place, "an object");
    }
  }
};
template <class T>
struct FromJson<std::optional<T>> {
  static void read(const Json& json, const std::string& place, std::optional<T>& value,
                   std::string& error) {
    JsonReader::read(json, place, value.emplace(), error);
  }
};
template <class T>
struct FromJson<std::vector<T>> {
  static void read(const Json& json, const std::string& place, std::vector<T>& values,
                   std::string& error) {
    if (!json.is_array()) {
      JsonReader::report(error, place, "a list");
      return;
    }
    values.resize(json.size());
    for (std::size_t i = 0; i < values.size() && error.empty(); ++i) {
      if constexpr (std::same_as<T, double>) {
        // The big counter columns: no place text unless there is something to report.
        if (const char* expected = scalar_from_json(json[i], values[i])) {
          JsonReader::report(error, place + "[" + std::to_string(i) + "]", expected);
        }
      } else {
        JsonReader::read(json[i], place + "[" + std::to_string(i) + "]", values[i], error);
      }
    }
  }
};

template <class T>
void JsonReader::read(const Json& json, const std::string& place, T& value, std::string& error) {
  FromJson<T>::read(json, place, value, error);
}

template <class Row>
void JsonReader::table(const char* name, std::vector<Row>& rows) {
  const Json* json = member(name);
  if (json == nullptr) {
    return;
  }
  const std::string place = place_.empty() ? name : place_ + "." + name;
  if (!json->is_object()) {
    report(error_, place, "an object of columns");
    return;
  }
  std::size_t row_count = 0;
  bool first = true;
  for (const auto& [column, cells] : json->items()) {
    if (!cells.is_array() || (!first && cells.size() != row_count)) {
      report(error_, place + "." + column, "a column as long as the others");
      return;
    }
    row_count = cells.size();
    first = false;
  }
  rows.resize(row_count);
  ColumnReader reader(*json, place, error_);
  for (std::size_t row = 0; row < row_count && error_.empty(); ++row) {
    reader.begin_row(row);
    describe(reader, rows[row]);
  }
}

}  // namespace ridgepoint::codec
