#include "collector/replay/cold_l2.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ridgepoint::collector {
namespace {

// Read to put everything else out of it; 4: as in `ridgepoint attention`.
constexpr std::size_t buffer_factor = 4;
// A load from DRAM takes 2.4 times as long as one from L2 (687 and 283 cycles, H200).
constexpr double cold_factor = 1.3;
// The least time of so many counts: another process may get the GPU in the midst of a measurement,
// which makes it longer.
constexpr int measurements = 3;
constexpr int most_late_measurements = 2;

}  // namespace

Status ColdL2::prepare() {
  if (manager_ || buffer_.count != 0) {
    return {};
  }
  CUdevice device = 0;
  if (Status known = driver_status(*driver_, driver_->context_device(&device),
                                   "looking for the device of a context");
      !known) {
    return known;
  }
  if (!way_found_) {
    if (Status looked = find_way_in_time(device); !looked) {
      return looked;
    }
    way_found_ = true;
  }
  return manager_ ? Status() : take_buffer(device);
}

// A measurement takes 5 ms, and may be late once since another process has the GPU. What is always
// late (a debugger, a GPU of many processes) must not cost each launch that time.
Status ColdL2::find_way_in_time(CUdevice device) {
  while (true) {
    Status looked = find_way(device);
    if (looked || !is_late(looked.error())) {
      return looked;
    }
    if (++late_measurements_ >= most_late_measurements) {
      why_filled_ = looked.error().what + ": " + looked.error().why;
      return {};
    }
    // Nothing can be done on the stream before.
    if (Status ended = finish(*driver_, stream_, "measuring the latency of L2"); !ended) {
      return ended;
    }
  }
}

// Fails for lack of memory, or where the GPU was too busy to be measured in time, and is tried
// again when that may be over: a session says which way it is, and should not say another for that.
Status ColdL2::find_way(CUdevice device) {
  CUuuid uuid = {};
  if (const Status named = driver_status(*driver_, driver_->device_uuid(&uuid, device),
                                         "asking for the name of the GPU");
      !named) {
    why_filled_ = named.error().what + ": " + named.error().why;
    return {};
  }
  GpuUuid name = {};
  std::copy(std::begin(uuid.bytes), std::end(uuid.bytes), name.begin());
  Result<ResourceManager> manager = ResourceManager::open(name, *files_);
  if (!manager) {
    why_filled_ = manager.error().what + ": " + manager.error().why;
    return {};
  }
  Result<std::shared_ptr<const CUdeviceptr>> chain =
      pool_->take(latency_chain_bytes + sizeof(std::uint64_t));
  if (!chain) {
    return tl::make_unexpected(chain.error());
  }
  const Result<bool> cold = goes_cold(*manager, **chain);
  if (!cold && is_late(cold.error())) {
    return tl::make_unexpected(cold.error());
  }
  if (cold.value_or(false)) {
    manager_.emplace(std::move(*manager));
    why_filled_.clear();
  } else {
    why_filled_ = cold ? "asked to empty L2, the NVIDIA kernel driver says that it did, but loads "
                         "take no longer"
                       : cold.error().what + ": " + cold.error().why;
  }
  return {};
}

// By the time of loads that depend on each other: of data that was just loaded, and of the same
// data once L2 should be empty.
Result<bool> ColdL2::goes_cold(const ResourceManager& manager, CUdeviceptr chain) const {
  const char* what = "measuring the latency of L2";
  const CUdeviceptr result = chain + latency_chain_bytes;
  const auto measure = [&](std::uint64_t& least) {
    std::uint64_t cycles = 0;
    return kernels_
        ->latency(chain, result, stream_.stream)
        // The copy waits without a limit, or comes when `cycles` is gone.
        .and_then([&] { return finish(*driver_, stream_, what); })
        .and_then([&] {
          return driver_status(
              *driver_, driver_->copy_to_host(&cycles, result, sizeof(cycles), stream_.stream),
              what);
        })
        .and_then([&] { return finish(*driver_, stream_, what); })
        .map([&] { least = std::min(least, cycles); });
  };
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t warm = first;
  std::uint64_t cold = first;
  Status measured =
      driver_status(*driver_, driver_->fill(chain, 0, latency_chain_bytes, stream_.stream), what)
          .and_then([&] { return measure(first); });
  for (int i = 0; measured && i < measurements; ++i) {
    measured = measure(warm).and_then([&] { return manager.empty_l2(); }).and_then([&] {
      return measure(cold);
    });
  }
  if (!measured) {
    return tl::make_unexpected(measured.error());
  }
  return warm != 0 && static_cast<double>(cold) > cold_factor * static_cast<double>(warm);
}

Status ColdL2::take_buffer(CUdevice device) {
  const char* what = "preparing to clear L2";
  int l2_bytes = 0;
  if (Status known = driver_status(
          *driver_, driver_->device_attribute(&l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device),
          what);
      !known) {
    return known;
  }
  std::vector<MemoryPiece> pieces;
  std::vector<std::shared_ptr<const CUdeviceptr>> memory;
  const std::size_t wanted = static_cast<std::size_t>(l2_bytes) * buffer_factor;
  for (std::size_t at = 0; at < wanted; at += largest_piece_bytes) {
    const std::size_t bytes = std::min(largest_piece_bytes, wanted - at);
    Result<std::shared_ptr<const CUdeviceptr>> piece = pool_->take(bytes);
    if (!piece) {
      return tl::make_unexpected(piece.error());
    }
    pieces.push_back({**piece, 0, bytes});
    memory.push_back(*piece);
  }
  const std::size_t table_bytes = pieces.size() * sizeof(MemoryPiece);
  Result<std::shared_ptr<const CUdeviceptr>> table =
      pool_->take(std::max<std::size_t>(table_bytes, 1));
  if (!table) {
    return tl::make_unexpected(table.error());
  }
  const Status sent =
      driver_status(*driver_,
                    driver_->copy_to_device(**table, pieces.data(), table_bytes, stream_.stream),
                    what)
          .and_then([&] { return finish(*driver_, stream_, what); });
  if (!sent) {
    return sent;
  }
  buffer_ = {**table, static_cast<unsigned>(pieces.size())};
  memory.push_back(*table);
  memory_ = std::move(memory);
  return {};
}

Status ColdL2::empty(std::size_t& launches) {
  if (manager_) {
    if (Status finished = finish(*driver_, stream_, "running kernels again"); !finished) {
      return finished;
    }
    const Status emptied = manager_->empty_l2();
    if (!emptied) {
      manager_.reset();
      why_filled_ = emptied.error().what + ": " + emptied.error().why;
      way_found_ = std::exchange(was_refused_, true);
    }
    return emptied;
  }
  launches += buffer_.count != 0 ? 1 : 0;
  return kernels_->read(buffer_, stream_.stream);
}

void ColdL2::release_memory() {
  memory_.clear();
  buffer_ = {};
}

}  // namespace ridgepoint::collector
