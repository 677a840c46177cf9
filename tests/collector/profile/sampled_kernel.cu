// Kernels whose line numbers and symbols tests look up; nobody runs them.
extern "C" __global__ void scale(float* values, float factor) {
  values[threadIdx.x] *= factor;  // line 3
}

extern "C" __global__ void untouched(float* values) {
  values[0] = 1;
}
