// The tile shape of every Hopper kernel.
//
// Chosen by measurement on an H200 (FP16, N = 4096 to 16384; docs/hopper-attention.md). Tried and
// left out, as a share of the rate without: 2-block clusters that share K and V by multicast 0.70
// to 0.80 (L2 is at 38 % of its rate, so there is nothing to win, and the blocks wait for each
// other); a quarter of the exponentials on the FMA pipe 0.86 to 0.94 (issue slots run short before
// MUFU does); at head_dim 128 three warpgroups with 96 keys a step spill, with 80 they reach 0.92
// to 0.98.
#pragma once

namespace ridgepoint::kernels::hopper {

struct ChoiceBase {
  static constexpr int consumers = 2;  // warpgroups of 64 query rows
  static constexpr int q_stages = 2;   // the next tile's Q is copied while this one is worked on
  static constexpr int kv_stages = 2;
  static constexpr bool ping_pong = true;  // warpgroups take turns to issue products
};

template <int HeadDim, bool Causal>
struct Choice;

// Three warpgroups: the softmax takes about as long as the products, and two warpgroups leave the
// tensor cores idle (402 against 526). Without a mask five stages let the next head's K and V come
// while this one is worked on, worth up to 4 % below 4096 queries; with a mask two are as fast from
// there on.
template <bool Causal>
struct Choice<64, Causal> : ChoiceBase {
  static constexpr int consumers = 3;
  static constexpr int block_n = 128;
  static constexpr int kv_stages = Causal ? 2 : 5;
};

// Where 192 rows divide a short sequence badly (wide_tiles in plan.h): 256 rows and half the keys,
// so that four warpgroups' registers suffice. Turns would cost 4 to 10 %: with four warpgroups
// somebody always has a product to issue, and a step of 64 keys is too short to hand over four
// times.
struct WideChoice : ChoiceBase {
  static constexpr int consumers = 4;
  static constexpr int block_n = 64;
  static constexpr int kv_stages = 8;
  static constexpr bool ping_pong = false;
};

template <bool Causal>
struct Choice<128, Causal> : ChoiceBase {
  static constexpr int block_n = 128;
};

// 64 KB of Q leave room for one Q stage only.
template <bool Causal>
struct Choice<256, Causal> : ChoiceBase {
  static constexpr int block_n = 80;
  static constexpr int q_stages = 1;
};

}  // namespace ridgepoint::kernels::hopper
