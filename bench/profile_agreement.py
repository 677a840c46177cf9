#!/usr/bin/env python3
"""Compares `ridgepoint profile` with Nsight Compute: the same counters, programs, launches and cache
policy. Nsight Compute runs three times, so that what it does not repeat itself shows: with all
counters, with those compared, and with those that one pass gives, for which it saves and restores
nothing. Writes Markdown: how far the counters agree, every launch that does not with all values, and
what each adds to the program's wall time (interleaved runs, medians).

    bench/profile_agreement.py --vector build/dev/tests/vector_program -o agreement.md

Programs whose libraries are missing are left out and named. The programs check their own results:
a wrong one stops the comparison. Needs `ncu` and `ridgepoint` in PATH and an NVIDIA GPU.
"""
import argparse
import concurrent.futures
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
ONE_PASS = ["gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
            "lts__t_bytes.sum"]
SHORT_NS = 50_000  # kernels shorter than this: DRAM within 5 % or 64 KiB
SHORT_SHARE, SHORT_BYTES = 0.05, 65536


class Program:
    def __init__(self, name, command, launches, again=False, rounds=False):
        self.name, self.command, self.launches = name, command, launches
        self.again = again  # quick enough to run once more under Nsight Compute
        self.rounds = rounds  # timed in further rounds, for the cost


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


def agrees(counter, value, reference, duration_ns):
    if value is None or reference is None:
        return value is reference
    if counter.startswith("dram__bytes") and duration_ns < SHORT_NS:
        return abs(value - reference) <= max(SHORT_SHARE * reference, SHORT_BYTES)
    return abs(value - reference) <= COMPARED[counter] * abs(reference)


class Row:
    """One counter of one launch: of Nsight Compute with all counters (`theirs`), with those compared
    (`again`) and in one pass (`one`), and ours. None where it was not measured."""

    def __init__(self, program, launch, kernel, duration_ns, counter, theirs, again, one, ours):
        self.program, self.launch, self.kernel = program, launch, kernel
        self.duration_ns, self.counter = duration_ns, counter
        self.theirs, self.again, self.one, self.ours = theirs, again, one, ours

    def values(self):
        return [self.theirs, self.again, self.one, self.ours]

    def agree(self, value, reference):
        return agrees(self.counter, value, reference, self.duration_ns)

    def repeated(self):
        """Nsight Compute's other runs, as far as they have the counter, say the same."""
        return all(self.agree(value, self.theirs) for value in (self.again, self.one)
                   if value is not None)


class Comparison:
    def __init__(self, arguments, folder, log):
        self.arguments, self.folder, self.log = arguments, folder, log
        self.rows, self.notes, self.seconds = [], [], {}

    def commands(self, program):
        ours = ["ridgepoint", "profile", "-q", "--force", "-c", "default", "--cache-control",
                self.arguments.cache_control, "--launch-count", str(program.launches), "-o",
                str(self.folder / "session.json"), "--", *program.command]
        return {"alone": list(program.command), "ncu": self.ncu(program, self.counters),
                "ridgepoint": ours}

    def ncu(self, program, counters):
        cache = {"flush": "all", "none": "none"}[self.arguments.cache_control]
        return ["ncu", "--clock-control", "none", "--cache-control", cache, "--metrics",
                ",".join(counters), "--launch-count", str(program.launches), "--csv",
                "--print-units", "base", *program.command]

    def read_counters(self):
        done, _ = run(["ridgepoint", "profile", "-c", "default", "--plan", self.arguments.chip],
                      self.log)
        self.counters = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")
                         and "__" in line and " " not in line.strip()]
        if not self.counters:
            sys.exit("no counters: " + done.stderr)

    def warm_up(self, programs):
        """Loads libraries and compiles kernels, for which no round is to pay."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda program: run(program.command, self.log), programs))

    def once(self, program):
        """One interleaved round; the results of ncu and ours, or None."""
        results = {}
        for who, command in self.commands(program).items():
            done, seconds = run(command, self.log)
            if done.returncode != 0:
                reason = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
                self.notes.append(f"{program.name}, {who}: ended with {done.returncode}: "
                                  f"{reason[:200]}")
                return None
            self.seconds.setdefault(program.name, {}).setdefault(who, []).append(seconds)
            results[who] = done
        return results

    def compare(self, program, deadline):
        results = self.once(program)
        if results is None:
            return
        theirs = ncu_rows(results["ncu"].stdout)
        ours, session = session_rows(self.folder / "session.json")
        others = []
        for what, counters in (("in one pass", ONE_PASS), ("again", list(COMPARED))):
            rows = [(name, {}) for name, _ in theirs]
            if what == "again" and not program.again:
                pass
            elif time.monotonic() + self.seconds[program.name]["ncu"][0] < deadline:
                rows = ncu_rows(run(self.ncu(program, counters), self.log)[0].stdout) or rows
            else:
                self.notes.append(f"{program.name}: no time was left for Nsight Compute {what}")
            others.append(rows)
        one, again = others
        for issue in session.get("issues", []):
            if issue["code"] != "profile.not_chosen":
                self.notes.append(f"{program.name}: {issue['code']}: {issue['text'][:300]}")
        names = [[base_name(name) for name, _ in rows] for rows in (theirs, again, one, ours)]
        if any(other != names[0] for other in names):
            self.notes.append(f"{program.name}: the launches differ: {names}")
        for i, ((kernel, a), (_, b), (_, c), (_, d)) in enumerate(zip(theirs, again, one, ours)):
            duration = a.get("gpu__time_duration.sum") or 0
            for counter in COMPARED:
                row = Row(program.name, i, base_name(kernel)[:40], duration, counter,
                          a.get(counter), b.get(counter), c.get(counter), d.get(counter))
                if any(value for value in row.values()):
                    self.rows.append(row)

    def cost(self, programs, deadline):
        """Rounds of all programs, for the cost alone: nothing is compared."""
        for turn in range(self.arguments.repeats):
            for program in programs:
                known = self.seconds.get(program.name, {})
                if time.monotonic() + 1.2 * sum(runs[0] for runs in known.values()) < deadline:
                    self.once(program)

    def repeat(self, programs, deadline):
        for turn in range(1, self.arguments.repeats):
            for program in programs:
                known = self.seconds.get(program.name)
                if not known or len(known) < 3 or not program.rounds:
                    continue
                if time.monotonic() + 1.2 * sum(runs[0] for runs in known.values()) < deadline:
                    self.once(program)

    def summary(self):
        def share(rows, test):
            rows = list(rows)
            return f"{sum(map(bool, map(test, rows)))} of {len(rows)}" if rows else ""

        out = ["| counter | program | Nsight Compute again | its one pass | ridgepoint | ridgepoint "
               "beside its one pass | ridgepoint, where Nsight Compute repeats itself |",
               "|---|---|---|---|---|---|---|"]
        for counter in COMPARED:
            for name in dict.fromkeys(row.program for row in self.rows):
                rows = [r for r in self.rows if r.counter == counter and r.program == name]
                if not rows:
                    continue
                again = [r for r in rows if r.again is not None]
                one = [r for r in rows if r.one is not None]
                cells = [share(again, lambda r: r.agree(r.again, r.theirs)),
                         share(one, lambda r: r.agree(r.one, r.theirs)),
                         share(rows, lambda r: r.agree(r.ours, r.theirs)),
                         share(one, lambda r: r.agree(r.ours, r.one)),
                         share([r for r in rows if r.repeated()],
                               lambda r: r.agree(r.ours, r.theirs))]
                out.append(f"| `{counter}` | {name} | " + " | ".join(cells) + " |")
        return out

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
        if self.rows:
            out += self.agreement()
        notes = [f"- {note}" for note in dict.fromkeys(self.notes)]
        return "\n".join([*out, *self.costs(), "", *notes]) + "\n"

    def agreement(self):
        out = self.summary()
        out.append("\nWhere ridgepoint does not agree with Nsight Compute's first run:\n")
        out.append("| program | launch | kernel | counter | Nsight Compute | again | in one pass | "
                   "ridgepoint | |")
        out.append("|---|---|---|---|---|---|---|---|---|")
        for r in self.rows:
            if not r.agree(r.ours, r.theirs):
                remarks = ["" if r.repeated() else "its own runs differ",
                           "agrees with its one pass"
                           if r.one is not None and r.agree(r.ours, r.one) else ""]
                out.append(f"| {r.program} | {r.launch} | {r.kernel} | `{r.counter}` | "
                           + " | ".join("" if v is None else f"{v:,.0f}" for v in r.values())
                           + f" | {', '.join(filter(None, remarks))} |")
        return out

    def costs(self):
        out = ["\n| program | rounds | alone, s | Nsight Compute adds, s | ridgepoint adds, s | "
               "share |", "|---|---|---|---|---|---|"]
        for name, known in self.seconds.items():
            if len(known) < 3:
                continue
            alone, ncu, ours = (statistics.median(known[w]) for w in ("alone", "ncu", "ridgepoint"))
            out.append(f"| {name} | {len(known['ridgepoint'])} | {alone:.2f} | {ncu - alone:.2f} | "
                       f"{ours - alone:.2f} | {(ours - alone) / (ncu - alone):.2f} |")
        return out


def programs_of(arguments):
    python = [sys.executable]
    folder = HERE / "profile_programs"
    programs = [
        Program("vector", [arguments.vector, "16777216", "10"], 10, again=True, rounds=True),
        Program("short vector", [arguments.vector, "1048576", "10"], 10, again=True),
        Program("cupy", [*python, str(folder / "cupy_program.py")], 8, again=True,
                rounds=True),
        Program("triton", [*python, str(folder / "triton_program.py")], 8),
        Program("jax", [*python, str(folder / "jax_program.py")], 8),
        Program("sdpa", [*python, str(folder / "sdpa.py")], 24),
    ]
    wanted = [name for name in arguments.only.split(";") if name]
    return [p for p in programs if not wanted or p.name in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vector", required=True, help="tests/vector_program of the build")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--all-rows", type=pathlib.Path, help="every value compared, as CSV")
    parser.add_argument("--log", type=pathlib.Path, default=pathlib.Path("/dev/null"))
    parser.add_argument("--cache-control", choices=["flush", "none"], default="flush")
    parser.add_argument("--chip", default="GH100")
    parser.add_argument("--only", default="", help="names of programs, with semicolons")
    parser.add_argument("--only-cost", action="store_true", help="time the programs, compare nothing")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1e9, help="no new round after this long")
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds
    programs = programs_of(arguments)
    with tempfile.TemporaryDirectory() as folder, arguments.log.open("w") as log:
        comparison = Comparison(arguments, pathlib.Path(folder), log)
        comparison.read_counters()
        comparison.warm_up(programs)
        if arguments.only_cost:
            comparison.cost(programs, deadline)
        else:
            for program in programs:
                comparison.compare(program, deadline)
                arguments.output.write_text(comparison.report())
            comparison.repeat(programs, deadline)
        arguments.output.write_text(comparison.report())
        if arguments.all_rows:
            with arguments.all_rows.open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["program", "launch", "kernel", "duration_ns", "counter", "ncu",
                                 "ncu_again", "ncu_one_pass", "ridgepoint"])
                writer.writerows([r.program, r.launch, r.kernel, r.duration_ns, r.counter,
                                  *r.values()] for r in comparison.rows)


if __name__ == "__main__":
    main()
