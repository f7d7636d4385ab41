# tools/node_packages and apps/viewer/build_page: without Node or network the build goes on and says why there is no page.
import os
import shutil
import subprocess
import unittest

from tool_test import ROOT, ToolTest


class NodePackages(ToolTest):
    def setUp(self):
        super().setUp()
        (self.tree / "bin").mkdir()
        for program in ("bash", "cat", "cmp", "cp", "dirname", "find", "flock", "grep", "head", "mkdir", "rm", "touch", "tr"):
            os.symlink(shutil.which(program), self.tree / "bin" / program)
        self.environment = {"PATH": f"{self.tree}/bin"}

    def add_program(self, name, text):
        self.write(f"bin/{name}", f'#!/bin/bash\necho "{name} $*" >> "{self.tree}/told"\n{text}\n')
        (self.tree / "bin" / name).chmod(0o755)

    def told(self):
        file = self.tree / "told"
        return file.read_text() if file.exists() else ""

    def install(self):
        return self.run_tool("node_packages", ROOT / "apps" / "viewer", self.tree / "to", env=self.environment)

    def build_page(self):
        """Output, and the C++ that was written."""
        command = [ROOT / "apps" / "viewer" / "build_page", self.tree / "to"]
        result = subprocess.run(command, capture_output=True, text=True, check=True, env=self.environment)
        return result.stdout, (self.tree / "to" / "viewer_page.cpp").read_text()

    def test_a_missing_program_is_named(self):
        code, _ = self.install()
        self.assertEqual(code, 1)
        self.assertEqual((self.tree / "to" / "node_packages.failed").read_text(), "node is not installed\n")

    def test_what_is_there_is_not_installed_again(self):
        self.add_program("node", "")
        self.add_program("npm", "mkdir -p node_modules")
        self.assertEqual(self.install()[0], 0)
        self.assertIn("npm ci --ignore-scripts", self.told())
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.told().count("npm ci"), 1)

    def test_a_failure_is_not_repeated_within_an_hour(self):
        self.add_program("node", "")
        self.add_program("npm", 'echo "npm error network unreachable"; exit 1')
        self.assertEqual(self.install()[0], 1)
        self.assertIn("network unreachable", (self.tree / "to" / "node_packages.failed").read_text())
        self.assertEqual(self.install()[0], 1)
        self.assertEqual(self.told().count("npm ci"), 1)

    def test_without_node_the_stand_in_compiles_and_says_why(self):
        output, text = self.build_page()
        self.assertIn("node is not installed", output)
        self.assertIn("node is not installed", text)
        self.assertFalse((self.tree / "to" / "complete").exists(), "the next build tries again")
        subprocess.run(["c++", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", f"-I{ROOT}", "-x", "c++", "-"], input=text, text=True,
                       check=True)

    def test_the_reason_cannot_break_the_stand_in(self):
        self.add_program("node", "")
        self.add_program("npm", "echo 'npm error \"quoted\" \\\\ and $(more)'; exit 1")
        _, text = self.build_page()
        subprocess.run(["c++", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", f"-I{ROOT}", "-x", "c++", "-"], input=text, text=True,
                       check=True)


if __name__ == "__main__":
    unittest.main()
