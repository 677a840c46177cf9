// The Hopper PTX wrappers on one tile, against the CPU. Operands are small integers, so that every
// sum is exact and a single misplaced element shows.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/attention/half.h"
#include "tests/kernels/device_vectors.h"
#include "tests/kernels/gpu_harness.h"
#include "tests/kernels/hopper_tile_kernels.h"
#include "tests/kernels/small_integer.h"

namespace ridgepoint::kernels::tile_test {
namespace {

class HopperTile : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_hopper_reason(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
};

class HopperProduct : public HopperTile, public testing::WithParamInterface<ProductCase> {};

TEST_P(HopperProduct, EqualsTheCpu) {
  const ProductCase c = GetParam();
  const bool transposed =
      c.operands != Operands::shared_k_major && c.operands != Operands::registers_k_major;
  const bool transposed_a = c.operands == Operands::shared_transposed_both;
  const int b_row_count = transposed ? c.k : c.n;
  const int b_columns = transposed ? c.n : c.k;
  // Three rows of B do not exist: the copy must fill them with zeros.
  const int b_rows = b_row_count - 3;
  std::vector<std::uint16_t> a(64U * c.k);
  std::vector<std::uint16_t> b(static_cast<std::size_t>(b_rows) * b_columns);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = encode(c.dtype, static_cast<float>(small_integer(i, 1)));
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = encode(c.dtype, static_cast<float>(small_integer(i, 2)));
  }
  const DeviceBuffer a_device = upload(a);
  const DeviceBuffer b_device = upload(b);
  const DeviceBuffer d_device = upload(std::vector<float>(64U * c.n, -12345.0F));
  ASSERT_EQ(run_product(c, a_device.data(), b_device.data(), b_rows,
                        reinterpret_cast<float*>(d_device.data())),
            cudaSuccess);
  const std::vector<float> d = download<float>(d_device);
  int wrong = 0;
  for (int row = 0; row < 64; ++row) {
    for (int column = 0; column < c.n; ++column) {
      int expected = 0;
      for (int k = 0; k < c.k; ++k) {
        const int b_row = transposed ? k : column;
        const int b_column = transposed ? column : k;
        if (b_row < b_rows) {
          expected += small_integer(transposed_a ? static_cast<std::size_t>(k) * 64 + row
                                                 : static_cast<std::size_t>(row) * c.k + k,
                                    1) *
                      small_integer(static_cast<std::size_t>(b_row) * b_columns + b_column, 2);
        }
      }
      if (d[static_cast<std::size_t>(row) * c.n + column] != static_cast<float>(expected) &&
          wrong++ < 4) {
        ADD_FAILURE() << "row " << row << " column " << column << ": "
                      << d[static_cast<std::size_t>(row) * c.n + column] << ", not " << expected;
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

std::vector<ProductCase> product_cases() {
  std::vector<ProductCase> cases;
  for (const DataType type : {DataType::fp16, DataType::bf16}) {
    for (const auto& [n, k] : std::vector<std::pair<int, int>>{
             {64, 64}, {128, 64}, {128, 128}, {160, 128}, {176, 128}, {80, 256}}) {
      cases.push_back({Operands::shared_k_major, type, n, k});
    }
    cases.push_back({Operands::shared_transposed_b, type, 64, 64});
    cases.push_back({Operands::shared_transposed_b, type, 128, 128});
    cases.push_back({Operands::shared_transposed_both, type, 64, 128});
    cases.push_back({Operands::registers_k_major, type, 128, 64});
    for (const auto& [n, k] :
         std::vector<std::pair<int, int>>{{64, 128}, {128, 64}, {128, 128}, {256, 64}}) {
      cases.push_back({Operands::registers_transposed_b, type, n, k});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<ProductCase>& info) {
  const char* const forms[] = {"SharedKMajor", "SharedTransposedB", "SharedTransposedBoth",
                               "RegistersKMajor", "RegistersTransposedB"};
  return std::string(forms[static_cast<int>(info.param.operands)]) +
         (info.param.dtype == DataType::fp16 ? "Fp16" : "Bf16") + "N" +
         std::to_string(info.param.n) + "K" + std::to_string(info.param.k);
}

INSTANTIATE_TEST_SUITE_P(Tiles, HopperProduct, testing::ValuesIn(product_cases()), case_name);

// Where element (row, column) of a tile with `rows` rows lies, in 16-bit elements.
std::size_t swizzled(int rows, int row, int column) {
  const int chunk = column % 64 / 8 ^ row % 8;
  return (static_cast<std::size_t>(column / 64) * rows + row) * 64 + chunk * 8 + column % 8;
}

TEST_F(HopperTile, LoadsASwizzledBoxAndFillsRowsPastTheEndOfItsHeadWithZeros) {
  constexpr int heads = 3;
  constexpr int rows = 100;
  constexpr int box_rows = 64;
  std::vector<std::uint16_t> tensor(static_cast<std::size_t>(heads) * rows * 128);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    tensor[i] = static_cast<std::uint16_t>(i % 65535 + 1);
  }
  const DeviceBuffer device = upload(tensor);
  for (const int first : {0, 17, 64, 99, 100}) {
    const DeviceBuffer out(box_rows * 128 * 2);
    ASSERT_EQ(run_load(device.data(), heads, rows, 1, first, box_rows, out.data()), cudaSuccess);
    const auto panels = download<std::uint16_t>(out);
    int wrong = 0;
    for (int row = 0; row < box_rows; ++row) {
      for (int column = 0; column < 128; ++column) {
        const std::uint16_t expected =
            first + row < rows
                ? tensor[(static_cast<std::size_t>(rows) + first + row) * 128 + column]
                : std::uint16_t{0};
        wrong += panels[swizzled(box_rows, row, column)] != expected;
      }
    }
    EXPECT_EQ(wrong, 0) << "box from row " << first;
  }
}

TEST_F(HopperTile, StoresABoxAndLeavesWhatLiesOutsideAlone) {
  constexpr int heads = 2;
  constexpr int rows = 100;
  constexpr std::uint16_t untouched = 0xBEEF;
  std::vector<std::uint16_t> panels(64 * 128);
  for (int row = 0; row < 64; ++row) {
    for (int column = 0; column < 128; ++column) {
      panels[swizzled(64, row, column)] = static_cast<std::uint16_t>(row * 128 + column);
    }
  }
  const DeviceBuffer source = upload(panels);
  for (const int first : {0, 36, 64, 99}) {
    const DeviceBuffer device = upload(std::vector<std::uint16_t>(heads * rows * 128, untouched));
    ASSERT_EQ(run_store(source.data(), device.data(), heads, rows, 0, first), cudaSuccess);
    const auto tensor = download<std::uint16_t>(device);
    int wrong = 0;
    for (int row = 0; row < heads * rows; ++row) {
      for (int column = 0; column < 128; ++column) {
        const bool inside = row >= first && row < first + 64 && row < rows;
        const auto expected =
            inside ? static_cast<std::uint16_t>((row - first) * 128 + column) : untouched;
        wrong += tensor[static_cast<std::size_t>(row) * 128 + column] != expected;
      }
    }
    EXPECT_EQ(wrong, 0) << "box at row " << first;
  }
}

}  // namespace
}  // namespace ridgepoint::kernels::tile_test
