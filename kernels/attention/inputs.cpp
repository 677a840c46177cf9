#include "kernels/attention/inputs.h"

#include "kernels/attention/half.h"
#include "kernels/attention/parallel.h"

namespace ridgepoint::kernels {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014) as a function of the index, so that any part can be made
// alone.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// Sum of four uniform 16-bit numbers, centred and scaled to variance 1 (Irwin-Hall). Integers until
// the last step: no libm, so no difference between machines.
float near_normal(std::uint64_t bits) {
  const std::int32_t sum = static_cast<std::int32_t>((bits & 0xFFFFU) + ((bits >> 16) & 0xFFFFU) +
                                                     ((bits >> 32) & 0xFFFFU) + (bits >> 48));
  constexpr float sqrt3 = 1.7320508F;
  return static_cast<float>(sum - 2 * 65535) * (sqrt3 / 65536.0F);
}

}  // namespace

std::vector<std::uint16_t> random_tensor(std::int64_t elements, DataType type, std::uint64_t seed,
                                         float deviation) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(elements));
  const std::uint16_t instead_of_zero = encode(type, 0x1p-14F);
  constexpr std::int64_t piece = 1 << 18;
  parallel_for((elements + piece - 1) / piece, [&](std::int64_t index) {
    const std::int64_t end = std::min(elements, (index + 1) * piece);
    for (std::int64_t i = index * piece; i < end; ++i) {
      const std::uint16_t bits =
          encode(type, deviation * near_normal(random_bits(seed, static_cast<std::uint64_t>(i))));
      values[static_cast<std::size_t>(i)] = (bits & 0x7FFFU) == 0 ? instead_of_zero : bits;
    }
  });
  return values;
}

AttentionData random_attention_data(const AttentionProblem& p, std::uint64_t seed,
                                    float deviation) {
  // A hash of the seed, so that the streams of neighbouring seeds do not overlap.
  return {random_tensor(query_elements(p), p.dtype, random_bits(seed, 0), deviation),
          random_tensor(key_elements(p), p.dtype, random_bits(seed, 1), deviation),
          random_tensor(key_elements(p), p.dtype, random_bits(seed, 2), deviation)};
}

}  // namespace ridgepoint::kernels
