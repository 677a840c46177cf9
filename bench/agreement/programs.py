"""The programs that are profiled. Each checks its own results and ends with 1 where they are wrong."""
import dataclasses
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "profile_programs"


@dataclasses.dataclass(frozen=True)
class Program:
    """`launches` of `command` are counted when costs are timed. Compared are `compared` launches,
    after the first `skipped` (a first round, or what makes the inputs), of the command with `more`
    arguments: the more launches of one kernel, the steadier its median."""
    name: str
    command: list
    launches: int
    compared: int
    rounds: int  # of a comparison: as many as the time allows
    quick: bool = False  # compared with the other cache policy as well
    skipped: int = 0
    more: tuple = ()


def programs_of(arguments):
    python = [sys.executable]
    programs = [
        Program("vector", [arguments.vector, "16777216", "10"], 10, 6, 5, quick=True,
                skipped=2),
        Program("short vector", [arguments.vector, "1048576", "10"], 10, 6, 5, quick=True,
                skipped=2),
        # The time of its short reduction differs by a tenth from launch to launch.
        Program("cupy", [*python, str(FOLDER / "cupy_program.py")], 8, 42, 5, skipped=6, more=("8",)),
        Program("triton", [*python, str(FOLDER / "triton_program.py")], 8, 7, 5, skipped=1),
        Program("jax", [*python, str(FOLDER / "jax_program.py")], 8, 8, 5),
        # Attention takes 16 a round.
        Program("sdpa", [*python, str(FOLDER / "sdpa.py")], 24, 32, 5, skipped=3, more=("2",)),
    ]
    if arguments.three_kernels:
        programs.insert(1, Program("three kernels", [arguments.three_kernels, "4"], 9, 9, 5,
                                   quick=True, skipped=3))
    wanted = [name for name in arguments.only.split(";") if name]
    return [p for p in programs if not wanted or p.name in wanted]
