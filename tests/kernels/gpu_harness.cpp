#include "tests/kernels/gpu_harness.h"

#include "tests/kernels/guarded_buffer.h"

namespace ridgepoint::kernels {
namespace {

bool unchanged(const Guarded& tensor, const std::vector<std::uint16_t>& original) {
  std::vector<std::uint16_t> now(original.size());
  tensor.get(now.data());
  return now == original;
}

}  // namespace

std::string no_gpu_reason() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    return std::string("no usable GPU: ") + cudaGetErrorString(status);
  }
  return count == 0 ? "no GPU in this machine" : "";
}

int compute_capability() {
  int major = 0;
  int minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  return 10 * major + minor;
}

std::string no_hopper_reason() {
  const std::string reason = no_gpu_reason();
  return reason.empty() && compute_capability() != 90
             ? "needs a Hopper GPU (compute capability 9.0)"
             : reason;
}

std::size_t free_device_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

GpuRun run_on_gpu(const AttentionVariant& variant, const AttentionProblem& p,
                  const AttentionData& data, int repeats, bool with_lse) {
  GpuRun run;
  const Guarded q(data.q.size() * 2);
  const Guarded k(data.k.size() * 2);
  const Guarded v(data.v.size() * 2);
  const Guarded o(data.q.size() * 2);
  const Guarded lse(static_cast<std::size_t>(row_count(p)) * sizeof(float));
  const Guarded workspace(variant.workspace_bytes(p));
  for (const Guarded* buffer : {&q, &k, &v, &o, &lse, &workspace}) {
    if (buffer->error() != cudaSuccess) {
      run.failure = std::string("allocating: ") + cudaGetErrorString(buffer->error());
      return run;
    }
  }
  q.set(data.q.data());
  k.set(data.k.data());
  v.set(data.v.data());
  const AttentionTensors tensors{q.data(),
                                 k.data(),
                                 v.data(),
                                 o.data(),
                                 with_lse ? reinterpret_cast<float*>(lse.data()) : nullptr,
                                 workspace.data()};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    o.poison_again();
    lse.poison_again();
    const cudaError_t launched = variant.launch(p, tensors, nullptr);
    const cudaError_t finished = cudaDeviceSynchronize();
    if (launched != cudaSuccess || finished != cudaSuccess) {
      run.failure = std::string("running: ") +
                    cudaGetErrorString(launched != cudaSuccess ? launched : finished);
      return run;
    }
    std::vector<std::uint16_t> o_now(data.q.size());
    std::vector<float> lse_now(static_cast<std::size_t>(row_count(p)));
    o.get(o_now.data());
    lse.get(lse_now.data());
    if (repeat == 0) {
      run.o = std::move(o_now);
      run.lse = std::move(lse_now);
    } else {
      run.repeats_equal = run.repeats_equal && o_now == run.o && lse_now == run.lse;
    }
  }
  const std::pair<const char*, const Guarded*> bands[] = {
      {"Q", &q}, {"K", &k}, {"V", &v}, {"O", &o}, {"the LSE", &lse}, {"the workspace", &workspace}};
  for (const auto& [name, buffer] : bands) {
    if (!buffer->bands_intact()) {
      run.failure = std::string("memory around ") + name + " was written";
    }
  }
  if (!unchanged(q, data.q) || !unchanged(k, data.k) || !unchanged(v, data.v)) {
    run.failure = "an input was written";
  }
  return run;
}

}  // namespace ridgepoint::kernels
