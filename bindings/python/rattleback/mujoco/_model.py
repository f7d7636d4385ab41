"""MjModel: a Model under MuJoCo's names. Arrays are read-only: a Model never changes."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Container
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _base, _core

Array = npt.NDArray[Any]


class FatalError(Exception):
    """What MuJoCo raises for files that it cannot read and for calls that make no sense."""


_JOINT = {"free": 0, "ball": 1, "slide": 2, "hinge": 3}
_GEOM = {"plane": 0, "height_field": 1, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6, "mesh": 7, "hull": 7}
_INTEGRATOR = {"euler": 0, "rk4": 1, "implicit": 2, "implicitfast": 3}


def _ranges(values: list[tuple[float, float] | None]) -> Array:
    return np.array([value or (0.0, 0.0) for value in values], dtype=np.float64).reshape(-1, 2)


def _limited(values: list[tuple[float, float] | None]) -> Array:
    return np.array([value is not None for value in values], dtype=bool)


def _roots(model: _core.Model) -> Array:
    """The child of the world that a body hangs on."""
    parent = model.bodies.parent
    root = np.zeros(model.body_count, dtype=np.int32)
    for body in range(1, model.body_count):
        root[body] = body if parent[body] == 0 else root[parent[body]]
    return root


def _prefixed(rows: Array, columns: int) -> Array:
    """Rows with zeros behind, as many columns as MuJoCo has."""
    return np.hstack([rows, np.zeros((len(rows), columns - rows.shape[1]))])


def _keyframes(model: _core.Model, name: str, start: Array) -> Array:
    rows = [getattr(key, name) if len(getattr(key, name)) else start for key in model.keyframes]
    return np.array(rows, dtype=np.float64).reshape(-1, len(start))


_FIELDS: dict[str, Callable[[_core.Model], Any]] = {
    "qpos0": lambda m: m.q0,
    "qpos_spring": lambda m: m.spring_q,
    "body_parentid": lambda m: np.maximum(m.bodies.parent, 0),
    "body_rootid": _roots,
    "body_weldid": lambda m: m.bodies.weld,
    "body_mass": lambda m: m.bodies.mass,
    "body_subtreemass": lambda m: m.bodies.subtree_mass,
    "body_inertia": lambda m: m.bodies.inertia,
    "body_pos": lambda m: m.bodies.pose[:, :3],
    "body_quat": lambda m: m.bodies.pose[:, 3:],
    "body_ipos": lambda m: m.bodies.inertial_pose[:, :3],
    "body_iquat": lambda m: m.bodies.inertial_pose[:, 3:],
    "body_jntnum": lambda m: np.diff(m.bodies.joint_begin),
    "body_jntadr": lambda m: np.where(np.diff(m.bodies.joint_begin) > 0, m.bodies.joint_begin[:-1], -1),
    "body_dofnum": lambda m: m.bodies.v_count,
    "body_dofadr": lambda m: np.where(m.bodies.v_count > 0, m.bodies.v_begin, -1),
    "body_geomnum": lambda m: np.diff(m.bodies.shape_begin),
    "body_gravcomp": lambda m: m.bodies.gravity_compensation,
    "body_invweight0": lambda m: m.bodies.inverse_weight,
    "jnt_type": lambda m: np.array([_JOINT[kind] for kind in m.joints.type], dtype=np.int32),
    "jnt_qposadr": lambda m: m.joints.q_begin,
    "jnt_dofadr": lambda m: m.joints.v_begin,
    "jnt_bodyid": lambda m: m.joints.body,
    "jnt_range": lambda m: _ranges(m.joints.range),
    "jnt_limited": lambda m: _limited(m.joints.range),
    "jnt_pos": lambda m: m.joints.position,
    "jnt_axis": lambda m: m.joints.axis,
    "jnt_stiffness": lambda m: m.joints.stiffness,
    "jnt_margin": lambda m: m.joints.margin,
    "dof_bodyid": lambda m: m.dofs.body,
    "dof_jntid": lambda m: m.dofs.joint,
    "dof_parentid": lambda m: m.dofs.parent,
    "dof_armature": lambda m: m.dofs.armature,
    "dof_damping": lambda m: m.dofs.damping,
    "dof_frictionloss": lambda m: m.dofs.dry_friction,
    "dof_invweight0": lambda m: m.dofs.inverse_weight,
    "geom_type": lambda m: np.array([_GEOM.get(kind, -1) for kind in m.shapes.type], dtype=np.int32),
    "geom_bodyid": lambda m: m.shapes.body,
    "geom_pos": lambda m: m.shapes.pose[:, :3],
    "geom_quat": lambda m: m.shapes.pose[:, 3:],
    "geom_size": lambda m: m.shapes.size,
    "geom_rgba": lambda m: m.shapes.colour,
    "geom_group": lambda m: m.shapes.group,
    "geom_contype": lambda m: m.shapes.category,
    "geom_conaffinity": lambda m: m.shapes.mask,
    "geom_margin": lambda m: m.shapes.margin,
    "geom_gap": lambda m: m.shapes.gap,
    "geom_rbound": lambda m: m.shapes.bounding_radius,
    "site_bodyid": lambda m: m.sites.body,
    "site_pos": lambda m: m.sites.pose[:, :3],
    "site_quat": lambda m: m.sites.pose[:, 3:],
    "site_size": lambda m: m.sites.size,
    "tendon_range": lambda m: _ranges(m.tendons.range),
    "tendon_limited": lambda m: _limited(m.tendons.range),
    "tendon_stiffness": lambda m: m.tendons.stiffness,
    "tendon_damping": lambda m: m.tendons.damping,
    "tendon_frictionloss": lambda m: m.tendons.dry_friction,
    "tendon_length0": lambda m: m.tendons.length,
    "actuator_ctrlrange": lambda m: _ranges(m.actuators.input_range),
    "actuator_ctrllimited": lambda m: _limited(m.actuators.input_range),
    "actuator_forcerange": lambda m: _ranges(m.actuators.force_range),
    "actuator_forcelimited": lambda m: _limited(m.actuators.force_range),
    "actuator_gear": lambda m: m.actuators.gear,
    "actuator_gainprm": lambda m: _prefixed(m.actuators.gain, 10),
    "actuator_biasprm": lambda m: _prefixed(m.actuators.bias, 10),
    "actuator_trnid": lambda m: np.stack([m.actuators.target, np.full(m.actuator_count, -1)], axis=1),
    "sensor_adr": lambda m: m.sensors.begin,
    "sensor_dim": lambda m: m.sensors.size,
    "sensor_noise": lambda m: m.sensors.noise,
    "sensor_cutoff": lambda m: m.sensors.cutoff,
    "key_time": lambda m: np.array([key.time for key in m.keyframes]),
    "key_qpos": lambda m: _keyframes(m, "q", m.initial_q),
    "key_qvel": lambda m: _keyframes(m, "v", m.initial_v),
    "key_act": lambda m: _keyframes(m, "act", np.zeros(m.act_count)),
    "key_ctrl": lambda m: _keyframes(m, "ctrl", np.zeros(m.actuator_count)),
}
_COUNTS = {
    "nq": "q_count", "nv": "v_count", "nu": "actuator_count", "na": "act_count", "nbody": "body_count", "njnt": "joint_count",
    "ngeom": "shape_count", "nsite": "site_count", "ntendon": "tendon_count", "nsensor": "sensor_count",
    "nsensordata": "sensor_value_count", "neq": "equality_count", "nmocap": "kinematic_count",
}
# Tables of names by MuJoCo's word; the second word is the prefix of its arrays.
TABLES = {
    "body": ("bodies", "body_"), "joint": ("joints", "jnt_"), "jnt": ("joints", "jnt_"), "geom": ("shapes", "geom_"),
    "site": ("sites", "site_"), "actuator": ("actuators", "actuator_"), "sensor": ("sensors", "sensor_"),
    "tendon": ("tendons", "tendon_"), "equality": ("equalities", "eq_"),
}


class MjOption:
    """What runs take from the model. All but gravity and integrator may be changed, also between steps."""

    _SOLVERS = ("PGS", "CG", "Newton")

    def __init__(self, model: _core.Model) -> None:
        said = model.solver_parameters.get("convex", {})
        self.timestep: float = model.dt
        self.gravity: Array = np.array(model.gravity)
        self.gravity.flags.writeable = False
        self.integrator: int = _INTEGRATOR.get(model.integrator.removeprefix("lie_"), 0)
        self.solver: int = self._SOLVERS.index(str(said.get("solver", "Newton")))
        self.iterations: int = int(said.get("iterations", 100))
        self.tolerance: float = float(said.get("tolerance", 1e-8))

    def make_parameters(self) -> dict[str, bool | int | float | str]:
        """Parameters under which `convex` is MuJoCo's method, creep included."""
        return {"stick": False, "solver": self._SOLVERS[int(self.solver)], "iterations": int(self.iterations),
                "tolerance": float(self.tolerance)}


class Named:
    """One element with its arrays: model.body("torso").mass, data.body("torso").xpos."""

    def __init__(self, owner: Any, prefixes: tuple[str, ...], known: Container[str], index: int, name: str) -> None:
        self.id = index
        self.name = name
        self._owner = owner
        self._prefixes = prefixes
        self._known = known

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_"):
            raise AttributeError(field)
        for prefix in self._prefixes:
            if prefix + field in self._known:
                array = getattr(self._owner, prefix + field)
                return array[self.id : self.id + 1] if array.ndim == 1 else array[self.id]
        raise AttributeError(f"no field '{field}' of '{self.name}'")


class MjModel:
    """A model under MuJoCo's names."""

    def __init__(self, model: _core.Model) -> None:
        self.rattleback = model  # the engine's own
        self.solver = os.environ.get("RATTLEBACK_SOLVER", "convex")
        self.opt = MjOption(model)
        self.vis = SimpleNamespace(global_=SimpleNamespace(offwidth=640, offheight=480, fovy=45.0),
                                   quality=SimpleNamespace(), map=SimpleNamespace(znear=0.01, zfar=50.0))
        self.stat = SimpleNamespace(extent=1.0, center=np.zeros(3), meaninertia=1.0)
        self._arrays: dict[str, Array] = {}
        self._indices: dict[str, dict[str, int]] = {}
        self.nkey = len(model.keyframes)
        self.ncam = len(model.cameras)

    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Any = None) -> MjModel:
        """Reads an MJCF or URDF file."""
        return cls._read(lambda: _core.load_model(filename, allow_outside=True))

    @classmethod
    def from_xml_string(cls, xml: str, assets: Any = None) -> MjModel:
        """Reads MJCF from text."""
        if assets:
            raise FatalError("rattleback.mujoco reads assets from files: write them beside the model and use from_xml_path")
        return cls._read(lambda: _core.parse_mjcf(xml, name="XML"))

    @classmethod
    def _read(cls, read: Callable[[], _core.Model]) -> MjModel:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", _base.ImportWarning)
                return cls(read())
        except _base.Error as error:
            raise FatalError(str(error)) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_arrays":
            raise AttributeError(name)
        if name in _COUNTS:
            return getattr(self.rattleback, _COUNTS[name])
        if name in TABLES:
            return lambda key: self.named(name, key, self, (TABLES[name][1],), _FIELDS)
        if name not in self._arrays:
            if name not in _FIELDS:
                raise AttributeError(f"rattleback.mujoco.MjModel has no '{name}' (docs/python.md lists its fields)")
            array = np.array(_FIELDS[name](self.rattleback))
            array.flags.writeable = False
            self._arrays[name] = array
        return self._arrays[name]

    def find(self, kind: str, key: str | int) -> int:
        """Index of an element; KeyError, or IndexError, where there is none."""
        names = getattr(self.rattleback, TABLES[kind][0]).name
        if isinstance(key, str):
            index = self._indices.setdefault(kind, {name: i for i, name in enumerate(names)})
            if key not in index:
                raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(names)}")
            return index[key]
        if not 0 <= key < len(names):
            raise IndexError(f"Invalid index {key}. Valid indices from 0 to {len(names) - 1}")
        return int(key)

    def named(self, kind: str, key: str | int, owner: Any, prefixes: tuple[str, ...], known: Container[str]) -> Named:
        """An element with those arrays of `owner` that begin so and are known."""
        index = self.find(kind, key)
        return Named(owner, prefixes, known, index, getattr(self.rattleback, TABLES[kind][0]).name[index])

    def __reduce__(self) -> tuple[Any, ...]:
        return MjModel, (self.rattleback,)

    def __repr__(self) -> str:
        return f"<rattleback.mujoco.MjModel of {self.rattleback!r}>"
