"""One forward pass: state and inputs, contacts, and the equations of motion and the solver there, computed when asked for."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ._model import MjModel

Array = npt.NDArray[np.float64]


class MjContact:
    """The contacts of the last forward pass: arrays as in MuJoCo, and contact[i] with those of one."""

    _EMPTY = {"pos": (3,), "frame": (9,), "dist": (), "force": (3,), "torque": (3,), "friction": (5,)}
    _WITHOUT = {"includemargin": 1, "solref": 2, "solreffriction": 2, "solimp": 5, "adhesion": 1, "surfacevel": 3, "mu": 1, "H": 36}
    _WHOLE = {"flex": 2, "elem": 2, "vert": 2, "exclude": 1, "efc_address": 1}

    def __init__(self, contacts: _core.Contacts | None, pick: Any = None, arrays: dict[str, Any] | None = None) -> None:
        if arrays is None:
            arrays = {name: np.zeros((0, *shape)) for name, shape in self._EMPTY.items()}
            arrays |= {name: np.zeros(0, dtype=np.int64) for name in ("geom1", "geom2", "dim", "body1", "body2")}
            if contacts is not None:
                frame = np.swapaxes(contacts.frame, 1, 2).reshape(-1, 9)  # rows are the axes
                arrays = {"pos": contacts.point, "frame": frame, "dist": contacts.distance, "force": contacts.force,
                          "torque": contacts.torque, "geom1": contacts.first_shape, "geom2": contacts.second_shape,
                          "dim": contacts.dimension, "body1": contacts.first_body, "body2": contacts.second_body,
                          "friction": contacts.friction[:, [0, 0, 1, 2, 2]]}
        self._arrays = arrays
        self._pick = pick

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "geom":
            return np.stack([self.geom1, self.geom2], axis=-1)
        if name in self._WITHOUT or name in self._WHOLE:
            width = (self._WITHOUT | self._WHOLE)[name]
            array = np.zeros((len(self._arrays["dist"]), width) if width > 1 else len(self._arrays["dist"]), int if name in self._WHOLE else float)
        elif name in self._arrays:
            array = self._arrays[name]
        else:
            raise AttributeError(f"rattleback.mujoco.MjContact has no '{name}'")
        return array if self._pick is None else array[self._pick]

    def __len__(self) -> int:
        return len(self._arrays["dist"])

    def __getitem__(self, index: Any) -> MjContact:
        if isinstance(index, (int, np.integer)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"contact {index} of {len(self)}")
            return MjContact(None, int(index) % len(self), self._arrays)
        return MjContact(None, None, {name: array[index] for name, array in self._arrays.items()})

    def __iter__(self) -> Iterator[MjContact]:
        return (self[i] for i in range(len(self)))


_INPUTS = ("input", "joint_force", "body_wrench", "target", "actuator_active", "equality_active")


def make_simulation(model: MjModel) -> _core.Simulation:
    """As the model's options are now."""
    parameters = model.opt.make_parameters() if model.solver == "convex" else {}
    return _core.Simulation(model.rattleback, solver=model.solver, dt=model.opt.timestep, parameters=parameters)


def move(model: MjModel, q: Array, v: Array, seconds: float) -> Array:
    """q after a constant velocity; quaternions turn about body axes."""
    q = q.copy()
    for kind, begin, v_begin in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr):
        if kind >= 2:
            q[begin] += seconds * v[v_begin]
            continue
        if kind == 0:
            q[begin : begin + 3] += seconds * v[v_begin : v_begin + 3]
            begin, v_begin = begin + 3, v_begin + 3
        spin = seconds * v[v_begin : v_begin + 3]
        angle = float(np.linalg.norm(spin))
        a, (b, c, d) = np.cos(angle / 2), spin * (0.5 * np.sinc(angle / (2 * np.pi)))
        w, x, y, z = q[begin : begin + 4]
        turned = np.array([w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
                           w * d + x * c - y * b + z * a])
        q[begin : begin + 4] = turned / np.linalg.norm(turned)
    return q


def find_rate(model: MjModel, way: Array, v: Array) -> Array:
    """Velocity of the way itself: of rotations q exp(u), u' = w + u x w / 2 + u x (u x w) / 12 (Munthe-Kaas)."""
    rate = v.copy()
    for kind, begin in zip(model.jnt_type, model.jnt_dofadr):
        if kind < 2:
            turn = slice(begin + 3, begin + 6) if kind == 0 else slice(begin, begin + 3)
            u, w = way[turn], v[turn]
            rate[turn] = w + np.cross(u, w) / 2 + np.cross(u, np.cross(u, w)) / 12
    return rate


class Pass:
    """State and inputs of one forward pass, and what follows from them, computed when asked for.

    After a Runge-Kutta step MuJoCo's results are those of the last of its four passes; `stages` says so."""

    def __init__(self, model: MjModel, simulation: _core.Simulation, stages: bool = False, before: Pass | None = None) -> None:
        """before: the pass whose accelerations and forces still stand, because this one ends at velocities (mj_step1)."""
        self.model = model
        self.before: Pass | None = None if before is None else before.before or before
        self._state = _core.State(model.rattleback)
        for name in ("q", "v", "act", "body_pose", "body_velocity"):
            setattr(self._state, name, getattr(simulation.state, name))
        self._state.time = simulation.state.time
        self.control = _core.Control(model.rattleback)
        for name in _INPUTS:
            setattr(self.control, name, getattr(simulation.control, name))
        if not model.opt.is_actuated:
            self.control.actuator_active[:] = 0
        self._stages = stages
        self._contact: MjContact | None = None
        self._kept: dict[str, Any] = {}

    def get(self, name: str) -> Array:
        """A field of MjData, once."""
        from ._results import FIELDS, OF_ACCELERATION

        if self.before is not None and name in OF_ACCELERATION:
            return self.before.get(name)
        made: Array = self.keep("field " + name, lambda: np.asarray(FIELDS[name](self)))
        return made

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, once."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    @property
    def state(self) -> _core.State:
        """At which everything is evaluated."""
        if self._stages:
            self._stages = False
            q, v, h = self._state.q.copy(), self._state.v.copy(), self.model.opt.timestep
            rate = v  # of the way from q, in the directions of v
            for part in (0.5, 0.5, 1.0):
                acceleration = self.solve().acceleration.copy()
                self._state.q = move(self.model, q, rate, part * h)
                self._state.v = v + part * h * acceleration
                rate = find_rate(self.model, part * h * rate, self._state.v)
                _core.refresh_bodies(self._state)
        return self._state

    @property
    def contact(self) -> MjContact:
        """Contacts there; of a step's own where it had one pass."""
        if self._stages or self._contact is None:
            self._contact = MjContact(self.solved.contacts)
        return self._contact

    @contact.setter
    def contact(self, contact: MjContact) -> None:
        self._contact = contact

    @property
    def dynamics(self) -> _core.Dynamics:
        """The equations of motion there."""
        def make() -> _core.Dynamics:
            dynamics = _core.Dynamics(self.model.rattleback)
            dynamics.update(self.state, self.control)
            return dynamics

        made: _core.Dynamics = self.keep("dynamics", make)
        return made

    def solve(self) -> _core.Simulation:
        """A simulation in the present stage, after forward()."""
        simulation: _core.Simulation = self.keep("simulation", lambda: make_simulation(self.model))
        for name in _INPUTS:
            setattr(simulation.control, name, getattr(self.control, name))
        for name in ("q", "v", "act", "body_pose", "time"):
            setattr(simulation.state, name, getattr(self._state, name))
        simulation.refresh()
        simulation.forward()
        return simulation

    @property
    def solved(self) -> _core.Simulation:
        """Accelerations, sensors and contacts there."""
        assert self.state is not None  # the last stage
        made: _core.Simulation = self.keep("solved", self.solve)
        return made
