#include "analyzer/core/zstd.h"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>
#include <vector>

namespace ridgepoint {
namespace {

// Level 9 with long-distance references off: sessions are small, and columns repeat within a few
// megabytes.
constexpr int compression_level = 9;
// 128 MiB of history at most, so that a hostile frame header cannot ask for gigabytes.
constexpr int window_log_limit = 27;

}  // namespace

bool is_zstd(std::string_view bytes) {
  return bytes.substr(0, 4) == "\x28\xB5\x2F\xFD";
}

std::string zstd_compress(std::string_view bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), compression_level);
  frame.resize(ZSTD_isError(size) != 0U ? 0
                                        : size);  // with a buffer of compressBound it cannot fail
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
  std::vector<char> chunk(ZSTD_DStreamOutSize());
  std::string text;
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t pending = 1;  // 0 when a frame is complete and flushed
  while (input.pos < input.size || pending != 0) {
    const std::size_t before = input.pos;
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    pending = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(pending) != 0U) {
      return fail(ErrorDomain::input, what,
                  fmt::format("its compressed data is damaged near byte {} ({})", input.pos,
                              ZSTD_getErrorName(pending)));
    }
    if (text.size() + output.pos > limit_bytes) {
      return fail(ErrorDomain::input, what,
                  fmt::format("it unpacks to more than the limit of {} bytes", limit_bytes));
    }
    text.append(chunk.data(), output.pos);
    if (input.pos == before && output.pos == 0 && pending != 0) {
      return fail(
          ErrorDomain::input, what,
          fmt::format("it ends after {} bytes, in the middle of its compressed data", bytes.size()),
          "copy the file again; it was not written or transferred whole");
    }
  }
  return text;
}

}  // namespace ridgepoint
