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

std::size_t largest_workspace(const kernels::AttentionProblem& problem,
                              const std::vector<const kernels::AttentionVariant*>& variants) {
  std::size_t most = 0;
  for (const kernels::AttentionVariant* variant : variants) {
    most = std::max(most, variant->workspace_bytes(problem));
  }
  return most;
}

Status enough_memory(std::size_t needed, std::size_t workspace) {
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
                          gib(needed), gib(workspace), gib(available), gib(total)),
              "take a shorter sequence, fewer heads or a smaller batch, or only the variants that "
              "keep no intermediates in memory (--variants fused)",
              cudaErrorMemoryAllocation);
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
  if (shape.direction != "forward") {
    return fail(ErrorDomain::usage, what,
                "there are no kernels for direction '" + shape.direction + "'", "choose forward");
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

Result<ChosenVariants> choose_variants(const std::vector<std::string>& names,
                                       const kernels::AttentionProblem& problem,
                                       int compute_capability) {
  ChosenVariants chosen;
  if (names.empty()) {
    for (const kernels::AttentionVariant* variant : kernels::attention_variants()) {
      const std::string reason = variant->unsupported_reason(problem, compute_capability);
      if (reason.empty()) {
        chosen.variants.push_back(variant);
      } else {
        chosen.skipped.push_back({"variant.skipped", variant->name() + " was not run: " + reason});
      }
    }
    if (chosen.variants.empty()) {
      return fail(ErrorDomain::usage, "choosing the variants",
                  "none can run this problem here: " + chosen.skipped.front().text);
    }
    return chosen;
  }
  for (const std::string& name : names) {
    const kernels::AttentionVariant* variant = kernels::find_attention_variant(name);
    if (variant == nullptr) {
      std::string known;
      for (const kernels::AttentionVariant* other : kernels::attention_variants()) {
        known += (known.empty() ? "" : ", ") + other->name();
      }
      return fail(ErrorDomain::usage, "choosing the variants", "there is no variant '" + name + "'",
                  "choose from: " + known);
    }
    if (const std::string reason = variant->unsupported_reason(problem, compute_capability);
        !reason.empty()) {
      return fail(ErrorDomain::usage, "choosing the variants", name + " cannot run it: " + reason);
    }
    if (std::find(chosen.variants.begin(), chosen.variants.end(), variant) ==
        chosen.variants.end()) {
      chosen.variants.push_back(variant);
    }
  }
  return chosen;
}

Result<AttentionBench> AttentionBench::create(
    const kernels::AttentionProblem& problem,
    const std::vector<const kernels::AttentionVariant*>& variants, const DeviceInfo& device,
    std::uint64_t seed) {
  AttentionBench bench;
  bench.problem_ = problem;
  bench.variants_ = variants;
  const std::size_t q_bytes = static_cast<std::size_t>(query_elements(problem)) * element_bytes;
  const std::size_t k_bytes = static_cast<std::size_t>(key_elements(problem)) * element_bytes;
  const std::size_t lse_bytes = static_cast<std::size_t>(row_count(problem)) * sizeof(float);
  const std::size_t workspace = largest_workspace(problem, variants);
  bench.eviction_bytes_ = static_cast<std::size_t>(device.l2_bytes) * eviction_factor;
  if (Status fits = enough_memory(
          2 * q_bytes + 2 * k_bytes + lse_bytes + workspace + bench.eviction_bytes_, workspace);
      !fits) {
    return tl::make_unexpected(fits.error());
  }
  Result<Stream> stream = create_stream();
  if (!stream) {
    return tl::make_unexpected(stream.error());
  }
  bench.stream_ = std::move(*stream);
  struct Wanted {
    DeviceMemory* memory;
    std::size_t bytes;
    const char* what;
  };
  for (const Wanted& wanted :
       {Wanted{&bench.q_, q_bytes, "Q"}, Wanted{&bench.k_, k_bytes, "K"},
        Wanted{&bench.v_, k_bytes, "V"}, Wanted{&bench.o_, q_bytes, "O"},
        Wanted{&bench.lse_, lse_bytes, "the LSE"},
        Wanted{&bench.workspace_, workspace, "scratch memory"},
        Wanted{&bench.eviction_, bench.eviction_bytes_, "the buffer that clears the cache"},
        Wanted{&bench.sink_, sizeof(unsigned), "the buffer that clears the cache"}}) {
    Result<DeviceMemory> memory = allocate_device(wanted.bytes, wanted.what);
    if (!memory) {
      return tl::make_unexpected(memory.error());
    }
    *wanted.memory = std::move(*memory);
  }
  bench.data_ = kernels::random_attention_data(problem, seed);
  const std::string what = "copying the inputs to the GPU";
  for (const auto& [memory, tensor] :
       {std::pair{bench.q_.get(), &bench.data_.q}, std::pair{bench.k_.get(), &bench.data_.k},
        std::pair{bench.v_.get(), &bench.data_.v}}) {
    if (Status copied =
            cuda_status(cudaMemcpy(memory, tensor->data(), tensor->size() * element_bytes,
                                   cudaMemcpyHostToDevice),
                        what);
        !copied) {
      return tl::make_unexpected(copied.error());
    }
  }
  if (Status cleared =
          cuda_status(cudaMemset(bench.eviction_.get(), 0, bench.eviction_bytes_), what);
      !cleared) {
    return tl::make_unexpected(cleared.error());
  }
  return bench;
}

Status AttentionBench::run(const kernels::AttentionVariant& variant) const {
  kernels::AttentionTensors tensors;
  tensors.q = q_.get();
  tensors.k = k_.get();
  tensors.v = v_.get();
  tensors.o = o_.get();
  tensors.lse = static_cast<float*>(lse_.get());
  tensors.workspace = workspace_.get();
  return cuda_status(variant.launch(problem_, tensors, stream()), "launching " + variant.name());
}

Status AttentionBench::synchronise(const std::string& what) const {
  return cuda_status(cudaStreamSynchronize(stream()), what);
}

Status AttentionBench::poison_outputs() const {
  constexpr int all_ones = 0xFF;  // a NaN in fp16, bf16 and fp32
  const std::string what = "clearing the outputs";
  return cuda_status(cudaMemsetAsync(o_.get(), all_ones, data_.q.size() * element_bytes, stream()),
                     what)
      .and_then([&] {
        return cuda_status(
            cudaMemsetAsync(lse_.get(), all_ones,
                            static_cast<std::size_t>(row_count(problem_)) * sizeof(float),
                            stream()),
            what);
      });
}

Status AttentionBench::evict_l2() const {
  return cuda_status(evict_by_reading(eviction_.get(), eviction_bytes_,
                                      static_cast<unsigned*>(sink_.get()), stream()),
                     "clearing the L2 cache");
}

Status AttentionBench::read_outputs(std::vector<std::uint16_t>& o, std::vector<float>& lse) const {
  o.resize(data_.q.size());
  lse.resize(static_cast<std::size_t>(row_count(problem_)));
  const std::string what = "copying the outputs from the GPU";
  return cuda_status(
             cudaMemcpy(o.data(), o_.get(), o.size() * element_bytes, cudaMemcpyDeviceToHost), what)
      .and_then([&] {
        return cuda_status(
            cudaMemcpy(lse.data(), lse_.get(), lse.size() * sizeof(float), cudaMemcpyDeviceToHost),
            what);
      });
}

}  // namespace ridgepoint::collector
