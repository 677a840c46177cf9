// A product of M x N x K is 2 M N K FLOP, by definition. `ridgepoint profile` must count as many,
// in every precision and by every instruction that the GPU's tensor cores have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "analyzer/metrics/counter_map.h"
#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

struct Product {
  std::string ceiling;
  std::string instruction;
  double flop = 0;
};

std::vector<Product> products_in(const std::string& lines) {
  std::vector<Product> products;
  std::istringstream text(lines);
  for (Product one; text >> one.ceiling >> one.instruction >> one.flop;) {
    products.push_back(one);
  }
  return products;
}

TEST(ProductsOnGpu, AProfileCountsTwoMNKOfEveryPrecision) {
  if (!std::filesystem::exists("/proc/driver/nvidia/version")) {
    GTEST_SKIP() << "no NVIDIA driver on this machine";
  }
  const test::TempDir folder;
  const auto result = test::run_program({"ridgepoint", "profile", "-q", "-o", "a.ridge", "-c",
                                         "full", "--", RIDGEPOINT_PRODUCT_PROGRAM},
                                        folder.path().string());
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const Result<Session> session = read_session(folder / "a.ridge");
  ASSERT_TRUE(session) << format_error(session.error());
  const std::vector<Product> products = products_in(result.out);
  ASSERT_FALSE(products.empty()) << result.out;
  ASSERT_EQ(session->launches.size(), products.size());
  ASSERT_FALSE(session->devices.empty());
  const auto map = load_counter_map(session->devices[0].chip);
  ASSERT_TRUE(map) << format_error(map.error());
  for (std::size_t i = 0; i < products.size(); ++i) {
    const Product& product = products[i];
    const std::string id = product.ceiling + (product.ceiling == "tensor_int8" ? "_op" : "_flop");
    const QuantityDefinition* quantity = map->find(id);
    ASSERT_NE(quantity, nullptr) << id;
    const auto counted = evaluate(*quantity, session->counters, i);
    ASSERT_TRUE(counted) << id << " by " << product.instruction;
    EXPECT_NEAR(*counted / product.flop, 1, 0.001) << id << " by " << product.instruction;
    std::printf("%-12s %-8s 2 M N K = %.0f, counted %.0f\n", product.ceiling.c_str(),
                product.instruction.c_str(), product.flop, *counted);
  }
}

}  // namespace
}  // namespace ridgepoint
