#include "analyzer/rules/tensor_use.h"

namespace ridgepoint {

bool multiplies_on_tensor_cores(const KernelAnalysis& kernel) {
  constexpr double products_from = 0.08;
  constexpr double flop_of_half_instruction = 64;  // 32 threads, a pair of halves each
  if (kernel.flop.tensor.value_or(0) > 0 || kernel.quantity("gmma_instructions").value_or(0) > 0) {
    return true;
  }
  const double all = kernel.quantity("instructions_executed").value_or(0);
  const double halves = kernel.flop.fp16.value_or(0) / flop_of_half_instruction;
  const double tensor = kernel.quantity("mma_instructions").value_or(0) - halves;
  return all > 0 && tensor >= products_from * all;
}

}  // namespace ridgepoint
