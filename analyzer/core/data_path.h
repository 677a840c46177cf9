// Where the files of data/ lie at run time: counter sets, chip descriptions, recordings, schemas.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/core/file.h"

namespace ridgepoint {

// Descriptions of chips, GPUs and counters are some kilobytes of JSON. One beyond these is refused
// before it is built.
inline constexpr std::uint64_t data_file_limit_bytes = std::uint64_t{1} << 20U;
inline constexpr int data_nesting_limit = 16;

// $RIDGEPOINT_DATA when set, else ../share/ridgepoint from the running program. Fails, naming the
// folders it looked in, when none holds the data.
Result<std::filesystem::path> data_directory();

// The .json files in one folder of `data` ("chips", "gpus", "counters"), ordered by name.
Result<std::vector<std::filesystem::path>> data_files(const std::filesystem::path& data,
                                                      const std::string& folder);

// Every file of data_files() through `parse(text, path)`, which gives a Result; the first failure
// is the whole's. Files of the data are small: a larger one is refused.
template <typename Parse>
auto load_data(const std::filesystem::path& data, const std::string& folder, Parse parse) -> Result<
    std::vector<typename std::invoke_result_t<Parse, std::string, std::string>::value_type>> {
  const auto files = data_files(data, folder);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  std::vector<typename std::invoke_result_t<Parse, std::string, std::string>::value_type> all;
  for (const std::filesystem::path& path : *files) {
    auto one = read_file(path, data_file_limit_bytes).and_then([&](const std::string& text) {
      return parse(text, path.string());
    });
    if (!one) {
      return tl::make_unexpected(one.error());
    }
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace ridgepoint
