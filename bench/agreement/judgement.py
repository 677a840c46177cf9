"""Pairs what both tools counted, takes medians over launches and runs, and says what agrees.

What is compared is one counter of one kernel: all launches of a program that have the kernel's name,
grid and block, in all runs. Runs are {"kernel replay", "application replay", "ridgepoint"}, each a
list of launches as tools.py reads them; where caches are left alone also "ridgepoint, application
replay".
"""
import dataclasses
import statistics

from .classes import APPLICATION_REPLAY, KERNEL_REPLAY, class_of, reason_not_judged, within
from .tools import base_name

RIDGEPOINT, RIDGEPOINT_APPLICATION = "ridgepoint", "ridgepoint, application replay"
TOOLS = (KERNEL_REPLAY, APPLICATION_REPLAY, RIDGEPOINT, RIDGEPOINT_APPLICATION)
SEVERAL_ANSWERS = "Nsight Compute has more than one answer"
FIRST_LAUNCH = "the first launch that Nsight Compute counts in a process"
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
    first_alone: bool = False  # the samples are those of a process's first counted launch

    def __post_init__(self):
        self.kind = class_of(self.counter)

    def values(self, tool):
        return [value for run in self.samples.get(tool, []) for value in run]

    def median(self, tool):
        return statistics.median(self.values(tool)) if self.values(tool) else None

    def in_place(self):
        """Caches are left alone, and both tools ran the kernel only where the program made it."""
        return (self.policy == "none" and self.kind.of_caches
                and bool(self.samples.get(RIDGEPOINT_APPLICATION))
                and bool(self.samples.get(APPLICATION_REPLAY)))

    def ours(self, reference):
        """Which run of ours belongs beside a mode of Nsight Compute."""
        once = reference == APPLICATION_REPLAY and self.samples.get(RIDGEPOINT_APPLICATION)
        return RIDGEPOINT_APPLICATION if once else RIDGEPOINT

    def references(self):
        """The modes of Nsight Compute that this counter is judged beside: one must agree."""
        if self.in_place():
            return (APPLICATION_REPLAY,)
        measured = [mode for mode in self.kind.references if self.samples.get(mode)]
        return tuple(measured) or (KERNEL_REPLAY,)

    def difference(self, reference):
        """Ours against a mode's, as a share of it; None where one is missing or it is 0."""
        ours, theirs = self.median(self.ours(reference)), self.median(reference)
        return (ours - theirs) / abs(theirs) if ours is not None and theirs else None

    def close(self, value, reference):
        return within(self.kind, value, reference, self.duration_ns)

    def agrees(self, reference, value=None):
        """Whether our median, or another value, is within the limit of a mode's median."""
        value = self.median(self.ours(reference)) if value is None else value
        return self.close(value, self.median(reference))

    def agrees_at_all(self):
        return any(self.agrees(reference) for reference in self.references())

    def answers(self):
        """Every value that the modes gave which this counter is judged beside."""
        return [value for reference in self.references() for value in self.values(reference)]

    def one_answer(self):
        """Whether Nsight Compute agrees with itself, in every launch, run and mode that counts."""
        middle = statistics.median(self.answers())
        return all(self.close(value, middle) for value in self.answers())

    def among_answers(self):
        """Whether our median lies between the answers, or within the limit of one of them."""
        ours = self.median(self.ours(self.references()[-1]))
        least, most = min(self.answers()), max(self.answers())
        return least <= ours <= most or self.close(ours, least) or self.close(ours, most)

    def missing(self):
        return not self.samples.get(RIDGEPOINT) or not self.samples.get(self.references()[0])

    def nothing(self):
        """Both tools count zero: no difference can show."""
        return not any(any(self.values(tool)) for tool in self.samples)

    def why_not_judged(self):
        """Empty where it is judged. Where Nsight Compute has several answers, none is right."""
        reason = reason_not_judged(self.kind, self.duration_ns)
        if not reason and self.kind.not_the_first and self.first_alone:
            return FIRST_LAUNCH
        if not reason and self.policy == "none" and self.kind.of_caches and not self.in_place():
            return OTHER_CACHES
        if not reason and self.kind.must_be_one(self.duration_ns) and not self.one_answer():
            return SEVERAL_ANSWERS
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
            kind, found = class_of(counter), {}
            places_of_it = [place for place in where if place or not (kind and kind.not_the_first)]
            for tool in TOOLS:
                by_run = [[run[tool][place]["values"].get(counter)
                           for place in places_of_it or where] for run in runs if tool in run]
                by_run = [[v for v in values if v is not None] for values in by_run]
                found[tool] = [values for values in by_run if values]
            return {tool: by_run for tool, by_run in found.items() if by_run}

        times = samples("gpu__time_duration.sum")
        times = times.get(APPLICATION_REPLAY) or times[KERNEL_REPLAY]
        duration = statistics.median(value for run in times for value in run)
        counters = dict.fromkeys(name for run in runs for tool in run for place in where
                                 for name in run[tool][place]["values"])
        pairs += [Pair(program, base_name(kernel), len(where), counter, duration, samples(counter),
                       policy, where == [0]) for counter in counters]
    return pairs
