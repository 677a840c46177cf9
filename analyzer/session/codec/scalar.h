// Scalars between C++ and JSON, with range checks: a file may hold any number where a field wants a
// small one.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ridgepoint::codec {

using Json = nlohmann::ordered_json;

template <class T>
concept Scalar = std::integral<T> || std::floating_point<T> || std::same_as<T, std::string>;

template <Scalar T>
Json scalar_to_json(const T& value) {
  if constexpr (std::floating_point<T>) {
    // JSON has no NaN and no infinity; both mean "not measured" here.
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  } else {
    return Json(value);
  }
}

// Null where the file's value fits, else what was expected in words.
template <Scalar T>
const char* scalar_from_json(const Json& json, T& value) {
  if constexpr (std::same_as<T, bool>) {
    if (!json.is_boolean()) {
      return "true or false";
    }
    value = json.get<bool>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) {
      return "a text";
    }
    value = json.get_ref<const std::string&>();
  } else if constexpr (std::integral<T>) {
    constexpr const char* expected = "a whole number in range";
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
      return "a number or null";
    }
  }
  return nullptr;
}

}  // namespace ridgepoint::codec
