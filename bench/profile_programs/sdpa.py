"""PyTorch's scaled dot-product attention by each of its ways: math, flash, cudnn.

Usage: sdpa.py [ROUNDS]
"""
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
q, k, v = (torch.randn(2, 8, 1024, 64, device="cuda", dtype=torch.float16) for _ in range(3))
results = []
ways = (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION)
for way in ways * (int(sys.argv[1]) if len(sys.argv) > 1 else 1):
    with sdpa_kernel(way):
        results.append(F.scaled_dot_product_attention(q, k, v))
torch.cuda.synchronize()
close = all((result - results[0]).abs().max().item() < 0.01 for result in results)
print("attention", "right" if close else "wrong")
raise SystemExit(0 if close else 1)
