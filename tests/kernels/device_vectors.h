// Between host vectors and device memory, for tests.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <vector>

#include "kernels/runtime/device_buffer.h"

namespace ridgepoint::kernels {

template <class T>
DeviceBuffer upload(const std::vector<T>& host) {
  DeviceBuffer buffer(host.size() * sizeof(T));
  EXPECT_EQ(cudaMemcpy(buffer.data(), host.data(), buffer.bytes(), cudaMemcpyHostToDevice),
            cudaSuccess);
  return buffer;
}

template <class T>
std::vector<T> download(const DeviceBuffer& buffer) {
  std::vector<T> host(buffer.bytes() / sizeof(T));
  EXPECT_EQ(cudaMemcpy(host.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost),
            cudaSuccess);
  return host;
}

}  // namespace ridgepoint::kernels
