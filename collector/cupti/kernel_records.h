// What the driver knows of each kernel launch: name, shape, registers, memory, start and end.
//
// Life cycle: start() -> work -> device synchronised -> stop(), which gives the records in launch
// order. CUPTI's activity interface is one for the process, so only one recording runs at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

struct CuptiApi;

struct KernelRecord {
  std::string mangled;
  std::uint32_t stream = 0;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::int64_t registers_per_thread = 0;
  std::int64_t static_smem_bytes = 0;
  std::int64_t dynamic_smem_bytes = 0;
  std::int64_t local_bytes_per_thread = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t correlation = 0;
};

struct KernelRecords {
  std::vector<KernelRecord> records;
  std::uint64_t dropped = 0;
};

Status start_kernel_records(const CuptiApi& api);
Result<KernelRecords> stop_kernel_records(const CuptiApi& api);

}  // namespace ridgepoint::collector
