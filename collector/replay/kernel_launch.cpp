#include "collector/replay/kernel_launch.h"

#include <algorithm>
#include <cstring>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/launch_parameters.h"

namespace ridgepoint::collector {
namespace {

constexpr const char* keeping = "keeping a launch for its replay";
// CUDA's limit for all arguments together is 32,764 bytes; a lie beyond it is not followed.
constexpr std::size_t most_argument_bytes = 32764;
constexpr std::size_t most_arguments = 4096;

bool is_extended(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz;
}
bool is_plain(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz;
}
bool is_cooperative(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
}

// What shapes the kernel's run by itself. Left out is what ties it to other work of its stream:
// programmatic launches and events.
bool belongs_to_kernel(CUlaunchAttributeID id) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return true;
    default:
      return false;
  }
}

// Launches take a CUkernel where they ask for a CUfunction; the driver's other functions do not.
// Null when it is neither.
CUfunction as_function(const DriverApi& driver, CUfunction given) {
  CUmodule module = nullptr;
  CUfunction function = given;
  return driver.function_module(&module, given) == CUDA_SUCCESS ||
                 driver.kernel_function(&function, reinterpret_cast<CUkernel>(given)) ==
                     CUDA_SUCCESS
             ? function
             : nullptr;
}

CUfunction function_of(const DriverApi& driver, std::uint32_t id, const void* parameters) {
  CUfunction given = nullptr;
  if (parameters != nullptr && is_extended(id)) {
    given = static_cast<const LaunchKernelExParameters*>(parameters)->f;
  } else if (parameters != nullptr && (is_plain(id) || is_cooperative(id))) {
    given = static_cast<const LaunchKernelParameters*>(parameters)->f;
  }
  return given == nullptr ? nullptr : as_function(driver, given);
}

}  // namespace

void KernelLaunch::load(const DriverApi& driver, std::uint32_t id, const void* parameters) {
  if (const CUfunction function = function_of(driver, id, parameters)) {
    driver.function_load(function);
  }
}

void KernelLaunch::describe(const DriverApi& driver, std::uint32_t id, const void* parameters,
                            KernelRecord& shape) {
  const CUfunction function = function_of(driver, id, parameters);
  if (function == nullptr) {
    return;
  }
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    return driver.function_attribute(&value, which, function) == CUDA_SUCCESS ? value : 0;
  };
  shape.registers_per_thread = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  shape.static_smem_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  shape.local_bytes_per_thread = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  if (const int width = attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH); width > 0) {
    shape.cluster = {
        static_cast<std::uint32_t>(width),
        static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT)),
        static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH))};
  }
  unsigned long long stream = 0;
  if (driver.stream_id(stream_of(id, parameters), &stream) == CUDA_SUCCESS) {
    shape.stream = static_cast<decltype(shape.stream)>(stream);
  }
}

CUstream KernelLaunch::stream_of(std::uint32_t id, const void* parameters) {
  if (parameters == nullptr) {
    return nullptr;
  }
  if (is_extended(id)) {
    const auto* config = static_cast<const LaunchKernelExParameters*>(parameters)->config;
    return config == nullptr ? nullptr : config->hStream;
  }
  return is_plain(id) || is_cooperative(id)
             ? static_cast<const LaunchKernelParameters*>(parameters)->hStream
             : nullptr;
}

Result<KernelLaunch> KernelLaunch::copy(const DriverApi& driver, std::uint32_t id,
                                        const void* parameters) {
  KernelLaunch launch(driver);
  CUfunction given = nullptr;
  void* const* pointers = nullptr;
  void* const* extra = nullptr;
  if (parameters != nullptr && is_extended(id)) {
    const auto& p = *static_cast<const LaunchKernelExParameters*>(parameters);
    if (p.config == nullptr) {
      return fail(ErrorDomain::device, keeping, "it has no configuration");
    }
    given = p.f;
    pointers = p.kernelParams;
    extra = p.extra;
    launch.config_ = *p.config;
    launch.copy_attributes(*p.config);
  } else if (parameters != nullptr && (is_plain(id) || is_cooperative(id))) {
    const auto& p = *static_cast<const LaunchKernelParameters*>(parameters);
    given = p.f;
    pointers = p.kernelParams;
    extra =
        is_plain(id) ? static_cast<const LaunchKernelPlainParameters*>(parameters)->extra : nullptr;
    launch.config_.gridDimX = p.gridDimX;
    launch.config_.gridDimY = p.gridDimY;
    launch.config_.gridDimZ = p.gridDimZ;
    launch.config_.blockDimX = p.blockDimX;
    launch.config_.blockDimY = p.blockDimY;
    launch.config_.blockDimZ = p.blockDimZ;
    launch.config_.sharedMemBytes = p.sharedMemBytes;
    if (is_cooperative(id)) {
      CUlaunchAttribute attribute = {};
      attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      attribute.value.cooperative = 1;
      launch.attributes_.push_back(attribute);
    }
  } else {
    return fail(ErrorDomain::device, keeping, "it was made by an old launch function");
  }
  launch.function_ = as_function(driver, given);
  if (launch.function_ == nullptr) {
    return fail(ErrorDomain::device, keeping, "the driver does not know its function");
  }
  if (Status copied = launch.copy_arguments(pointers, extra); !copied) {
    return tl::make_unexpected(copied.error());
  }
  return launch;
}

void KernelLaunch::copy_attributes(const CUlaunchConfig& config) {
  for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    if (belongs_to_kernel(config.attrs[i].id)) {
      attributes_.push_back(config.attrs[i]);
    }
  }
}

Status KernelLaunch::copy_arguments(void* const* pointers, void* const* extra) {
  const auto room = [this](std::size_t bytes) {
    bytes_ = std::max(bytes_, bytes);
    arguments_.resize((bytes_ + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  };
  const auto* const too_many = "its arguments are larger than CUDA allows";
  if (pointers == nullptr && extra != nullptr) {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (std::size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END && i < 8; i += 2) {
      if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = extra[i + 1];
      } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1] != nullptr) {
        bytes = *static_cast<const std::size_t*>(extra[i + 1]);
      }
    }
    if (bytes > most_argument_bytes) {
      return fail(ErrorDomain::device, keeping, too_many);
    }
    if (buffer != nullptr && bytes != 0) {
      room(bytes);
      std::memcpy(arguments_.data(), buffer, bytes);
    }
    return {};
  }
  for (std::size_t i = 0; pointers != nullptr && i < most_arguments; ++i) {
    std::size_t offset = 0;
    std::size_t size = 0;
    if (driver_->function_parameter(function_, i, &offset, &size) != CUDA_SUCCESS) {
      return {};  // there are i arguments
    }
    if (offset > most_argument_bytes || size > most_argument_bytes - offset ||
        pointers[i] == nullptr) {
      return fail(ErrorDomain::device, keeping, too_many);
    }
    room(offset + size);
    std::memcpy(reinterpret_cast<char*>(arguments_.data()) + offset, pointers[i], size);
    offsets_.push_back(offset);
  }
  return {};
}

CUresult KernelLaunch::run(CUstream stream) const {
  CUlaunchConfig config = config_;
  std::vector<CUlaunchAttribute> attributes = attributes_;
  config.hStream = stream;
  config.attrs = attributes.empty() ? nullptr : attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  std::vector<std::uint64_t> arguments = arguments_;
  if (offsets_.empty() && bytes_ != 0) {
    std::size_t bytes = bytes_;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &bytes, CU_LAUNCH_PARAM_END};
    return driver_->launch(&config, function_, nullptr, extra);
  }
  std::vector<void*> pointers;
  for (const std::size_t offset : offsets_) {
    pointers.push_back(reinterpret_cast<char*>(arguments.data()) + offset);
  }
  return driver_->launch(&config, function_, pointers.empty() ? nullptr : pointers.data(), nullptr);
}

std::vector<std::uint64_t> KernelLaunch::words() const {
  return arguments_;
}

}  // namespace ridgepoint::collector
