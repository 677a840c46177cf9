"""What bench/profile_agreement.py judges, and how, without a GPU.

Usage: agreement_test.py RIDGEPOINT   (the built command: it knows the counters of every chip)
"""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from agreement import classes, judgement, tables, tools  # noqa: E402  (the path comes first)

RIDGEPOINT = None
THREE = (classes.KERNEL_REPLAY, classes.APPLICATION_REPLAY, judgement.RIDGEPOINT)
LONG, SHORT = 80_000, 9_000  # durations in ns


def agree(counter, value, reference, duration=LONG):
    return classes.within(classes.class_of(counter), value, reference, duration)


def launch(kernel="void scale(float*)", grid=(8, 1, 1), **values):
    return {"kernel": kernel, "grid": list(grid), "block": [256, 1, 1],
            "values": {name.replace("__dot__", "."): v for name, v in values.items()}}


def one_counter(counter, kernel_replay, ridgepoint, application=None, duration=LONG):
    """A run of one launch in which each tool counted so much."""
    run = {tool: launch() for tool in THREE}
    run[classes.KERNEL_REPLAY]["values"] = {"gpu__time_duration.sum": duration,
                                              counter: kernel_replay}
    run[judgement.RIDGEPOINT]["values"] = {counter: ridgepoint}
    run[classes.APPLICATION_REPLAY]["values"] = {} if application is None else {
        counter: application}
    return {tool: [row] for tool, row in run.items()}


def twice(run):
    """Two launches of each: the first one alone is not judged by its DRAM writes."""
    return {tool: rows * 2 for tool, rows in run.items()}


def pair(counter, *values, **named):
    runs = [one_counter(counter, *values, **named)]
    return next(p for p in judgement.pairs_of("p", runs) if p.counter == counter)


def flat(lines):
    return "\n".join(lines)


class EveryCounter(unittest.TestCase):
    def counters(self, chip, profile):
        plan = subprocess.run([RIDGEPOINT, "profile", "-c", profile, "--plan", chip],
                              capture_output=True, text=True, check=True).stdout
        names = [line.strip() for line in plan.splitlines()
                 if line.startswith("  ") and "__" in line and " " not in line.strip()]
        self.assertGreater(len(names), 20)
        return names

    def test_of_the_default_profile_is_of_exactly_one_class(self):
        for chip in ("GH100", "GA100", "AD102"):
            for counter in self.counters(chip, "default"):
                self.assertIsNotNone(classes.class_of(counter), f"{chip}: {counter}")

    def test_that_is_a_sum_is_judged_but_bank_conflicts(self):
        shown = [counter for counter in self.counters("GH100", "default")
                 if counter.endswith(".sum")
                 and classes.reason_not_judged(classes.class_of(counter), LONG)]
        self.assertEqual(shown, ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"])

    def test_of_no_class_is_named_instead_of_left_out(self):
        runs = [one_counter("gpc__made_up.sum", 5, 5)]
        text = tables.totals(judgement.pairs_of("p", runs))
        self.assertIn("`gpc__made_up.sum`", text)


class Limits(unittest.TestCase):
    def test_of_time_is_three_percent(self):
        self.assertTrue(agree("gpu__time_duration.sum", 103, 100))
        self.assertFalse(agree("gpu__time_duration.sum", 103.1, 100))

    def test_of_instructions_is_one_percent_however_short_the_kernel(self):
        self.assertTrue(agree("smsp__inst_executed.sum", 1010, 1000, SHORT))
        self.assertFalse(agree("smsp__inst_executed.sum", 1011, 1000, SHORT))

    def test_of_dram_is_one_percent_of_long_kernels(self):
        self.assertFalse(agree("dram__bytes_read.sum", 1_020_000, 1_000_000, 50_000))

    def test_of_dram_is_five_percent_or_64_kib_of_short_ones(self):
        self.assertTrue(agree("dram__bytes_read.sum", 65_536, 0, 49_999))
        self.assertFalse(agree("dram__bytes_read.sum", 65_537, 0, 49_999))
        self.assertTrue(agree("dram__bytes_write.sum", 10_500_000, 10_000_000, SHORT))
        self.assertFalse(agree("dram__bytes_write.sum", 10_500_001, 10_000_000, SHORT))

    def test_of_l2_judge_long_kernels_only(self):
        kind = classes.class_of("lts__t_bytes.sum")
        self.assertEqual(classes.reason_not_judged(kind, 50_000), "")
        self.assertIn("50 us", classes.reason_not_judged(kind, 49_999))


class References(unittest.TestCase):
    def test_of_dram_writes_are_what_application_replay_counts(self):
        p = pair("dram__bytes_write.sum", 12_000_000, 10_000_000, application=10_010_000)
        self.assertEqual(p.references(), (classes.APPLICATION_REPLAY,))
        self.assertTrue(p.agrees_at_all())
        self.assertFalse(p.agrees(classes.KERNEL_REPLAY))
        p = pair("dram__bytes_write.sum", 12_000_000, 12_000_000, application=10_000_000)
        self.assertFalse(p.agrees_at_all())

    def test_of_dram_writes_fall_back_to_kernel_replay(self):
        p = pair("dram__bytes_write.sum", 12_000_000, 10_000_000)
        self.assertEqual(p.references(), (classes.KERNEL_REPLAY,))

    def test_of_times_are_either_mode(self):
        def agrees(ours):
            return pair("gpu__time_duration.sum", 12_000, ours, application=10_000,
                        duration=12_000).agrees_at_all()
        self.assertEqual([agrees(t) for t in (12_100, 10_100, 11_000)], [True, True, False])

    def test_of_dram_reads_are_what_kernel_replay_counts(self):
        p = pair("dram__bytes_read.sum", 100, 100, application=200)
        self.assertEqual(p.references(), (classes.KERNEL_REPLAY,))


class CachesLeftAlone(unittest.TestCase):
    def pair(self, counter, once=None, **counts):
        run = one_counter(counter, **counts)
        if once is not None:
            row = launch()
            row["values"] = {counter: once}
            run[judgement.RIDGEPOINT_APPLICATION] = [row]
        pairs = judgement.pairs_of("p", [run], "none")
        return next(p for p in pairs if p.counter == counter)

    def test_are_compared_where_the_program_left_them(self):
        p = self.pair("dram__bytes_read.sum", kernel_replay=500, ridgepoint=500, application=1000,
                      once=1005)
        self.assertEqual(p.why_not_judged(), "")
        self.assertEqual(p.references(), (classes.APPLICATION_REPLAY,))
        self.assertTrue(p.agrees_at_all())

    def test_are_not_judged_by_replays(self):
        p = self.pair("dram__bytes_read.sum", kernel_replay=500, ridgepoint=1500, application=1000)
        self.assertEqual(p.why_not_judged(), judgement.OTHER_CACHES)

    def test_do_not_matter_to_instructions(self):
        p = self.pair("smsp__inst_executed.sum", kernel_replay=500, ridgepoint=600)
        self.assertEqual((p.why_not_judged(), p.agrees_at_all()), ("", False))


class Medians(unittest.TestCase):
    def test_are_over_all_launches_of_a_kernel_and_all_runs(self):
        def run(*values):
            return {tool: [launch(gpu__time_duration__dot__sum=v) for v in values]
                    for tool in THREE}
        (p,) = judgement.pairs_of("p", [run(1, 2), run(3, 4), run(5, 100)])
        self.assertEqual((p.launches, p.median(judgement.RIDGEPOINT)), (2, 3.5))

    def test_keep_grids_apart(self):
        run = {tool: [launch(gpu__time_duration__dot__sum=1),
                      launch(grid=(9, 1, 1), gpu__time_duration__dot__sum=2)]
               for tool in THREE}
        self.assertEqual(len(judgement.pairs_of("p", [run])), 2)

    def test_are_refused_where_the_tools_saw_different_kernels(self):
        run = one_counter("smsp__inst_executed.sum", 1, 1)
        run[judgement.RIDGEPOINT][0]["kernel"] = "other(int)"
        with self.assertRaises(ValueError):
            judgement.pairs_of("p", [run])

    def test_see_the_same_kernel_in_both_spellings_of_its_name(self):
        run = one_counter("smsp__inst_executed.sum", 1, 1)
        run[classes.KERNEL_REPLAY][0]["kernel"] = "void <unnamed>::scale<float>(float *, int)"
        self.assertEqual({p.kernel for p in judgement.pairs_of("p", [run])}, {"scale"})


class OneAnswer(unittest.TestCase):
    def pair(self, counter, *kernel_replay, ours=1000, duration=LONG, application=None):
        runs = [twice(one_counter(counter, value, ours, duration=duration,
                                  application=application)) for value in kernel_replay]
        return next(p for p in judgement.pairs_of("p", runs) if p.counter == counter)

    def test_decides_whether_a_count_of_a_long_kernel_is_judged(self):
        self.assertEqual(self.pair("dram__bytes_read.sum", 1000, 1005, 995).why_not_judged(), "")
        self.assertEqual(self.pair("dram__bytes_read.sum", 1000, 1020, 1000).why_not_judged(),
                         judgement.SEVERAL_ANSWERS)

    def test_is_of_every_launch_and_not_only_of_medians(self):
        def run(*values):
            return {tool: [launch(gpu__time_duration__dot__sum=LONG,
                                  dram__bytes_read__dot__sum=v) for v in values] for tool in THREE}
        pairs = judgement.pairs_of("p", [run(1000, 1000, 1100), run(1000, 1000, 1000)])
        (p,) = [p for p in pairs if p.counter == "dram__bytes_read.sum"]
        self.assertEqual(p.why_not_judged(), judgement.SEVERAL_ANSWERS)

    def test_is_of_all_modes_that_the_class_names(self):
        """Of L2 both count, of DRAM writes application replay alone."""
        l2 = self.pair("lts__t_bytes.sum", 1000, application=1050)
        self.assertEqual(l2.why_not_judged(), judgement.SEVERAL_ANSWERS)
        writes = self.pair("dram__bytes_write.sum", 1200, application=1000)
        self.assertEqual(writes.why_not_judged(), "")

    def test_does_not_ask_what_ridgepoint_counted(self):
        """Neither does agreement keep a pair in, nor a disagreement get one out."""
        for ours in (1000, 1025, 1050, 5000):
            several = self.pair("lts__t_bytes.sum", 1000, application=1050, ours=ours)
            self.assertEqual(several.why_not_judged(), judgement.SEVERAL_ANSWERS)
            one = self.pair("lts__t_bytes.sum", 1000, application=1005, ours=ours)
            self.assertEqual(one.why_not_judged(), "")

    def test_missing_leaves_ours_among_several_or_beyond_them(self):
        def among(ours):
            return self.pair("lts__t_bytes.sum", 1000, application=1050, ours=ours).among_answers()
        self.assertEqual([among(v) for v in (989, 990, 1025, 1060, 1062)],
                         [False, True, True, True, False])

    def test_does_not_matter_to_the_times_and_short_kernels_dram(self):
        times = [one_counter("gpu__time_duration.sum", 10, t, application=t) for t in (10, 20)]
        (time, *_) = judgement.pairs_of("p", times)
        self.assertEqual(time.why_not_judged(), "")
        self.assertEqual(self.pair("dram__bytes_read.sum", 10**6, 10**7,
                                   duration=SHORT).why_not_judged(), "")

    def test_is_of_nsight_compute_alone(self):
        runs = [one_counter("smsp__inst_executed.sum", 1000, ours) for ours in (1000, 1500)]
        (p,) = [p for p in judgement.pairs_of("p", runs) if p.counter == "smsp__inst_executed.sum"]
        self.assertEqual(p.why_not_judged(), "")


class TheFirstLaunch(unittest.TestCase):
    """Nsight Compute leaves what it has just written to the first launch that it counts."""
    def pairs(self, counter, *launches):
        """Each launch is a grid and what all tools counted."""
        run = {tool: [launch(grid=(grid, 1, 1), gpu__time_duration__dot__sum=LONG)
                      for grid, _ in launches] for tool in THREE}
        for rows in run.values():
            for row, (_, count) in zip(rows, launches):
                row["values"][counter] = count
        return [p for p in judgement.pairs_of("p", [run]) if p.counter == counter]

    def test_has_no_part_in_dram_writes(self):
        (p,) = self.pairs("dram__bytes_write.sum", (8, 55_000), (8, 52_600), (8, 52_700))
        self.assertEqual(p.median(classes.APPLICATION_REPLAY), 52_650)
        self.assertEqual(p.why_not_judged(), "")

    def test_is_shown_where_its_kernel_has_no_other(self):
        first, second = self.pairs("dram__bytes_write.sum", (8, 55_000), (9, 52_600))
        self.assertEqual(first.why_not_judged(), judgement.FIRST_LAUNCH)
        self.assertEqual(first.median(classes.APPLICATION_REPLAY), 55_000)
        self.assertEqual(second.why_not_judged(), "")

    def test_has_its_part_in_all_other_counts(self):
        (p,) = self.pairs("dram__bytes_read.sum", (8, 1000), (8, 1001), (8, 1002))
        self.assertEqual(p.median(classes.KERNEL_REPLAY), 1001)


class Tables(unittest.TestCase):
    def pairs(self, *runs):
        return judgement.pairs_of("p", list(runs))

    def test_count_what_agrees_and_list_what_does_not(self):
        pairs = self.pairs(one_counter("smsp__inst_executed.sum", 1000, 1200))
        self.assertIn("**0 agree**", tables.totals(pairs))
        (line,) = tables.disagreements(pairs)
        self.assertIn("+20.0 %", line)

    def test_do_not_count_zeros_of_both_as_agreement(self):
        pairs = self.pairs(one_counter("smsp__inst_executed.sum", 0, 0))
        self.assertIn("**0 agree**", tables.totals(pairs))
        self.assertIn("in 1 both count nothing", tables.totals(pairs))

    def test_name_a_counter_that_one_tool_could_not_count(self):
        pairs = self.pairs(one_counter("smsp__inst_executed.sum", 1000, None))
        self.assertIn("`smsp__inst_executed.sum`, no value by Ridgepoint: p: scale",
                      flat(tables.missing_lines(pairs)))

    def test_list_a_count_where_the_reference_has_none(self):
        pairs = self.pairs(one_counter("smsp__inst_executed.sum", 0, 7))
        self.assertEqual(len(list(tables.disagreements(pairs))), 1)

    def test_show_what_is_not_judged_with_its_reason(self):
        pairs = self.pairs(one_counter("lts__t_bytes.sum", 1000, 1200, duration=SHORT))
        (line,) = [l for l in tables.class_lines(pairs, ["p"]) if l[0] == "L2"]
        self.assertEqual(line[-3:], ["0 of 1", "20.0 %", "a kernel shorter than 50 us"])
        self.assertEqual(list(tables.disagreements(pairs)), [])

    def test_list_what_has_more_than_one_answer_with_all_of_them(self):
        pairs = self.pairs(one_counter("lts__t_bytes.sum", 1000, 1200, 1050))
        (line,) = tables.several_answers(pairs)
        self.assertEqual(line[5:8], ["1,000", "1,050", "1,200"])
        self.assertEqual(line[-1], "**beyond its answers**, Nsight Compute's modes differ")
        self.assertEqual(list(tables.disagreements(pairs)), [])
        self.assertIn("of 1 Nsight Compute has more than one answer, and 0 of ours are among these",
                      tables.totals(pairs))

    def test_give_both_verdicts_on_dram_writes(self):
        pairs = self.pairs(twice(one_counter("dram__bytes_write.sum", 12_000_000, 10_000_000,
                                             10_010_000)))
        lines = [l for l in tables.class_lines(pairs, ["p"]) if l[0] == "DRAM writes"]
        self.assertEqual([(l[2], l[4], l[-1]) for l in lines],
                         [(classes.KERNEL_REPLAY, "0 of 1", "shown"),
                          (classes.APPLICATION_REPLAY, "1 of 1", "**judged**")])


class Reading(unittest.TestCase):
    def test_takes_launches_from_a_real_export_of_nsight_compute(self):
        export = ROOT / "tests/data/nsight-compute/three-kernels-cache-none.details.csv"
        launches = tools.ncu_launches(export.read_text())
        self.assertEqual([tools.base_name(l["kernel"]) for l in launches],
                         ["copyk", "naive_mm", "wmma_mm"])
        self.assertEqual(launches[1]["grid"], [128, 128, 1])
        self.assertEqual(launches[1]["block"], [16, 16, 1])
        self.assertEqual(launches[0]["values"]["DRAM Frequency"], 3.20)


if __name__ == "__main__":
    RIDGEPOINT = sys.argv.pop()
    unittest.main()
