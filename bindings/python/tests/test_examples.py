"""The examples print what the files beside them say."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("RATTLEBACK_EXAMPLES") or Path(__file__).parents[3] / "examples" / "python")
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_its_file_says(name, tmp_path):
    run = subprocess.run([sys.executable, FOLDER / f"{name}.py"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout == (FOLDER / "expected" / f"{name}.txt").read_text()
