"""Steps of training a small transformer in PyTorch, each an NVTX range with its parts below it.

Usage: training_step.py [STEPS]
"""
import sys

import torch
from torch.cuda import nvtx

torch.manual_seed(0)
WORDS, LENGTH, BATCH, WIDTH = 512, 512, 8, 512
layer = torch.nn.TransformerEncoderLayer(WIDTH, nhead=8, dim_feedforward=4 * WIDTH, dropout=0.0, batch_first=True)
model = torch.nn.Sequential(torch.nn.Embedding(WORDS, WIDTH), torch.nn.TransformerEncoder(layer, 2),
                            torch.nn.Linear(WIDTH, WORDS)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
words = torch.randint(WORDS, (BATCH, LENGTH + 1), device="cuda")
losses = []
for step in range(int(sys.argv[1]) if len(sys.argv) > 1 else 4):
    with nvtx.range(f"step {step}"):
        with nvtx.range("forward"), torch.autocast("cuda", dtype=torch.bfloat16):
            guess = model(words[:, :-1])
            loss = torch.nn.functional.cross_entropy(guess.flatten(0, 1).float(), words[:, 1:].flatten())
        with nvtx.range("backward"):
            loss.backward()
        with nvtx.range("optimizer"):
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
print(f"loss from {losses[0]:.3f} to {losses[-1]:.3f}")
raise SystemExit(0 if losses[-1] < losses[0] else 1)
