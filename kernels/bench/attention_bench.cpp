// Prints the median time and rate of every attention variant for the cases of interest. A
// developer's tool, not installed; `ridgepoint attention` is the one for users.
//
//   attention_bench [NAME [VARIANT]]      only cases whose name contains NAME, only that variant
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/attention/inputs.h"
#include "kernels/attention/variant.h"
#include "kernels/runtime/device_buffer.h"

namespace ridgepoint::kernels {
namespace {

constexpr int warmups = 5;
constexpr int repeats = 30;

struct Case {
  std::string name;
  AttentionProblem problem;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](int batch, int heads, int kv_heads, int seqlen, int head_dim, DataType dtype,
                       bool causal) {
    const std::string name = std::string(dtype == DataType::fp16 ? "fp16" : "bf16") + " d" +
                             std::to_string(head_dim) + " B" + std::to_string(batch) + " H" +
                             std::to_string(heads) + "/" + std::to_string(kv_heads) + " N" +
                             std::to_string(seqlen) + (causal ? " causal" : " full");
    all.push_back({name, {batch, heads, kv_heads, seqlen, seqlen, head_dim, dtype, causal}});
  };
  for (const int head_dim : {64, 128}) {
    for (const bool causal : {false, true}) {
      add(16, 16, 16, 1024, head_dim, DataType::fp16, causal);
      add(4, 16, 16, 4096, head_dim, DataType::fp16, causal);
      add(4, 16, 16, 4096, head_dim, DataType::bf16, causal);
      add(4, 16, 4, 4096, head_dim, DataType::fp16, causal);
      add(1, 16, 16, 16384, head_dim, DataType::fp16, causal);
    }
  }
  add(1, 8, 8, 16384, 64, DataType::fp16, false);
  for (const DataType dtype : {DataType::fp16, DataType::bf16}) {
    add(4, 8, 8, 4096, 256, dtype, false);
    add(2, 8, 8, 8192, 256, dtype, true);
  }
  return all;
}

// FLOP of the two products; half with a causal mask on a square problem.
double flop_of(const AttentionProblem& p) {
  const double all = 4.0 * p.batch * p.heads * static_cast<double>(p.seqlen_q) *
                     static_cast<double>(p.seqlen_k) * p.head_dim;
  return p.causal ? all / 2 : all;
}

bool failed(const char* what, cudaError_t status) {
  if (status == cudaSuccess) {
    return false;
  }
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(status));
  return true;
}

class Event {
 public:
  Event() { cudaEventCreate(&event_); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

struct DeviceTensors {
  DeviceBuffer q, k, v, o, lse, workspace;
};

bool measure(const AttentionVariant& variant, const AttentionProblem& p, DeviceTensors& device,
             const std::string& name) {
  device.workspace = DeviceBuffer();
  device.workspace = DeviceBuffer(variant.workspace_bytes(p));
  if (failed("allocating the workspace", device.workspace.error())) {
    return false;
  }
  const AttentionTensors tensors{device.q.data(),
                                 device.k.data(),
                                 device.v.data(),
                                 device.o.data(),
                                 reinterpret_cast<float*>(device.lse.data()),
                                 device.workspace.data()};
  std::vector<double> seconds;
  for (int run = 0; run < warmups + repeats; ++run) {
    const Event begin;
    const Event end;
    cudaEventRecord(begin.get());
    if (failed("launching", variant.launch(p, tensors, nullptr))) {
      return false;
    }
    cudaEventRecord(end.get());
    if (failed("running", cudaEventSynchronize(end.get()))) {
      return false;
    }
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin.get(), end.get());
    if (run >= warmups) {
      seconds.push_back(1e-3 * static_cast<double>(milliseconds));
    }
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  std::printf("%-36s %-6s %10.1f us  (%.1f to %.1f) %8.1f TFLOP/s\n", name.c_str(),
              variant.name().c_str(), 1e6 * median, 1e6 * seconds.front(), 1e6 * seconds.back(),
              flop_of(p) / median * 1e-12);
  std::fflush(stdout);
  return true;
}

DeviceBuffer upload(const std::vector<std::uint16_t>& values) {
  DeviceBuffer buffer(values.size() * sizeof(values[0]));
  if (buffer.error() == cudaSuccess) {
    failed("copying inputs",
           cudaMemcpy(buffer.data(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  }
  return buffer;
}

int run(const std::string& filter, const std::string& only_variant) {
  int device_count = 0;
  if (failed("looking for a GPU", cudaGetDeviceCount(&device_count)) || device_count == 0) {
    return 5;
  }
  int major = 0;
  int minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  const int capability = 10 * major + minor;
  for (const Case& one : cases()) {
    if (one.name.find(filter) == std::string::npos) {
      continue;
    }
    const AttentionProblem& p = one.problem;
    const AttentionData data = random_attention_data(p, 1);
    DeviceTensors device{upload(data.q),
                         upload(data.k),
                         upload(data.v),
                         DeviceBuffer(data.q.size() * 2),
                         DeviceBuffer(static_cast<std::size_t>(row_count(p)) * sizeof(float)),
                         DeviceBuffer()};
    for (const AttentionVariant* variant : attention_variants()) {
      if (!only_variant.empty() && variant->name() != only_variant) {
        continue;
      }
      if (!variant->unsupported_reason(p, capability).empty()) {
        continue;
      }
      if (!measure(*variant, p, device, one.name)) {
        return 5;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace ridgepoint::kernels

int main(int argc, char** argv) {
  return ridgepoint::kernels::run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
}
