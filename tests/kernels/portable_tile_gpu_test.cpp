// The portable PTX wrappers on one tile, against the CPU. Operands are small integers, so that
// every sum is exact.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/attention/half.h"
#include "tests/kernels/device_vectors.h"
#include "tests/kernels/gpu_harness.h"
#include "tests/kernels/portable_tile_kernels.h"

namespace ridgepoint::kernels::tile_test {
namespace {

class PortableTile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = no_gpu_reason();
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    if (compute_capability() < 80) {
      GTEST_SKIP() << "needs compute capability 8.0 or later";
    }
  }
};

int value(int row, int column, int salt) {
  return (row * 7 + column * 3 + row * column * salt) % 9 - 4;
}

TEST_F(PortableTile, CopiesMatricesAndProductsFitTogetherInEveryForm) {
  for (const DataType type : {DataType::fp16, DataType::bf16}) {
    std::vector<std::uint16_t> a(256);
    std::vector<std::uint16_t> b(256);
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < 16; ++column) {
        const auto i = static_cast<std::size_t>(row * 16 + column);
        a[i] = encode(type, static_cast<float>(value(row, column, 1)));
        b[i] = encode(type, static_cast<float>(value(row, column, 2)));
      }
    }
    const DeviceBuffer a_device = upload(a);
    const DeviceBuffer b_device = upload(b);
    for (const bool transposed_a : {false, true}) {
      for (const bool transposed_b : {false, true}) {
        for (const int valid_rows : {16, 11}) {
          const DeviceBuffer d = upload(std::vector<float>(256, -12345.0F));
          ASSERT_EQ(run_mma(type, a_device.data(), b_device.data(), transposed_a, transposed_b,
                            valid_rows, reinterpret_cast<float*>(d.data())),
                    cudaSuccess);
          const auto product = download<float>(d);
          const auto element = [&](int row, int column, int salt) {
            return row < valid_rows ? value(row, column, salt) : 0;
          };
          for (int m = 0; m < 16; ++m) {
            for (int n = 0; n < 16; ++n) {
              int expected = 0;
              for (int k = 0; k < 16; ++k) {
                expected += (transposed_a ? element(k, m, 1) : element(m, k, 1)) *
                            (transposed_b ? element(k, n, 2) : element(n, k, 2));
              }
              EXPECT_EQ(product[static_cast<std::size_t>(m * 16 + n)], static_cast<float>(expected))
                  << m << ", " << n << (transposed_a ? " A transposed" : "")
                  << (transposed_b ? " B transposed" : "") << ", rows " << valid_rows;
            }
          }
        }
      }
    }
  }
}

TEST_F(PortableTile, FastExp2IsAccurateAndTakesInfinities) {
  std::vector<float> in = {-INFINITY, -200.0F, 0.0F, 1.0F, -1.0F, 127.0F, INFINITY};
  for (float x = -20.0F; x < 20.0F; x += 0.37F) {
    in.push_back(x);
  }
  const DeviceBuffer source = upload(in);
  const DeviceBuffer out = upload(std::vector<float>(in.size(), -1.0F));
  ASSERT_EQ(run_fast_exp2(reinterpret_cast<const float*>(source.data()),
                          static_cast<int>(in.size()), reinterpret_cast<float*>(out.data())),
            cudaSuccess);
  const auto powers = download<float>(out);
  EXPECT_EQ(powers[0], 0.0F);
  EXPECT_EQ(powers[1], 0.0F) << "denormals are flushed";
  EXPECT_EQ(powers[6], INFINITY);
  for (std::size_t i = 2; i < in.size(); ++i) {
    if (std::isfinite(in[i])) {
      EXPECT_NEAR(powers[i] / std::exp2(in[i]), 1.0, 0x1p-21) << in[i];
    }
  }
}

}  // namespace
}  // namespace ridgepoint::kernels::tile_test
