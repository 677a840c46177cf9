"""Runs Nsight Compute and `ridgepoint profile`, and reads what they counted.

Both readers give a list of launches, in order: {"kernel", "grid", "block", "values"}, where values
maps a counter to a number, or to None where the tool could not count it.
"""
import csv
import json
import re
import subprocess
import sys
import time


def run(command, log):
    """(what it printed and its exit code, seconds). Failures are kept in the log."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        log.write(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}\n")
    return done, seconds


def counters_of_profile(chip, log):
    """The counters that `-c default` collects on a chip, from the plan it prints."""
    done, _ = run(["ridgepoint", "profile", "-c", "default", "--plan", chip], log)
    counters = [line.strip() for line in done.stdout.splitlines()
                if line.startswith("  ") and "__" in line and " " not in line.strip()]
    if not counters:
        sys.exit("no counters: " + done.stderr)
    return counters


def ncu_command(launches, counters, policy, command, replay="kernel"):
    """`launches` are the options that choose them, of both tools alike."""
    cache = {"flush": "all", "none": "none"}[policy]
    return ["ncu", "--clock-control", "none", "--cache-control", cache, "--replay-mode", replay,
            "--metrics", ",".join(counters), *launches, "--csv", "--print-units", "base", *command]


def ridgepoint_command(launches, policy, session, command, quiet=True):
    """Not quiet: with the plan of passes before and the report after, as a user calls it."""
    return ["ridgepoint", "profile", *(["-q"] if quiet else []), "--force", "-c", "default",
            "--cache-control", policy, *launches, "-o", str(session), "--", *command]


def ridgepoint_by_runs(launches, counters, session, command):
    """Caches are as the program leaves them: nothing controls them, nothing runs again."""
    return ["ridgepoint", "profile", "-q", "--force", "-c", ",".join(counters), "--replay",
            "application", *launches, "-o", str(session), "--", *command]


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def sizes(text):
    return [int(n) for n in re.findall(r"\d+", text)]


def ncu_launches(text):
    lines = [line for line in text.splitlines() if line.startswith('"')]
    launches = {}
    for row in csv.DictReader(lines):
        launch = launches.setdefault(row["ID"], {
            "kernel": row["Kernel Name"], "grid": sizes(row.get("Grid Size") or ""),
            "block": sizes(row.get("Block Size") or ""), "values": {}})
        launch["values"][row["Metric Name"]] = number(row["Metric Value"])
    return list(launches.values())


def session_launches(path):
    """The launches, and the session they are from."""
    session = json.loads(path.read_text())
    launches, counters = session["launches"], session["counters"]
    rows = []
    for i, kernel in enumerate(launches["kernel"]):
        size = {what: [launches[f"{what}_{axis}"][i] if f"{what}_{axis}" in launches else 1
                       for axis in "xyz"] for what in ("grid", "block")}
        values = {name: column[i] for name, column in zip(counters["names"], counters["columns"])}
        if any(value is not None for value in values.values()):  # else it was not chosen
            rows.append({"kernel": session["kernels"][kernel]["name"], **size, "values": values})
    return rows, session


def base_name(name):
    """Without namespaces, template and call arguments: the tools spell those differently."""
    name = re.sub(r"\(anonymous namespace\)|<unnamed>", "", name)
    name = re.split(r"[<(]", re.sub(r"^(void|unsigned|float|int) ", "", name))[0]
    return name.split("::")[-1] or name
