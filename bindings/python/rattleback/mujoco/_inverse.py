"""Inverse dynamics with constraints: which forces make the given acceleration. The solver answers the other question, so the forces are found by
Newton's method on it: constraint forces are a piecewise smooth function of the acceleration alone [Todorov, ICRA 2014]."""
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._data import MjData
from ._model import MjModel
from ._passes import Pass, make_simulation

Array = npt.NDArray[np.float64]
_TURNS = 50
_SMALL = 1e-11  # of the force that the acceleration needs without constraints
_STEP = 1e-4  # of accelerations, for the derivative; the problem is quadratic between kinks


class _Inverse:
    """A pass, asked for the acceleration under given joint forces and nothing else."""

    def __init__(self, p: Pass) -> None:
        self.dynamics, self.simulation = p.dynamics, make_simulation(p.model)
        self.mass = np.array(self.dynamics.mass_matrix())
        state = p.state
        for name in ("q", "v", "act", "body_pose", "time"):
            setattr(self.simulation.state, name, getattr(state, name))
        self.simulation.control.actuator_active[:] = 0
        self.simulation.control.equality_active = p.control.equality_active
        self.simulation.control.target = p.control.target
        self.simulation.refresh()

    def solve(self, force: Array) -> Array:
        """The acceleration."""
        self.simulation.control.joint_force[:] = force
        self.simulation.forward()
        return np.array(self.simulation.acceleration)

    def find_slope(self, force: Array, here: Array) -> Array:
        """Its derivative by the forces, (nv, nv)."""
        columns = [self.solve(force + _STEP * row) - here for row in self.mass]  # moves each acceleration by about the same
        slope: Array = np.linalg.solve(self.mass.T, np.array(columns) / _STEP).T.astype(np.float64)
        return slope

    def find_force(self, acceleration: Array) -> Array:
        """Under which the acceleration is that."""
        force = np.array(self.dynamics.inverse(acceleration)) - np.array(self.dynamics.passive())
        scale = 1 + float(np.max(np.abs(force), initial=0))
        for _ in range(_TURNS):
            here = self.solve(force)
            miss = acceleration - here
            step = np.linalg.solve(self.find_slope(force, here), miss) if np.max(np.abs(miss), initial=0) > 1e-13 * scale else np.zeros_like(miss)
            force = force + step
            if np.max(np.abs(step), initial=0) <= _SMALL * scale:
                break
        return force


def mj_inverse(m: MjModel, d: MjData) -> None:
    """qfrc_inverse, and qfrc_constraint and sensors, of qpos, qvel and qacc as they stand; all may have been written."""
    extra = d.look()
    acceleration = np.array(d.qacc)
    inverse = _Inverse(d.passed)
    force = inverse.find_force(acceleration)
    inverse.solve(force)
    d.write_result("qfrc_inverse", force if extra is None else force - extra)
    d.write_result("qfrc_constraint", inverse.dynamics.inverse(acceleration) - inverse.dynamics.passive() - force)
    d.write_result("sensordata", inverse.simulation.sensors)


def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Inverse dynamics; nothing is skipped."""
    mj_inverse(m, d)


mj_invConstraint = mj_inverse
