# tools/peers installs what is missing, once, and never stands in the way, with a stand-in for python3.
import os
import shutil
import unittest

from tool_test import ROOT, ToolTest

LIBRARY = "lib/python3.11/site-packages/mujoco/libmujoco.so.4.0.0"


class Peers(ToolTest):
    def install(self, pip):
        """Exit code and output, with `pip` as the script of the environment's pip; $folder is the environment."""
        (self.tree / "tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / "peers", self.tree / "tools")
        self.write("pip", f'#!/bin/sh\nfolder=$(dirname "$0")/..\necho "$@" >> "{self.tree}/told"\n{pip}\n')
        self.write("bin/python3", f'#!/bin/sh\nmkdir -p "$3/bin" && cp "{self.tree}/pip" "$3/bin/pip"\n')
        for stand_in in (self.tree / "bin" / "python3", self.tree / "pip"):
            stand_in.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.tree}/bin:{os.environ['PATH']}"}
        return self.run_tool(self.tree / "tools" / "peers", env=environment)

    def count_calls(self):
        told = self.tree / "told"
        return len(told.read_text().splitlines()) if told.exists() else 0

    GOOD = f'mkdir -p "$folder/$(dirname {LIBRARY})" && touch "$folder/{LIBRARY}"'

    def test_a_missing_peer_is_installed_at_an_exact_version_and_only_once(self):
        code, output = self.install(self.GOOD)
        self.assertEqual(code, 0)
        self.assertIn("installing mujoco-core==4.0.0", output)
        self.assertTrue((self.tree / "build/peers/mujoco/installed").exists())
        self.assertEqual(self.install(self.GOOD), (0, ""))
        self.assertEqual(self.count_calls(), 1)
        self.assertIn("mujoco-core==4.0.0", (self.tree / "told").read_text())

    def test_without_the_package_index_it_says_skipped_and_succeeds(self):
        code, output = self.install("echo 'ERROR: no network'; exit 1")
        self.assertEqual(code, 0)
        self.assertIn("mujoco skipped: ERROR: no network", output)
        self.assertFalse((self.tree / "build/peers/mujoco").exists())

    def test_a_failure_is_not_tried_again_at_once(self):
        self.install("exit 1")
        code, output = self.install(self.GOOD)
        self.assertEqual((code, self.count_calls()), (0, 1))
        self.assertIn("skipped", output)

    def test_a_package_without_the_library_counts_as_a_failure(self):
        code, output = self.install("exit 0")
        self.assertEqual(code, 0)
        self.assertIn("skipped", output)

    def test_what_a_killed_run_left_is_replaced(self):
        self.write("build/peers/mujoco/half", "")
        self.install(self.GOOD)
        self.assertFalse((self.tree / "build/peers/mujoco/half").exists())
        self.assertTrue((self.tree / "build/peers/mujoco/installed").exists())


if __name__ == "__main__":
    unittest.main()
