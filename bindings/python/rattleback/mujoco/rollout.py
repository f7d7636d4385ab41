"""mujoco.rollout: many runs from given states with given controls."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._data import MjData
from ._functions import mj_getState, mj_setState, mj_stateSize, mj_step
from ._model import MjModel
from ._tables import mjtState

Array = npt.NDArray[np.float64]
_FULL = int(mjtState.mjSTATE_FULLPHYSICS)


def _widen(name: str, values: Any, dimensions: int, width: int) -> Array | None:
    """With leading dimensions, and checked: (runs, steps, numbers) or (runs, numbers)."""
    if values is None:
        return None
    if not isinstance(values, (np.ndarray, float, int, list, tuple)):
        raise ValueError(f"{name} must be a numpy array or float")
    array: Array = np.asarray(values, dtype=np.float64)
    if array.ndim > dimensions:
        raise ValueError(f"{name} can have at most {dimensions} dimensions")
    array = array.reshape((1,) * (dimensions - array.ndim) + array.shape)
    if array.shape[-1] != width:
        raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")
    return array


def _agree(dimension: int, sizes: list[tuple[str, int]]) -> int:
    """The size that all have which are not one."""
    found = 1
    for name, size in sizes:
        if size != 1 and found != 1 and size != found:
            raise ValueError(f"dimension {dimension} inferred as {found} but {name} has {size}")
        found = size if size != 1 else found
    return found


def _check_whole(name: str, value: Any, least: int) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least):
        raise ValueError(f"{name} must be {'a positive integer' if least else 'non-negative, and whole'}")


def rollout(model: MjModel | list[MjModel], data: Any, initial_state: Any, control: Any = None, *, nstep: int | None = None,
            state: Array | None = None, sensordata: Array | None = None, control_spec: int = int(mjtState.mjSTATE_CTRL),
            initial_warmstart: Any = None, chunk_size: int | None = None, skip_checks: bool = False, persistent_pool: bool = False) -> tuple[Array, Array]:
    """Full states (nbatch, nstep, nstate) and sensors (nbatch, nstep, nsensordata) after each step; control (nbatch, nstep, ncontrol).

    What has size one stands for all runs or steps. Warm starts, chunks and threads are accepted and have no influence."""
    if isinstance(data, (list, tuple)) and not len(data):
        raise ValueError("The list of data instances is empty")
    for i, one in enumerate(data if isinstance(data, (list, tuple)) else [data]):
        if getattr(one, "thread_count", 0):
            raise ValueError(f"data[{i}] has a thread pool: rollout has threads of its own (mju_threadpool(data, 0))")
    _check_whole("nstep", nstep, 0)
    _check_whole("chunk_size", chunk_size, 1)
    if int(control_spec) & ~int(mjtState.mjSTATE_USER):
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    size, sensors = mj_stateSize(models[0], _FULL), models[0].nsensordata
    starts = _widen("initial_state", initial_state, 2, size)
    if starts is None:
        raise ValueError("rollout: initial_state is needed")
    controls = _widen("control", control, 3, mj_stateSize(models[0], control_spec))
    given = [(name, array) for name, array in (("control", controls), ("state", _widen("state", state, 3, size)),
                                               ("sensordata", _widen("sensordata", sensordata, 3, sensors))) if array is not None]
    warm = _widen("initial_warmstart", initial_warmstart, 2, models[0].nv)
    if skip_checks:  # one model may be enough, or there may be more than runs
        models = models[: len(starts)] if len(models) > len(starts) > 0 else models
    count = _agree(0, [("model", len(models)), ("initial_state", len(starts)), *((name, len(array)) for name, array in given),
                       *([] if warm is None else [("initial_warmstart", len(warm))])])
    said = [] if nstep is None else [("nstep", int(nstep))]
    steps = _agree(1, said + [(name, array.shape[1]) for name, array in given])
    states, readings = np.zeros((count, steps, size)), np.zeros((count, steps, sensors))
    for run in range(count):
        _run(models[run % len(models)], starts[run % len(starts)], None if controls is None else controls[run % len(controls)], control_spec,
             states[run], readings[run])
    for out, values in ((state, states), (sensordata, readings)):
        if out is not None:
            out[...] = values.reshape(out.shape)
    return states if state is None else state, readings if sensordata is None else sensordata


def _run(m: MjModel, start: Array, controls: Array | None, control_spec: int, states: Array, readings: Array) -> None:
    d = MjData(m)
    mj_setState(m, d, start, _FULL)
    for step in range(len(states)):
        if controls is not None:
            mj_setState(m, d, controls[min(step, len(controls) - 1)], control_spec)
        mj_step(m, d)
        if d.warning.number.any():  # as in MuJoCo, a run that diverged repeats its last moment
            states[step:], readings[step:] = (states[step - 1], readings[step - 1]) if step else (start, 0.0)
            return
        mj_getState(m, d, states[step], _FULL)
        readings[step] = d.sensordata


class Rollout:
    """Runs as a module's function does; threads are accepted, and runs come one after the other."""

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread, self._closed = int(nthread or 0), False

    def rollout(self, model: MjModel | list[MjModel], data: Any, initial_state: Any, control: Any = None, **options: Any) -> tuple[Array, Array]:
        """As rollout()."""
        if self._closed:
            raise RuntimeError("rollout requested after thread pool shutdown")
        count = len(data) if isinstance(data, (list, tuple)) else 1
        if count > 1 and not self.nthread:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread and count not in (0, self.nthread):
            raise ValueError(f"Length of data: {count} not equal to nthread: {self.nthread}")
        return rollout(model, data, initial_state, control, **options)

    def close(self) -> None:
        """No runs afterwards."""
        self._closed = True

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def shutdown_persistent_pool() -> None:
    """There is no pool."""
