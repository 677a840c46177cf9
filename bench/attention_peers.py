#!/usr/bin/env python3
"""Times the project's attention kernels beside PyTorch's scaled_dot_product_attention (SDPA).

    attention_peers.py LIBRIDGEPOINT_ATTENTION.SO [--markdown docs/attention-peers.md]
                       [--direction forward|backward|decode] [--cases all|main] [--match TEXT] [--rounds N]
                       [--variants a,b] [--peers a,b]

Needs PyTorch with CUDA, and nvidia-ml-py (pynvml) for the clocks. In each case all kernels run on the
same tensors and take turns, so that clocks and temperature are the same for all; every figure is a
median over the rounds, with the least and the greatest. Before a kernel is timed its result is
compared with SDPA in FP32 on the first key head's group of the first sequence and on the last
of the last; a kernel that is wrong is reported as wrong and not timed.

FLOP are counted by the convention of the FlashAttention papers: 4 N^2 d forward, 2.5 times that
backward, half with the causal mask, whatever a kernel really executes. Decoding, one query or a few
against all keys so far, is told in microseconds and in bytes of Q, K, V and O a second: K and V are
larger than the L2 cache, so that repeats read them from memory again.
"""
import argparse
import ctypes
import datetime
import math
import random
import statistics
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

try:
    import pynvml
except ImportError:
    pynvml = None

PEERS = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "math": SDPBackend.MATH,
}
F16, BF16 = torch.float16, torch.bfloat16
# head_dim, causal, batch, heads, key heads, length, type
MAIN_CASES = [
    (128, False, 4, 16, 16, 4096, F16),
    (128, False, 1, 16, 16, 16384, F16),
    (128, True, 2, 16, 16, 8192, F16),
    (128, True, 1, 16, 16, 16384, F16),
    (64, False, 4, 16, 16, 4096, F16),
    (64, True, 1, 16, 16, 16384, F16),
]
# No backward kernel is built for head dimension 256.
MORE_FORWARD_CASES = [
    (256, False, 4, 8, 8, 4096, F16),
    (256, True, 2, 8, 8, 8192, F16),
    (256, True, 1, 16, 4, 1000, F16),
    (256, False, 4, 8, 8, 4096, BF16),
    (256, True, 2, 8, 8, 8192, BF16),
    (64, False, 16, 16, 16, 1024, F16),
    (64, True, 16, 16, 16, 1024, F16),
    (64, False, 32, 16, 16, 512, F16),
    (128, False, 16, 16, 16, 1024, F16),
    (128, True, 16, 16, 16, 1024, F16),
]
MORE_BACKWARD_CASES = [
    (128, False, 16, 16, 16, 1024, F16),
    (128, True, 16, 16, 16, 1024, F16),
    (128, True, 4, 16, 16, 4096, F16),
    (128, False, 2, 16, 16, 8192, F16),
    (64, False, 1, 16, 16, 16384, F16),
    (64, True, 4, 16, 16, 4096, F16),
    (128, False, 4, 16, 16, 4096, BF16),
    (128, True, 1, 16, 16, 16384, BF16),
    (128, False, 1, 64, 8, 8192, BF16),
    (128, True, 1, 64, 8, 8192, BF16),
    (64, False, 4, 16, 16, 4096, BF16),
]


# head_dim, batch, heads, key heads, queries, keys, type
DECODE_CASES = [
    (128, 8, 32, 8, 1, 8192, F16),
    (128, 1, 32, 8, 1, 65536, F16),
    (128, 8, 32, 32, 1, 8192, F16),
    (128, 16, 64, 8, 1, 8192, BF16),
    (64, 8, 32, 8, 1, 16384, F16),
    (128, 8, 32, 8, 8, 8192, F16),
    (128, 64, 32, 8, 1, 2048, F16),
]


class Problem(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in
                ("batch", "heads", "kv_heads", "seqlen_q", "seqlen_k", "head_dim", "bf16", "causal")]


class Tensors(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in
                ("q", "k", "v", "o", "lse", "d_o", "dq", "dk", "dv", "saved", "workspace")]


def sdpa(q, k, v, causal, backend):
    with sdpa_kernel(backend):
        return torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal, enable_gqa=q.shape[1] != k.shape[1])


def exact_attention(q, k, v, causal):
    """SDPA in FP32, unfused, of (heads, length, d) queries and (1, length, d) of the key head that they share."""
    return sdpa(q[None], k[None], v[None], causal, SDPBackend.MATH)[0]


class Case:
    """The tensors of a case, and every kernel as a function without arguments."""

    def __init__(self, case, library, queries=None):
        self.head_dim, self.causal, self.batch, self.heads, self.kv_heads, self.length, self.type = case
        self.queries = queries or self.length
        self.library = library
        shape = (self.batch, self.heads, self.queries, self.head_dim)
        kv_shape = (self.batch, self.kv_heads, self.length, self.head_dim)
        new = lambda s: torch.randn(s, device="cuda", dtype=self.type)
        self.q, self.k, self.v, self.d_o = new(shape), new(kv_shape), new(kv_shape), new(shape)
        self.problem = Problem(self.batch, self.heads, self.kv_heads, self.queries, self.length, self.head_dim,
                               int(self.type == BF16), int(self.causal))
        self.capability = 10 * torch.cuda.get_device_capability()[0] + torch.cuda.get_device_capability()[1]

    def title(self):
        if self.queries != self.length:
            return (f"d={self.head_dim} {'FP16' if self.type == F16 else 'BF16'} B={self.batch} "
                    f"H={self.heads}/{self.kv_heads} Nq={self.queries} Nk={self.length}")
        return (f"d={self.head_dim} {'causal' if self.causal else 'full'} "
                f"{'FP16' if self.type == F16 else 'BF16'} B={self.batch} H={self.heads}/{self.kv_heads} N={self.length}")

    def flop(self, direction):
        forward = 4 * self.batch * self.heads * self.length ** 2 * self.head_dim * (0.5 if self.causal else 1)
        return forward * (2.5 if direction == "backward" else 1)

    def compulsory_bytes(self):
        return 2 * 2 * self.batch * self.head_dim * (self.heads * self.queries + self.kv_heads * self.length)

    def reference(self, direction):
        """In FP32 what `direction` computes for the first key head's group of the first sequence and for
        the last of the last: a list of (place, tensors), where a place is an index of a sequence and
        slices of its query heads and key heads, and None stands for a gradient that was not computed."""
        group = whole_group = self.heads // self.kv_heads
        if self.length * self.length * group * 4 > 12e9:
            group = 1
        first = (0, slice(0, group), slice(0, 1))
        last = (self.batch - 1, slice(self.heads - group, self.heads), slice(self.kv_heads - 1, self.kv_heads))
        places = []
        for sequence, heads, key_head in (first, last):
            q = self.q[sequence, heads].float().requires_grad_()
            k, v = (t[sequence, key_head].float().requires_grad_() for t in (self.k, self.v))
            o = exact_attention(q, k, v, self.causal)
            tensors = [o.detach()]
            if direction == "backward":
                tensors = list(torch.autograd.grad(o, (q, k, v), self.d_o[sequence, heads].float()))
                if group < whole_group:  # dK and dV sum over the whole group
                    tensors[1:] = [None, None]
            places.append(((sequence, heads, key_head), tensors))
            del q, k, v, o
        return places

    def errors(self, results, reference):
        """Largest deviation over the largest value, in all places of `reference`; infinite for NaN."""
        worst = []
        for (sequence, heads, key_head), tensors in reference:
            # Of O and dQ query heads, of dK and dV key heads.
            for result, exact, place in zip(results, tensors, (heads, key_head, key_head)):
                if exact is None:
                    continue
                error = (result[sequence, place].float() - exact).abs().max() / exact.abs().max()
                worst.append(math.inf if torch.isnan(error) else float(error))
        return max(worst)

    # Ours -------------------------------------------------------------------------------------
    def call(self, name, *arguments):
        code = getattr(self.library, "ridgepoint_attention_" + name)(*arguments)
        if code != 0:
            raise RuntimeError({-1: "unknown variant", -2: "unsupported", -3: "a tensor is not 16-byte aligned"}.get(code, f"CUDA error {code}"))

    def own_forward(self, variant):
        size = ctypes.c_size_t()
        self.call("forward_bytes", variant, ctypes.byref(self.problem), self.capability, ctypes.byref(size))
        keep = {"o": torch.empty_like(self.q),
                "lse": torch.empty(self.q.shape[:3], device="cuda"),
                "workspace": torch.empty(max(size.value, 16), dtype=torch.uint8, device="cuda")}
        tensors = Tensors(q=self.q.data_ptr(), k=self.k.data_ptr(), v=self.v.data_ptr(),
                          **{n: t.data_ptr() for n, t in keep.items()})

        def run():
            self.call("forward", variant, ctypes.byref(self.problem), ctypes.byref(tensors),
                      ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
            return [keep["o"]]
        return run, keep

    def own_backward(self, variant):
        saved, workspace = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("backward_bytes", variant, ctypes.byref(self.problem), self.capability, ctypes.byref(saved),
                  ctypes.byref(workspace))
        forward, kept = self.own_forward(b"hopper" if self.capability == 90 else b"fused")
        forward()
        keep = {"o": kept["o"], "lse": kept["lse"], "d_o": self.d_o,
                "dq": torch.full_like(self.q, math.nan), "dk": torch.full_like(self.k, math.nan),
                "dv": torch.full_like(self.v, math.nan),
                "saved": torch.empty(max(saved.value, 16), dtype=torch.uint8, device="cuda"),
                "workspace": torch.empty(max(workspace.value, 16), dtype=torch.uint8, device="cuda").fill_(255)}
        tensors = Tensors(q=self.q.data_ptr(), k=self.k.data_ptr(), v=self.v.data_ptr(),
                          **{n: t.data_ptr() for n, t in keep.items()})
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self.call("backward_save", variant, ctypes.byref(self.problem), ctypes.byref(tensors), stream)

        def run():
            self.call("backward", variant, ctypes.byref(self.problem), ctypes.byref(tensors), stream)
            return [keep["dq"], keep["dk"], keep["dv"]]
        run.extra_bytes = saved.value + workspace.value
        return run

    # Peers ------------------------------------------------------------------------------------
    def peer_forward(self, backend):
        return lambda: [sdpa(self.q, self.k, self.v, self.causal, backend)]

    def peer_backward(self, backend):
        inputs = [t.detach().clone().requires_grad_() for t in (self.q, self.k, self.v)]
        o = sdpa(*inputs, self.causal, backend)
        return lambda: list(torch.autograd.grad(o, inputs, self.d_o, retain_graph=True))


def without_arguments(name):
    """A kernel's name without return type, template arguments and parameters."""
    kept, depth = [], 0
    for character in name.replace("(anonymous namespace)::", ""):
        depth += character in "<("
        if depth == 0:
            kept.append(character)
        depth -= character in ">)"
    return "".join(kept).removeprefix("void ").strip()


def kernel_names(run):
    """The kernels that one call launches, so that the table shows which backend really ran."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        run()
        torch.cuda.synchronize()
    return {without_arguments(e.name) for e in profile.events() if str(e.device_type).endswith("CUDA")
            and not e.name.startswith(("Memset", "Memcpy", "Activity"))}


def sm_clock():
    return pynvml.nvmlDeviceGetClockInfo(pynvml.nvmlDeviceGetHandleByIndex(0), pynvml.NVML_CLOCK_SM) if pynvml else None


def time_in_turns(runs, rounds, flop):
    seconds = {name: [] for name in runs}
    clocks = {name: [] for name in runs}
    names = list(runs)
    calls = {}
    for name in names:  # as many calls as take about 10 ms
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        runs[name]()
        begin.record()
        runs[name]()
        end.record()
        end.synchronize()
        calls[name] = max(2, min(50, int(10 / max(begin.elapsed_time(end), 1e-3))))
    # Another order each round: a kernel that draws much power leaves the next a lower clock, and must
    # not always be followed by the same one.
    order = random.Random(1)
    for _ in range(rounds):
        order.shuffle(names)
        for name in names:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            runs[name]()
            begin.record()
            for _ in range(calls[name]):
                runs[name]()
            end.record()
            if pynvml:
                clocks[name].append(sm_clock())
            end.synchronize()
            seconds[name].append(begin.elapsed_time(end) * 1e-3 / calls[name])
    return {name: {"median": flop / statistics.median(s) * 1e-12, "least": flop / max(s) * 1e-12,
                   "greatest": flop / min(s) * 1e-12, "seconds": statistics.median(s),
                   "clock": statistics.median(clocks[name]) if clocks[name] else None}
            for name, s in seconds.items()}


def measure(case, direction, variants, peers, rounds, seen):
    """Rates by kernel name, what went wrong by kernel name, errors, and the runs. `seen` collects kernel names."""
    runs, problems, errors = {}, {}, {}
    reference = case.reference(direction)
    for name in variants + peers:
        try:
            if name in peers:
                run = (case.peer_backward if direction == "backward" else case.peer_forward)(PEERS[name])
            elif direction == "backward":
                run = case.own_backward(name.encode())
            else:
                run = case.own_forward(name.encode())[0]
            errors[name] = case.errors(run(), reference)
            torch.cuda.synchronize()
        except RuntimeError as error:
            problems[name] = str(error).strip().splitlines()[0][:90]
            continue
        if errors[name] > (2e-2 if case.type == F16 else 8e-2):
            problems[name] = f"wrong: error {errors[name]:.1e}"
            continue
        runs[name] = run
        # Not every case: the profiler takes longer than the run.
        key = (direction, name, case.head_dim, case.heads != case.kv_heads)
        if key not in seen:
            seen[key] = kernel_names(run)
    work = case.compulsory_bytes() if direction == "decode" else case.flop(direction)
    return time_in_turns(runs, rounds, work), problems, errors, runs


def cell(rate, problem):
    return f"{rate['median']:.1f} ({rate['least']:.0f} to {rate['greatest']:.0f})" if rate else problem or "not measured"


def table_row(case, columns, rates, problems, errors):
    def share(peer):
        ours = rates.get(columns[0])
        return f"{ours['median'] / rates[peer]['median']:.3f}" if ours and peer in rates else "not measured"
    clocks = [r["clock"] for r in rates.values() if r["clock"]]
    return "| " + " | ".join(
        [case.title()] + [cell(rates.get(n), problems.get(n)) for n in columns] + [share("cudnn"), share("flash")]
        + [f"{min(clocks):.0f} to {max(clocks):.0f}" if clocks else "not measured",
           ", ".join(f"{n} {e:.0e}" for n, e in errors.items())]) + " |"


def measure_direction(direction, options, library, seen, memory, save):
    """Measures a direction's cases; `save` gets the lines of its table after each. Adds to `seen` and `memory`."""
    variants = [v for v in options.variants.split(",")
                if v != "split_kv" and (direction == "backward" or v not in ("hopper_deterministic", "naive"))]
    peers = options.peers.split(",") if options.peers else []
    columns = variants + peers
    lines = [f"| {direction} | " + " | ".join(columns) + " | of cudnn | of flash | SM clock, MHz | errors |",
             "|" + "---|" * (len(columns) + 5)]
    print("\n".join(lines), flush=True)
    more = [] if options.cases == "main" else MORE_BACKWARD_CASES if direction == "backward" else MORE_FORWARD_CASES
    for values in MAIN_CASES + more:
        torch.manual_seed(1)
        case = Case(values, library)
        if options.match not in case.title():
            continue
        # S and P of the unfused kernels would not fit, or take longer than the rest together.
        small = case.length ** 2 * case.batch * case.heads <= 4 * 16 * 4096 ** 2
        some = lambda names: [n for n in names if small or n not in ("math", "naive")]
        rates, problems, errors, runs = measure(case, direction, some(variants), some(peers), options.rounds, seen)
        memory += [(case.title(), name, run.extra_bytes, rates[name]["seconds"]) for name, run in runs.items()
                   if direction == "backward" and hasattr(run, "extra_bytes")]
        lines.append(table_row(case, columns, rates, problems, errors))
        print(lines[-1], flush=True)
        save(lines)
        del case, runs
        torch.cuda.empty_cache()


def decode_row(case, columns, rates, problems, errors):
    def in_words(name):
        if name not in rates:
            return problems.get(name) or "not measured"
        return f"{rates[name]['seconds'] * 1e6:.1f} us, {rates[name]['median']:.2f} TB/s"
    peers = [rates[n]["seconds"] for n in PEERS if n in rates]
    ours = rates.get(columns[0])
    clocks = [r["clock"] for r in rates.values() if r["clock"]]
    return "| " + " | ".join(
        [case.title()] + [in_words(n) for n in columns]
        + [f"{min(peers) / ours['seconds']:.3f}" if ours and peers else "not measured",
           f"{ours['least']:.2f} to {ours['greatest']:.2f}" if ours else "not measured",
           f"{min(clocks):.0f} to {max(clocks):.0f}" if clocks else "not measured",
           ", ".join(f"{n} {e:.0e}" for n, e in errors.items())]) + " |"


def measure_decode(options, library, seen, save):
    """Measures the decode cases; `save` gets the lines of the table after each."""
    variants = [v for v in ["split_kv", "hopper", "fused", "naive"] if v in options.variants.split(",")]
    peers = options.peers.split(",") if options.peers else []
    columns = variants + peers
    lines = ["| decode | " + " | ".join(columns) + f" | {columns[0]}, of the best peer | {columns[0]}, TB/s, least to "
             "greatest | SM clock, MHz | errors |", "|" + "---|" * (len(columns) + 5)]
    print("\n".join(lines), flush=True)
    for head_dim, batch, heads, kv_heads, queries, keys, kind in DECODE_CASES:
        torch.manual_seed(1)
        case = Case((head_dim, False, batch, heads, kv_heads, keys, kind), library, queries)
        rates, problems, errors, runs = measure(case, "decode", variants, peers, options.rounds, seen)
        lines.append(decode_row(case, columns, rates, problems, errors))
        print(lines[-1], flush=True)
        save(lines)
        del case, runs
        torch.cuda.empty_cache()


def provenance(options):
    driver = pynvml.nvmlSystemGetDriverVersion() if pynvml else "not read"
    return (f"{torch.cuda.get_device_name()}, driver {driver}, PyTorch {torch.__version__}, "
            f"cuDNN {torch.backends.cudnn.version()}, {datetime.date.today()}; TFLOP/s, medians of {options.rounds} "
            "rounds with the least and the greatest.")


def fixed_order_cost(memory):
    """Lines on what `hopper` pays for adding dQ in a fixed order."""
    seconds = {(title, name): s for title, name, _, s in memory}
    rows = [(title, s, seconds[title, "hopper_deterministic"]) for (title, name), s in seconds.items()
            if name == "hopper" and (title, "hopper_deterministic") in seconds]
    if not rows:
        return []
    return ["", "## What a fixed order of additions costs", "",
            "`hopper_deterministic` against `hopper`, medians of the rounds.", "",
            "| case | any order, ms | fixed order, ms | longer by |", "|---|---|---|---|"] + [
        f"| {title} | {s * 1e3:.3f} | {fixed * 1e3:.3f} | {100 * (fixed / s - 1):.0f} % |" for title, s, fixed in rows]


def page(options, tables, seen, memory):
    lines = ["# The attention kernels beside their peers", "",
             "Written by `bench/attention_peers.py`, which says how it measures and checks; drawn by",
             "`bench/draw_peers.py`.", "", provenance(options), "",
             '"errors" is the largest deviation from FP32 attention in the first and the last head, as a share of the largest',
             'value there. "not measured": S and P',
             "of the unfused kernels were left out at these sizes. What the kernels are: [hopper](hopper-attention.md) and",
             "[fused](portable-attention.md) forward, [split_kv](decode-attention.md) for few queries,",
             "[backward](attention-backward.md)."]
    if "decode" in tables:
        lines += ["", "## Decode", "", "One query, or a few, against all keys so far; median time, and Q, K, V and O once "
                  "over it.", ""] + tables["decode"]
    for direction, table in ((d, t) for d, t in tables.items() if d != "decode"):
        lines += ["", f"## {direction.capitalize()}", "",
                  f"![TFLOP/s of each {direction} kernel](images/attention-{direction}-peers.svg)", ""] + table
    if memory:
        lines += fixed_order_cost(memory)
        lines += ["", "## Memory of a backward pass", "",
                  "Device memory beyond inputs (Q, K, V, O, LSE, dO) and gradients: what is kept from the forward pass and the",
                  "workspace.", "", "| case | variant | bytes | time, ms |", "|---|---|---|---|"]
        lines += [f"| {title} | {name} | {size} | {seconds * 1e3:.3f} |" for title, name, size, seconds in memory]
    lines += ["", "## Kernels seen", "", "By the profiler, template arguments left out.", ""]
    merged = {}
    for (direction, name, *_), kernels in seen.items():
        merged.setdefault((direction, name), set()).update(kernels)
    lines += [f"- {direction} {name}: " + ", ".join(f"`{k}`" for k in sorted(kernels))
              for (direction, name), kernels in merged.items()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--markdown", help="write the page here")
    parser.add_argument("--direction", choices=["forward", "backward", "decode", "all"], default="all")
    parser.add_argument("--cases", choices=["main", "all"], default="all", help="all: short and long ones, and head dimension 256 forward")
    parser.add_argument("--match", default="", help="only cases forward and backward whose title holds this")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--variants", default="hopper,hopper_deterministic,fused,naive,split_kv")
    parser.add_argument("--peers", default="cudnn,flash,math")
    options = parser.parse_args()
    if pynvml:
        pynvml.nvmlInit()
    torch.backends.cuda.matmul.allow_tf32 = False
    library = ctypes.CDLL(options.library)
    print(provenance(options), flush=True)
    tables, seen, memory = {}, {}, []
    for direction in ["decode", "forward", "backward"] if options.direction == "all" else [options.direction]:
        def save(lines, direction=direction):  # after every case, so that a run cut short keeps what it has
            tables[direction] = lines
            if options.markdown:
                with open(options.markdown, "w", encoding="utf-8") as file:
                    file.write(page(options, tables, seen, memory))
        if direction == "decode":
            measure_decode(options, library, seen, save)
        else:
            measure_direction(direction, options, library, seen, memory, save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
