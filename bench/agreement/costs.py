"""What each tool adds to a program's wall time, in interleaved rounds."""
import json
import pathlib
import statistics
import tempfile
import time

from . import tools


class Costs:
    """Create, `measure`, then read `table`."""

    def __init__(self, counters, policy, log):
        self.counters, self.policy, self.log = counters, policy, log
        self.notes, self.seconds, self.held_up = [], {}, {}

    def measure(self, programs, repeats, deadline):
        for _ in range(repeats):
            for program in programs:
                known = self.seconds.get(program.name, {})
                if time.monotonic() + 1.2 * sum(runs[0] for runs in known.values()) < deadline:
                    self.once(program)

    def once(self, program):
        with tempfile.TemporaryDirectory() as folder:
            session = pathlib.Path(folder) / "session.json"
            launches = ["--launch-count", str(program.launches)]
            commands = {
                "alone": program.command,
                "ncu": tools.ncu_command(launches, self.counters, self.policy, program.command),
                "ridgepoint": tools.ridgepoint_command(launches, self.policy, session,
                                                       program.command, quiet=False)}
            for who, command in commands.items():
                done, seconds = tools.run(command, self.log)
                if done.returncode != 0:
                    reason = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
                    self.notes.append(f"{program.name}, {who}: ended with {done.returncode}: "
                                      f"{reason[:200]}")
                    return
                self.seconds.setdefault(program.name, {}).setdefault(who, []).append(seconds)
                self.log.write(f"{seconds:.2f} s: {program.name}, {who}\n")
            policy = json.loads(session.read_text()).get("policy", {})
            if policy.get("measuring_s") is not None:
                self.held_up.setdefault(program.name, []).append(policy["measuring_s"])

    def table(self):
        out = ["| program | rounds | alone, s | Nsight Compute adds, s | ridgepoint adds, s | "
               "of it the program was held up, s | share |", "|---|---|---|---|---|---|---|"]
        for name, known in self.seconds.items():
            if len(known) < 3:
                continue
            alone = statistics.median(known["alone"])
            added = {who: [seconds - alone for seconds in known[who]] for who in known}
            ncu, ours = (statistics.median(added[who]) for who in ("ncu", "ridgepoint"))
            out.append(f"| {name} | {len(known['ridgepoint'])} | {spread(known['alone'])} | "
                       f"{spread(added['ncu'])} | {spread(added['ridgepoint'])} | "
                       f"{spread(self.held_up.get(name, []))} | {ours / ncu:.2f} |")
        return out + [""] + [f"- {note}" for note in dict.fromkeys(self.notes)]


def spread(values):
    """The median, and in brackets the least and the most."""
    if not values:
        return "not measured"
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
