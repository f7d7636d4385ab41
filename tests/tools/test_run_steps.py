# packaging/run_steps keeps its systems in folders of its own, and removes nothing elsewhere.
import importlib.util
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path
from unittest import mock

from tool_test import ROOT, ToolTest

loader = SourceFileLoader("run_steps", str(ROOT / "packaging/run_steps"))
run_steps = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_steps", loader))
loader.exec_module(run_steps)


class RunSteps(ToolTest):
    def test_a_folder_with_other_files_is_refused_and_left_alone(self):
        self.write("build/precious", "")
        self.assertIn("holds something else", run_steps.claim(self.tree))
        self.assertEqual([file.name for file in self.tree.iterdir()], ["build"])

    def test_an_empty_folder_and_one_of_an_earlier_run_are_taken(self):
        folder = self.tree / "new"
        self.assertIsNone(run_steps.claim(folder))
        (folder / "system_build").mkdir()
        self.assertIsNone(run_steps.claim(folder))

    def test_a_bootstrap_that_was_broken_off_is_made_anew(self):
        ran = []

        def run(words, **_):
            ran.append([str(word) for word in words])
            if "debootstrap" in words:
                self.write("bookworm.part/etc/debian_version", "12")
                if len(ran) == 1:
                    raise KeyboardInterrupt

        builder = run_steps.Builder(self.tree, ["nice"], None)
        with mock.patch.object(run_steps.subprocess, "run", run), mock.patch.object(run_steps, "System"):
            self.assertRaises(KeyboardInterrupt, builder.make_system, "debian:12", "build")
            self.assertFalse((self.tree / "bookworm").exists())
            builder.make_system("debian:12", "build")
            builder.make_system("debian:12", "final")
        self.assertEqual([words[1] for words in ran], ["unshare", "unshare", "-a", "-a"])  # the base is made once, then copied
        self.assertEqual([Path(words[-1]).name for words in ran[2:]], ["system_build", "system_final"])

    def test_conda_without_a_kept_system_is_a_plain_message(self):
        with (mock.patch.object(run_steps, "find_reasons", return_value={}), mock.patch("sys.argv", ["run_steps", "--only", "conda", "--folder", str(self.tree)]),
              self.assertRaisesRegex(SystemExit, "give the --folder")):
            run_steps.main()


if __name__ == "__main__":
    unittest.main()
