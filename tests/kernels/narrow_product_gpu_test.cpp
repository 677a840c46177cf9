// The products of TF32, FP8 (E4M3) and INT8 on one tile against the CPU, and kernels that start
// before the one in front of them has ended. Operands are small integers, so that every sum is
// exact and a single misplaced element shows.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/kernels/device_vectors.h"
#include "tests/kernels/gpu_harness.h"
#include "tests/kernels/narrow_product_kernels.h"
#include "tests/kernels/small_integer.h"

namespace ridgepoint::kernels::tile_test {
namespace {

// 1, 2, 3 and 4 in E4M3: four bits of exponent with a bias of 7, three of mantissa.
std::uint8_t e4m3(int value) {
  constexpr std::uint8_t codes[] = {0x38, 0x40, 0x44, 0x48};
  const auto magnitude = static_cast<std::size_t>(value < 0 ? -value : value);
  return static_cast<std::uint8_t>(codes[magnitude - 1] | (value < 0 ? 0x80U : 0U));
}

int elements_per_word(NarrowType type) {
  return type == NarrowType::tf32 ? 1 : 4;
}

// Element i of an operand is small_integer(i, salt).
std::vector<std::uint32_t> operand(NarrowType type, int rows, int row_words, std::uint32_t salt) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(rows) *
                                   static_cast<std::size_t>(row_words));
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (type == NarrowType::tf32) {
      words[w] = std::bit_cast<std::uint32_t>(static_cast<float>(small_integer(w, salt)));
      continue;
    }
    std::uint8_t bytes[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const int value = small_integer(4 * w + i, salt);
      bytes[i] = type == NarrowType::e4m3 ? e4m3(value) : static_cast<std::uint8_t>(value);
    }
    std::memcpy(&words[w], bytes, sizeof bytes);
  }
  return words;
}

double sum_of(NarrowType type, std::uint32_t bits) {
  return type == NarrowType::int8 ? static_cast<double>(static_cast<std::int32_t>(bits))
                                  : static_cast<double>(std::bit_cast<float>(bits));
}

class NarrowProduct : public testing::TestWithParam<NarrowType> {
 protected:
  void SetUp() override {
    if (const std::string reason = no_hopper_reason(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
  using Run = cudaError_t (*)(NarrowType, const std::uint32_t*, const std::uint32_t*,
                              std::uint32_t*);
  static void expect_product(Run run, int m, int n, int row_words) {
    const NarrowType type = GetParam();
    const DeviceBuffer a = upload(operand(type, m, row_words, 1));
    const DeviceBuffer b = upload(operand(type, n, row_words, 2));
    const DeviceBuffer d = upload(std::vector<std::uint32_t>(static_cast<std::size_t>(m * n), 77));
    const auto words = [](const DeviceBuffer& buffer) {
      return reinterpret_cast<std::uint32_t*>(buffer.data());
    };
    ASSERT_EQ(run(type, words(a), words(b), words(d)), cudaSuccess);
    const auto product = download<std::uint32_t>(d);
    const int k_elements = row_words * elements_per_word(type);
    int wrong = 0;
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        int expected = 0;
        for (int k = 0; k < k_elements; ++k) {
          expected += small_integer(static_cast<std::size_t>(row * k_elements + k), 1) *
                      small_integer(static_cast<std::size_t>(column * k_elements + k), 2);
        }
        const double sum = sum_of(type, product[static_cast<std::size_t>(row * n + column)]);
        if (sum != expected && wrong++ < 4) {
          ADD_FAILURE() << row << ", " << column << ": " << sum << ", not " << expected;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  }
};

TEST_P(NarrowProduct, OfAWarpEqualsTheCpu) {
  expect_product(run_warp_product, 16, 8, warp_words);
}

TEST_P(NarrowProduct, OfAWarpgroupEqualsTheCpu) {
  expect_product(run_warpgroup_product, 64, 256, warpgroup_words);
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowProduct,
                         testing::Values(NarrowType::tf32, NarrowType::e4m3, NarrowType::int8),
                         [](const testing::TestParamInfo<NarrowType>& tested) {
                           return tested.param == NarrowType::tf32   ? "tf32"
                                  : tested.param == NarrowType::e4m3 ? "e4m3"
                                                                     : "int8";
                         });

TEST(DependentGrid, SeesAllThatTheKernelInFrontWroteHoweverEarlyItStarts) {
  if (const std::string reason = no_hopper_reason(); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  constexpr int rounds = 100;
  constexpr int count = 896;  // 7 thread blocks: both kernels fit at once
  const DeviceBuffer numbers = upload(std::vector<int>(count, -1));
  const DeviceBuffer copies = upload(std::vector<int>(rounds * count, -1));
  ASSERT_EQ(run_relay(rounds, count, reinterpret_cast<int*>(numbers.data()),
                      reinterpret_cast<int*>(copies.data())),
            cudaSuccess);
  const auto seen = download<int>(copies);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(seen[static_cast<std::size_t>(round * count + i)], 1000 * round + count - 1 - i)
          << "round " << round;
    }
  }
}

}  // namespace
}  // namespace ridgepoint::kernels::tile_test
