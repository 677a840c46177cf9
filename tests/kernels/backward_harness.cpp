#include "tests/kernels/backward_harness.h"

#include "tests/kernels/guarded_buffer.h"

namespace ridgepoint::kernels {
namespace {

std::string describe(const char* what, cudaError_t status) {
  return status == cudaSuccess ? "" : std::string(what) + ": " + cudaGetErrorString(status);
}

// All device memory of a run.
struct Tensors {
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

template <typename T>
std::vector<T> contents(const Guarded& tensor, std::size_t count) {
  std::vector<T> values(count);
  tensor.get(values.data());
  return values;
}

std::string run_forward(const AttentionProblem& p, const Tensors& t) {
  const AttentionVariant* const forward = find_attention_variant("fused");
  const AttentionTensors tensors{
      t.q.data(), t.k.data(), t.v.data(), t.o.data(), reinterpret_cast<float*>(t.lse.data()),
      nullptr};
  const std::string failure = describe("forward", forward->launch(p, tensors, nullptr));
  return failure.empty() ? describe("forward", cudaDeviceSynchronize()) : failure;
}

}  // namespace

BackwardRun run_backward_on_gpu(const AttentionBackwardVariant& variant, const AttentionProblem& p,
                                const AttentionData& data, const std::vector<std::uint16_t>& d_o,
                                int repeats) {
  BackwardRun run;
  const Tensors t(variant, p, data, d_o);
  for (const auto& [name, tensor] : t.all()) {
    if (tensor->error() != cudaSuccess) {
      run.failure = describe("allocating", tensor->error());
      return run;
    }
  }
  run.failure = run_forward(p, t);
  if (run.failure.empty()) {
    run.failure = describe("saving", variant.save(p, t.view(), nullptr));
  }
  if (!run.failure.empty()) {
    return run;
  }
  const auto rows = static_cast<std::size_t>(row_count(p));
  const auto o_before = contents<std::uint16_t>(t.o, data.q.size());
  const auto lse_before = contents<float>(t.lse, rows);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (const Guarded* gradient : {&t.dq, &t.dk, &t.dv, &t.workspace}) {
      gradient->poison_again();
    }
    run.failure = describe("launching", variant.launch(p, t.view(), nullptr));
    if (run.failure.empty()) {
      run.failure = describe("running", cudaDeviceSynchronize());
    }
    if (!run.failure.empty()) {
      return run;
    }
    auto dq = contents<std::uint16_t>(t.dq, data.q.size());
    auto dk = contents<std::uint16_t>(t.dk, data.k.size());
    auto dv = contents<std::uint16_t>(t.dv, data.k.size());
    if (repeat > 0) {
      run.repeats_equal = run.repeats_equal && dq == run.dq && dk == run.dk && dv == run.dv;
    }
    run.dq = std::move(dq);
    run.dk = std::move(dk);
    run.dv = std::move(dv);
  }
  for (const auto& [name, tensor] : t.all()) {
    if (!tensor->bands_intact()) {
      run.failure = std::string("memory around ") + name + " was written";
    }
  }
  if (contents<std::uint16_t>(t.q, data.q.size()) != data.q ||
      contents<std::uint16_t>(t.k, data.k.size()) != data.k ||
      contents<std::uint16_t>(t.v, data.v.size()) != data.v ||
      contents<std::uint16_t>(t.d_o, d_o.size()) != d_o ||
      contents<std::uint16_t>(t.o, data.q.size()) != o_before ||
      contents<float>(t.lse, rows) != lse_before) {
    run.failure = "an input was written";
  }
  return run;
}

}  // namespace ridgepoint::kernels
