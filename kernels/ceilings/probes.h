// All probes. A new one is a file here and a line in probes.cpp.
#pragma once

#include <vector>

#include "kernels/ceilings/probe.h"

namespace ridgepoint::kernels::ceilings {

const Probe& hbm_read();
const Probe& hbm_write();
const Probe& hbm_copy();
const Probe& l2_read();
const Probe& smem_read();
const Probe& fma_fp32();
const Probe& fma_fp64();
const Probe& fma_fp16();
const Probe& mma_fp16();
const Probe& mma_bf16();
const Probe& mma_tf32();
const Probe& mma_fp64();
const Probe& mma_fp8();
const Probe& mma_int8();
const Probe& wgmma_fp16();
const Probe& wgmma_bf16();
const Probe& wgmma_tf32();
const Probe& wgmma_fp8();
const Probe& wgmma_int8();

// In the order in which they are measured and shown.
const std::vector<const Probe*>& probes();

// Whether this build has the probe for a device of that compute capability (10 x major + minor).
bool runs_on(const Probe& probe, int capability);

}  // namespace ridgepoint::kernels::ceilings
