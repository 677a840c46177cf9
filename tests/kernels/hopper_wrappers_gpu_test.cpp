// The Hopper PTX wrappers that are no product and no tensor copy (those: hopper_tile_gpu_test.cpp),
// each alone.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/kernels/device_vectors.h"
#include "tests/kernels/gpu_harness.h"
#include "tests/kernels/hopper_wrapper_kernels.h"

namespace ridgepoint::kernels::tile_test {
namespace {

class HopperWrappers : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_hopper_reason(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
};

template <class T>
T* pointer(const DeviceBuffer& buffer) {
  return reinterpret_cast<T*>(buffer.data());
}

TEST_F(HopperWrappers, BulkLoadBringsExactlyTheBytesAnnounced) {
  for (const int count : {4, 64, 1024}) {
    std::vector<float> in(static_cast<std::size_t>(count));
    std::iota(in.begin(), in.end(), 1.0F);
    const DeviceBuffer source = upload(in);
    const DeviceBuffer out = upload(std::vector<float>(in.size(), -1.0F));
    ASSERT_EQ(run_bulk_load(pointer<float>(source), count, pointer<float>(out)), cudaSuccess);
    EXPECT_EQ(download<float>(out), in);
  }
}

TEST_F(HopperWrappers, BulkAddAddsOfManyThreadBlocksAndHasReadItsSourceWhenItSaysSo) {
  constexpr int count = 512;
  constexpr int blocks = 40;
  for (const bool reuse_source : {false, true}) {
    const DeviceBuffer sums = upload(std::vector<float>(count, 0.5F));
    ASSERT_EQ(run_bulk_add(pointer<float>(sums), count, blocks, reuse_source), cudaSuccess);
    EXPECT_EQ(download<float>(sums), std::vector<float>(count, 0.5F + blocks * (blocks + 1) / 2));
  }
}

TEST_F(HopperWrappers, StoreMatricesPutsLanesWhereTheIsaSays) {
  std::vector<std::uint32_t> registers(32 * 4);
  for (std::uint32_t i = 0; i < registers.size(); ++i) {
    registers[i] = (2 * i) | ((2 * i + 1) << 16);  // every 16-bit half its own number
  }
  const DeviceBuffer in = upload(registers);
  const DeviceBuffer out = upload(std::vector<std::uint16_t>(4 * 8 * 8, 0xFFFF));
  ASSERT_EQ(run_store_matrices(pointer<std::uint32_t>(in), pointer<std::uint16_t>(out)),
            cudaSuccess);
  const auto tile = download<std::uint16_t>(out);
  for (unsigned matrix = 0; matrix < 4; ++matrix) {
    for (unsigned row = 0; row < 8; ++row) {
      for (unsigned column = 0; column < 8; ++column) {
        // Lane l holds elements 2*(l%4) and the next of row l/4.
        const unsigned lane = row * 4 + column / 2;
        EXPECT_EQ(tile[(matrix * 8 + row) * 8 + column], 2 * (4 * lane + matrix) + column % 2)
            << matrix << ": " << row << ", " << column;
      }
    }
  }
}

TEST_F(HopperWrappers, OrdinaryAccessesReachTheAddressGiven) {
  const DeviceBuffer ints = upload(std::vector<int>(64, -1));
  const DeviceBuffer floats = upload(std::vector<float>(64 * 4, -1.0F));
  ASSERT_EQ(run_shared_accesses(pointer<int>(ints), pointer<float>(floats)), cudaSuccess);
  const auto numbers = download<int>(ints);
  const auto quads = download<float>(floats);
  for (int thread = 0; thread < 64; ++thread) {
    const int neighbour = (thread + 1) % 64;
    EXPECT_EQ(numbers[static_cast<std::size_t>(thread)], 3 * neighbour);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(quads[static_cast<std::size_t>(4 * thread + i)],
                static_cast<float>(neighbour) + 0.25F * static_cast<float>(i));
    }
  }
}

TEST_F(HopperWrappers, OneLaneOfAWarpIsElectedAndUniformIsTheFirstLanesValue) {
  const DeviceBuffer elected = upload(std::vector<int>(64, -1));
  const DeviceBuffer uniform = upload(std::vector<int>(64, -1));
  ASSERT_EQ(run_lanes(pointer<int>(elected), pointer<int>(uniform)), cudaSuccess);
  const auto chosen = download<int>(elected);
  const auto values = download<int>(uniform);
  for (int warp = 0; warp < 2; ++warp) {
    EXPECT_EQ(std::accumulate(chosen.begin() + 32 * warp, chosen.begin() + 32 * (warp + 1), 0), 1);
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(values[static_cast<std::size_t>(32 * warp + lane)], 32 * warp);
    }
  }
}

// racecheck of compute-sanitizer reports this one: it follows no order through barrier.arrive.
TEST_F(HopperWrappers, NamedBarriersHandEveryNumberOver) {
  constexpr int rounds = 200;
  const DeviceBuffer out = upload(std::vector<int>(rounds, -1));
  ASSERT_EQ(run_named_barriers(rounds, pointer<int>(out)), cudaSuccess);
  const auto seen = download<int>(out);
  for (int round = 0; round < rounds; ++round) {
    EXPECT_EQ(seen[static_cast<std::size_t>(round)], 7 * round + 1);
  }
}

TEST_F(HopperWrappers, AnMbarrierRingHandsEveryNumberToEveryConsumer) {
  constexpr int rounds = 1001;
  const DeviceBuffer out = upload(std::vector<int>(64, -1));
  ASSERT_EQ(run_mbarrier_ring(rounds, pointer<int>(out)), cudaSuccess);
  EXPECT_EQ(download<int>(out), std::vector<int>(64, rounds * (rounds + 1) / 2));
}

TEST_F(HopperWrappers, RegistersGivenUpCanBeHeldByTheOthers) {
  const DeviceBuffer out = upload(std::vector<float>(256, -1.0F));
  ASSERT_EQ(run_register_shift(pointer<float>(out)), cudaSuccess);
  const auto sums = download<float>(out);
  for (int index = 0; index < 256; ++index) {
    EXPECT_EQ(sums[static_cast<std::size_t>(index)], static_cast<float>(index * 19900));
  }
}

}  // namespace
}  // namespace ridgepoint::kernels::tile_test
