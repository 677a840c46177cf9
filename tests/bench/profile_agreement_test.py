"""bench/profile_agreement.py the whole way, with tools that stand in for ncu and ridgepoint."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench/profile_agreement.py"
COUNTERS = ["gpu__time_duration.sum", "smsp__inst_executed.sum", "dram__bytes_write.sum"]

# Two launches of one kernel. Kernel replay of the stand-in writes more, as Nsight Compute's does.
NCU = """
import sys
if "--version" in sys.argv:
    print("Version 1.2.3.4 (build 5)")
    sys.exit()
names = sys.argv[sys.argv.index("--metrics") + 1].split(",")
once = "application" in sys.argv
counts = {"gpu__time_duration.sum": "80,000", "smsp__inst_executed.sum": "1,000",
          "dram__bytes_write.sum": "5,000,000" if once else "7,000,000"}
print('"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Value"')
for i in range(2):
    for name in names:
        if name in counts:
            print(f'"{i}","void scale(float *)","(256, 1, 1)","(8, 1, 1)","{name}","{counts[name]}"')
"""
RIDGEPOINT = """
import json, sys
names = ["gpu__time_duration.sum", "smsp__inst_executed.sum", "dram__bytes_write.sum"]
if "--plan" in sys.argv:
    print("CHIP: 3 counters in 2 passes")
    print("".join(f"  {name}\\n" for name in names))
    sys.exit()
json.dump({"devices": [{"driver_version": "1.2", "cupti_version": "13"}], "issues": [],
           "kernels": [{"name": "scale(float*)"}],
           "launches": {"kernel": [0, 0], "grid_x": [8, 8], "block_x": [256, 256]},
           "counters": {"names": names, "columns": [[81000] * 2, [1200] * 2, [5010000] * 2]}},
          open(sys.argv[sys.argv.index("-o") + 1], "w"))
"""


class ProfileAgreement(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("ncu", NCU), ("ridgepoint", RIDGEPOINT)):
            tool = self.folder / name
            tool.write_text(f"#!{sys.executable} -IS\n{text}")
            tool.chmod(0o755)

    def run_script(self, *options):
        """What it wrote."""
        done = self.start(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / "out.md").read_text()

    def start(self, *options, path=None):
        path = path or f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, "-B", str(SCRIPT), "-o", str(self.folder / "out.md"), *options],
            env={**os.environ, "PATH": path}, capture_output=True, text=True)

    def refusal(self, *options, path=None):
        done = self.start(*options, path=path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr.splitlines()[-1]

    def measure(self, *options):
        return self.run_script("--vector", "true", "--only", "vector", *options)

    def test_judges_and_names_what_it_measured_with(self):
        text = self.measure()
        self.assertIn("Nsight Compute 1.2.3.4", text)
        self.assertIn("3 judged, of which **2 agree**", text)
        (line,) = [l for l in text.splitlines() if "`smsp__inst_executed.sum`" in l]
        self.assertIn("+20.0 %", line)

    def test_keeps_what_somebody_wrote_before_its_own_part(self):
        (self.folder / "out.md").write_text("# Mine\n\n## Programs\n\nold\n")
        text = self.measure()
        self.assertTrue(text.startswith("# Mine\n\n## Programs\n"))
        self.assertNotIn("old", text)

    def test_measures_quick_programs_with_the_other_policy_too(self):
        text = self.measure("--cache-control", "both")
        self.assertIn("### `--cache-control flush`", text)
        self.assertIn("### `--cache-control none`", text)

    def test_adds_up_what_was_saved(self):
        saved = str(self.folder / "saved.json")
        self.assertIn("vector (5)", self.measure("--save", saved))
        self.assertIn("vector (10)", self.run_script("--from", saved, saved))

    def test_says_which_tool_failed_and_why(self):
        (self.folder / "ncu").write_text("#!/bin/sh\necho no counters for you >&2\nexit 9\n")
        text = self.measure()
        self.assertIn("- vector, flush, kernel replay: ended with 9: no counters for you", text)
        self.assertNotIn("vector (", text)

    def test_times_what_each_tool_adds(self):
        text = self.measure("--only-cost", "--repeats", "2")
        self.assertIn("| program | rounds | alone, s | Nsight Compute adds, s | ridgepoint adds, s |",
                      text)
        (line,) = [l for l in text.splitlines() if l.startswith("| vector ")]
        self.assertEqual(line.split("|")[2].strip(), "2")

    def test_takes_only_the_heading_for_the_end_of_what_somebody_wrote(self):
        mine = "# Mine\n\n### Programs we like\n\nsee ## Programs\n\n"
        (self.folder / "out.md").write_text(mine)
        self.assertTrue(self.measure().startswith(mine + "## Programs\n"))

    def test_refuses_in_a_line_what_it_cannot_do(self):
        broken = self.folder / "broken.json"
        for text, why in (("{", "broken.json"), ("{}", "was not written by --save"),
                          ('{"versions": {}, "runs": {}, "notes": []}', "holds no run")):
            broken.write_text(text)
            self.assertIn(why, self.refusal("--from", str(broken)))
        self.assertIn("nothing", self.refusal("--vector", "true", "--only", "nothing"))
        (self.folder / "out.md").write_text("## Programs\n")
        self.assertIn("overwrite", self.refusal("--vector", "true", "--only-cost"))
        (self.folder / "ncu").unlink()
        self.assertIn("ncu is not in PATH", self.refusal("--vector", "true", path=str(self.folder)))


if __name__ == "__main__":
    unittest.main()
