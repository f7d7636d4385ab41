"""MjData: a Simulation under MuJoCo's names. As in MuJoCo, what follows from the state is that of the last forward pass: after
mj_step it belongs to the state before the step. It is computed when it is read."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._math import to_matrix
from ._model import TABLES, MjModel

Array = npt.NDArray[np.float64]


class MjContact:
    """The contacts of the last forward pass: arrays as in MuJoCo, and contact[i] with those of one."""

    def __init__(self, contacts: _core.Contacts | None, pick: int | None = None, arrays: dict[str, Any] | None = None) -> None:
        if arrays is None:
            arrays = {name: np.zeros((0, *shape)) for name, shape in (("pos", (3,)), ("frame", (9,)), ("dist", ()), ("force", (3,)),
                                                                      ("torque", (3,)), ("friction", (3,)))}
            arrays |= {name: np.zeros(0, dtype=np.int64) for name in ("geom1", "geom2", "dim", "body1", "body2")}
            if contacts is not None:
                frame = np.swapaxes(contacts.frame, 1, 2).reshape(-1, 9)  # rows are the axes
                arrays = {"pos": contacts.point, "frame": frame, "dist": contacts.distance, "force": contacts.force,
                          "torque": contacts.torque, "geom1": contacts.first_shape, "geom2": contacts.second_shape,
                          "dim": contacts.dimension, "body1": contacts.first_body, "body2": contacts.second_body,
                          "friction": contacts.friction}
        self._arrays = arrays
        self._pick = pick

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "geom":
            return np.stack([self.geom1, self.geom2], axis=-1)
        if name not in self._arrays:
            raise AttributeError(f"rattleback.mujoco.MjContact has no '{name}'")
        array = self._arrays[name]
        return array if self._pick is None else array[self._pick]

    def __len__(self) -> int:
        return len(self._arrays["dist"])

    def __getitem__(self, index: int) -> MjContact:
        if not -len(self) <= index < len(self):
            raise IndexError(f"contact {index} of {len(self)}")
        return MjContact(None, index % len(self), self._arrays)

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

    def __init__(self, model: MjModel, simulation: _core.Simulation, stages: bool = False) -> None:
        self.model = model
        self._state = _core.State(model.rattleback)
        for name in ("q", "v", "act", "body_pose", "body_velocity"):
            setattr(self._state, name, getattr(simulation.state, name))
        self._state.time = simulation.state.time
        self.control = _core.Control(model.rattleback)
        for name in _INPUTS:
            setattr(self.control, name, getattr(simulation.control, name))
        self._stages = stages
        self._contact: MjContact | None = None
        self._kept: dict[str, Any] = {}

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


def _turn(rotation: Array, vectors: Any) -> Array:
    turned: Array = np.einsum("nij,nj->ni", rotation, vectors)
    return turned


def _xmat(p: Pass) -> Array:
    matrices: Array = p.keep("rotation", lambda: to_matrix(p.state.body_rotation))
    return matrices


def _center(p: Pass) -> Array:
    """Of each body and what it carries."""
    model = p.model
    moment = FIELDS["xipos"](p) * model.body_mass[:, None]
    for body in range(model.nbody - 1, 0, -1):
        moment[model.body_parentid[body]] += moment[body]
    mass = model.body_subtreemass
    centers: Array = np.where(mass[:, None] > 1e-15, moment / np.maximum(mass, 1e-15)[:, None], FIELDS["xipos"](p))
    return centers


def _from_root(p: Pass) -> Array:
    """From the centre of mass of its tree to that of the body."""
    offset: Array = FIELDS["xipos"](p) - FIELDS["subtree_com"](p)[p.model.body_rootid]
    return offset


def _cinert(p: Pass) -> Array:
    model = p.model
    axes = FIELDS["ximat"](p).reshape(-1, 3, 3)
    offset, mass = _from_root(p), model.body_mass
    inertia = np.einsum("nij,nj,nkj->nik", axes, model.body_inertia, axes)
    square = np.einsum("ni,ni->n", offset, offset)
    inertia += mass[:, None, None] * (square[:, None, None] * np.eye(3) - offset[:, :, None] * offset[:, None, :])
    picked = [inertia[:, 0, 0], inertia[:, 1, 1], inertia[:, 2, 2], inertia[:, 0, 1], inertia[:, 0, 2], inertia[:, 1, 2]]
    result: Array = np.column_stack([*picked, mass[:, None] * offset, mass])
    result[0] = 0
    return result


def _cvel(p: Pass) -> Array:
    angular, linear = p.state.body_angular_velocity, p.state.body_linear_velocity
    return np.hstack([angular, linear - np.cross(angular, _from_root(p))])


def _cfrc_ext(p: Pass) -> Array:
    """Contact forces and xfrc_applied, about the centre of mass of each tree; equalities are left out."""
    root = p.model.body_rootid
    center = FIELDS["subtree_com"](p)
    total = np.zeros((p.model.nbody, 6))
    force, torque = p.control.body_wrench[:, :3], p.control.body_wrench[:, 3:]
    total[:, :3], total[:, 3:] = torque + np.cross(_from_root(p), force), force
    contact = p.contact
    if len(contact):
        for body, sign in ((contact.body2, 1.0), (contact.body1, -1.0)):
            arm = contact.pos - center[root[body]]
            np.add.at(total, body, sign * np.hstack([contact.torque + np.cross(arm, contact.force), contact.force]))
    total[0] = 0
    return total


def _frames(name: str) -> tuple[Callable[[Pass], Array], Callable[[Pass], Array]]:
    """Positions and matrices of frames on bodies: geoms or sites."""
    def position(p: Pass) -> Array:
        body = getattr(p.model, name + "_bodyid")
        positions: Array = p.state.body_position[body] + _turn(_xmat(p)[body], getattr(p.model, name + "_pos"))
        return positions

    def matrix(p: Pass) -> Array:
        body = getattr(p.model, name + "_bodyid")
        matrices: Array = (_xmat(p)[body] @ to_matrix(getattr(p.model, name + "_quat"))).reshape(-1, 9)
        return matrices

    return position, matrix


def _ten_velocity(p: Pass) -> Array:
    """Central difference of the length along the motion."""
    dynamics = _core.Dynamics(p.model.rattleback)
    lengths = []
    state = _core.State(p.model.rattleback)
    for sign in (1, -1):
        state.q = move(p.model, p.state.q, p.state.v, sign * 1e-6)
        _core.refresh_bodies(state)
        dynamics.update(state)
        lengths.append(dynamics.tendon_length())
    difference: Array = (lengths[0] - lengths[1]) / 2e-6
    return difference


_geom_xpos, _geom_xmat = _frames("geom")
_site_xpos, _site_xmat = _frames("site")
FIELDS: dict[str, Callable[[Pass], Array]] = {
    "xpos": lambda p: p.state.body_position.copy(),
    "xquat": lambda p: p.state.body_rotation.copy(),
    "xmat": lambda p: _xmat(p).reshape(-1, 9),
    "xipos": lambda p: p.state.body_position + _turn(_xmat(p), p.model.body_ipos),
    "ximat": lambda p: (_xmat(p) @ to_matrix(p.model.body_iquat)).reshape(-1, 9),
    "geom_xpos": _geom_xpos,
    "geom_xmat": _geom_xmat,
    "site_xpos": _site_xpos,
    "site_xmat": _site_xmat,
    "subtree_com": _center,
    "cinert": _cinert,
    "cvel": _cvel,
    "cfrc_ext": _cfrc_ext,
    "qfrc_bias": lambda p: p.dynamics.bias(),
    "qfrc_passive": lambda p: p.dynamics.passive(),
    "qfrc_actuator": lambda p: p.dynamics.actuation(),
    "qacc": lambda p: p.solved.acceleration.copy(),
    "qacc_smooth": lambda p: p.dynamics.forward(p.dynamics.passive() + p.dynamics.actuation() + p.dynamics.applied()),
    "qfrc_smooth": lambda p: p.dynamics.passive() + p.dynamics.actuation() + p.dynamics.applied() - p.dynamics.bias(),
    "qfrc_constraint": lambda p: p.dynamics.inverse(p.solved.acceleration) - p.dynamics.passive() - p.dynamics.actuation()
    - p.dynamics.applied(),
    "qfrc_inverse": lambda p: p.dynamics.inverse(p.solved.acceleration) - p.dynamics.passive() - (FIELDS["qfrc_constraint"](p)),
    "sensordata": lambda p: p.solved.sensors.copy(),
    "energy": lambda p: np.array([p.solved.energy().potential, p.solved.energy().kinetic]),
    "ten_length": lambda p: p.dynamics.tendon_length(),
    "ten_velocity": _ten_velocity,
    "actuator_length": lambda p: p.dynamics.actuator_length(),
}
_STATE = {"qpos": ("state", "q"), "qvel": ("state", "v"), "act": ("state", "act"), "ctrl": ("control", "input"),
          "qfrc_applied": ("control", "joint_force"), "xfrc_applied": ("control", "body_wrench"),
          "eq_active": ("control", "equality_active")}


class MjData:
    """State, inputs and results of a run."""

    def __init__(self, model: MjModel) -> None:
        self.model = model
        self._start()

    def _start(self) -> None:
        self.simulation = make_simulation(self.model)
        self._options = self._read_options()
        self._views = {name: getattr(getattr(self.simulation, part), array) for name, (part, array) in _STATE.items()}
        self.remember()
        self.passed = Pass(self.model, self.simulation)

    def _read_options(self) -> tuple[Any, ...]:
        return self.model.opt.timestep, *self.model.opt.make_parameters().values()

    def remember(self) -> None:
        """Notes the state, to see later whether the program wrote to it."""
        state = self.simulation.state
        self._seen = (state.q.copy(), state.v.copy(), state.act.copy())

    def take_over(self) -> None:
        """Puts into force what the program wrote: a new timestep, or another state."""
        if self._read_options() != self._options:
            kept = {name: view.copy() for name, view in self._views.items()}
            time = self.time
            self._start()
            for name, values in kept.items():
                self._views[name][...] = values
            self.time = time
        state = self.simulation.state
        q, v, act = self._seen
        if not (np.array_equal(state.q, q) and np.array_equal(state.v, v) and np.array_equal(state.act, act)):
            self.simulation.refresh()
            self.remember()

    def forward(self) -> None:
        """The forward pass at the present state."""
        self.take_over()
        self.passed = Pass(self.model, self.simulation)

    def step(self, count: int) -> None:
        """Steps; the forward pass is that of the last of them."""
        self.take_over()
        simulation = self.simulation
        if count > 1:
            simulation.run_steps(count - 1)
        stages = self.model.rattleback.integrator in ("rk4", "lie_rk4")
        self.passed = Pass(self.model, simulation, stages)
        simulation.step()
        if not stages:
            self.passed.contact = MjContact(simulation.contacts)
        self.remember()

    @property
    def time(self) -> float:
        """[s]"""
        return float(self.simulation.state.time)

    @time.setter
    def time(self, value: float) -> None:
        self.simulation.state.time = value
        self.simulation.refresh()
        self.remember()

    @property
    def contact(self) -> MjContact:
        """Contacts of the last forward pass."""
        return self.passed.contact

    @property
    def ncon(self) -> int:
        """Their number."""
        return len(self.contact)

    @property
    def mocap_pos(self) -> Array:
        """Positions of bodies that the program moves [m]; to be written."""
        return self.simulation.control.target[:, :3]

    @property
    def mocap_quat(self) -> Array:
        """Their quaternions; to be written."""
        return self.simulation.control.target[:, 3:]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_views", "passed", "model"):
            raise AttributeError(name)
        if name in self._views:
            return self._views[name]
        if name in FIELDS:
            return self.passed.keep("data " + name, lambda: FIELDS[name](self.passed))
        if name in TABLES:
            return lambda key: self._named(name, key)
        raise AttributeError(f"rattleback.mujoco.MjData has no '{name}' (docs/python.md lists its fields)")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _STATE:
            self._views[name][...] = value
        else:
            object.__setattr__(self, name, value)

    def _named(self, kind: str, key: str | int) -> Any:
        if kind in ("joint", "jnt"):
            return NamedJoint(self, self.model.find(kind, key))
        if kind == "sensor":
            return NamedSensor(self, self.model.find(kind, key))
        prefixes = {"body": ("", ), "geom": ("geom_",), "site": ("site_",), "tendon": ("ten_",), "actuator": ("", "actuator_")}
        return self.model.named(kind, key, self, prefixes.get(kind, ("",)), FIELDS.keys() | _STATE.keys())


class NamedJoint:
    """data.joint("knee").qpos and .qvel."""

    def __init__(self, data: MjData, index: int) -> None:
        q, v = (7, 4, 1, 1)[data.model.jnt_type[index]], (6, 3, 1, 1)[data.model.jnt_type[index]]
        begin, v_begin = data.model.jnt_qposadr[index], data.model.jnt_dofadr[index]
        self.id = index
        self.name = data.model.rattleback.joints.name[index]
        self.qpos = data.qpos[begin : begin + q]
        self.qvel = data.qvel[v_begin : v_begin + v]
        self.qfrc_applied = data.qfrc_applied[v_begin : v_begin + v]


class NamedSensor:
    """data.sensor("imu").data."""

    def __init__(self, data: MjData, index: int) -> None:
        begin = data.model.sensor_adr[index]
        self.id = index
        self.name = data.model.rattleback.sensors.name[index]
        self.data = data.sensordata[begin : begin + data.model.sensor_dim[index]]
