# The tests inside MuJoCo's wheel, on rattleback.mujoco: how many pass, and that no fewer do than before.
# usage: run_mujoco_tests.py [--list]   in the environment of tools/python --gymnasium; --list: names of those that fail
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

# File: tests that pass today. Those that do not ask for memory layouts, plugins, MjSpec, most callbacks and text output.
PASSING = {"bindings": 62, "rollout": 62, "renderer": 12, "thread_safety": 3, "memory_leak": 1}
INSTALL = "import rattleback.mujoco\nrattleback.mujoco.install()\n"


def main():
    source = Path(find_spec("mujoco").origin).parent
    print("| file of MuJoCo's wheel | passed | of |\n|---|---|---|")
    fewer = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "conftest.py").write_text(INSTALL)
        for name, expected in PASSING.items():
            shutil.copy(source / f"{name}_test.py", folder)
            run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{name}_test.py"], cwd=folder, text=True,
                                 capture_output=True, check=False)
            counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", run.stdout.splitlines()[-1])}
            print(f"| {name}_test.py | {counts.get('passed', 0)} | {sum(counts.values())} |", flush=True)
            if counts.get("passed", 0) < expected:
                fewer.append(f"{name}_test.py: {expected} passed before")
            if "--list" in sys.argv[1:]:
                print("\n".join(line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))))
    if fewer:
        sys.exit("\n".join(fewer))


if __name__ == "__main__":
    main()
