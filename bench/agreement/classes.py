"""Which counters are compared how strictly, and beside which reference.

Every counter belongs to exactly one class, the first whose pattern matches its whole name. A counter
that is not judged is compared and shown all the same, with the reason: what depends on when a thing
happened differs between two runs of one tool as well.

A count is judged where it is deterministic, which Nsight Compute alone decides: every value that it
gives of a kernel - of each launch, run and mode that the class names - is within the limit of their
median. Elsewhere there is no one answer to agree with; such a pair is listed with all values, and
whether ours is among Nsight Compute's. What Ridgepoint counts has no say in it, so that neither a
disagreement is excused by it nor an agreement kept. Times, and DRAM traffic of short kernels, which
has more room, are judged in any case.
"""
import dataclasses
import re

SHORT_NS = 50_000  # kernels shorter than this are judged by SHORT_SHARE and SHORT_BYTES in DRAM
SHORT_SHARE, SHORT_BYTES = 0.05, 65536

# What depends on caches, by application replay: the program runs once a pass, no memory is restored,
# and nothing but the kernel's own work is counted.
OF_CACHES = ["gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
             "lts__t_bytes.sum", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
             "lts__lts2xbar_cycles_active.sum", "lts__t_sectors_srcunit_tex_op_read.sum",
             "l1tex__m_xbar2l1tex_read_bytes.sum"]

KERNEL_REPLAY, APPLICATION_REPLAY = "kernel replay", "application replay"


@dataclasses.dataclass(frozen=True)
class CounterClass:
    """Counters that are compared alike."""
    name: str
    pattern: str
    limit: float  # share of the reference by which a value may differ
    why_not: str = ""  # not judged, and why
    short: str = "limit"  # of kernels below SHORT_NS: "limit", "dram" (more room) or "shown"
    # The modes of Nsight Compute that may be agreed with; of two, one is enough, both are shown.
    references: tuple = (KERNEL_REPLAY,)
    always: bool = False  # judged also where Nsight Compute has more than one answer
    of_caches: bool = False  # depends on what is in the caches when the kernel starts
    # The first launch that Nsight Compute counts in a process is left out: it finds what Nsight
    # Compute itself has just written (2.3 MB in DRAM writes of a kernel that writes nothing).
    not_the_first: bool = False

    def must_be_one(self, duration_ns):
        """Whether a kernel's count is judged only where Nsight Compute has one answer."""
        return not self.always and not (self.short == "dram" and duration_ns < SHORT_NS)


BOTH = (KERNEL_REPLAY, APPLICATION_REPLAY)
CLASSES = [
    # Kernel replay's restores leave L2 dirty, which costs some kernels time; application replay
    # leaves it as the kernels before left it, which costs others. Neither is the kernel's alone.
    CounterClass("time", r"gpu__time_duration\.sum", 0.03, references=BOTH, always=True,
                 of_caches=True),
    CounterClass("DRAM reads", r"dram__(bytes|sectors)_read\.sum", 0.01, short="dram",
                 of_caches=True),
    # Kernel replay charges a kernel with the write-back of what its restores left dirty.
    CounterClass("DRAM writes", r"dram__(bytes|sectors)_write\.sum", 0.01, short="dram",
                 references=(APPLICATION_REPLAY,), of_caches=True, not_the_first=True),
    CounterClass("L2", r"lts__(t_bytes|t_sectors(_srcunit_\w+)?_op_\w+|lts2xbar_cycles_active)\.sum"
                 r"|l1tex__m_xbar2l1tex_read_bytes\.sum", 0.01, short="shown", references=BOTH,
                 of_caches=True),
    CounterClass("instructions", r"sm(sp)?__inst_executed(_pipe_\w+)?\.sum", 0.01),
    CounterClass("operations",
                 r"smsp__sass_thread_inst_executed_op_\w+\.sum|sm__ops_path_tensor_\w+\.sum", 0.01),
    CounterClass("L1 and shared memory",
                 r"l1tex__(data_pipe_lsu_wavefronts_mem_shared|t_(requests|sectors)_\w+)\.sum"
                 r"|smsp__sass_data_bytes_mem_shared(_op_\w+)?\.sum", 0.01),
    CounterClass("bank conflicts", r"l1tex__data_bank_conflicts_\w+\.sum", 0.01,
                 "warps that meet at a bank by chance are counted too"),
    CounterClass("peaks of the chip", r"\w+\.sum\.peak_sustained", 0.01),
    CounterClass("cycles", r"sm__cycles_(elapsed|active)\.(avg|min|max)", 0.03,
                 "which SM works how long depends on timing"),
    CounterClass("clocks", r"\w+__cycles_elapsed\.avg\.per_second", 0.03,
                 "the clock of the moment"),
    CounterClass("shares", r"\w+\.pct|\w+\.avg\.pct_of_peak_sustained_(elapsed|active)", 0.03,
                 "a count above, over cycles or over another count"),
]


def class_of(counter):
    """None for a counter that no class knows: the tables then say so."""
    return next((c for c in CLASSES if re.fullmatch(c.pattern, counter)), None)


def within(kind, value, reference, duration_ns):
    """Whether two values of one counter agree, judged or not."""
    if kind.short == "dram" and duration_ns < SHORT_NS:
        return abs(value - reference) <= max(SHORT_SHARE * abs(reference), SHORT_BYTES)
    return abs(value - reference) <= kind.limit * abs(reference)


def reason_not_judged(kind, duration_ns):
    """Empty where the counter is judged for a kernel of this duration."""
    if kind.why_not:
        return kind.why_not
    if kind.short == "shown" and duration_ns < SHORT_NS:
        return f"a kernel shorter than {SHORT_NS // 1000} us"
    return ""
