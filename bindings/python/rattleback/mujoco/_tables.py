"""MuJoCo's interface as tables: which fields, sizes, enumerators, constants and functions there are."""
from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from . import _interface


def _read(text: str) -> dict[str, list[str]]:
    """{key: words} of a table."""
    table: dict[str, list[str]] = {}
    key = ""
    for line in text.splitlines():
        if line.startswith(" "):
            table[key] += line.split()
        else:
            key, _, words = line.partition(": ")
            table[key] = words.split()
    return table


class Shape:
    """Type and sizes of an array; sizes are numbers, names of sizes, or products of both."""

    def __init__(self, text: str) -> None:
        letter, *self.sizes = text.split()
        self.is_text = letter == "S"
        self.dtype = np.dtype({"S": "u1", "B": "u1", "?": "?", "i": "i4", "l": "i8", "L": "u8", "f": "f4", "d": "f8"}[letter])

    def find(self, sizes: Any) -> tuple[int, ...]:
        """As numbers; `sizes` has the named ones as attributes."""
        result = []
        for word in self.sizes:
            size = 1
            for factor in word.split("*"):
                size *= int(factor) if factor.isdigit() else int(getattr(sizes, factor, 0))
            result.append(size)
        return tuple(result)


def _split(table: dict[str, list[str]]) -> tuple[list[str], dict[str, Shape]]:
    arrays = {name: Shape(key) for key, names in table.items() if key != "numbers" for name in names}
    return table["numbers"], arrays


MODEL_NUMBERS, MODEL_ARRAYS = _split(_read(_interface.MODEL))
DATA_NUMBERS, DATA_ARRAYS = _split(_read(_interface.DATA))
# Fields of deformable bodies that MuJoCo 3.17 had and dm_control 1.0.50 asks for.
MODEL_ARRAYS |= {"flex_vertedge": Shape("i nflexedge 2"), "flex_vertedgeadr": Shape("i nflexvert"), "flex_vertedgenum": Shape("i nflexvert"),
                 "flex_vertmetric": Shape("d nflexvert 4"), "flexvert_J_colind": Shape("i nJfv 2"), "flexvert_J_rowadr": Shape("i nflexvert 2"),
                 "flexvert_J_rownnz": Shape("i nflexvert 2")}
DATA_ARRAYS |= {"flexvert_J": Shape("d nJfv 2"), "flexvert_length": Shape("d nflexvert 2")}


def _make_enum(name: str, words: list[str]) -> Any:
    pairs = [word.split("=") for word in words]
    return IntEnum(name, [(key, int(value)) for key, value in pairs], module=__name__)


ENUMS: dict[str, Any] = {name: _make_enum(name, words) for name, words in _read(_interface.ENUMS).items()}
_names = _read(_interface.NAMES)
FUNCTIONS = frozenset(_names.pop("functions"))
CONSTANTS: dict[str, Any] = {}
for _word in _names.pop("constants"):
    _key, _, _value = _word.partition("=")
    CONSTANTS[_key] = int(_value) if _value.isdigit() else float(_value)
for _key, _words in _names.items():
    _texts = [word.replace("_", " ") for word in _words]
    # Flags of pictures come with whether they are on and a key.
    CONSTANTS[_key] = tuple(tuple(text.split("|")) for text in _texts) if _key in ("mjVISSTRING", "mjRNDSTRING") else tuple(_texts)
VISUAL: dict[str, dict[str, Any]] = {}  # parts of mjVisual, their fields and first values
for _key, _words in _read(_interface.VISUAL).items():
    VISUAL[_key] = {}
    for _word in _words:
        _name, _, _value = _word.partition("=")
        _parts = [float(part) for part in _value.split(",")]
        VISUAL[_key][_name] = _parts if len(_parts) > 1 else _parts[0]

mjtObj = ENUMS["mjtObj"]
mjtState = ENUMS["mjtState"]
mjtDisableBit = ENUMS["mjtDisableBit"]
