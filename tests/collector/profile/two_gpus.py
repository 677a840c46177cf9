"""A program on two GPUs that sums matrices over them (NCCL) and multiplies them.

    torchrun --nproc-per-node 2 two_gpus.py ranks     a process a GPU
    python3 two_gpus.py one                           one process, one thread, both GPUs
    python3 two_gpus.py threads                       one process, a thread a GPU

Its exit code says whether the sums are right.
"""
import os
import sys
import threading

import torch
import torch.distributed as dist

SIZE = 2048
STEPS = 3


def check(matrix, expected):
    if not torch.all(matrix == expected):
        sys.exit(f"wrong sum: {matrix.flatten()[0].item()}, not {expected}")


def multiply(matrix):
    return matrix.half() @ matrix.half()


def ranks():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    for step in range(STEPS):
        with torch.cuda.nvtx.range("step"):
            matrix = torch.full((SIZE, SIZE), rank + 1.0, device="cuda")
            dist.all_reduce(matrix)
            multiply(matrix)
        check(matrix, 3.0)
    torch.cuda.synchronize()
    dist.destroy_process_group()


def one():
    for step in range(STEPS):
        with torch.cuda.nvtx.range("step"):
            matrices = [torch.full((SIZE, SIZE), i + 1.0, device=f"cuda:{i}") for i in range(2)]
            torch.cuda.nccl.all_reduce(matrices)
            for i, matrix in enumerate(matrices):
                with torch.cuda.device(i):
                    multiply(matrix)
            there = matrices[0].to("cuda:1")
        for matrix in matrices + [there]:
            check(matrix, 3.0)


def threads():
    matrices = [torch.full((SIZE, SIZE), i + 1.0, device=f"cuda:{i}") for i in range(2)]
    failed = []

    def work(i):
        try:
            with torch.cuda.device(i):
                for step in range(STEPS):
                    multiply(matrices[i])
                torch.cuda.synchronize()
        except Exception as error:  # a thread's exception would not end the program
            failed.append(error)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failed:
        sys.exit(str(failed[0]))


if __name__ == "__main__":
    {"ranks": ranks, "one": one, "threads": threads}[sys.argv[1]]()
    print("sums are right")
