// Archive that turns structs into JSON. Empty lists and optionals are left out, so that the part of
// a session a journal line holds stays as small as what it says.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/session/codec/describe.h"
#include "analyzer/session/codec/scalar.h"

namespace ridgepoint::codec {

class JsonWriter;

template <class T>
Json to_json(const T& value);

// Collects one array a field while describe() runs over row after row; fields always come in the
// same order.
class ColumnWriter {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    if (next_ == names_.size()) {
      names_.emplace_back(name);
      columns_.push_back(Json::array());
    }
    columns_[next_++].push_back(to_json(value));
  }
  void next_row() { next_ = 0; }
  Json finish() {
    Json object = Json::object();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      object[names_[i]] = std::move(columns_[i]);
    }
    return object;
  }

 private:
  std::vector<std::string> names_;
  std::vector<Json> columns_;
  std::size_t next_ = 0;
};

class JsonWriter {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    Json json = to_json(value);
    const bool empty = json.is_null() || ((json.is_array() || json.is_object()) && json.empty());
    if (!empty) {
      object_[name] = std::move(json);
    }
  }
  template <class Row>
  void table(const char* name, const std::vector<Row>& rows) {
    if (rows.empty()) {
      return;
    }
    ColumnWriter columns;
    for (const Row& row : rows) {
      describe(columns, row);
      columns.next_row();
    }
    object_[name] = columns.finish();
  }
  Json finish() { return std::move(object_); }

 private:
  Json object_ = Json::object();
};

template <class T>
struct JsonOf {
  static Json make(const T& value) {
    if constexpr (Scalar<T>) {
      return scalar_to_json(value);
    } else {
      JsonWriter writer;
      describe(writer, value);
      return writer.finish();
    }
  }
};
template <class T>
struct JsonOf<std::optional<T>> {
  static Json make(const std::optional<T>& value) {
    return value ? to_json(*value) : Json(nullptr);
  }
};
template <class T>
struct JsonOf<std::vector<T>> {
  static Json make(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) {
      array.push_back(to_json(value));
    }
    return array;
  }
};

template <class T>
Json to_json(const T& value) {
  return JsonOf<T>::make(value);
}

}  // namespace ridgepoint::codec
