#!/usr/bin/env python3
"""Compares `ridgepoint profile` with Nsight Compute: the same counters, programs, launches and cache
policy. Writes two Markdown tables: how far the counters agree, and what each adds to the program's
wall time (interleaved runs, medians).

    bench/profile_agreement.py --vector build/dev/tests/vector_program -o agreement.md

Programs whose libraries are missing are left out and named. The programs check their own results:
a wrong one stops the comparison. Needs `ncu` and `ridgepoint` in PATH and an NVIDIA GPU.
"""
import argparse
import csv
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# What is compared. The others of the set are measured as well, so that both do the same work, but
# are peaks, clocks and ratios of these.
COMPARED = {
    "gpu__time_duration.sum": 0.03,
    "dram__bytes_read.sum": 0.01,
    "dram__bytes_write.sum": 0.01,
    "lts__t_bytes.sum": 0.01,
    "smsp__inst_executed.sum": 0.01,
    "sm__inst_executed_pipe_tensor.sum": 0.01,
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 0.01,
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 0.01,
}
SHORT_NS = 50_000  # kernels shorter than this: DRAM within 5 % or 64 KiB
SHORT_SHARE, SHORT_BYTES = 0.05, 65536


def run(command, log):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        log.write(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}\n")
    return done, seconds


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def ncu_rows(text):
    """[(kernel, {counter: value})], in launch order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    launches = {}
    for row in csv.DictReader(lines):
        launch = launches.setdefault(row["ID"], (row["Kernel Name"], {}))
        launch[1][row["Metric Name"]] = number(row["Metric Value"])
    return list(launches.values())


def session_rows(path):
    session = json.loads(path.read_text())
    launches, counters = session["launches"], session["counters"]
    rows = []
    for i, kernel in enumerate(launches["kernel"]):
        values = {name: column[i] for name, column in zip(counters["names"], counters["columns"])}
        rows.append((session["kernels"][kernel]["name"], values))
    return rows, session


def base_name(name):
    name = re.sub(r"\(anonymous namespace\)|<unnamed>", "", name)
    name = re.split(r"[<(]", re.sub(r"^(void|unsigned|float|int) ", "", name))[0]
    return name.split("::")[-1] or name


def agrees(counter, ours, theirs, duration_ns):
    if counter.startswith("dram__bytes") and duration_ns < SHORT_NS:
        return abs(ours - theirs) <= max(SHORT_SHARE * theirs, SHORT_BYTES)
    return abs(ours - theirs) <= COMPARED[counter] * abs(theirs)


def show(value):
    return "not measured" if value is None else f"{value:,.0f}"


class Comparison:
    def __init__(self, arguments, folder, log):
        self.arguments, self.folder, self.log = arguments, folder, log
        self.rows, self.counts, self.notes, self.seconds = [], {}, [], {}

    def commands(self, program, launches):
        cache = self.arguments.cache_control
        ncu = ["ncu", "--clock-control", "none", "--cache-control",
               {"flush": "all", "none": "none"}[cache], "--metrics", ",".join(self.counters),
               "--launch-count", str(launches), "--csv", *program]
        ours = ["ridgepoint", "profile", "-q", "--force", "-c", "default", "--cache-control", cache,
                "--launch-count", str(launches), "-o", str(self.folder / "session.json"), "--",
                *program]
        return {"alone": list(program), "ncu": ncu, "ridgepoint": ours}

    def read_counters(self):
        done, _ = run(["ridgepoint", "profile", "-c", "default", "--plan", self.arguments.chip],
                      self.log)
        self.counters = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
        if not self.counters:
            sys.exit("no counters: " + done.stderr)

    def once(self, name, program, launches):
        """One interleaved round; the results of ncu and ours, or None."""
        results = {}
        for who, command in self.commands(program, launches).items():
            done, seconds = run(command, self.log)
            if done.returncode != 0:
                reason = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
                self.notes.append(f"{name}, {who}: ended with {done.returncode}: {reason[:200]}")
                return None
            self.seconds.setdefault(name, {}).setdefault(who, []).append(seconds)
            results[who] = done
        return results

    def compare(self, name, program, launches):
        run(program, self.log)  # loads libraries and compiles, which no round is to pay for
        results = self.once(name, program, launches)
        if results is None:
            return
        theirs = ncu_rows(results["ncu"].stdout)
        ours, session = session_rows(self.folder / "session.json")
        for issue in session.get("issues", []):
            self.notes.append(f"{name}: {issue['code']}: {issue['text'][:300]}")
        if [base_name(n) for n, _ in theirs] != [base_name(n) for n, _ in ours]:
            self.notes.append(f"{name}: the launches differ: {[base_name(n) for n, _ in theirs]} and "
                              f"{[base_name(n) for n, _ in ours]}")
        for i, ((kernel, a), (_, b)) in enumerate(zip(theirs, ours)):
            duration = a.get("gpu__time_duration.sum") or 0
            for counter in COMPARED:
                x, y = a.get(counter), b.get(counter)
                if x is None and y is None or x == y == 0:
                    continue
                same = x is not None and y is not None and agrees(counter, y, x, duration)
                seen, agreed = self.counts.get((name, counter), (0, 0))
                self.counts[name, counter] = (seen + 1, agreed + same)
                self.rows.append((name, i, base_name(kernel)[:40], duration, counter, x, y, same))

    def repeat(self, programs, deadline):
        for turn in range(1, self.arguments.repeats):
            for name, program, launches in programs:
                known = self.seconds.get(name)
                if not known or len(known) < 3:
                    continue
                if time.monotonic() + 1.2 * sum(runs[0] for runs in known.values()) < deadline:
                    self.once(name, program, launches)

    def report(self):
        out = []
        versions = {"ncu": "ncu --version", "GPU": "nvidia-smi --query-gpu=name,driver_version "
                    "--format=csv,noheader"}
        for what, command in versions.items():
            try:
                text = subprocess.run(command.split(), capture_output=True, text=True).stdout
                out.append(f"{what}: {text.strip().splitlines()[-1]}")
            except (OSError, IndexError):
                out.append(f"{what}: unknown")
        out.append(f"Date: {datetime.date.today()}, cache control {self.arguments.cache_control}, "
                   f"{len(self.counters)} counters\n")
        names = list(dict.fromkeys(name for name, _ in self.counts))
        out.append("| counter: launches that agree | " + " | ".join(names) + " |")
        out.append("|---|" + "---|" * len(names))
        for counter in COMPARED:
            cells = [self.counts.get((name, counter)) for name in names]
            out.append(f"| `{counter}` | " + " | ".join(
                f"{c[1]} of {c[0]}" if c else "" for c in cells) + " |")
        out.append("\nWhat does not agree:\n")
        out.append("| program | launch | kernel | counter | Nsight Compute | ridgepoint |")
        out.append("|---|---|---|---|---|---|")
        for name, i, kernel, _, counter, x, y, same in self.rows:
            if not same:
                out.append(f"| {name} | {i} | {kernel} | `{counter}` | {show(x)} | {show(y)} |")
        out.append("\n| program | rounds | alone, s | Nsight Compute adds, s | ridgepoint adds, s | "
                   "share |")
        out.append("|---|---|---|---|---|---|")
        for name, known in self.seconds.items():
            if len(known) < 3:
                continue
            alone, ncu, ours = (statistics.median(known[w]) for w in ("alone", "ncu", "ridgepoint"))
            out.append(f"| {name} | {len(known['ridgepoint'])} | {alone:.2f} | {ncu - alone:.2f} | "
                       f"{ours - alone:.2f} | {(ours - alone) / (ncu - alone):.2f} |")
        out += ["", *(f"- {note}" for note in dict.fromkeys(self.notes))]
        return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vector", required=True, help="tests/vector_program of the build")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--all-rows", type=pathlib.Path, help="every value compared, as CSV")
    parser.add_argument("--log", type=pathlib.Path, default=pathlib.Path("/dev/null"))
    parser.add_argument("--cache-control", choices=["flush", "none"], default="flush")
    parser.add_argument("--chip", default="GH100")
    parser.add_argument("--only", default="", help="names of programs, with commas")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1e9, help="no new round after this long")
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds
    python = [sys.executable]
    programs = [
        ("vector", [arguments.vector, "16777216", "10"], 20),
        ("short vector", [arguments.vector, "1048576", "10"], 20),
        ("sdpa", [*python, str(HERE / "profile_programs" / "sdpa.py")], 24),
        ("triton", [*python, str(HERE / "profile_programs" / "triton_program.py")], 8),
        ("cupy", [*python, str(HERE / "profile_programs" / "cupy_program.py")], 8),
        ("jax", [*python, str(HERE / "profile_programs" / "jax_program.py")], 8),
    ]
    wanted = [name for name in arguments.only.split(",") if name]
    programs = [p for p in programs if not wanted or p[0] in wanted]
    with tempfile.TemporaryDirectory() as folder, arguments.log.open("w") as log:
        comparison = Comparison(arguments, pathlib.Path(folder), log)
        comparison.read_counters()
        for name, program, launches in programs:
            comparison.compare(name, program, launches)
            arguments.output.write_text(comparison.report())
        comparison.repeat(programs, deadline)
        arguments.output.write_text(comparison.report())
        if arguments.all_rows:
            with arguments.all_rows.open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["program", "launch", "kernel", "duration_ns", "counter", "ncu",
                                 "ridgepoint", "agrees"])
                writer.writerows(comparison.rows)


if __name__ == "__main__":
    main()
