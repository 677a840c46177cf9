// Scalars between C++ and JSON, with range checks: a file may hold any number where a field wants a
// small one.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/session/codec/number_columns.h"

namespace ridgepoint::codec {

using Json = nlohmann::ordered_json;

template <class T>
concept Scalar = std::integral<T> || std::floating_point<T> || std::same_as<T, std::string>;

// What a field of this kind expects, in words.
template <Scalar T>
constexpr const char* expected_scalar() {
  if constexpr (std::same_as<T, bool>) {
    return "true or false";
  } else if constexpr (std::same_as<T, std::string>) {
    return "a text";
  } else if constexpr (std::integral<T>) {
    return "a whole number in range";
  } else {
    return "a number or null";
  }
}

// Null where the file's value fits, else what was expected in words.
template <Scalar T>
const char* scalar_from_json(const Json& json, T& value) {
  if constexpr (std::same_as<T, bool>) {
    if (!json.is_boolean()) {
      return expected_scalar<T>();
    }
    value = json.get<bool>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) {
      return expected_scalar<T>();
    }
    value = json.get_ref<const std::string&>();
  } else if constexpr (std::integral<T>) {
    constexpr const char* expected = expected_scalar<T>();
    if (json.is_number_unsigned()) {
      const auto number = json.get<std::uint64_t>();
      if (!std::in_range<T>(number)) {
        return expected;
      }
      value = static_cast<T>(number);
    } else if (json.is_number_integer()) {
      const auto number = json.get<std::int64_t>();
      if (!std::in_range<T>(number)) {
        return expected;
      }
      value = static_cast<T>(number);
    } else {
      return expected;
    }
  } else {
    if (json.is_null()) {
      value = std::nan("");
    } else if (json.is_number()) {
      value = json.get<T>();
    } else {
      return expected_scalar<T>();
    }
  }
  return nullptr;
}

// The same from a row of a column that was taken out of the text.
template <Scalar T>
const char* scalar_from_column(const NumberColumn& column, std::size_t row, T& value) {
  if constexpr (std::floating_point<T>) {
    value = static_cast<T>(column.real(row));
    return nullptr;
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    const auto number = column.integer(row);
    if (!number || !std::in_range<T>(*number)) {
      return expected_scalar<T>();
    }
    value = static_cast<T>(*number);
    return nullptr;
  } else {
    return expected_scalar<T>();
  }
}

}  // namespace ridgepoint::codec
