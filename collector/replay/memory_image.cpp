#include "collector/replay/memory_image.h"

#include <algorithm>

namespace ridgepoint::collector {
namespace {

constexpr const char* saving = "saving device memory";

std::vector<MemoryPiece> pieces_of(const std::vector<MemoryRange>& ranges) {
  std::vector<MemoryPiece> pieces;
  for (const MemoryRange& range : ranges) {
    for (std::size_t at = 0; at < range.bytes; at += largest_piece_bytes) {
      pieces.push_back({range.address + at, 0, std::min(largest_piece_bytes, range.bytes - at)});
    }
  }
  return pieces;
}

}  // namespace

Status ImageStore::upload(MemoryImage& image) {
  std::vector<MemoryPiece> rows;
  for (const MemoryImage::Piece& piece : image.pieces_) {
    rows.push_back(piece.where);
  }
  image.table_.count = static_cast<unsigned>(rows.size());
  if (rows.empty()) {
    return {};
  }
  Result<std::shared_ptr<const CUdeviceptr>> memory =
      pool_->take(rows.size() * sizeof(MemoryPiece));
  if (!memory) {
    return tl::make_unexpected(memory.error());
  }
  image.table_memory_ = *memory;
  image.table_.address = **memory;
  if (Status sent =
          driver_status(*driver_,
                        driver_->copy_to_device(image.table_.address, rows.data(),
                                                rows.size() * sizeof(MemoryPiece), stream_.stream),
                        saving);
      !sent) {
    return sent;
  }
  return finish(*driver_, stream_, saving);  // `rows` ends here
}

Result<std::vector<std::uint32_t>> ImageStore::compare(const PieceTable& table) {
  std::vector<std::uint32_t> changed(table.count, 0);
  if (table.count == 0) {
    return changed;
  }
  const std::size_t bytes = changed.size() * sizeof(std::uint32_t);
  Result<std::shared_ptr<const CUdeviceptr>> flags = pool_->take(bytes);
  if (!flags) {
    return tl::make_unexpected(flags.error());
  }
  const char* what = "comparing device memory";
  const Status done =
      driver_status(*driver_, driver_->fill(**flags, 0, bytes, stream_.stream), what)
          .and_then([&] { return kernels_->compare(table, **flags, stream_.stream); })
          // To memory that is not pinned the copy itself waits, without a limit.
          .and_then([&] { return finish(*driver_, stream_, what); })
          .and_then([&] {
            return driver_status(
                *driver_, driver_->copy_to_host(changed.data(), **flags, bytes, stream_.stream),
                what);
          })
          .and_then([&] { return finish(*driver_, stream_, what); });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return changed;
}

// Those of the pieces that the last image has, and that still hold the same.
Result<std::map<std::uint64_t, MemoryImage::Piece>> ImageStore::unchanged(
    const std::vector<MemoryPiece>& pieces) {
  std::map<std::uint64_t, MemoryImage::Piece> same;
  if (last_ == nullptr) {
    return same;
  }
  std::map<std::uint64_t, std::uint64_t> bytes_at;
  for (const MemoryPiece& piece : pieces) {
    bytes_at[piece.live] = piece.bytes;
  }
  MemoryImage candidates;
  for (const MemoryImage::Piece& piece : last_->pieces_) {
    const auto now = bytes_at.find(piece.where.live);
    if (now != bytes_at.end() && now->second == piece.where.bytes) {
      candidates.pieces_.push_back(piece);
    }
  }
  if (Status sent = upload(candidates); !sent) {
    return tl::make_unexpected(sent.error());
  }
  Result<std::vector<std::uint32_t>> changed = compare(candidates.table_);
  if (!changed) {
    return tl::make_unexpected(changed.error());
  }
  for (std::size_t i = 0; i < changed->size(); ++i) {
    if ((*changed)[i] == 0) {
      same.emplace(candidates.pieces_[i].where.live, candidates.pieces_[i]);
    }
  }
  return same;
}

Result<std::shared_ptr<const MemoryImage>> ImageStore::take(
    const std::vector<MemoryRange>& ranges) {
  Result<std::map<std::uint64_t, MemoryImage::Piece>> same = unchanged(pieces_of(ranges));
  if (!same) {
    return tl::make_unexpected(same.error());
  }
  auto image = std::make_shared<MemoryImage>();
  for (MemoryPiece piece : pieces_of(ranges)) {
    if (const auto known = same->find(piece.live); known != same->end()) {
      image->pieces_.push_back(known->second);
      continue;
    }
    Result<std::shared_ptr<const CUdeviceptr>> copy = pool_->take(piece.bytes);
    if (!copy) {
      return tl::make_unexpected(copy.error());
    }
    piece.saved = **copy;
    if (Status copied = driver_status(
            *driver_, driver_->copy_on_device(piece.saved, piece.live, piece.bytes, stream_.stream),
            saving);
        !copied) {
      return tl::make_unexpected(copied.error());
    }
    image->pieces_.push_back({piece, *copy});
  }
  if (Status ready = upload(*image).and_then([&] { return finish(*driver_, stream_, saving); });
      !ready) {
    return tl::make_unexpected(ready.error());
  }
  last_ = image;
  return last_;
}

Result<std::shared_ptr<const MemoryImage>> ImageStore::changed_since(const MemoryImage& image) {
  Result<std::vector<std::uint32_t>> changed = compare(image.table_);
  if (!changed) {
    return tl::make_unexpected(changed.error());
  }
  auto part = std::make_shared<MemoryImage>();
  for (std::size_t i = 0; i < changed->size(); ++i) {
    if ((*changed)[i] != 0) {
      part->pieces_.push_back(image.pieces_[i]);
    }
  }
  if (Status sent = upload(*part); !sent) {
    return tl::make_unexpected(sent.error());
  }
  return std::shared_ptr<const MemoryImage>(std::move(part));
}

Status ImageStore::copy_back(const MemoryImage& image, CUstream stream) {
  for (const MemoryImage::Piece& piece : image.pieces_) {
    if (Status copied = driver_status(
            *driver_,
            driver_->copy_on_device(piece.where.live, piece.where.saved, piece.where.bytes, stream),
            "restoring device memory");
        !copied) {
      return copied;
    }
  }
  return {};
}

}  // namespace ridgepoint::collector
