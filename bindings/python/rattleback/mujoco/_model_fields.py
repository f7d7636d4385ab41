"""Arrays of MjModel that the compiled model has in its own words."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core

Array = npt.NDArray[Any]

_JOINT = {"free": 0, "ball": 1, "slide": 2, "hinge": 3}
_GEOM = {"plane": 0, "height_field": 1, "sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6, "mesh": 7, "hull": 7}
_TRANSMISSION = {"joint": 0, "joint_in_parent": 1, "slider_crank": 2, "tendon": 3, "site": 4, "body": 5}
_DYNAMICS = {"none": 0, "integrator": 1, "filter": 2, "filter_exact": 3, "muscle": 4}


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


def find_rows(model: _core.Model) -> list[list[int]]:
    """Columns of the lower half of the mass matrix: the directions that carry each one, and itself."""
    rows: list[list[int]] = []
    for dof, parent in enumerate(model.dofs.parent):
        rows.append([*(rows[parent] if parent >= 0 else []), dof])
    return rows


def _keyframes(model: _core.Model, name: str, start: Array) -> Array:
    rows = [getattr(key, name) if len(getattr(key, name)) else start for key in model.keyframes]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(start))


FIELDS: dict[str, Callable[[_core.Model], Any]] = {
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
    "body_mocapid": lambda m: m.bodies.kinematic_index,
    "body_jntnum": lambda m: np.diff(m.bodies.joint_begin),
    "body_jntadr": lambda m: np.where(np.diff(m.bodies.joint_begin) > 0, m.bodies.joint_begin[:-1], -1),
    "body_dofnum": lambda m: m.bodies.v_count,
    "body_dofadr": lambda m: np.where(m.bodies.v_count > 0, m.bodies.v_begin, -1),
    "body_geomnum": lambda m: np.diff(m.bodies.shape_begin),
    "body_geomadr": lambda m: np.where(np.diff(m.bodies.shape_begin) > 0, m.bodies.shape_begin[:-1], -1),
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
    "dof_M0": lambda m: m.dofs.inertia,
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
    "geom_dataid": lambda m: m.shapes.asset,
    "geom_rbound": lambda m: np.where(np.isfinite(m.shapes.bounding_radius), m.shapes.bounding_radius, 0.0),  # planes
    "site_bodyid": lambda m: m.sites.body,
    "site_type": lambda m: np.array([_GEOM.get(kind, -1) for kind in m.sites.type], dtype=np.int32),
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
    "actuator_actadr": lambda m: np.where(m.actuators.act_size > 0, m.actuators.act_begin, -1),
    "actuator_actnum": lambda m: m.actuators.act_size,
    "actuator_ctrladr": lambda m: np.arange(m.actuator_count),
    "actuator_ctrlnum": lambda m: np.ones(m.actuator_count),
    "actuator_outadr": lambda m: np.arange(m.actuator_count),
    "actuator_outnum": lambda m: np.ones(m.actuator_count),
    "actuator_actrange": lambda m: _ranges(m.actuators.act_range),
    "actuator_actlimited": lambda m: _limited(m.actuators.act_range),
    "actuator_trntype": lambda m: np.array([_TRANSMISSION.get(word, 1000) for word in m.actuators.transmission], dtype=np.int32),
    "actuator_dyntype": lambda m: np.array([_DYNAMICS.get(word, 6) for word in m.actuators.dynamics], dtype=np.int32),
    "M_rownnz": lambda m: np.array([len(row) for row in find_rows(m)], dtype=np.int32),
    "M_rowadr": lambda m: np.concatenate([[0], np.cumsum([len(row) for row in find_rows(m)])])[: m.v_count],
    "M_colind": lambda m: np.array([column for row in find_rows(m) for column in row], dtype=np.int32),
    "eq_active0": lambda m: m.equalities.active,
    "eq_obj1id": lambda m: m.equalities.first,
    "eq_obj2id": lambda m: m.equalities.second,
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
