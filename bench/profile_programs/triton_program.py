"""Triton: a kernel compiled when it is first called, which adds to its own output.

Usage: triton_program.py [LAUNCHES]
"""
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def accumulate(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    out = tl.load(out_ptr + offsets, mask=mask) + tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, out, mask=mask)


n = 1 << 24
x = torch.ones(n, device="cuda")
out = torch.zeros(n, device="cuda")
launches = int(sys.argv[1]) if len(sys.argv) > 1 else 6
for _ in range(launches):
    accumulate[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
right = out.min().item() == launches and out.max().item() == launches
print("sums", "right" if right else "wrong")
raise SystemExit(0 if right else 1)
