// The tile shape and the techniques of every Hopper kernel.
#pragma once

namespace ridgepoint::kernels::hopper {

struct ChoiceBase {
  static constexpr int consumers = 2;
  static constexpr int q_stages = 2;
  static constexpr int kv_stages = 2;
  static constexpr int cluster = 1;
  static constexpr bool ping_pong = true;
  static constexpr int polynomial_eighths = 0;
  static constexpr bool lazy_rescale = false;
};

template <int HeadDim, bool Causal>
struct Choice;

template <>
struct Choice<64, false> : ChoiceBase {
  static constexpr int consumers = 3;
  static constexpr int block_n = 128;
};
template <>
struct Choice<64, true> : Choice<64, false> {};

template <>
struct Choice<128, false> : ChoiceBase {
  static constexpr int block_n = 160;
};
template <>
struct Choice<128, true> : ChoiceBase {
  static constexpr int block_n = 128;
};

template <bool Causal>
struct Choice<256, Causal> : ChoiceBase {
  static constexpr int block_n = 80;
  static constexpr int q_stages = 1;
};

}  // namespace ridgepoint::kernels::hopper
