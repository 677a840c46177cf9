"""Measures in rounds: every program under each tool, one after the other, so that both meet the same
moments of a machine whose clocks and temperature move."""
import concurrent.futures
import json
import pathlib
import tempfile
import time

from . import classes, judgement, tools

QUIET = "profile.not_chosen"  # an issue of every session whose launches are limited


class Rounds:
    """Create, `measure`, then read `runs`: {policy: {program: [run]}}, and `notes`."""

    def __init__(self, chip, log):
        self.log = log
        self.counters = tools.counters_of_profile(chip, log)
        self.runs, self.notes, self.seconds, self.device = {}, [], {}, {}

    def warm_up(self, programs):
        """Loads libraries and compiles kernels, for which no round is to pay."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda program: tools.run(program.command, self.log), programs))

    def measure(self, programs, policies, deadline, save):
        """Calls `save` after every turn: what was measured is there whatever happens next."""
        for turn in range(max(program.rounds for program in programs)):
            for policy in policies:
                for program in programs:
                    # The second policy is for quick programs.
                    if turn < program.rounds and (program.quick or policy == policies[0]):
                        self.once(program, policy, deadline)
            save(self)

    def once(self, program, policy, deadline):
        start = time.monotonic()
        if start + self.seconds.get((program.name, policy), 0) > deadline:
            return  # the tables say how often each program ran
        with tempfile.TemporaryDirectory() as folder:
            run = self.run_of(program, policy, pathlib.Path(folder) / "session.json")
        if run is not None:
            self.seconds[program.name, policy] = time.monotonic() - start
            self.runs.setdefault(policy, {}).setdefault(program.name, []).append(run)

    def run_of(self, program, policy, session_path):
        launches = ["--launch-skip", str(program.skipped), "--launch-count", str(program.compared)]
        command = [*program.command, *program.more]
        commands = {
            classes.KERNEL_REPLAY: tools.ncu_command(launches, self.counters, policy, command),
            classes.APPLICATION_REPLAY: tools.ncu_command(launches, classes.OF_CACHES, policy,
                                                          command, "application"),
            judgement.RIDGEPOINT: tools.ridgepoint_command(launches, policy, session_path, command)}
        if policy == "none":  # where they ran, kernels find the caches as the program left them
            commands[judgement.RIDGEPOINT_APPLICATION] = tools.ridgepoint_by_runs(
                launches, classes.OF_CACHES, session_path, command)
        run = {}
        for tool, command in commands.items():
            done, seconds = tools.run(command, self.log)
            if done.returncode != 0:
                reason = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
                self.note(f"{program.name}, {policy}, {tool}: ended with {done.returncode}: "
                          f"{reason[:200]}")
                return None
            self.log.write(f"{seconds:.1f} s: {program.name}, {policy}, {tool}\n")
            if tool in (judgement.RIDGEPOINT, judgement.RIDGEPOINT_APPLICATION):
                run[tool], session = tools.session_launches(session_path)
                self.device = session["devices"][0]
                for issue in session.get("issues", []):
                    if issue["code"] != QUIET:
                        self.note(f"{program.name}: {issue['code']}: {issue['text'][:300]}")
            else:
                run[tool] = tools.ncu_launches(done.stdout)
        self.log.flush()
        return run

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def saved(self, versions):
        return json.dumps({"versions": versions, "runs": self.runs, "notes": self.notes})
