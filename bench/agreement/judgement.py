"""Pairs what both tools counted, takes medians over launches and runs, and says what agrees.

What is compared is one counter of one kernel: all launches of a program that have the kernel's name,
grid and block, in all runs. Runs are {"kernel replay", "application replay", "ridgepoint"}, each a
list of launches as tools.py reads them; where caches are left alone also "ridgepoint, one pass".
"""
import dataclasses
import statistics

from .classes import APPLICATION_REPLAY, KERNEL_REPLAY, class_of, reason_not_judged, within
from .tools import base_name

RIDGEPOINT, RIDGEPOINT_ONCE = "ridgepoint", "ridgepoint, one pass"
TOOLS = (KERNEL_REPLAY, APPLICATION_REPLAY, RIDGEPOINT, RIDGEPOINT_ONCE)
NOT_REPEATED = "Nsight Compute does not repeat it"
OTHER_CACHES = "the tools' replays leave different things in the caches"


@dataclasses.dataclass
class Pair:
    """One counter of one kernel. `samples` are the values of each tool that gave any, a list a run."""
    program: str
    kernel: str
    launches: int
    counter: str
    duration_ns: float
    samples: dict
    policy: str = "flush"

    def __post_init__(self):
        self.kind = class_of(self.counter)

    def values(self, tool):
        return [value for run in self.samples.get(tool, []) for value in run]

    def median(self, tool):
        return statistics.median(self.values(tool)) if self.values(tool) else None

    def in_one_pass(self):
        """Caches are left alone, and both tools ran the kernel once, where the program made it."""
        return (self.policy == "none" and self.kind.of_caches
                and bool(self.samples.get(RIDGEPOINT_ONCE))
                and bool(self.samples.get(APPLICATION_REPLAY)))

    def ours(self, reference):
        """Which run of ours belongs beside a mode of Nsight Compute."""
        once = reference == APPLICATION_REPLAY and self.samples.get(RIDGEPOINT_ONCE)
        return RIDGEPOINT_ONCE if once else RIDGEPOINT

    def references(self):
        """The modes of Nsight Compute that this counter is judged beside: one must agree."""
        if self.in_one_pass():
            return (APPLICATION_REPLAY,)
        measured = [mode for mode in self.kind.references if self.samples.get(mode)]
        return tuple(measured) or (KERNEL_REPLAY,)

    def difference(self, reference):
        """Ours against a mode's, as a share of it; None where one is missing or it is 0."""
        ours, theirs = self.median(self.ours(reference)), self.median(reference)
        return (ours - theirs) / abs(theirs) if ours is not None and theirs else None

    def agrees(self, reference, value=None):
        """Whether our median, or another value, is within the limit of a mode's median."""
        value = self.median(self.ours(reference)) if value is None else value
        return within(self.kind, value, self.median(reference), self.duration_ns)

    def agrees_at_all(self):
        return any(self.agrees(reference) for reference in self.references())

    def repeats(self):
        """Every run of Nsight Compute, taken alone, agrees with its median over all runs."""
        return any(all(self.agrees(reference, statistics.median(run))
                       for run in self.samples[reference]) for reference in self.references())

    def missing(self):
        return not self.samples.get(RIDGEPOINT) or not self.samples.get(self.references()[0])

    def nothing(self):
        """Both tools count zero: no difference can show."""
        return not any(any(self.values(tool)) for tool in self.samples)

    def why_not_judged(self):
        """Empty where it is judged. What Nsight Compute does not repeat is not deterministic."""
        reason = reason_not_judged(self.kind, self.duration_ns)
        if not reason and self.policy == "none" and self.kind.of_caches and not self.in_one_pass():
            return OTHER_CACHES
        if not reason and self.kind.must_repeat(self.duration_ns) and not self.repeats():
            return NOT_REPEATED
        return reason


def shape(launch):
    return base_name(launch["kernel"]), tuple(launch["grid"]), tuple(launch["block"])


def same_launches(runs):
    """Whether every tool saw the same kernels in the same order in every run."""
    lists = [run[tool] for run in runs for tool in TOOLS if tool in run]
    return all([shape(launch) for launch in launches] == [shape(launch) for launch in lists[0]]
               for launches in lists)


def pairs_of(program, runs, policy="flush"):
    """Every counter of every kernel of one program. Raises ValueError where launches differ."""
    if not same_launches(runs):
        raise ValueError("the tools saw different launches")
    places = {}
    for place, launch in enumerate(runs[0][KERNEL_REPLAY]):
        key = (launch["kernel"], tuple(launch["grid"]), tuple(launch["block"]))
        places.setdefault(key, []).append(place)
    pairs = []
    for (kernel, _, _), where in places.items():
        def samples(counter):
            """{tool: [values of a run]}, without the runs and tools that have none."""
            found = {}
            for tool in TOOLS:
                by_run = [[run[tool][place]["values"].get(counter) for place in where]
                          for run in runs if tool in run]
                by_run = [[v for v in values if v is not None] for values in by_run]
                found[tool] = [values for values in by_run if values]
            return {tool: by_run for tool, by_run in found.items() if by_run}

        times = samples("gpu__time_duration.sum")
        times = times.get(APPLICATION_REPLAY) or times[KERNEL_REPLAY]
        duration = statistics.median(value for run in times for value in run)
        counters = dict.fromkeys(name for run in runs for tool in run for place in where
                                 for name in run[tool][place]["values"])
        pairs += [Pair(program, base_name(kernel), len(where), counter, duration, samples(counter),
                       policy) for counter in counters]
    return pairs
