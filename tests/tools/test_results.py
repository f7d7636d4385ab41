# tools/results stores what commands print, writes it into pages, and notices what differs.
import json
import os
import re
import unittest

from tool_test import ROOT, ToolTest

REPORT = {"bench": "falls", "verdict": "falls: pass (1 of 1 bars met)",
          "figures": [{"name": "height", "value": 1.23456, "unit": "m", "bar": 2, "higher_is_better": False, "passes": True, "precision": "double"},
                      {"name": "a step", "value": 17.0, "unit": "us", "bar": None, "higher_is_better": False, "passes": True, "precision": "double"}],
          "tables": [{"title": "bodies", "columns": ["sink [mm]", "step [us]"],
                      "rows": [{"name": "ours", "precision": "single", "values": [0.5, 3.25]}, {"name": "peer", "precision": "double", "values": [None, 9.0]}]}]}
PAGE = """# Falls
<!-- results {"run": "falls", "table": "bodies", "columns": ["sink [mm]"]} --><!-- end -->
<!-- results {"run": "falls", "figures": "height"} --><!-- end -->
<!-- results {"run": "falls", "head": "what", "rows": ["height"], "grid": {"[m]": "{row}"}} --><!-- end -->
It falls to <!-- figure {"run": "falls", "name": "height"} -->9 m<!-- end -->. <!-- verdict {"run": "falls"} --><!-- end -->
"""


class Results(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("docs/results/runs.toml", '[falls]\ncommand = "bench falls"\n')
        self.write("docs/falls.md", PAGE)
        self.program(REPORT)

    def program(self, report):
        self.write("program", f"#!/bin/sh\necho noise before\ncat <<'E'\n{json.dumps(report)}\nE\n")
        (self.tree / "program").chmod(0o755)

    def results(self, *words):
        return self.run_tool("results", *words, "--program", str(self.tree / "program"), "--commit", "0123456789", "--folder", str(self.tree),
                             env={**os.environ, "RATTLEBACK_ROOT": str(self.tree)})

    def page(self):
        return (self.tree / "docs/falls.md").read_text()

    def test_the_pages_of_this_repository_show_what_is_stored(self):
        code, output = self.run_tool("results", "check")
        self.assertEqual(code, 0, output)

    def test_speeds_in_the_prose_come_from_a_stored_run_or_name_their_commit(self):
        blocks = re.compile(r"<!-- (results|figure|verdict) (\{.*?\}) -->(.*?)<!-- end -->", re.DOTALL)
        speed = re.compile(r"\d[\d.,]*\s?(µs (?:a|per) |steps/s|times MuJoCo|× MuJoCo|s/step|ms a step)")
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
        bare = [f"{page.relative_to(ROOT)}: {match[0]}" for page in pages for line in blocks.sub("", page.read_text()).split("\n")
                if not re.search(r"commit [0-9a-f]{7}", line) for match in speed.finditer(line)]
        self.assertEqual(bare, [])

    def test_a_run_is_stored_with_command_commit_and_machine_and_shown(self):
        code, output = self.results("run")
        self.assertEqual(code, 0, output)
        record = json.loads((self.tree / "docs/results/falls.json").read_text())
        self.assertEqual((record["command"], record["commit"]), ("rattleback bench falls", "0123456789"))
        self.assertGreater(record["machine"]["threads"], 0)
        self.assertIn("| ours | single | 0.5 |", self.page())
        self.assertIn("| peer | double |  |", self.page())
        self.assertIn("| height | 1.23 | m | ≤ 2 | met | double |", self.page())
        self.assertIn("| what | precision | [m] |\n|---|---|---|\n| height | double | 1.23 |", self.page())
        self.assertIn("-->1.23 m<!--", self.page())
        self.assertIn("falls: pass (1 of 1 bars met)", self.page())
        self.assertIn("`rattleback bench falls`, commit 01234567", self.page())
        self.assertEqual(self.results("check")[0], 0)

    def test_what_is_stored_for_a_commit_is_not_run_again(self):
        self.results("run")
        (self.tree / "program").unlink()
        code, output = self.results("run")
        self.assertEqual((code, "stored for this commit already" in output), (0, True), output)

    def test_a_figure_changed_by_hand_is_noticed(self):
        self.results("run")
        self.write("docs/falls.md", self.page().replace("-->1.23 m<!--", "-->1.11 m<!--"))
        code, output = self.results("check")
        self.assertEqual((code, "docs/falls.md" in output), (1, True), output)

    def test_a_fresh_run_is_compared_but_for_times(self):
        self.results("run")
        report = json.loads(json.dumps(REPORT))
        report["figures"][1]["value"] = report["tables"][0]["rows"][0]["values"][1] = 1e3
        self.program(report)
        self.assertEqual(self.results("compare")[0], 0)
        report["tables"][0]["rows"][0]["values"][0] = 0.6
        self.program(report)
        code, output = self.results("compare")
        self.assertEqual((code, "ours / sink [mm]: stored 0.5, now 0.6" in output), (1, True), output)

    def test_a_verdict_that_changed_is_noticed(self):
        self.results("run")
        report = json.loads(json.dumps(REPORT))
        report["figures"][0]["passes"] = False
        self.program(report)
        self.assertIn("height passes: stored True, now False", self.results("compare")[1])

    def test_mistakes_are_named(self):
        self.results("run")
        for text, message in (('{"run": "rises", "table": "x"}', "has no run 'rises'"),
                              ('{"run": "falls", "table": "x"}', "0 tables of run falls match 'x'; it has 'bodies'"),
                              ('{"run": "falls", "figures": "x"}', "no figure of run falls matches 'x'"),
                              ('{"run": "falls", "table": "bodies", "columns": ["x"]}', "no columns ['x']"),
                              ('{"run": "falls", "rows": ["x"], "grid": {"a": "{row}"}}', "has no figures ['x']"),
                              ('{"run": falls}', "is not JSON")):
            self.write("docs/falls.md", f"<!-- results {text} --><!-- end -->")
            code, output = self.results("check")
            self.assertEqual((code, message in output), (1, True), output)

    def test_a_command_that_fails_stores_nothing_and_the_others_go_on(self):
        self.write("docs/results/runs.toml", '[none]\ncommand = "bench none"\n[falls]\ncommand = "bench falls"\n')
        self.write("program", f"#!/bin/sh\n[ $2 = none ] && {{ echo broken >&2; exit 2; }}\necho '{json.dumps(REPORT)}'\n")
        code, output = self.results("run")
        self.assertEqual((code, "exit code 2: broken" in output), (1, True), output)
        self.assertFalse((self.tree / "docs/results/none.json").exists())
        self.assertTrue((self.tree / "docs/results/falls.json").exists())


if __name__ == "__main__":
    unittest.main()
