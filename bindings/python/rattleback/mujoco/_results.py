"""What follows from a forward pass, by MuJoCo's names of the arrays of MjData."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .._math import from_axis_angle, to_matrix
from . import _motions
from ._model_fields import find_rows
from ._passes import Pass

Array = npt.NDArray[np.float64]


def _turn(rotation: Array, vectors: Any) -> Array:
    turned: Array = np.einsum("nij,nj->ni", rotation, vectors)
    return turned


def _xmat(p: Pass) -> Array:
    matrices: Array = p.keep("rotation", lambda: to_matrix(p.state.body_rotation))
    return matrices


def _center(p: Pass) -> Array:
    """Of each body and what it carries."""
    model = p.model
    moment = p.get("xipos") * model.body_mass[:, None]
    for body in range(model.nbody - 1, 0, -1):
        moment[model.body_parentid[body]] += moment[body]
    mass = model.body_subtreemass
    centers: Array = np.where(mass[:, None] > 1e-15, moment / np.maximum(mass, 1e-15)[:, None], p.get("xipos"))
    return centers


def _from_root(p: Pass) -> Array:
    """From the centre of mass of its tree to that of the body."""
    offset: Array = p.get("xipos") - p.get("subtree_com")[p.model.body_rootid]
    return offset


def _cinert(p: Pass) -> Array:
    model = p.model
    axes = p.get("ximat").reshape(-1, 3, 3)
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
    center = p.get("subtree_com")
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


def _actuator_force(p: Pass) -> Array:
    """Gain times input, plus bias, where both are affine; zero for other laws."""
    model = p.model.rattleback
    actuators, length, speed = model.actuators, p.get("actuator_length"), p.get("actuator_velocity")
    inputs = p.control.input.copy()
    for i, limits in enumerate(actuators.input_range):
        inputs[i] = inputs[i] if limits is None else np.clip(inputs[i], *limits)
    has_act = actuators.act_size > 0
    inputs[has_act] = p.state.act[(actuators.act_begin + actuators.act_size - 1)[has_act]]
    terms = np.stack([np.ones_like(length), length, speed], axis=1)
    force = np.sum(actuators.gain * terms, axis=1) * inputs + np.sum(actuators.bias * terms, axis=1)
    for i, limits in enumerate(actuators.force_range):
        force[i] = force[i] if limits is None else np.clip(force[i], *limits)
        if actuators.gain_law[i] != "affine" or actuators.bias_law[i] != "affine":
            force[i] = 0.0
    active: Array = force * (p.control.actuator_active != 0)
    return active


def _turn_by(axis: Array, angle: float) -> Array:
    return to_matrix(from_axis_angle(axis, angle))


def _joint_frames(p: Pass) -> tuple[Array, Array]:
    """Anchors and axes of joints: those of a body act one after the other, and later ones do not move earlier ones."""
    model, q, origin = p.model, p.state.q, p.model.qpos0
    anchor, axis = np.zeros((model.njnt, 3)), np.zeros((model.njnt, 3))
    for body in range(1, model.nbody):
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        parent = int(model.body_parentid[body])
        rotation = _xmat(p)[parent] @ to_matrix(np.asarray(model.body_quat[body]))
        position = p.state.body_position[parent] + _xmat(p)[parent] @ np.asarray(model.body_pos[body])
        for joint in range(first, first + count):
            begin, kind, place = int(model.jnt_qposadr[joint]), int(model.jnt_type[joint]), np.asarray(model.jnt_pos[joint])
            if kind == 0:
                anchor[joint], axis[joint] = q[begin : begin + 3], (0.0, 0.0, 1.0)
                continue
            anchor[joint], axis[joint] = position + rotation @ place, rotation @ np.asarray(model.jnt_axis[joint])
            if kind == 2:
                position = position + (q[begin] - origin[begin]) * axis[joint]
                continue
            turn = to_matrix(q[begin : begin + 4]) if kind == 1 else None
            rotation = rotation @ turn if turn is not None else _turn_by(axis[joint], float(q[begin] - origin[begin])) @ rotation
            position = anchor[joint] - rotation @ place
    return anchor, axis


def _subtree_linvel(p: Pass) -> Array:
    model = p.model
    momentum = p.state.body_linear_velocity * np.asarray(model.body_mass)[:, None]
    for body in range(model.nbody - 1, 0, -1):
        momentum[model.body_parentid[body]] += momentum[body]
    velocity: Array = momentum / np.maximum(np.asarray(model.body_subtreemass), 1e-15)[:, None]
    return velocity


def _subtree_angmom(p: Pass) -> Array:
    """About each subtree's own centre of mass: spin of the bodies, and of their centres about it."""
    model, mass = p.model, np.asarray(p.model.body_mass)
    axes = p.get("ximat").reshape(-1, 3, 3)
    spin = np.einsum("nij,nj,nkj,nk->ni", axes, np.asarray(model.body_inertia), axes, p.state.body_angular_velocity)
    center, velocity = p.get("subtree_com"), p.get("subtree_linvel")
    total = np.zeros((model.nbody, 3))
    for body in range(model.nbody):
        above = body
        while True:
            arm, speed = p.get("xipos")[body] - center[above], p.state.body_linear_velocity[body] - velocity[above]
            total[above] += spin[body] + mass[body] * np.cross(arm, speed)
            if above == 0:
                break
            above = int(model.body_parentid[above])
    return total


def _sparse(p: Pass) -> Array:
    """The lower half of the mass matrix, row by row, without what is always zero."""
    dense = p.dynamics.mass_matrix()
    return np.array([dense[i, column] for i, row in enumerate(find_rows(p.model.rattleback)) for column in row])


def to_quaternions(matrices: Array) -> Array:
    """Of rotation matrices, (n, 9) -> (n, 4): the eigenvector of Bar-Itzhack's symmetric matrix."""
    m = matrices.reshape(-1, 3, 3)
    k = np.empty((len(m), 4, 4))
    trace = np.trace(m, axis1=1, axis2=2)
    k[:, 0, 0] = trace
    skew = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], axis=1)
    k[:, 0, 1:] = k[:, 1:, 0] = skew
    k[:, 1:, 1:] = m + np.swapaxes(m, 1, 2) - trace[:, None, None] * np.eye(3)
    vectors: Array = np.linalg.eigh(k)[1][:, :, 3]
    return vectors * np.where(vectors[:, :1] < 0, -1.0, 1.0)


# Sensors that MuJoCo reads when accelerations are known.
_LATE = {"touch", "accelerometer", "force", "torque", "actuatorfrc", "jointactuatorfrc", "tendonactuatorfrc", "jointlimitfrc", "tendonlimitfrc",
         "framelinacc", "frameangacc", "contact", "tactile", "user"}
OF_ACCELERATION = {"cacc", "cfrc_int", "qacc", "qacc_smooth", "qfrc_actuator", "qfrc_smooth", "qfrc_constraint", "qfrc_inverse", "actuator_force", "cfrc_ext"}


def _sensors(p: Pass) -> Array:
    """After mj_step1 those of accelerations are still of the pass before."""
    values = p.solved.sensors.copy()
    if p.before is not None:
        for element, begin, size in zip(p.model.text.elements["sensor"], p.model.sensor_adr, p.model.sensor_dim):
            if element.tag in _LATE:
                values[begin : begin + size] = p.before.get("sensordata")[begin : begin + size]
    return values


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
    "qfrc_passive": lambda p: p.dynamics.passive() if p.extra is None else p.dynamics.passive() + p.extra,
    "qfrc_actuator": lambda p: p.dynamics.actuation(),
    "qacc": lambda p: p.solved.acceleration.copy(),
    "qacc_smooth": lambda p: p.dynamics.forward(p.dynamics.passive() + p.dynamics.actuation() + p.dynamics.applied()),
    "qfrc_smooth": lambda p: p.dynamics.passive() + p.dynamics.actuation() + p.dynamics.applied() - p.dynamics.bias(),
    "qfrc_constraint": lambda p: p.dynamics.inverse(p.solved.acceleration) - p.dynamics.passive() - p.dynamics.actuation()
    - p.dynamics.applied(),
    "qfrc_inverse": lambda p: p.dynamics.inverse(p.solved.acceleration) - p.dynamics.passive() - (p.get("qfrc_constraint")),
    "sensordata": _sensors,
    "energy": lambda p: np.array([p.solved.energy().potential, p.solved.energy().kinetic]),
    "ten_length": lambda p: p.dynamics.tendon_length(),
    "actuator_length": lambda p: p.dynamics.actuator_length(),
    "actuator_force": _actuator_force,
    "xanchor": lambda p: p.keep("joints", lambda: _joint_frames(p))[0],
    "xaxis": lambda p: p.keep("joints", lambda: _joint_frames(p))[1],
    "xiquat": lambda p: to_quaternions(p.get("ximat")),
    "geom_xquat": lambda p: to_quaternions(p.get("geom_xmat")),
    "site_xquat": lambda p: to_quaternions(p.get("site_xmat")),
    "subtree_linvel": _subtree_linvel,
    "subtree_angmom": _subtree_angmom,
    "M": _sparse,
}
FIELDS |= _motions.FIELDS
