#include "collector/profile/gpu_models.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "tests/collector/nvml/fake_nvml.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

class GpuModels : public ::testing::Test {
 protected:
  void add(const std::string& bus, const std::string& text) {
    fs::create_directories(folder / "gpus" / bus);
    std::ofstream(folder / "gpus" / bus / "information") << text;
  }
  test::TempDir folder;
};

TEST_F(GpuModels, AreThoseOfTheDriversFilesWithoutWhatTellsOneFromItsLike) {
  add("0000:3b:00.0", "Model: \t\t NVIDIA A100\nIRQ: 19\n");
  add("0000:19:00.0", "Model: \t\t NVIDIA H200\nIRQ: 18\nGPU UUID: \t GPU-0123\n");
  EXPECT_EQ(gpu_models(folder.path()), "Model: \t\t NVIDIA H200\nModel: \t\t NVIDIA A100\n");
}

TEST_F(GpuModels, AreNoneWhereOneIsNotNamed) {
  EXPECT_EQ(gpu_models(folder / "no driver"), "");
  add("0000:19:00.0", "Model: NVIDIA H200\n");
  add("0000:3b:00.0", "nothing of a model\n");
  EXPECT_EQ(gpu_models(folder.path()), "");
}

TEST_F(GpuModels, AreNvmlsWhereAContainerHidesTheFiles) {
  test::FakeNvml fake;
  NvmlApi api = fake.api();
  api.nvmlDeviceGetName = [](NvmlDevice device, char* name, unsigned) {
    std::strcpy(name, device->index == 0 ? "NVIDIA H200" : "NVIDIA A100");
    return 0;
  };
  const Result<Nvml> nvml = Nvml::start(api);
  ASSERT_TRUE(nvml);
  EXPECT_EQ(gpu_models(*nvml), "Model: NVIDIA H200\nModel: NVIDIA A100\n");
}

// Jobs of one machine, each in its cgroup with GPU 0, must not be told each other's plans.
TEST_F(GpuModels, SeveralModelsAreToldFromManyOfOne) {
  add("0000:19:00.0", "Model: NVIDIA H200\n");
  EXPECT_FALSE(are_of_several_models(gpu_models(folder.path())));
  add("0000:3b:00.0", "Model: NVIDIA H200\n");
  EXPECT_FALSE(are_of_several_models(gpu_models(folder.path())));
  add("0000:5e:00.0", "Model: NVIDIA H200 NVL\n");
  EXPECT_TRUE(are_of_several_models(gpu_models(folder.path())));
  EXPECT_FALSE(are_of_several_models(""));
}

TEST_F(GpuModels, AreNoneWhereNvmlDoesNotNameThem) {
  test::FakeNvml fake;
  NvmlApi api = fake.api();
  api.nvmlDeviceGetName = [](NvmlDevice, char*, unsigned) { return nvml_not_supported; };
  const Result<Nvml> nvml = Nvml::start(api);
  ASSERT_TRUE(nvml);
  EXPECT_EQ(gpu_models(*nvml), "");
}

}  // namespace
}  // namespace ridgepoint::collector
