// An analysis with one invented kernel, unremarkable in every respect, for a test to make
// remarkable in one.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "analyzer/rules/registry.h"
#include "tests/support/sample_session.h"

namespace ridgepoint::testing {

struct OneKernel : ::testing::Test {
  Analysis analysis;
  Session session;
  KernelTileInfo tile;
  DeviceInfo device = sample_device();

  OneKernel() {
    KernelAnalysis k;
    k.name = k.short_name = "kernel";
    k.launches = 1;
    k.time_s = 1e-3;
    k.time_share = 1;
    k.grid = {1320, 1, 1};
    k.block = {256, 1, 1};
    k.registers_per_thread = 32;
    k.smem_per_block_bytes = 0;
    k.traffic[MemoryLevel::hbm].total = 1e9;
    k.bandwidth[MemoryLevel::hbm] = 1e12;
    k.utilisation[MemoryLevel::hbm] = 0.2;
    k.utilisation[MemoryLevel::l2] = 0.2;
    k.utilisation[MemoryLevel::smem] = 0.2;
    k.compute_utilisation = 0.3;
    k.flop.total = 1e12;
    k.flop.precision = "tensor_fp16";
    k.bound_by = BoundBy::latency;
    k.occupancy = {0.95, 1.0, 8, "warps", 1.25};
    k.balance = {1, 1, 1};
    analysis.kernels = {k};
    session.kernels.resize(1);
    Ceiling hbm{CeilingKind::bandwidth, "hbm", "HBM", 5e12, std::nullopt, "invented"};
    Ceiling tensor{CeilingKind::compute, "tensor_fp16", "Tensor FP16", 1e15,
                   std::nullopt,         "invented"};
    analysis.ceilings = {hbm, tensor};
  }

  KernelAnalysis& kernel() { return analysis.kernels.front(); }
  void measured(const std::string& id, double value) {
    kernel().quantities.emplace_back(id, value);
  }

  // The diagnoses of one rule.
  std::vector<Diagnosis> fired(const std::string& id) const {
    const RuleContext context{analysis, session,
                              std::vector<KernelTileInfo>(analysis.kernels.size(), tile),
                              std::vector<const DeviceInfo*>(analysis.kernels.size(), &device)};
    std::vector<Diagnosis> found;
    for (Diagnosis& diagnosis : diagnose(context)) {
      if (diagnosis.id == id) {
        found.push_back(std::move(diagnosis));
      }
    }
    return found;
  }
  std::vector<Diagnosis> all_fired() const {
    return diagnose({analysis, session, std::vector<KernelTileInfo>(analysis.kernels.size(), tile),
                     std::vector<const DeviceInfo*>(analysis.kernels.size(), &device)});
  }
};

}  // namespace ridgepoint::testing
