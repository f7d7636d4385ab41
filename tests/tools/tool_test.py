# Common ground of the tools' tests: a temporary tree of files, and a run of one tool on it.
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)

    def write(self, path, text):
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_tool(self, *command, **options):
        """Exit code and output of tools/NAME ARGS..."""
        command = [ROOT / "tools" / command[0], *command[1:]]
        if command[0].read_text().startswith("#!/usr/bin/env python3"):
            command.insert(0, sys.executable)
        result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
        return result.returncode, result.stdout + result.stderr
