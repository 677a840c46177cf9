// What the kernel driver is asked, and what is made of its answers. The fake is the driver's side
// of /dev/nvidiactl: it knows one GPU, and objects only under the parents that it was told of.
#include "collector/replay/resource_manager.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "analyzer/core/descriptor.h"

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr GpuUuid our_gpu = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr int file_number = 42;

struct FakeDriver {
  int open_error = 0;
  int interruptions = 0;
  int control_error = 0;
  std::uint32_t refused_class = 0;
  std::uint32_t flush_answer = 0;
  bool knows_no_size = false;
  std::vector<std::uint32_t> flushes;  // their flags
  std::vector<std::uint32_t> classes;
  int closed = 0;
};
FakeDriver* driver = nullptr;

// Both calls are 32 bytes: five words, of which the first three are names, then a pointer in the
// third and fourth pair, the size, the answer.
struct Call {
  std::uint32_t words[4];
  std::uint64_t parameters;
  std::uint32_t bytes;
  std::uint32_t answer;
};

std::uint32_t allocate(Call& call) {
  const auto [client, parent, object, object_class] = call.words;
  driver->classes.push_back(object_class);
  if (object_class == driver->refused_class) {
    return 0x1f;
  }
  if (object_class == 0x41) {
    call.words[2] = 0xc1d00001;
    return 0;
  }
  const auto* parameters = reinterpret_cast<const std::uint32_t*>(call.parameters);
  const bool device = object_class == 0x80 && parent == client && call.bytes == 56;
  const bool subdevice = object_class == 0x2080 && parent != client && call.bytes == 4;
  return client == 0xc1d00001 && object != 0 && (device || subdevice) &&
                 parameters[0] == (device ? 3U : 1U)
             ? 0
             : 0x22;
}

std::uint32_t control(Call& call) {
  auto* bytes = reinterpret_cast<unsigned char*>(call.parameters);
  std::uint32_t flags = 0;
  if (call.words[2] == 0x274 && call.bytes == 272) {
    std::memcpy(&flags, bytes + 256, 4);
    if (flags != 2 || !std::equal(our_gpu.begin(), our_gpu.end(), bytes)) {
      return 0x57;
    }
    const std::uint32_t instances[] = {3, 1};
    std::memcpy(bytes + 264, instances, sizeof(instances));
    return 0;
  }
  if (call.words[2] == 0x2080130e && call.bytes == 4024 && call.words[1] != call.words[0]) {
    std::memcpy(&flags, bytes + 4016, 4);
    driver->flushes.push_back(flags);
    return driver->flush_answer;
  }
  return 0x1f;
}

const DeviceFileCalls fake_files = {
    [](const char* path) {
      errno = driver->open_error;
      return driver->open_error != 0 || std::string(path) != "/dev/nvidiactl" ? -1 : file_number;
    },
    [](int file, unsigned long request, void* argument) {
      if (driver->interruptions-- > 0) {
        errno = EINTR;
        return -1;
      }
      if (file != file_number || driver->control_error != 0) {
        errno = driver->control_error;
        return -1;
      }
      auto& call = *static_cast<Call*>(argument);
      // _IOWR('F', 0x2b, 32 bytes) makes an object, 0x2a asks one.
      EXPECT_TRUE(request == 0xc020462b || request == 0xc020462a);
      const bool allocates = request == 0xc020462b;
      (allocates && driver->knows_no_size ? call.bytes : call.answer) =
          allocates ? allocate(call) : control(call);
      return 0;
    },
    [](int file, const char* path) {
      driver->closed += file == file_number && std::string(path) == "/dev/nvidiactl" ? 1 : 0;
    }};

class ResourceManagerTest : public ::testing::Test {
 protected:
  ResourceManagerTest() { driver = &fake_; }
  FakeDriver fake_;
};

TEST_F(ResourceManagerTest, L2IsWrittenBackAndInvalidatedForTheMemoryOfTheGpuAndOfTheHost) {
  {
    Result<ResourceManager> manager = ResourceManager::open(our_gpu, fake_files);
    ASSERT_TRUE(manager) << manager.error().why;
    EXPECT_THAT(fake_.classes, ElementsAre(0x41, 0x80, 0x2080));
    EXPECT_TRUE(fake_.flushes.empty());
    EXPECT_TRUE(manager->empty_l2());
    // Write back (4), invalidate (8), all of it (16); memory of the host (1).
    EXPECT_THAT(fake_.flushes, ElementsAre(28, 29));
    const ResourceManager moved = std::move(*manager);
    EXPECT_TRUE(moved.empty_l2());
    EXPECT_EQ(fake_.closed, 0);
  }
  EXPECT_EQ(fake_.closed, 1);
}

TEST_F(ResourceManagerTest, AnInterruptedCallIsMadeAgain) {
  fake_.interruptions = 3;
  EXPECT_TRUE(ResourceManager::open(our_gpu, fake_files));
}

TEST_F(ResourceManagerTest, NoDriverIsAnErrorThatSaysSo) {
  fake_.open_error = ENOENT;
  const auto manager = ResourceManager::open(our_gpu, fake_files);
  ASSERT_FALSE(manager);
  EXPECT_EQ(manager.error().domain, ErrorDomain::device);
  EXPECT_THAT(manager.error().why, HasSubstr("/dev/nvidiactl: No such file"));
  EXPECT_EQ(fake_.closed, 0) << "nothing was opened";
}

TEST_F(ResourceManagerTest, AGpuThatItDoesNotKnowIsAnError) {
  const auto manager = ResourceManager::open(GpuUuid{9}, fake_files);
  ASSERT_FALSE(manager);
  EXPECT_THAT(manager.error().why, HasSubstr("status 0x57"));
  EXPECT_EQ(fake_.closed, 1);
}

TEST_F(ResourceManagerTest, ARefusedObjectOrAnotherInterfaceIsAnError) {
  for (const std::uint32_t refused : {0x41U, 0x80U, 0x2080U}) {
    fake_.refused_class = refused;
    EXPECT_FALSE(ResourceManager::open(our_gpu, fake_files)) << refused;
  }
  fake_.refused_class = 0;
  fake_.control_error = EINVAL;
  EXPECT_FALSE(ResourceManager::open(our_gpu, fake_files));
  EXPECT_EQ(fake_.closed, 4);
}

// NVOS21_PARAMETERS until 530: the answer comes where the size is today.
TEST_F(ResourceManagerTest, ADriverOfAnotherInterfaceIsNotTakenForOneThatAgrees) {
  fake_.knows_no_size = true;
  EXPECT_FALSE(ResourceManager::open(our_gpu, fake_files));
  EXPECT_EQ(fake_.closed, 1);
}

// Of the operating system, with a file that every machine has.
TEST(DeviceFile, KeepsAwayFromTheNumbersOfTheProgram) {
  const DeviceFileCalls& calls = system_device_files();
  const int file = calls.open("/dev/null");
  EXPECT_GE(file, 200);
  EXPECT_EQ(fcntl(file, F_GETFD), FD_CLOEXEC) << "a program that this one becomes has it not";
  calls.close(file, "/dev/null");
  EXPECT_EQ(fcntl(file, F_GETFD), -1);
  EXPECT_EQ(calls.open("/dev/null/none"), -1);
}

TEST(DeviceFile, OfTheSameNumberButTheProgramsOwnIsLeftOpen) {
  const DeviceFileCalls& calls = system_device_files();
  const int file = calls.open("/dev/null");
  const Descriptor other(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(dup2(other.get(), file), file);
  calls.close(file, "/dev/null");
  EXPECT_NE(fcntl(file, F_GETFD), -1);
  Descriptor(file).close();
}

TEST_F(ResourceManagerTest, ARefusalToEmptyL2IsToldOfAndNotTriedFurther) {
  const auto manager = ResourceManager::open(our_gpu, fake_files);
  ASSERT_TRUE(manager);
  fake_.flush_answer = 0x56;  // NV_ERR_NOT_SUPPORTED
  const Status emptied = manager->empty_l2();
  ASSERT_FALSE(emptied);
  EXPECT_EQ(emptied.error().code, 0x56);
  EXPECT_EQ(fake_.flushes.size(), 1U);
}

}  // namespace
}  // namespace ridgepoint::collector
