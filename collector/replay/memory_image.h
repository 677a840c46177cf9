// What device memory holds at one moment, kept in spare device memory.
//
// On the device, because a copy there moves terabytes a second and one over the bus a fiftieth of
// it. Consecutive images share the pieces that did not change in between, so that many launches of
// a program with large but mostly constant memory can wait for their replay.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "collector/replay/memory_kernels.h"
#include "collector/replay/memory_map.h"
#include "collector/replay/shadow_pool.h"
#include "collector/replay/wait.h"

namespace ridgepoint::collector {

class MemoryImage {
 public:
  const PieceTable& table() const { return table_; }

 private:
  friend class ImageStore;
  struct Piece {
    MemoryPiece where;
    std::shared_ptr<const CUdeviceptr> copy;
  };
  std::vector<Piece> pieces_;  // by address
  PieceTable table_;
  std::shared_ptr<const CUdeviceptr> table_memory_;
};

// Life cycle: create() with the context current -> take() and restore() with the context idle and
// current -> forget() to start anew, when the pool is to be released. All work is on one stream,
// asynchronous where not said otherwise.
class ImageStore {
 public:
  ImageStore(const DriverApi& driver, const MemoryKernels& kernels, ShadowPool& pool,
             const WaitedStream& stream)
      : driver_(&driver), kernels_(&kernels), pool_(&pool), stream_(stream) {}

  // Waits for what it starts. Fails when the pool has too little memory, and when the stream's
  // patience ends.
  Result<std::shared_ptr<const MemoryImage>> take(const std::vector<MemoryRange>& ranges);
  Status restore(const MemoryImage& image) {
    return kernels_->restore(image.table(), stream_.stream);
  }
  // The pieces in which memory differs from the image now. Waits.
  Result<std::shared_ptr<const MemoryImage>> changed_since(const MemoryImage& image);
  // By the copy engines, for when the processors are not to be had: all bytes, whether they differ
  // or not, on `stream`.
  Status copy_back(const MemoryImage& image, CUstream stream);
  void forget() { last_.reset(); }

 private:
  Result<std::map<std::uint64_t, MemoryImage::Piece>> unchanged(
      const std::vector<MemoryPiece>& pieces);
  Result<std::vector<std::uint32_t>> compare(const PieceTable& table);
  Status upload(MemoryImage& image);

  const DriverApi* driver_;
  const MemoryKernels* kernels_;
  ShadowPool* pool_;
  WaitedStream stream_;
  std::shared_ptr<const MemoryImage> last_;
};

}  // namespace ridgepoint::collector
