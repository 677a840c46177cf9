// Kernels over lists of memory pieces. All are asynchronous on the given stream.
//
// Restoring writes only words that differ: it reads at full bandwidth and dirties no cache line
// but those that the replayed kernel itself has changed. A plain copy would dirty all it copies,
// and its write-back would be charged to the kernel that runs next.
#pragma once

#include <optional>
#include <vector>

#include "collector/replay/driver_api.h"
#include "collector/replay/memory_piece.h"

namespace ridgepoint::collector {

// A list of pieces in device memory.
struct PieceTable {
  CUdeviceptr address = 0;
  unsigned count = 0;
};

// Life cycle: load() with the context current -> any number of launches -> unload().
class MemoryKernels {
 public:
  static Result<MemoryKernels> load(const DriverApi& driver);
  // Sets changed[i], 4 bytes in device memory, where live and saved bytes of piece i differ.
  Status compare(const PieceTable& pieces, CUdeviceptr changed, CUstream stream) const;
  // live = saved, where they differ.
  Status restore(const PieceTable& pieces, CUstream stream) const;
  // Reads the live bytes: of the program's memory to bring it into the cache, of a buffer larger
  // than the cache to put everything else out of it.
  Status read(const PieceTable& pieces, CUstream stream) const;
  // Writes to `cycles`, 8 bytes, how many cycles of the SM the loads of `chain` take that depend on
  // each other: latency_chain_bytes of zeros.
  Status latency(CUdeviceptr chain, CUdeviceptr cycles, CUstream stream) const;
  void unload();

 private:
  MemoryKernels(const DriverApi& driver, CUmodule module) : driver_(&driver), module_(module) {}
  Status launch(CUfunction kernel, const PieceTable& pieces, void** arguments, CUstream stream,
                const char* what) const;

  const DriverApi* driver_;
  CUmodule module_;
  CUfunction compare_ = nullptr;
  CUfunction restore_ = nullptr;
  CUfunction read_ = nullptr;
  CUfunction latency_ = nullptr;
};

}  // namespace ridgepoint::collector
