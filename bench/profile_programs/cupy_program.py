"""CuPy: elementwise kernels and a reduction. usage: cupy_program.py [ROUNDS]"""
import sys

import cupy

total = 0.0
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 4):
    x = cupy.arange(1 << 24, dtype=cupy.float32)
    x = cupy.sqrt(x * x + 1)
    total = float(x.max())
right = abs(total - (1 << 24)) < 16
print("maximum", "right" if right else "wrong")
raise SystemExit(0 if right else 1)
