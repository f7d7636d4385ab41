"""What MuJoCo's compiled functions say about their arguments, for functions that are written in Python: arrays that are written to are arrays of
doubles and may be written, and sizes fit; otherwise a TypeError with the name of the function."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

# Arguments that functions write to, by MuJoCo's names of them.
_WRITTEN = frozenset(("res", "jacp", "jacr", "jacPoint", "jacAxis", "dst", "result", "posres", "quatres", "DfDq", "DfDv", "DfDa", "DsDq", "DsDv",
                      "DsDa", "DmDq", "pyramid"))
_SIZES = ("broadcast", "reshape", "matmul", "size", "shape", "dimension", "unpack", "array element with a sequence")


def check_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with such checks; as it is where it takes no arrays."""
    names = list(inspect.signature(function).parameters)
    written = [(place, name) for place, name in enumerate(names) if name in _WRITTEN]
    if not any("Array" in str(annotation) for annotation in function.__annotations__.values()):
        return function

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for place, name in written:
            value = args[place] if place < len(args) else kwargs.get(name)
            if value is not None and not (isinstance(value, np.ndarray) and value.dtype == np.float64 and value.flags.writeable):
                raise TypeError(f"{function.__name__}(): incompatible function arguments: {name} must be a writable array of float64")
        try:
            return function(*args, **kwargs)
        except (ValueError, IndexError) as error:
            if any(word in str(error) for word in _SIZES):
                raise TypeError(f"{function.__name__}(): incompatible function arguments: {error}") from None
            raise

    return checked
