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
    """The contacts of a forward pass: arrays as in MuJoCo, and contact[i] with those of one. Without arguments: one contact, all zeros."""

    _FLOATS = {"dist": 0, "pos": 3, "frame": 9, "friction": 5, "force": 3, "torque": 3, "includemargin": 0, "solref": 2, "solreffriction": 2, "solimp": 5,
               "adhesion": 0, "surfacevel": 3, "mu": 0, "H": 36}
    _WHOLES = {"dim": 0, "geom": 2, "flex": 2, "elem": 2, "vert": 2, "exclude": 0, "efc_address": 0, "body1": 0, "body2": 0}

    def __init__(self, contacts: _core.Contacts | None = None, pick: int | None = 0, arrays: dict[str, Any] | None = None) -> None:
        """Contacts of the engine, or given arrays; pick: one of them."""
        if arrays is None:
            arrays = {"dist": np.zeros(1)}
            if contacts is not None:
                frame = np.swapaxes(contacts.frame, 1, 2).reshape(-1, 9)  # rows are the axes
                arrays = {"pos": contacts.point, "frame": frame, "dist": contacts.distance, "force": contacts.force,
                          "torque": contacts.torque, "geom": np.stack([contacts.first_shape, contacts.second_shape], axis=-1),
                          "dim": contacts.dimension, "body1": contacts.first_body, "body2": contacts.second_body,
                          "friction": contacts.friction[:, [0, 0, 1, 2, 2]]}
                pick = None
        self.__dict__.update(arrays=arrays, _pick=pick)

    def _find(self, name: str) -> Array:
        """The array of a field; zeros for what the engine does not tell."""
        held: Array
        if name in ("geom1", "geom2"):
            held = self._find("geom")[:, int(name[-1]) - 1]
            return held
        if name not in self.arrays:
            if name not in self._FLOATS and name not in self._WHOLES:
                raise AttributeError(f"rattleback.mujoco.MjContact has no '{name}'")
            width, count = (self._FLOATS | self._WHOLES)[name], len(self.arrays["dist"])
            self.arrays[name] = np.zeros((count, width) if width else count, np.int64 if name in self._WHOLES else np.float64)
        held = self.arrays[name]
        if not held.flags.writeable:
            held = self.arrays[name] = held.copy()
        return held

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        array = self._find(name)
        return array if self._pick is None else array[self._pick]

    def __setattr__(self, name: str, value: Any) -> None:
        self._find(name)[... if self._pick is None else self._pick] = value

    def __len__(self) -> int:
        return len(self.arrays["dist"])

    def __getitem__(self, index: Any) -> MjContact:
        if isinstance(index, (int, np.integer)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"contact {index} of {len(self)}")
            return MjContact(None, int(index) % len(self), self.arrays)
        return MjContact(None, None, {name: array[index] for name, array in self.arrays.items()})

    def __iter__(self) -> Iterator[MjContact]:
        return (self[i] for i in range(len(self)))

    def __copy__(self) -> MjContact:
        part = slice(None) if self._pick is None else slice(self._pick, self._pick + 1)
        return MjContact(None, None if self._pick is None else 0, {name: array[part].copy() for name, array in self.arrays.items()})

    def __deepcopy__(self, memo: dict[int, Any]) -> MjContact:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MjContact):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._FLOATS | self._WHOLES)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<MjContact\n" + "".join(f"  {name}: {getattr(self, name)}\n" for name in self._FLOATS | self._WHOLES) + ">"


class ContactList:
    """data.contact: those of the last forward pass, whichever that is when they are read."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    @property
    def _held(self) -> MjContact:
        held: MjContact = self._owner.passed.contact
        return held

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._held, name)

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, index: Any) -> MjContact:
        return self._held[index]

    def __iter__(self) -> Iterator[MjContact]:
        return iter(self._held)

    def __eq__(self, other: object) -> bool:
        return self._held == other._held if isinstance(other, ContactList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MjContactList of {len(self)}>"


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

    def __init__(self, model: MjModel, simulation: _core.Simulation, stages: bool = False, before: Pass | None = None, extra: Array | None = None) -> None:
        """before: the pass whose accelerations and forces still stand, because this one ends at velocities (mj_step1). extra: passive forces of a
        program's callback, which are among the joint forces."""
        self.model, self.extra = model, extra
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

    def keep_state(self) -> dict[str, Any]:
        """What makes it again, in another process too."""
        state = {name: getattr(self._state, name).copy() for name in ("q", "v", "act", "body_pose", "body_velocity")}
        inputs = {name: getattr(self.control, name).copy() for name in _INPUTS}
        contact = None if self._contact is None else {name: array.copy() for name, array in self._contact.arrays.items()}
        return {"time": self._state.time, "state": state, "inputs": inputs, "stages": self._stages, "contact": contact}

    def take_state(self, kept: dict[str, Any]) -> None:
        """The other way; before anything was asked for."""
        for target, part in ((self._state, "state"), (self.control, "inputs")):
            for name, values in kept[part].items():
                setattr(target, name, values)
        self._state.time, self._stages = kept["time"], kept["stages"]
        self._contact = None if kept["contact"] is None else MjContact(None, None, kept["contact"])

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
