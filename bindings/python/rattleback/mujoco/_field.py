"""Arrays that keep up: before one is read its owner brings it up to date, and after it is written the owner hears of it.

MuJoCo's arrays are views of memory that every call rewrites, and programs hold on to them. Here results are computed when somebody
looks. What looks without telling (a C extension, `np.asarray` of an array that was taken earlier) is served by the owner, which
brings arrays that somebody else still holds up to date at once."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class Owner(Protocol):
    """What has such arrays."""

    def bring(self, name: str) -> None:
        """Before the array is read."""

    def refuse(self, name: str) -> str | None:
        """Why it cannot be written."""

    def wrote(self, name: str) -> None:
        """After it was written."""


class Field(np.ndarray[Any, np.dtype[Any]]):
    """An array of an owner, or a view of one."""

    _owner: Owner | None
    _name: str

    @staticmethod
    def make(owner: Owner, name: str, memory: npt.NDArray[Any]) -> Field:
        """The whole array; `memory` is filled by the owner."""
        field = memory.view(Field)
        field._owner, field._name = owner, name
        if owner.refuse(name) is not None:
            field.flags.writeable = False
        return field

    def __array_finalize__(self, source: Any) -> None:
        self._owner, self._name = getattr(source, "_owner", None), getattr(source, "_name", "")

    def plain(self) -> npt.NDArray[Any]:
        """As an ordinary array, up to date."""
        if self._owner is not None:
            self._owner.bring(self._name)
        return self.view(np.ndarray)

    def __getitem__(self, key: Any) -> Any:
        result = self.plain()[key]
        if isinstance(result, np.ndarray) and np.may_share_memory(result, self):
            part: Field = result.view(Field)
            part._owner, part._name = self._owner, self._name
            return part
        return result

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._owner is None:
            super().__setitem__(key, value)
            return
        reason = self._owner.refuse(self._name)
        if reason is not None:
            raise ValueError(reason)
        self.plain()[key] = value
        self._owner.wrote(self._name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        written = [out for out in options.get("out", ()) if isinstance(out, Field)]
        result = getattr(ufunc, method)(*map(_plain, inputs), **{key: _plain(value) for key, value in options.items()})
        _tell(written)
        return written[0] if written and len(options["out"]) == 1 else result

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        result = function(*map(_plain, args), **{key: _plain(value) for key, value in kwargs.items()})
        if function in (np.copyto, np.put, np.place, np.putmask, np.fill_diagonal):
            _tell([arg for arg in args[:1] if isinstance(arg, Field)])
        return result

    @property
    def __array_interface__(self) -> Any:
        return self.plain().__array_interface__

    @property
    def flat(self) -> Any:
        """Its elements one after the other."""
        return self.plain().flat

    def __reduce__(self) -> Any:
        return self.plain().copy().__reduce__()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.plain().copy()


def _plain(value: Any) -> Any:
    """A value without Fields in it."""
    if isinstance(value, Field):
        return value.plain()
    if isinstance(value, (tuple, list)):
        return type(value)(map(_plain, value))
    return value


def _tell(fields: list[Field]) -> None:
    for field in fields:
        if field._owner is not None:
            field._owner.wrote(field._name)


def _reading(name: str) -> Callable[..., Any]:
    def method(self: Field, *args: Any, **options: Any) -> Any:
        return getattr(self.plain(), name)(*args, **options)

    method.__name__ = name
    return method


for _method in ("all any argmax argmin argsort astype clip copy cumsum dot dump dumps flatten item max mean min nonzero prod round "
                "searchsorted std sum take tobytes tofile tolist trace var __array__ __bool__ __contains__ __copy__ __float__ __format__ "
                "__index__ __int__ __iter__ __repr__ __str__").split():
    setattr(Field, _method, _reading(_method))
