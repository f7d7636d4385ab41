# Writes the lists of docs/from_mujoco.md: functions, arrays that can be written, arrays that are zeros.
# usage: list_support.py [--check]   PYTHONPATH with the package; --check: fails where the page says something else
import sys
import textwrap
from pathlib import Path

from rattleback.mujoco import _support, _tables, _text

PAGE = Path(__file__).parents[3] / "docs/from_mujoco.md"


def write_words(words):
    """In lines of 148 letters."""
    return textwrap.fill(", ".join(f"`{word}`" for word in words), 148, break_long_words=False, break_on_hyphens=False)


def make_lists():
    """{name of a list: its text}"""
    return {"functions": f"{len(_support.list_functions())} of MuJoCo's {len(_tables.FUNCTIONS)}:\n" + write_words(_support.list_functions()),
            "missing": write_words(_support.list_missing()), "written": write_words(_text.WRITTEN),
            "zeros of the model": write_words(_support.list_zeros("model")), "zeros of the data": write_words(_support.list_zeros("data"))}


def main():
    page = PAGE.read_text(encoding="utf-8")
    text = page
    for name, words in make_lists().items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        start = text.index(begin) + len(begin)
        text = text[:start] + words + text[text.index(end, start):]
    if "--check" in sys.argv[1:]:
        if text != page:
            sys.exit(f"{PAGE} is not what the package has: run bindings/python/tools/list_support.py")
        return
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
