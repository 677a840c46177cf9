#!/usr/bin/env python3
"""What `ridgepoint profile -c none` adds to a loop of tiny launches.

usage: timeline_cost.py PROGRAM [--ridgepoint PATH ...] [--every-launch] [--rounds N] [--launches N]

PROGRAM is bench/profile_programs/tiny_launches.cu, compiled with nvcc -O2. The program alone and under each ridgepoint take
turns, so that a drift of the machine meets all alike. Prints the median seconds of the loop (as the program itself
sees it) and of the whole command, and what is added to the loop.
"""
import argparse
import statistics
import subprocess
import tempfile
import time


def run(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0]), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ridgepoint", action="append", help="may be given several times, to compare builds")
    parser.add_argument("--every-launch", action="store_true", help="also with every launch timed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--launches", type=int, default=20000)
    options = parser.parse_args()
    alone = [options.program, str(options.launches)]
    with tempfile.TemporaryDirectory() as folder:
        commands = {"alone": alone}
        for path in options.ridgepoint or ["ridgepoint"]:
            timeline = [path, "profile", "-q", "-c", "none", "--force", "-o", folder + "/run.ridge"]
            commands[path] = timeline + ["--"] + alone
            if options.every_launch:
                commands[path + " --every-launch"] = timeline + ["--every-launch", "--"] + alone
        seen = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                seen[name].append(run(command))
    base = statistics.median(loop for loop, _ in seen["alone"])
    for name, pairs in seen.items():
        loops = [loop for loop, _ in pairs]
        loop = statistics.median(loops)
        whole = statistics.median(total for _, total in pairs)
        print(f"{name}: loop {loop * 1e3:.1f} ms ({min(loops) * 1e3:.1f} to {max(loops) * 1e3:.1f}), "
              f"added {100 * (loop / base - 1):.1f} %, whole command {whole:.2f} s")


if __name__ == "__main__":
    main()
