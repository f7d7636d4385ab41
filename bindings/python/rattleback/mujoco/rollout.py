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


def rollout(model: MjModel | list[MjModel], data: Any, initial_state: Any, control: Any = None, *, nstep: int | None = None,
            state: Array | None = None, sensordata: Array | None = None, control_spec: int = int(mjtState.mjSTATE_CTRL),
            skip_checks: bool = False, initial_warmstart: Any = None, **ignored: Any) -> tuple[Array, Array]:
    """Full states (nbatch, nstep, nstate) and sensors (nbatch, nstep, nsensordata) after each step; control (nbatch, nstep, ncontrol)."""
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    signature = int(mjtState.mjSTATE_FULLPHYSICS)
    size = mj_stateSize(models[0], signature)
    starts = np.asarray(initial_state, dtype=np.float64).reshape(-1, size)
    width = mj_stateSize(models[0], control_spec)
    controls = None if control is None else np.asarray(control, dtype=np.float64)
    if controls is not None:
        controls = controls.reshape((1,) * (3 - controls.ndim) + controls.shape)
        if controls.shape[2] != width:
            raise ValueError(f"rollout: control has {controls.shape[2]} numbers a step, expected {width}")
    steps = nstep if nstep is not None else (controls.shape[1] if controls is not None else 1)
    count = max(len(models), len(starts), 1 if controls is None else len(controls))
    states = np.zeros((count, steps, size)) if state is None else state.reshape(count, steps, size)
    sensors = np.zeros((count, steps, models[0].nsensordata)) if sensordata is None else sensordata.reshape(count, steps, -1)
    for run in range(count):
        m = models[run % len(models)]
        d = MjData(m)
        mj_setState(m, d, starts[run % len(starts)], signature)
        for step in range(steps):
            if controls is not None:
                mj_setState(m, d, controls[run % len(controls), min(step, controls.shape[1] - 1)], control_spec)
            mj_step(m, d)
            mj_getState(m, d, states[run, step], signature)
            sensors[run, step] = d.sensordata
    return states, sensors
