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


def _agree(what: str, sizes: list[int]) -> int:
    """The size that all have which are not one."""
    found = {size for size in sizes if size != 1}
    if len(found) > 1:
        raise ValueError(f"rollout: {what} differ: {sorted(found)}")
    return found.pop() if found else 1


def rollout(model: MjModel | list[MjModel], data: Any, initial_state: Any, control: Any = None, *, nstep: int | None = None,
            state: Array | None = None, sensordata: Array | None = None, control_spec: int = int(mjtState.mjSTATE_CTRL),
            initial_warmstart: Any = None, **ignored: Any) -> tuple[Array, Array]:
    """Full states (nbatch, nstep, nstate) and sensors (nbatch, nstep, nsensordata) after each step; control (nbatch, nstep, ncontrol).

    What has size one stands for all runs or steps. Warm starts, chunks and threads are accepted and have no influence."""
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    size, sensors = mj_stateSize(models[0], _FULL), models[0].nsensordata
    starts = _widen("initial_state", initial_state, 2, size)
    if starts is None:
        raise ValueError("rollout: initial_state is needed")
    controls = _widen("control", control, 3, mj_stateSize(models[0], control_spec))
    given = [array for array in (controls, _widen("state", state, 3, size), _widen("sensordata", sensordata, 3, sensors)) if array is not None]
    warm = _widen("initial_warmstart", initial_warmstart, 2, models[0].nv)
    count = _agree("numbers of runs", [len(models), len(starts), *map(len, given), *([] if warm is None else [len(warm)])])
    steps = _agree("numbers of steps", [*(array.shape[1] for array in given), *([] if nstep is None else [nstep])])
    if steps < 1:
        raise ValueError(f"rollout: expected at least one step, got {steps}")
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
        mj_getState(m, d, states[step], _FULL)
        readings[step] = d.sensordata
