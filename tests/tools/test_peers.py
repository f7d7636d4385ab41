# tools/peers installs what is missing, once, and never stands in the way, with stand-ins for python3 and npm.
import os
import shutil
import unittest

from tool_test import ROOT, ToolTest

LIBRARY = "lib/python3.11/site-packages/mujoco/libmujoco.so.4.0.0"
WASM = "node_modules/@mujoco/mujoco/mujoco.wasm"


class Peers(ToolTest):
    def install(self, pip, *options, npm="echo 'npm error: no network'; exit 1", node=True):
        """Exit code and output, with `pip` as the script of the environment's pip; $folder is the environment. `npm` is
        the script of npm, with the prefix in $3; node=False: there is no Node."""
        (self.tree / "tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / "peers", self.tree / "tools")
        self.write("pip", f'#!/bin/sh\nfolder=$(dirname "$0")/..\necho "$@" >> "{self.tree}/told"\n{pip}\n')
        self.write("bin/python3", f'#!/bin/sh\nmkdir -p "$3/bin" && cp "{self.tree}/pip" "$3/bin/pip"\n')
        self.write("bin/npm", f'#!/bin/sh\nfolder=$3\necho "npm $@" >> "{self.tree}/told"\n{npm}\n')
        self.write("bin/node", "#!/bin/sh\n")
        for stand_in in ("bin/python3", "bin/npm", "bin/node", "pip"):
            (self.tree / stand_in).chmod(0o755)
        if not node:
            (self.tree / "bin" / "node").unlink()
        # Nothing but the stand-ins and what the script itself needs: the machine's own npm is not found.
        for tool in ("sh", "bash", "env", "dirname", "mkdir", "cp", "touch", "cat", "find", "rm", "mv", "grep", "tail", "flock"):
            if not (self.tree / "bin" / tool).exists():
                (self.tree / "bin" / tool).symlink_to(shutil.which(tool))
        environment = {**os.environ, "PATH": f"{self.tree}/bin"}
        return self.run_tool(self.tree / "tools" / "peers", *options, env=environment)

    def count_calls(self):
        told = self.tree / "told"
        return len(told.read_text().splitlines()) if told.exists() else 0

    GOOD = f'mkdir -p "$folder/$(dirname {LIBRARY})" && touch "$folder/{LIBRARY}"'
    GOOD_NPM = f'mkdir -p "$folder/$(dirname {WASM})" && touch "$folder/{WASM}"'

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
        self.assertEqual(self.count_calls(), 2)
        code, output = self.install(self.GOOD, npm=self.GOOD_NPM)
        self.assertEqual((code, self.count_calls()), (0, 2))
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

    def test_the_npm_build_is_the_fallback_where_the_native_library_cannot_be_installed(self):
        code, output = self.install("exit 1", npm=self.GOOD_NPM)
        self.assertEqual(code, 0)
        self.assertIn("mujoco skipped", output)
        self.assertIn("installing @mujoco/mujoco@3.14.0", output)
        self.assertTrue((self.tree / "build/peers/mujoco_node/installed").exists())

    def test_the_npm_build_is_not_installed_beside_the_native_library_unless_asked_for(self):
        self.install(self.GOOD, npm=self.GOOD_NPM)
        self.assertFalse((self.tree / "build/peers/mujoco_node").exists())
        self.install(self.GOOD, "--node", npm=self.GOOD_NPM)
        self.assertTrue((self.tree / "build/peers/mujoco_node/installed").exists())
        self.assertEqual(self.install(self.GOOD, "--node", npm=self.GOOD_NPM), (0, ""))
        self.assertEqual(self.count_calls(), 2)

    def test_without_node_or_its_registry_the_fallback_is_skipped_too(self):
        code, output = self.install("exit 1", node=False, npm=self.GOOD_NPM)
        self.assertEqual(code, 0)
        self.assertIn("mujoco_node skipped: error: node is not installed", output)
        (self.tree / "build/peers/mujoco_node.failed").unlink()
        self.assertIn("mujoco_node skipped: npm error: no network", self.install("exit 1")[1])

    def test_pinocchio_is_installed_only_when_asked_for(self):
        self.install(self.GOOD)
        self.assertFalse((self.tree / "build/peers/pinocchio").exists())
        module = "lib/python3.11/site-packages/cmeel.prefix/lib/python3.11/site-packages/pinocchio/__init__.py"
        good = f'mkdir -p "$folder/$(dirname {module})" && touch "$folder/{module}"'
        code, output = self.install(good, "--node", "--pinocchio", npm=self.GOOD_NPM)
        self.assertEqual(code, 0)
        self.assertIn("installing pin==4.1.0", output)
        self.assertTrue((self.tree / "build/peers/pinocchio/installed").exists())
        self.assertEqual(self.install(good, "--pinocchio"), (0, ""))

    def test_an_unknown_option_is_refused(self):
        code, output = self.install(self.GOOD, "--nod")
        self.assertEqual(code, 2)
        self.assertIn("usage", output)
        self.assertEqual(self.count_calls(), 0)


if __name__ == "__main__":
    unittest.main()
