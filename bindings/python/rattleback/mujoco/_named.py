"""Elements by name: model.body("torso").mass, data.body("torso").xpos."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tables import Shape

Array = npt.NDArray[Any]


def show_element(element: Any, title: str, fields: list[str]) -> str:
    """As MuJoCo shows its views: a line for each field."""
    lines = "".join(f"  {name}: {getattr(element, name)!r}\n" for name in sorted(fields))
    return f"<_{title}Views\n  id: {element.id}\n  name: {element.name!r}\n{lines}>"


class Named:
    """One element with its arrays: model.body("torso").mass, data.body("torso").xpos."""

    def __init__(self, owner: Any, prefixes: tuple[str, ...], known: Mapping[str, Shape], index: int, name: str) -> None:
        self.__dict__.update(id=index, name=name, _owner=owner, _prefixes=prefixes, _known=known, _held={})

    def _find(self, field: str) -> Any:
        for prefix in self._prefixes:
            if prefix + field in self._known:
                array = getattr(self._owner, prefix + field)
                if self._held.get(field, (None,))[0] is not array:  # the same object every time
                    self._held[field] = array, array[self.id : self.id + 1] if array.ndim == 1 else array[self.id]
                return self._held[field][1]
        raise AttributeError(f"no field '{field}' of '{self.name}'")

    def __repr__(self) -> str:
        return show_element(self, f"{type(self._owner).__name__}{self._word.capitalize()}", self._list_fields())

    @property
    def _word(self) -> str:
        words = {"": "body", "geom_": "geom", "site_": "site", "ten_": "tendon", "cam_": "camera", "light_": "light"}
        prefix: str = self._prefixes[-1]
        return words.get(prefix, prefix.rstrip("_"))

    def _list_fields(self) -> list[str]:
        """Names of its arrays: those of the owner that begin so and have a row for each of its kind."""
        size = {"body": "nbody", "geom": "ngeom", "site": "nsite", "tendon": "ntendon", "camera": "ncam", "light": "nlight", "actuator": "nu",
                "jnt": "njnt"}.get(self._word)
        names = [name for name, shape in self._known.items() if shape.sizes[:1] == [size] and name.startswith(self._prefixes[-1])]
        return [name.removeprefix(self._prefixes[-1]) for name in names]

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_"):
            raise AttributeError(field)
        return self._find(field)

    def __setattr__(self, field: str, value: Any) -> None:
        self._find(field)[...] = value


class NamedActuator(Named):
    """data.actuator("motor"): its row of the moments is made whole."""

    @property
    def moment(self) -> Array:
        """(nv,), a copy."""
        begin, count = (int(getattr(self._owner, name)[self.id]) for name in ("moment_rowadr", "moment_rownnz"))
        row = np.zeros(self._owner.model.nv)
        row[self._owner.moment_colind[begin : begin + count]] = self._owner.actuator_moment[begin : begin + count]
        row.flags.writeable = False
        return row
