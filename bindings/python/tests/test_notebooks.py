"""The notebooks run, and print what is kept in them. `python tests/test_notebooks.py FOLDER` runs them and writes their outputs anew."""
import ast
import base64
import contextlib
import io
import json
import os
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("RATTLEBACK_EXAMPLES") or Path(__file__).parents[3] / "examples" / "python").parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def write_png(picture):
    """(height, width, 3) as a PNG file."""
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def run_cell(source, names):
    """Outputs of a cell, as Jupyter keeps them: what it prints, and its last expression; pictures are shown."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None  # noqa: S307
    outputs = [{"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)}] if printed.getvalue() else []
    if isinstance(value, np.ndarray) and value.ndim == 3 and value.dtype == np.uint8:
        data = {"image/png": base64.b64encode(write_png(value)).decode(), "text/plain": [f"picture of {value.shape[1]} x {value.shape[0]} pixels"]}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    elif value is not None:
        outputs.append({"output_type": "execute_result", "data": {"text/plain": repr(value).splitlines(True)}, "metadata": {}})
    return outputs


def run(path):
    """The notebook with the outputs of this run."""
    notebook, names, count = json.loads(path.read_text()), {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["outputs"], cell["execution_count"] = run_cell("".join(cell["source"]), names), count
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = count
    return notebook


def find_texts(notebook):
    """What the cells print or answer; of pictures their size."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [["".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]] for cell in cells]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_answers_what_is_kept_in_it(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = json.loads(path.read_text())
    assert any(find_texts(kept)) and find_texts(run(path)) == find_texts(kept)


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.ipynb")):
        file.write_text(json.dumps(run(file), indent=1) + "\n")
