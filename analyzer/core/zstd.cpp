#include "analyzer/core/zstd.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace ridgepoint {
namespace {

// Level 9 with long-distance references off: sessions are small, and columns repeat within a few
// megabytes. Where there are many megabytes it would take several times as long as measuring them
// allows, for a tenth of the size.
constexpr int compression_level = 9;
constexpr int quick_compression_level = 3;
constexpr std::size_t quick_from_bytes = std::size_t{8} << 20U;
constexpr int quick_workers = 2;
// 128 MiB of history at most, so that a hostile frame header cannot ask for gigabytes.
constexpr int window_log_limit = 27;
// Text compresses about this well; a frame that claims more gets its memory as it proves it.
constexpr std::size_t trusted_ratio = 64;

Error too_large(std::uint64_t limit_bytes, const std::string& what) {
  return Error{ErrorDomain::input,
               0,
               what,
               fmt::format("it unpacks to more than the limit of {} bytes", limit_bytes),
               {}};
}

}  // namespace

bool is_zstd(std::string_view bytes) {
  return bytes.substr(0, 4) == "\x28\xB5\x2F\xFD";
}

std::string zstd_compress(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  const bool quick = bytes.size() >= quick_from_bytes;
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel,
                         quick ? quick_compression_level : compression_level);
  // A flipped bit must not become another number.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  // Refused by a library built without threads, which then does it in this one.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_nbWorkers, quick ? quick_workers : 0);
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  frame.resize(ZSTD_isError(size) != 0U ? 0
                                        : size);  // with a buffer of compressBound it cannot fail
  frame.shrink_to_fit();
  return frame;
}

Result<std::string> zstd_decompress(std::string_view bytes, std::uint64_t limit_bytes,
                                    const std::string& what) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  if (!context) {
    return fail(ErrorDomain::internal, what, "out of memory");
  }
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window_log_limit);
  std::string text;
  // What the frame says of itself is a hint for the first allocation, not believed.
  const unsigned long long stated = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  const bool known = stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != ZSTD_CONTENTSIZE_ERROR;
  if (known && stated > limit_bytes) {
    return tl::make_unexpected(too_large(limit_bytes, what));
  }
  text.resize(known ? std::min<std::uint64_t>(stated, bytes.size() * trusted_ratio) : 0);
  std::size_t filled = 0;
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t pending = 1;  // 0 when a frame is complete and flushed
  while (input.pos < input.size || pending != 0) {
    if (filled == text.size()) {
      // One byte over the limit tells a text that ends there from one that goes on.
      text.resize(
          std::min<std::uint64_t>(limit_bytes + 1, std::max(2 * filled, ZSTD_DStreamOutSize())));
    }
    const std::size_t before = input.pos;
    ZSTD_outBuffer output{text.data() + filled, text.size() - filled, 0};
    pending = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(pending) != 0U) {
      return fail(ErrorDomain::input, what,
                  fmt::format("its compressed data is damaged near byte {} ({})", input.pos,
                              ZSTD_getErrorName(pending)));
    }
    filled += output.pos;
    if (filled > limit_bytes) {
      return tl::make_unexpected(too_large(limit_bytes, what));
    }
    if (input.pos == before && output.pos == 0 && pending != 0) {
      return fail(
          ErrorDomain::input, what,
          fmt::format("it ends after {} bytes, in the middle of its compressed data", bytes.size()),
          "copy the file again; it was not written or transferred whole");
    }
  }
  text.resize(filled);
  return text;
}

}  // namespace ridgepoint
