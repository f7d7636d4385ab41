"""MuJoCo's small structures that programs make by themselves: fields with their names and first values, nothing behind them."""
from __future__ import annotations

import copy
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tables import VISUAL


class Struct:
    """Equal where all fields are, and shown field by field."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or vars(self).keys() != vars(other).keys():
            return NotImplemented
        return all(np.array_equal(value, vars(other)[name]) for name, value in vars(self).items())

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: Any) -> None:
        """Arrays and parts take the values and stay the same objects, numbers keep their kind."""
        held = self.__dict__.get(name)
        if isinstance(held, np.ndarray):
            held[...] = value
        elif isinstance(held, Struct) and isinstance(value, Struct):
            held.take(value)
        elif isinstance(held, (int, float)) and not isinstance(value, np.ndarray):
            self.__dict__[name] = operator.index(value) if isinstance(held, int) else float(value)
        else:
            self.__dict__[name] = value

    def take(self, other: Struct) -> None:
        """All values of another one."""
        for name, value in vars(other).items():
            setattr(self, name, value)

    def __copy__(self) -> Any:
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        fields = "".join(f"  {name}: {value!r}\n" for name, value in vars(self).items() if not name.startswith("_"))
        return f"<{type(self).__name__}\n{fields}>"


def _zeros(size: int) -> npt.NDArray[np.float64]:
    return field(default_factory=lambda: np.zeros(size))


@dataclass(eq=False, repr=False)
class MjWarningStat(Struct):
    """How often something was warned of."""

    lastinfo: int = 0
    number: int = 0


@dataclass(eq=False, repr=False)
class MjTimerStat(Struct):
    """How long something took; nothing is measured here."""

    duration: float = 0.0
    number: int = 0


@dataclass(eq=False, repr=False)
class MjSolverStat(Struct):
    """One iteration of the solver."""

    improvement: float = 0.0
    gradient: float = 0.0
    lineslope: float = 0.0
    nactive: int = 0
    nchange: int = 0
    neval: int = 0
    nupdate: int = 0


@dataclass(eq=False, repr=False)
class MjStatistic(Struct):
    """Sizes of a model."""

    meaninertia: float = 0.0
    meanmass: float = 0.0
    meansize: float = 0.0
    extent: float = 0.0
    center: npt.NDArray[np.float64] = _zeros(3)


@dataclass(eq=False, repr=False)
class MjLROpt(Struct):
    """Options of length ranges, which the importer computes by itself."""

    mode: int = 2
    useexisting: int = 1
    uselimit: int = 0
    accel: float = 20.0
    maxforce: float = 0.0
    timeconst: float = 1.0
    timestep: float = 0.01
    inttotal: float = 10.0
    interval: float = 2.0
    tolrange: float = 0.05


@dataclass(eq=False, repr=False)
class MjLogConfig(Struct):
    """Where messages go; there are none."""

    level: int = 0


class VisualPart(Struct):
    """A part of MjVisual."""

    def __init__(self, part: str) -> None:
        for name, value in VISUAL[part].items():
            whole = not isinstance(value, list) and value == int(value) and name in _WHOLE
            setattr(self, name, np.array(value) if isinstance(value, list) else int(value) if whole else value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"MjVisual has no '{name}' there")


_WHOLE = ("active", "bvactive", "cameraid", "ellipsoidinertia", "numquads", "numslices", "numstacks", "offheight", "offsamples", "offwidth", "orthographic",
          "shadowsize")


class MjVisual(Struct):
    """How a model wants to be seen."""

    global_: VisualPart
    quality: VisualPart
    headlight: VisualPart
    map: VisualPart
    scale: VisualPart
    rgba: VisualPart

    def __init__(self) -> None:
        for part in VISUAL:
            setattr(self, part, VisualPart(part))


@dataclass(eq=False, repr=False)
class MjrRendererInfo(Struct):
    """What draws; MuJoCo knows three kinds, of which ours is the one without a graphics library."""

    renderer: str = "noop"
    backend: str = ""


@dataclass(eq=False, repr=False)
class MjvLight(Struct):
    """A light of a scene; not used."""

    pos: npt.NDArray[np.float64] = _zeros(3)
    dir: npt.NDArray[np.float64] = _zeros(3)
