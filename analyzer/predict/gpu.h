// A GPU that is not at hand: a product's figures from data/gpus/*.json or a file of the same form,
// each with its source. The rates a clock come from its chip (data/chips).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/chips/chip.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct L2Peak {
  double bytes_per_clock = 0;  // looked up, all clients and directions
  double clock_hz = 0;
};

struct GpuDescription {
  std::string key;  // "H200": what --gpu takes
  DeviceInfo device;
  ChipModel chip;  // with the product's own rates where it differs
  std::optional<L2Peak> l2_peak;
  std::vector<std::pair<std::string, std::string>> sources;  // figure, where it comes from
};

// The chip is looked up in data_directory()/chips; a description of an unknown chip is refused.
Result<GpuDescription> parse_gpu(const std::string& json, const std::string& name);
// The same with the chips already loaded.
Result<GpuDescription> parse_gpu(const std::string& json, const std::string& name,
                                 const std::vector<ChipModel>& chips);
// All GPUs of data_directory()/gpus, by key.
Result<std::vector<GpuDescription>> load_gpus();
// A key of load_gpus(), in any case, or the path of a description.
Result<GpuDescription> find_gpu(const std::string& key_or_path);

}  // namespace ridgepoint
