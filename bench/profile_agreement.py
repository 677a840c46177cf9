#!/usr/bin/env python3
"""Compares `ridgepoint profile` with Nsight Compute: the same counters, programs, launches and cache
policy. In each round a program runs under Nsight Compute with all counters (kernel replay), under
Nsight Compute with those of memory (application replay, which restores nothing), and under ridgepoint;
medians over launches and rounds are compared. Which counter is judged how strictly, where, and beside
which of the two is written in agreement/classes.py. Writes Markdown; a file that is there
keeps what stands before its heading "## Programs".

    bench/profile_agreement.py --vector build/dev/tests/vector_program \\
        --three-kernels build/dev/bench/three_kernels --cache-control both -o agreement.md

--only-cost compares nothing and times what each tool adds to a program (interleaved runs, medians).

Programs whose libraries are missing are left out and named. The programs check their own results:
a wrong one ends its comparison. Needs `ncu` and `ridgepoint` in PATH and an NVIDIA GPU.
"""
import argparse
import csv
import datetime
import json
import pathlib
import re
import shutil
import sys
import time

from agreement import tables, tools, versions
from agreement.costs import Costs
from agreement.programs import programs_of
from agreement.rounds import Rounds

HEADING = re.compile(r"^## Programs$", re.MULTILINE)


def write(saved, arguments):
    lines, by_policy = tables.document(saved)
    before = ""
    if arguments.output.exists():
        before = HEADING.split(arguments.output.read_text(), maxsplit=1)[0]
    arguments.output.write_text(before + "\n".join(lines).rstrip() + "\n")
    if arguments.all_rows:
        with arguments.all_rows.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(tables.CSV_HEAD)
            writer.writerows(tables.csv_rows(by_policy))


def together(parts):
    """Several measurements as one: all runs, and the versions of the last."""
    whole = {"versions": parts[-1]["versions"], "runs": {}, "notes": []}
    for part in parts:
        for policy, programs in part["runs"].items():
            for name, runs in programs.items():
                whole["runs"].setdefault(policy, {}).setdefault(name, []).extend(runs)
        whole["notes"] += part["notes"]
    return whole


def read(paths, parser):
    parts = []
    for path in paths:
        try:
            part = json.loads(path.read_text())
        except (OSError, ValueError) as failure:
            parser.error(f"{path}: {failure}")
        if not isinstance(part, dict) or not {"versions", "runs", "notes"} <= part.keys():
            parser.error(f"{path} was not written by --save")
        part["runs"] = {policy: {name: runs for name, runs in programs.items() if runs}
                        for policy, programs in part["runs"].items()}
        if not any(part["runs"].values()):
            parser.error(f"{path} holds no run")
        parts.append(part)
    return together(parts)


def chosen_programs(arguments, parser):
    if not arguments.vector:
        parser.error("--vector is needed to measure")
    for tool in ("ncu", "ridgepoint"):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not in PATH")
    programs = programs_of(arguments)
    if not programs:
        parser.error(f"no program is named {arguments.only!r}, or its library is missing")
    return programs


def compare(programs, arguments, log, deadline):
    rounds = Rounds(arguments.chip, log)
    rounds.warm_up(programs)
    before = versions.versions()
    policies = ["flush", "none"] if arguments.cache_control == "both" else [arguments.cache_control]

    def save(rounds):
        text = rounds.saved({**before, **versions.of_session(rounds.device)})
        if arguments.save:
            arguments.save.write_text(text)
        write(json.loads(text), arguments)

    rounds.measure(programs, policies, deadline, save)


def time_costs(programs, arguments, log, deadline):
    counters = tools.counters_of_profile(arguments.chip, log)
    Rounds(arguments.chip, log).warm_up(programs)
    policy = "flush" if arguments.cache_control == "both" else arguments.cache_control
    costs = Costs(counters, policy, log)
    costs.measure(programs, arguments.repeats, deadline)
    gpu = versions.output(["nvidia-smi", "--query-gpu=name,driver_version",
                           "--format=csv,noheader"])
    out = [f"ncu: {versions.output(['ncu', '--version']) or 'unknown'}", f"GPU: {gpu or 'unknown'}",
           f"Date: {datetime.date.today()}, cache control {policy}, {len(counters)} counters\n", "",
           *costs.table()]
    arguments.output.write_text("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vector", help="tests/vector_program of the build")
    parser.add_argument("--three-kernels", help="bench/three_kernels of the build; left out without")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--all-rows", type=pathlib.Path, help="every value compared, as CSV")
    parser.add_argument("--save", type=pathlib.Path, help="every value counted, as JSON")
    parser.add_argument("--from", dest="saved", type=pathlib.Path, nargs="+",
                        help="write from what --save kept, once or several times; measures nothing")
    parser.add_argument("--log", type=pathlib.Path, default=pathlib.Path("/dev/null"))
    parser.add_argument("--cache-control", choices=["flush", "none", "both"], default="flush",
                        help="both: the quick programs with `none` as well")
    parser.add_argument("--chip", default="GH100")
    parser.add_argument("--only", default="", help="names of programs, with semicolons")
    parser.add_argument("--only-cost", action="store_true", help="time the programs, compare nothing")
    parser.add_argument("--repeats", type=int, default=5, help="rounds of --only-cost")
    parser.add_argument("--seconds", type=float, default=1e9, help="no new round after this long")
    arguments = parser.parse_args()
    if arguments.only_cost and arguments.output.exists():
        if HEADING.search(arguments.output.read_text()):
            parser.error(f"{arguments.output} is a comparison, which --only-cost would overwrite")
    if arguments.saved:
        write(read(arguments.saved, parser), arguments)
        return
    programs = chosen_programs(arguments, parser)
    deadline = time.monotonic() + arguments.seconds
    with arguments.log.open("w") as log:
        (time_costs if arguments.only_cost else compare)(programs, arguments, log, deadline)


if __name__ == "__main__":
    sys.exit(main())
