# Writes rattleback/mujoco/_interface.py: names, types and sizes that MuJoCo's own introspection lists. Facts about its interface, so that
# programs which ask for every field find it; nothing else of MuJoCo is needed where the package runs.
# usage: list_interface.py [--check]   in an environment with mujoco (tools/python --gymnasium)
import sys
import textwrap
from pathlib import Path

import mujoco
import numpy as np
from mujoco.introspect import enums, functions, structs

TYPES = {"mjtNum": "d", "double": "d", "float": "f", "int": "i", "mjtByte": "B", "mjtBool": "?", "mjtSize": "l", "char": "S", "uintptr_t": "L"}
HEAD = '''"""The names, types and sizes of MuJoCo {version}'s interface; written by bindings/python/tools/list_interface.py.

A line is 'key: words', and goes on where it is indented. Keys of arrays: type (d double, f float, i int, l long, ? bool, B byte, S text) and sizes of the dimensions."""
'''


def find_constant(name):
    """A number that MuJoCo's headers name: a constant, or the last enumerator of something."""
    for enum in enums.ENUMS.values():
        if name in enum.values:
            return enum.values[name]
    return getattr(mujoco, name)


def list_arrays(struct):
    """{type and sizes: names} of the arrays of a structure, in its order."""
    groups = {}
    for field in structs.STRUCTS[struct].fields:
        extent = getattr(field, "array_extent", None)
        if extent:
            inner = field.type.inner_type
            letter = TYPES.get(getattr(inner, "name", ""))
            if letter and field.name != "contact":
                sizes = [str(size) if not str(size).startswith("mj") else str(find_constant(size)) for size in extent]
                groups.setdefault(" ".join([letter, *sizes]), []).append(field.name)
    return groups


def list_numbers(struct):
    """Names of the fields that are whole numbers."""
    fields = structs.STRUCTS[struct].fields
    kinds = ("mjtSize", "int", "mjtBool", "size_t", "uint64_t", "uintptr_t")
    return [field.name for field in fields if getattr(field, "array_extent", None) is None and str(field.type) in kinds]


def list_visual():
    """{part: fields with their first values} of mjVisual; arrays have commas."""
    held, table = mujoco.MjModel.from_xml_string("<mujoco/>").vis, {}
    for part in (field.name for field in structs.STRUCTS["mjVisual"].fields):
        name = "global_" if part == "global" else part
        values = {key: getattr(getattr(held, name), key) for key in dir(type(getattr(held, name))) if not key.startswith("_")}
        table[name] = [f"{key}={','.join(f'{x:.7g}' for x in np.ravel(value))}" for key, value in values.items()
                       if isinstance(value, (int, float, np.ndarray)) and np.size(value)]
    return table


def write_table(name, table):
    """A text with a line 'key: words' for each entry; what does not fit goes on, indented."""
    lines = []
    for key, words in table.items():
        lines += textwrap.wrap(f"{key}: {' '.join(words)}", 148, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return f'{name} = """' + "\n".join(lines).replace("\\", "\\\\") + '"""\n'


def make_text():
    """The whole file."""
    text = HEAD.format(version=mujoco.__version__)
    text += write_table("MODEL", {"numbers": list_numbers("mjModel"), **list_arrays("mjModel")})
    text += write_table("DATA", {"numbers": list_numbers("mjData"), **list_arrays("mjData")})
    named = {name: [f"{key}={value}" for key, value in enum.values.items()] for name, enum in enums.ENUMS.items() if hasattr(mujoco, name)}
    text += write_table("ENUMS", named)
    constants = [n for n in dir(mujoco) if n.startswith("mj") and isinstance(getattr(mujoco, n), (int, float)) and n != "mjVERSION_HEADER"]
    text += write_table("NAMES", {
        "constants": [f"{name}={getattr(mujoco, name)!r}" for name in constants if not name.startswith("mjSC")],
        "functions": sorted(name for name in functions.FUNCTIONS if hasattr(mujoco, name)),
        **{name: [word.replace(" ", "_") for word in getattr(mujoco, name)] for name in ("mjDISABLESTRING", "mjENABLESTRING", "mjTIMERSTRING")},
        **{name: ["|".join(row).replace(" ", "_") for row in getattr(mujoco, name)] for name in ("mjVISSTRING", "mjRNDSTRING")},
        **{name: [word.replace(" ", "_") for word in getattr(mujoco, name)] for name in ("mjLABELSTRING", "mjFRAMESTRING")}})
    text += write_table("VISUAL", list_visual())
    return text


def main():
    place = Path(__file__).parents[1] / "rattleback" / "mujoco" / "_interface.py"
    text = make_text()
    if "--check" in sys.argv[1:]:
        if place.read_text() != text:
            sys.exit(f"{place} is not what MuJoCo {mujoco.__version__} has: run bindings/python/tools/list_interface.py")
        return
    place.write_text(text)


if __name__ == "__main__":
    main()
