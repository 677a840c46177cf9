#include "tests/kernels/backward_harness.h"

#include "tests/kernels/guarded_buffer.h"

namespace ridgepoint::kernels {
namespace {

std::string describe(const char* what, cudaError_t status) {
  return status == cudaSuccess ? "" : std::string(what) + ": " + cudaGetErrorString(status);
}

template <typename T>
std::vector<T> contents(const Guarded& tensor, std::size_t count) {
  std::vector<T> values(count);
  tensor.get(values.data());
  return values;
}

}  // namespace

// All device memory of a problem.
struct BackwardOnGpu::Tensors {
  Tensors(const AttentionBackwardVariant& variant, const AttentionProblem& p,
          const AttentionData& data, const std::vector<std::uint16_t>& gradient)
      : q(data.q.size() * 2),
        k(data.k.size() * 2),
        v(data.v.size() * 2),
        o(data.q.size() * 2),
        lse(static_cast<std::size_t>(row_count(p)) * sizeof(float)),
        d_o(data.q.size() * 2),
        dq(data.q.size() * 2),
        dk(data.k.size() * 2),
        dv(data.k.size() * 2),
        saved(variant.saved_bytes(p)),
        workspace(variant.workspace_bytes(p)) {
    q.set(data.q.data());
    k.set(data.k.data());
    v.set(data.v.data());
    d_o.set(gradient.data());
  }

  std::vector<std::pair<const char*, const Guarded*>> all() const {
    return {{"Q", &q},
            {"K", &k},
            {"V", &v},
            {"O", &o},
            {"LSE", &lse},
            {"dO", &d_o},
            {"dQ", &dq},
            {"dK", &dk},
            {"dV", &dv},
            {"saved", &saved},
            {"the workspace", &workspace}};
  }
  AttentionGradients view() const {
    return {q.data(),        k.data(),  v.data(),  o.data(),  reinterpret_cast<float*>(lse.data()),
            d_o.data(),      dq.data(), dk.data(), dv.data(), saved.data(),
            workspace.data()};
  }

  Guarded q, k, v, o, lse, d_o, dq, dk, dv, saved, workspace;
};

BackwardOnGpu::BackwardOnGpu(const AttentionBackwardVariant& variant, const AttentionProblem& p,
                             const AttentionData& data, const std::vector<std::uint16_t>& d_o)
    : variant_(&variant),
      problem_(p),
      data_(data),
      d_o_(d_o),
      tensors_(std::make_unique<Tensors>(variant, p, data, d_o)) {
  const Tensors& t = *tensors_;
  for (const auto& [name, tensor] : t.all()) {
    if (tensor->error() != cudaSuccess) {
      failure_ = describe("allocating", tensor->error());
      return;
    }
  }
  const AttentionTensors forward{
      t.q.data(), t.k.data(), t.v.data(), t.o.data(), reinterpret_cast<float*>(t.lse.data()),
      nullptr};
  failure_ = describe("forward", find_attention_variant("fused")->launch(p, forward, nullptr));
  if (failure_.empty()) {
    failure_ = describe("saving", variant.save(p, t.view(), nullptr));
  }
  if (failure_.empty()) {
    failure_ = describe("the forward pass", cudaDeviceSynchronize());
  }
  if (failure_.empty()) {
    o_before_ = contents<std::uint16_t>(t.o, data.q.size());
    lse_before_ = contents<float>(t.lse, static_cast<std::size_t>(row_count(p)));
  }
}
BackwardOnGpu::BackwardOnGpu(BackwardOnGpu&&) noexcept = default;
BackwardOnGpu::~BackwardOnGpu() = default;

void BackwardOnGpu::poison() const {
  for (const Guarded* gradient :
       {&tensors_->dq, &tensors_->dk, &tensors_->dv, &tensors_->workspace}) {
    gradient->poison_again();
  }
}

cudaError_t BackwardOnGpu::launch(cudaStream_t stream) const {
  return variant_->launch(problem_, tensors_->view(), stream);
}

Gradients BackwardOnGpu::gradients() const {
  cudaDeviceSynchronize();
  return {contents<std::uint16_t>(tensors_->dq, data_.q.size()),
          contents<std::uint16_t>(tensors_->dk, data_.k.size()),
          contents<std::uint16_t>(tensors_->dv, data_.k.size())};
}

std::string BackwardOnGpu::damage() const {
  for (const auto& [name, tensor] : tensors_->all()) {
    if (!tensor->bands_intact()) {
      return std::string("memory around ") + name + " was written";
    }
  }
  const bool intact = contents<std::uint16_t>(tensors_->q, data_.q.size()) == data_.q &&
                      contents<std::uint16_t>(tensors_->k, data_.k.size()) == data_.k &&
                      contents<std::uint16_t>(tensors_->v, data_.v.size()) == data_.v &&
                      contents<std::uint16_t>(tensors_->d_o, d_o_.size()) == d_o_ &&
                      contents<std::uint16_t>(tensors_->o, data_.q.size()) == o_before_ &&
                      contents<float>(tensors_->lse, lse_before_.size()) == lse_before_;
  return intact ? "" : "an input was written";
}

BackwardRun run_backward_on_gpu(const AttentionBackwardVariant& variant, const AttentionProblem& p,
                                const AttentionData& data, const std::vector<std::uint16_t>& d_o,
                                int repeats) {
  BackwardRun run;
  const BackwardOnGpu problem(variant, p, data, d_o);
  run.failure = problem.failure();
  for (int repeat = 0; repeat < repeats && run.failure.empty(); ++repeat) {
    problem.poison();
    run.failure = describe("launching", problem.launch());
    if (run.failure.empty()) {
      run.failure = describe("running", cudaDeviceSynchronize());
    }
    if (!run.failure.empty()) {
      return run;
    }
    Gradients now = problem.gradients();
    if (repeat > 0) {
      run.repeats_equal = run.repeats_equal && now == static_cast<const Gradients&>(run);
    }
    static_cast<Gradients&>(run) = std::move(now);
  }
  if (run.failure.empty()) {
    run.failure = problem.damage();
  }
  return run;
}

}  // namespace ridgepoint::kernels
