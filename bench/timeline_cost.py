#!/usr/bin/env python3
"""What `ridgepoint profile` adds to a loop of tiny launches, while it records and once it has left.

usage: timeline_cost.py PROGRAM [--ridgepoint PATH ...] [--processes N] [--cupti-alone LIBRARY] [--core N] [--rounds N]
                        [--launches N]

PROGRAM is bench/profile_programs/tiny_launches.cu, compiled with nvcc -O2; LIBRARY is cupti_alone.cpp beside it. All
programs run at once and take turns on one core, the fastest unless told, so that what the machine does meanwhile meets
all alike. Prints for each the median of its loops with the quartiles, and what is added to the median of the programs
that run alone, as median and quartiles of the ratios within the rounds. What the programs that run alone add is noise.
What a profiler adds differs from process to process: --processes runs several of each, and tells of them together too.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile


def quartiles(values):
    return statistics.quantiles(values, n=4) if len(values) > 1 else values * 3


class Turns:
    """A program that makes a loop when asked."""

    def __init__(self, command, program, core, environment):
        self.process = subprocess.Popen(command + [program, "--turns", str(core)], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit(f"{command or program} did not start")

    def loop(self, launches):
        self.process.stdin.write(f"{launches}\n")
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.write("0\n")
        self.process.stdin.close()
        return self.process.wait()


def heard_how(session):
    """How the launches of a timeline were heard, as the session says."""
    issues = json.loads(pathlib.Path(session).read_text()).get("issues", [])
    return " ".join(issue["text"] for issue in issues if issue["code"] == "timeline.sampled")


def tell(name, loops, alone, code):
    low, loop, high = (value * 1e3 for value in quartiles(loops))
    less, added, more = (100 * (ratio - 1) for ratio in quartiles([a / b for a, b in zip(loops, alone)]))
    print(f"{name}: {loop:.1f} ms ({low:.1f} to {high:.1f}), added {added:+.1f} % ({less:+.1f} to {more:+.1f})"
          + (f", exit code {code}" if code else ""))


def way_of(name):
    return name.partition(", process ")[0]


def median_of_each_round(seen, way):
    return [statistics.median(together)
            for together in zip(*(loops for name, loops in seen.items() if way_of(name) == way))]


def fastest_core(program):
    def seconds(core):
        turns = Turns(["taskset", "-c", str(core)], program, core, {})
        turns.loop(1000)
        took = min(turns.loop(3000), turns.loop(3000))
        turns.end()
        return took
    return min(sorted(os.sched_getaffinity(0)), key=seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ridgepoint", action="append", help="may be given several times, to compare builds")
    parser.add_argument("--processes", type=int, default=1, help="that are profiled at once in each way")
    parser.add_argument("--modes", default="-c lite --launch-count 1;-c none;-c none --every-launch")
    parser.add_argument("--cupti-alone", help="also CUPTI by itself")
    parser.add_argument("--core", type=int)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--launches", type=int, default=20000)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    core = fastest_core(program) if options.core is None else options.core
    print(f"core {core}")
    with tempfile.TemporaryDirectory() as folder:
        commands = {f"alone, process {process + 1}": ([], {}) for process in range(max(2, options.processes))}
        sessions = {}
        # Counters first: two programs cannot hold them at once.
        for mode, path, process in itertools.product(options.modes.split(";"), options.ridgepoint or ["ridgepoint"],
                                                     range(options.processes)):
            name = f"{path} {mode}, process {process + 1}"
            sessions[name] = f"{folder}/{len(commands)}.json"
            commands[name] = ([path, "profile", "-q", "--no-power", "--force", "-o", sessions[name]]
                              + mode.split() + ["--"], {})
        if options.cupti_alone:
            for letters, what in [("s", "subscribed"), ("c", "callbacks"), ("cro", "callbacks, records off again"),
                                  ("crmgo", "the same, those of copies and graphs on"),
                                  ("cr", "callbacks and records")]:
                commands["CUPTI alone: " + what] = (
                    [], {"CUDA_INJECTION64_PATH": os.path.abspath(options.cupti_alone), "CUPTI_ALONE": letters})
        programs = {name: Turns(command, program, core, environment)
                    for name, (command, environment) in commands.items()}
        seen = {name: [] for name in programs}
        order = random.Random(options.rounds)  # else each would always have the same neighbours
        for turn in range(options.rounds + 1):
            for name in order.sample(sorted(programs), len(programs)):
                seconds = programs[name].loop(options.launches)
                if turn > 0:
                    seen[name].append(seconds)
        codes = {name: one.end() for name, one in programs.items()}
        alone = median_of_each_round(seen, "alone")
        for name, loops in seen.items():
            tell(name, loops, alone, codes[name])
            if name in sessions and (how := heard_how(sessions[name])):
                print("   ", how)
    for way in dict.fromkeys(way_of(name) for name in seen):
        tell(f"{way}, median of each round", median_of_each_round(seen, way), alone, 0)


if __name__ == "__main__":
    main()
