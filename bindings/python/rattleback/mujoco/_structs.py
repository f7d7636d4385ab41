"""MuJoCo's small structures that programs make by themselves: fields with their names and first values, nothing behind them."""
from __future__ import annotations

import copy
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tables import VISUAL


class _Sealed(type):
    """Of what has all its fields once it is made."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        made = super().__call__(*arguments, **named)
        made._is_whole = True
        return made


class Struct(metaclass=_Sealed):
    """Equal where all fields are, and shown field by field. As in MuJoCo no others can be given to it."""

    __slots__ = ("__dict__", "__weakref__", "_is_whole")  # beside the fields, not among them

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or vars(self).keys() != vars(other).keys():
            return NotImplemented
        return all(np.array_equal(value, vars(other)[name]) for name, value in vars(self).items())

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: Any) -> None:
        """Arrays and parts take the values and stay the same objects, numbers keep their kind."""
        if name == "_is_whole":
            object.__setattr__(self, name, value)
            return
        if name not in self.__dict__ and getattr(self, "_is_whole", False):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        held = self.__dict__.get(name)
        if isinstance(held, np.ndarray):
            held[...] = value
        elif isinstance(held, Struct) and isinstance(value, Struct):
            held.take(value)
        elif isinstance(held, (int, float)) and not isinstance(value, np.ndarray):
            vars(self)[name] = operator.index(value) if isinstance(held, int) else float(value)
        else:
            vars(self)[name] = value

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
    topics: int = 0
    logto_console: bool = False
    logto_file: bool = False
    logfile: str = ""


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
    ambient: npt.NDArray[np.float64] = _zeros(3)
    diffuse: npt.NDArray[np.float64] = _zeros(3)
    specular: npt.NDArray[np.float64] = _zeros(3)
    attenuation: npt.NDArray[np.float64] = _zeros(3)
    id: int = 0
    type: int = 0
    texid: int = 0
    headlight: int = 0
    castshadow: int = 0
    cutoff: float = 0.0
    exponent: float = 0.0
    bulbradius: float = 0.0
    intensity: float = 0.0
    range: float = 0.0
    softness: float = 0.0
