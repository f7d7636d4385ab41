"""Recordings: a run as arrays, a table, or a file for other programs."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from . import _core
from ._program import Page, draw, make_page

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]


class Recording:
    """A run that was recorded; its columns are arrays (frame, ...), read when asked for."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._held = _core.load_recording(path)

    def __getattr__(self, name: str) -> Any:
        if name == "_held":  # while a copy is being made
            raise AttributeError(name)
        return getattr(self._held, name)

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return repr(self._held)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._held)})

    def __reduce__(self) -> tuple[Any, ...]:
        return Recording, (self.path,)

    def render(self, width: int = 640, height: int = 480, *, time: float | None = None, camera: str | None = None,
               follow: str | None = None, contacts: bool = False, draft: bool = False, layer: str = "colour") -> npt.NDArray[Any]:
        """The moment `time` [s] (None: the last) as a picture, (height, width, 3) or (height, width); options as of Simulation.render."""
        return draw(self.path, width=width, height=height, camera=camera, time=time, follow=follow, contacts=contacts, draft=draft,
                    layer=layer)

    def view(self) -> Page:
        """The run as a moving page, inline in a notebook."""
        return make_page([self.path])

    def columns(self) -> dict[str, Any]:
        """Time, q and v by joint, inputs by actuator, sensors by name, energies: one array (frame,) for each."""
        held = self._held
        table: dict[str, Any] = {"time": held.time}
        q, v = held.q, held.v
        sizes = {"free": (7, 6), "ball": (4, 3), "slide": (1, 1), "hinge": (1, 1), "fixed": (0, 0)}
        for name, kind, q_begin, v_begin in held.joints:
            for letter, values, begin, size in (("q", q, q_begin, sizes[kind][0]), ("v", v, v_begin, sizes[kind][1])):
                for i in range(size):
                    table[f"{letter}:{name}" + (f"[{i}]" if size > 1 else "")] = values[:, begin + i]
        inputs = held.input
        for i, name in enumerate(held.actuators):
            table[f"input:{name}"] = inputs[:, i]
        sensors = held.sensors
        for name, begin, size in held.sensor_table if sensors.shape[1] else ():
            for i in range(size):
                table[f"sensor:{name}" + (f"[{i}]" if size > 1 else "")] = sensors[:, begin + i]
        table["kinetic_energy"] = held.kinetic_energy
        table["potential_energy"] = held.potential_energy
        return table

    def to_dataframe(self) -> pandas.DataFrame:
        """columns() as a pandas.DataFrame, indexed by time [s]."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe() needs pandas: pip install pandas (columns() gives arrays without it)") from None
        return pandas.DataFrame(self.columns()).set_index("time")


def load_recording(path: str | os.PathLike[str]) -> Recording:
    """Opens a recording and checks every chunk. A cut-off tail is a warning; damage and foreign files are errors."""
    return Recording(path)
