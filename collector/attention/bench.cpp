#include "collector/attention/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collector/cuda/cuda_error.h"
#include "collector/cuda/evict.h"
#include "kernels/attention/validate.h"

namespace ridgepoint::collector {
namespace {

constexpr std::size_t element_bytes = 2;  // fp16 and bf16
// Reading several times the cache's size leaves nothing else in it, whatever its replacement rule.
constexpr std::size_t eviction_factor = 4;

double gib(std::size_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
}

Status enough_memory(std::size_t needed, std::size_t intermediates) {
  std::size_t available = 0;
  std::size_t total = 0;
  if (const cudaError_t code = cudaMemGetInfo(&available, &total); code != cudaSuccess) {
    return cuda_failure(code, "asking the GPU for its free memory");
  }
  if (needed <= available) {
    return {};
  }
  return fail(ErrorDomain::device, "fitting the problem into the GPU's memory",
              fmt::format("it needs {:.2f} GiB, {:.2f} GiB of them scratch memory for "
                          "intermediates, and {:.2f} of {:.2f} GiB are free",
                          gib(needed), gib(intermediates), gib(available), gib(total)),
              "take a shorter sequence, fewer heads or a smaller batch, or only the variants that "
              "keep no intermediates in memory (--variant fused)",
              cudaErrorMemoryAllocation);
}

template <class T>
Status download(std::vector<T>& host, const void* device) {
  return cuda_status(
      cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost),
      "copying the outputs from the GPU");
}

}  // namespace

Result<kernels::AttentionProblem> problem_of(AttentionShape& shape) {
  const std::string what = "reading the attention problem";
  kernels::AttentionProblem problem;
  const std::pair<std::int64_t, std::int32_t*> extents[] = {
      {shape.batch, &problem.batch},       {shape.heads, &problem.heads},
      {shape.kv_heads, &problem.kv_heads}, {shape.seqlen_q, &problem.seqlen_q},
      {shape.seqlen_k, &problem.seqlen_k}, {shape.head_dim, &problem.head_dim}};
  for (const auto& [given, field] : extents) {
    if (given < 0 || given > std::numeric_limits<std::int32_t>::max()) {
      return fail(ErrorDomain::usage, what, fmt::format("{} is out of range", given));
    }
    *field = static_cast<std::int32_t>(given);
  }
  if (shape.dtype == "fp16") {
    problem.dtype = kernels::DataType::fp16;
  } else if (shape.dtype == "bf16") {
    problem.dtype = kernels::DataType::bf16;
  } else {
    return fail(ErrorDomain::usage, what, "unknown element type '" + shape.dtype + "'",
                "choose fp16 or bf16");
  }
  if (shape.direction != "forward" && shape.direction != "backward") {
    return fail(ErrorDomain::usage, what,
                "there are no kernels for direction '" + shape.direction + "'",
                "choose forward or backward");
  }
  problem.causal = shape.causal;
  problem.softmax_scale = static_cast<float>(shape.softmax_scale);
  if (const std::string reason = kernels::invalid_reason(problem); !reason.empty()) {
    return fail(ErrorDomain::usage, what, reason);
  }
  if (shape.softmax_scale == 0) {
    shape.softmax_scale = 1 / std::sqrt(static_cast<double>(shape.head_dim));
  }
  return problem;
}

Status AttentionBench::allocate(const DeviceInfo& device) {
  const std::size_t q_bytes = static_cast<std::size_t>(query_elements(problem_)) * element_bytes;
  const std::size_t k_bytes = static_cast<std::size_t>(key_elements(problem_)) * element_bytes;
  const std::size_t lse_bytes = static_cast<std::size_t>(row_count(problem_)) * sizeof(float);
  std::size_t workspace = 0;
  for (const MeasuredVariant& variant : variants_) {
    workspace = std::max(workspace, variant.workspace_bytes(problem_));
  }
  eviction_bytes_ = static_cast<std::size_t>(device.l2_bytes) * eviction_factor;
  struct Wanted {
    DeviceMemory* memory;
    std::size_t bytes;
    const char* what;
  };
  std::vector<Wanted> all = {{&q_, q_bytes, "Q"},
                             {&k_, k_bytes, "K"},
                             {&v_, k_bytes, "V"},
                             {&o_, q_bytes, "O"},
                             {&lse_, lse_bytes, "the LSE"},
                             {&workspace_, workspace, "scratch memory"},
                             {&eviction_, eviction_bytes_, "the buffer that clears the cache"},
                             {&sink_, sizeof(unsigned), "the buffer that clears the cache"}};
  std::size_t intermediates = workspace;
  if (backward()) {
    all.insert(all.end(), {{&d_o_, q_bytes, "dO"},
                           {&dq_, q_bytes, "dQ"},
                           {&dk_, k_bytes, "dK"},
                           {&dv_, k_bytes, "dV"}});
    saved_.resize(variants_.size());
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      const std::size_t saved = variants_[i].saved_bytes(problem_);
      all.push_back({&saved_[i], saved, "what is kept from the forward pass"});
      intermediates += saved;
    }
  }
  std::size_t needed = 0;
  for (const Wanted& wanted : all) {
    needed += wanted.bytes;
  }
  if (Status fits = enough_memory(needed, intermediates); !fits) {
    return fits;
  }
  for (const Wanted& wanted : all) {
    Result<DeviceMemory> memory = allocate_device(wanted.bytes, wanted.what);
    if (!memory) {
      return tl::make_unexpected(memory.error());
    }
    *wanted.memory = std::move(*memory);
  }
  return {};
}

Status AttentionBench::upload(std::uint64_t seed) {
  constexpr std::uint64_t gradient_stream = std::uint64_t{1} << 63;  // apart from Q, K and V
  data_ = kernels::random_attention_data(problem_, seed);
  std::vector<std::pair<void*, const std::vector<std::uint16_t>*>> tensors = {
      {q_.get(), &data_.q}, {k_.get(), &data_.k}, {v_.get(), &data_.v}};
  if (backward()) {
    d_o_data_ =
        kernels::random_tensor(query_elements(problem_), problem_.dtype, seed ^ gradient_stream);
    tensors.emplace_back(d_o_.get(), &d_o_data_);
  }
  const std::string what = "copying the inputs to the GPU";
  for (const auto& [memory, tensor] : tensors) {
    if (Status copied =
            cuda_status(cudaMemcpy(memory, tensor->data(), tensor->size() * element_bytes,
                                   cudaMemcpyHostToDevice),
                        what);
        !copied) {
      return copied;
    }
  }
  return cuda_status(cudaMemset(eviction_.get(), 0, eviction_bytes_), what);
}

// The portable forward kernel runs every problem that a backward variant runs.
Status AttentionBench::keep_from_forward() const {
  const kernels::AttentionVariant& forward = *kernels::find_attention_variant("fused");
  Status kept = cuda_status(forward.launch(problem_,
                                           {q_.get(), k_.get(), v_.get(), o_.get(),
                                            static_cast<float*>(lse_.get()), workspace_.get()},
                                           stream()),
                            "running the forward pass");
  for (const MeasuredVariant& variant : variants_) {
    kept = kept.and_then([&] {
      return cuda_status(variant.backward()->save(problem_, gradients_of(variant), stream()),
                         "keeping what " + variant.name() + " needs of the forward pass");
    });
  }
  return kept.and_then([&] { return synchronise("running the forward pass"); });
}

Result<AttentionBench> AttentionBench::create(const kernels::AttentionProblem& problem,
                                              const std::vector<MeasuredVariant>& variants,
                                              const DeviceInfo& device, std::uint64_t seed) {
  AttentionBench bench;
  bench.problem_ = problem;
  bench.variants_ = variants;
  Result<Stream> stream = create_stream();
  if (!stream) {
    return tl::make_unexpected(stream.error());
  }
  bench.stream_ = std::move(*stream);
  const Status ready =
      bench.allocate(device).and_then([&] { return bench.upload(seed); }).and_then([&] {
        return bench.backward() ? bench.keep_from_forward() : Status();
      });
  if (!ready) {
    return tl::make_unexpected(ready.error());
  }
  return bench;
}

kernels::AttentionGradients AttentionBench::gradients_of(const MeasuredVariant& variant) const {
  const auto position = std::find(variants_.begin(), variants_.end(), variant);
  kernels::AttentionGradients tensors;
  tensors.q = q_.get();
  tensors.k = k_.get();
  tensors.v = v_.get();
  tensors.o = o_.get();
  tensors.lse = static_cast<float*>(lse_.get());
  tensors.d_o = d_o_.get();
  tensors.dq = dq_.get();
  tensors.dk = dk_.get();
  tensors.dv = dv_.get();
  tensors.saved = saved_[static_cast<std::size_t>(position - variants_.begin())].get();
  tensors.workspace = workspace_.get();
  return tensors;
}

Status AttentionBench::run(const MeasuredVariant& variant) const {
  const std::string what = "launching " + variant.name();
  if (variant.backward() != nullptr) {
    return cuda_status(variant.backward()->launch(problem_, gradients_of(variant), stream()), what);
  }
  kernels::AttentionTensors tensors;
  tensors.q = q_.get();
  tensors.k = k_.get();
  tensors.v = v_.get();
  tensors.o = o_.get();
  tensors.lse = static_cast<float*>(lse_.get());
  tensors.workspace = workspace_.get();
  return cuda_status(variant.forward()->launch(problem_, tensors, stream()), what);
}

Status AttentionBench::synchronise(const std::string& what) const {
  return cuda_status(cudaStreamSynchronize(stream()), what);
}

Status AttentionBench::poison_outputs() const {
  constexpr int all_ones = 0xFF;  // a NaN in fp16, bf16 and fp32
  const std::size_t q_bytes = data_.q.size() * element_bytes;
  const std::size_t k_bytes = data_.k.size() * element_bytes;
  using Outputs = std::vector<std::pair<void*, std::size_t>>;
  const Outputs outputs =
      backward()
          ? Outputs{{dq_.get(), q_bytes}, {dk_.get(), k_bytes}, {dv_.get(), k_bytes}}
          : Outputs{{o_.get(), q_bytes},
                    {lse_.get(), static_cast<std::size_t>(row_count(problem_)) * sizeof(float)}};
  Status cleared;
  for (const auto& [memory, bytes] : outputs) {
    cleared = cleared.and_then([&, memory = memory, bytes = bytes] {
      return cuda_status(cudaMemsetAsync(memory, all_ones, bytes, stream()),
                         "clearing the outputs");
    });
  }
  return cleared;
}

Status AttentionBench::evict_l2() const {
  return cuda_status(evict_by_reading(eviction_.get(), eviction_bytes_,
                                      static_cast<unsigned*>(sink_.get()), stream()),
                     "clearing the L2 cache");
}

Status AttentionBench::read_outputs(std::vector<std::uint16_t>& o, std::vector<float>& lse) const {
  o.resize(data_.q.size());
  lse.resize(static_cast<std::size_t>(row_count(problem_)));
  return download(o, o_.get()).and_then([&] { return download(lse, lse_.get()); });
}

Status AttentionBench::read_gradients(Gradients& gradients) const {
  gradients.dq.resize(data_.q.size());
  gradients.dk.resize(data_.k.size());
  gradients.dv.resize(data_.k.size());
  return download(gradients.dq, dq_.get())
      .and_then([&] { return download(gradients.dk, dk_.get()); })
      .and_then([&] { return download(gradients.dv, dv_.get()); });
}

}  // namespace ridgepoint::collector
