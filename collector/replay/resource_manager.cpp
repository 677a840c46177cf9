#include "collector/replay/resource_manager.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "collector/inject/own_descriptor.h"

namespace ridgepoint::collector {
namespace {

const char* const what = "asking the NVIDIA kernel driver to empty L2";
const char* const control_file = "/dev/nvidiactl";

// nv-ioctl-numbers.h and nv_escape.h.
constexpr unsigned ioctl_letter = 'F';
constexpr unsigned rm_control = 0x2a;
constexpr unsigned rm_alloc = 0x2b;

// Classes: NV01_ROOT_CLIENT, NV01_DEVICE_0, NV20_SUBDEVICE_0.
constexpr std::uint32_t root_class = 0x41;
constexpr std::uint32_t device_class = 0x80;
constexpr std::uint32_t subdevice_class = 0x2080;
// Names of our own, within our client.
constexpr std::uint32_t device_handle = 0x52500001;
constexpr std::uint32_t subdevice_handle = 0x52500002;

// Until there is an answer. Drivers before 535 give that to AllocCall where its `bytes` are.
constexpr std::uint32_t no_answer = 0xffffffff;

struct AllocCall {  // NVOS21_PARAMETERS
  std::uint32_t client, parent, object, object_class;
  std::uint64_t parameters;
  std::uint32_t bytes, status;
};
static_assert(sizeof(AllocCall) == 32);

struct ControlCall {  // NVOS54_PARAMETERS
  std::uint32_t client, object, command, flags;
  std::uint64_t parameters;
  std::uint32_t bytes, status;
};
static_assert(sizeof(ControlCall) == 32);

constexpr std::uint32_t uuid_info_command = 0x274;  // NV0000_CTRL_CMD_GPU_GET_UUID_INFO
struct UuidInfo {
  std::array<unsigned char, 256> uuid;
  std::uint32_t flags, gpu, device, subdevice;
};
static_assert(sizeof(UuidInfo) == 272);
constexpr std::uint32_t uuid_is_binary = 2;  // ..._FLAGS_FORMAT_BINARY, of SHA-1

struct DeviceParameters {  // NV0080_ALLOC_PARAMETERS
  std::uint32_t device, client_share, target_client, target_device, flags;
  std::uint64_t va_space_bytes, va_start, va_limit;
  std::uint32_t va_mode;
};
static_assert(sizeof(DeviceParameters) == 56);

constexpr std::uint32_t flush_cache_command = 0x2080130e;  // NV2080_CTRL_CMD_FB_FLUSH_GPU_CACHE
struct FlushCache {
  std::array<std::uint64_t, 500> addresses;
  std::uint32_t address_count, address_align;
  std::uint64_t block_bytes;
  std::uint32_t flags;
};
static_assert(sizeof(FlushCache) == 4024);
// NV2080_CTRL_FB_FLUSH_GPU_CACHE_FLAGS: _APERTURE 1:0, _WRITE_BACK 2:2, _INVALIDATE 3:3,
// _FLUSH_MODE_FULL_CACHE 4:4.
constexpr std::uint32_t video_memory = 0;
constexpr std::uint32_t system_memory = 1;
constexpr std::uint32_t write_back = 1U << 2U;
constexpr std::uint32_t invalidate = 1U << 3U;
constexpr std::uint32_t full_cache = 1U << 4U;

std::uint64_t address_of(void* parameters) {
  return reinterpret_cast<std::uintptr_t>(parameters);
}

tl::unexpected<Error> refused(int code) {
  return fail(ErrorDomain::device, what,
              fmt::format("{}: {}", control_file, std::generic_category().message(code)), {}, code);
}

}  // namespace

const DeviceFileCalls& system_device_files() {
  static const DeviceFileCalls calls = {
      [](const char* path) {
        return out_of_the_way(Descriptor(::open(path, O_RDWR | O_CLOEXEC))).release();
      },
      [](int file, unsigned long request, void* argument) {
        return ::ioctl(file, request, argument);
      },
      [](int file, const char* path) {
        struct stat now = {};
        struct stat opened = {};
        if (::fstat(file, &now) == 0 && ::stat(path, &opened) == 0 &&
            now.st_rdev == opened.st_rdev && S_ISCHR(now.st_mode)) {
          ::close(file);
        }
      }};
  return calls;
}

Result<ResourceManager> ResourceManager::open(const GpuUuid& gpu, const DeviceFileCalls& calls) {
  const int file = calls.open(control_file);
  if (file < 0) {
    return refused(errno);
  }
  ResourceManager manager(calls, file);
  UuidInfo info = {};
  std::copy(gpu.begin(), gpu.end(), info.uuid.begin());
  info.flags = uuid_is_binary;
  DeviceParameters device = {};
  std::uint32_t device_object = device_handle;
  std::uint32_t subdevice_object = subdevice_handle;
  const Status opened =
      manager.allocate(0, manager.client_, root_class, nullptr, 0)
          .and_then([&] {
            return manager.control(manager.client_, uuid_info_command, &info, sizeof(info));
          })
          .and_then([&] {
            device.device = info.device;
            return manager.allocate(manager.client_, device_object, device_class, &device,
                                    sizeof(device));
          })
          .and_then([&] {
            return manager.allocate(device_object, subdevice_object, subdevice_class,
                                    &info.subdevice, sizeof(info.subdevice));
          });
  if (!opened) {
    return tl::make_unexpected(opened.error());
  }
  return manager;
}

ResourceManager::ResourceManager(ResourceManager&& other) noexcept
    : calls_(other.calls_), file_(std::exchange(other.file_, -1)), client_(other.client_) {}

ResourceManager::~ResourceManager() {
  if (file_ >= 0) {
    calls_->close(file_, control_file);
  }
}

Status ResourceManager::empty_l2() const {
  FlushCache flush = {};
  for (const std::uint32_t memory : {video_memory, system_memory}) {
    flush.flags = memory | write_back | invalidate | full_cache;
    if (Status done = control(subdevice_handle, flush_cache_command, &flush, sizeof(flush));
        !done) {
      return done;
    }
  }
  return {};
}

// `object` 0: the driver names it.
Status ResourceManager::allocate(std::uint32_t parent, std::uint32_t& object,
                                 std::uint32_t object_class, void* parameters,
                                 std::uint32_t bytes) const {
  AllocCall call = {client_, parent,   object, object_class, address_of(parameters),
                    bytes,   no_answer};
  const Status done = ask(rm_alloc, &call, sizeof(call), call.status);
  object = call.object;
  return done;
}

Status ResourceManager::control(std::uint32_t object, std::uint32_t command, void* parameters,
                                std::uint32_t bytes) const {
  ControlCall call = {client_, object, command, 0, address_of(parameters), bytes, no_answer};
  return ask(rm_control, &call, sizeof(call), call.status);
}

Status ResourceManager::ask(unsigned number, void* argument, std::size_t bytes,
                            const std::uint32_t& answer) const {
  const unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, ioctl_letter, number, bytes);
  int code = 0;
  do {
    code = calls_->control(file_, request, argument);
  } while (code < 0 && errno == EINTR);
  if (code < 0) {
    return refused(errno);
  }
  if (answer != 0) {  // NV_STATUS, nvstatuscodes.h
    return fail(ErrorDomain::device, what, fmt::format("status {:#x}", answer), {},
                static_cast<int>(answer));
  }
  return {};
}

}  // namespace ridgepoint::collector
