"""Results in MuJoCo's spatial vectors (rotation before translation, about the centre of mass of each tree), frames of cameras and lights, parts of
the passive forces, and what tendons and actuators pull at."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._math import to_matrix
from ._algebra import mju_subQuat
from ._model_text import find_moment_rows
from ._passes import Pass, move
from ._tables import ENUMS

Array = npt.NDArray[np.float64]


def _cdof(p: Pass) -> Array:
    """The motion that a unit of each velocity is."""
    model, center = p.model, p.get("subtree_com")
    rows = np.zeros((model.nv, 6))
    for body in range(1, model.nbody):
        first, count = int(model.body_dofadr[body]), int(model.body_dofnum[body])
        if count:
            turn, way = p.dynamics.rotation_jacobian(body), p.dynamics.point_jacobian(body, center[model.body_rootid[body]])
            own = slice(first, first + count)
            rows[own] = np.hstack([turn[:, own].T, way[:, own].T])
    return rows


def _cross_motion(velocity: Array, motion: Array) -> Array:
    """Rate of a motion in a frame that moves with `velocity`."""
    return np.concatenate([np.cross(velocity[:3], motion[:3]), np.cross(velocity[:3], motion[3:]) + np.cross(velocity[3:], motion[:3])])


def _cross_force(velocity: Array, force: Array) -> Array:
    return np.concatenate([np.cross(velocity[:3], force[:3]) + np.cross(velocity[3:], force[3:]), np.cross(velocity[:3], force[3:])])


def _cdof_dot(p: Pass) -> Array:
    """Rates of those motions: joints of a body turn with what is before them, the three axes of a ball together."""
    model, cdof, v = p.model, p.get("cdof"), p.state.v
    rates, speed = np.zeros_like(cdof), np.zeros((model.nbody, 6))
    for body in range(1, model.nbody):
        now = speed[model.body_parentid[body]].copy()
        first = int(model.body_jntadr[body])
        for joint in range(first, first + int(model.body_jntnum[body])):
            begin, kind = int(model.jnt_dofadr[joint]), int(model.jnt_type[joint])
            if kind == 0:  # translations along the world's axes do not turn
                now += v[begin : begin + 3] @ cdof[begin : begin + 3]
                begin += 3
            dofs = range(begin, begin + (3 if kind < 2 else 1))
            for dof in dofs:
                rates[dof] = _cross_motion(now, cdof[dof])
            now += sum(v[dof] * cdof[dof] for dof in dofs)
        speed[body] = now
    return rates


def _multiply(inertia: Array, motion: Array) -> Array:
    """A row of cinert times a motion: a force."""
    xx, yy, zz, xy, xz, yz, *moment, mass = inertia
    turn, way = motion[:3], motion[3:]
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.concatenate([matrix @ turn + np.cross(moment, way), mass * way - np.cross(moment, turn)])


def _cacc(p: Pass) -> Array:
    """Accelerations, gravity taken off."""
    model, acceleration = p.model, p.get("qacc")
    rows = np.zeros((model.nbody, 6))
    rows[0, 3:] = -np.asarray(model.opt.gravity)
    for body in range(1, model.nbody):
        own = slice(max(int(model.body_dofadr[body]), 0), max(int(model.body_dofadr[body]), 0) + int(model.body_dofnum[body]))
        rows[body] = rows[model.body_parentid[body]] + p.state.v[own] @ p.get("cdof_dot")[own] + acceleration[own] @ p.get("cdof")[own]
    return rows


def _cfrc_int(p: Pass) -> Array:
    """What a body's parent holds it with."""
    model, cinert, cvel, cacc = p.model, p.get("cinert"), p.get("cvel"), p.get("cacc")
    rows = np.zeros((model.nbody, 6))
    for body in range(model.nbody - 1, 0, -1):
        moved = _multiply(cinert[body], cacc[body]) + _cross_force(cvel[body], _multiply(cinert[body], cvel[body]))
        rows[body] += moved - p.get("cfrc_ext")[body]
        rows[model.body_parentid[body]] += rows[body]
    return rows


def _crb(p: Pass) -> Array:
    rows = p.get("cinert").copy()
    for body in range(p.model.nbody - 1, 0, -1):
        if p.model.body_parentid[body] > 0:
            rows[p.model.body_parentid[body]] += rows[body]
    return rows


def _find_lengths(p: Pass, measure: Callable[[_core.Dynamics], Array]) -> Array:
    """Derivatives of lengths along each velocity, by central differences: (lengths, nv)."""
    dynamics, state, step = _core.Dynamics(p.model.rattleback), _core.State(p.model.rattleback), 1e-6
    columns = []
    for along in np.eye(p.model.nv):
        ends = []
        for sign in (1, -1):
            state.q = move(p.model, p.state.q, along, sign * step)
            _core.refresh_bodies(state)
            dynamics.update(state)
            ends.append(np.array(measure(dynamics)))
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.array(columns).T.reshape(-1, p.model.nv)


def find_tendon_jacobian(p: Pass) -> Array:
    """(ntendon, nv); of fixed tendons their coefficients."""
    def make() -> Array:
        model = p.model
        rows = _find_lengths(p, lambda dynamics: dynamics.tendon_length()) if model.ntendon else np.zeros((0, model.nv))
        joints = {name: i for i, name in enumerate(model.list_full_names("joint"))}
        for row, tendon in zip(rows, model.text.elements["tendon"]):
            if tendon.tag == "fixed":
                row[:] = 0
                for stop in tendon:
                    row[model.jnt_dofadr[joints[stop.get("joint")]]] += float(stop.get("coef", "0"))
        return rows

    made: Array = p.keep("tendon jacobian", make)
    return made


def _find_site_row(p: Pass, site: int, reference: int, gear: Array, directions: list[int]) -> Array:
    """Moment of a wrench at a site in its own axes, or in those of another one that bears the opposite."""
    axes = p.get("site_xmat")[site if reference < 0 else reference].reshape(3, 3)
    row = np.zeros(p.model.nv)
    for sign, end in ((1.0, site), (-1.0, reference)):
        if end >= 0:
            body = int(p.model.site_bodyid[end])
            row += sign * (p.dynamics.point_jacobian(body, p.get("site_xpos")[end]).T @ (axes @ gear[:3])
                           + p.dynamics.rotation_jacobian(body).T @ (axes @ gear[3:]))
    if reference >= 0:
        row[np.setdiff1d(np.arange(p.model.nv), directions)] = 0  # of those that move both
    return row


def _find_crank_row(p: Pass, crank: int, slider: int, rod: float) -> Array:
    """Derivative of how far a slider is out: x = a.v - sqrt((a.v)^2 + rod^2 - v.v), with v from slider to crank and a along the slider's z axis."""
    places, bodies = p.get("site_xpos"), p.model.site_bodyid
    along, way = p.get("site_xmat")[slider].reshape(3, 3)[:, 2], places[crank] - places[slider]
    inside = float(along @ way) ** 2 + rod * rod - float(way @ way)
    by_way, by_along = along, way  # out of the rod's reach x is a.v
    if inside > 0:
        part = 1 - float(along @ way) / np.sqrt(inside)
        by_way, by_along = along * part + way / np.sqrt(inside), way * part
    ways = p.dynamics.point_jacobian(int(bodies[crank]), places[crank]) - p.dynamics.point_jacobian(int(bodies[slider]), places[slider])
    row: Array = by_way @ ways + np.cross(along, by_along) @ p.dynamics.rotation_jacobian(int(bodies[slider]))
    return row


def find_moments(p: Pass) -> Array:
    """(nu, nv): what each actuator's force is in joint forces; zero for bodies, whose contacts pull."""
    def make() -> Array:
        model = p.model
        rows = np.zeros((model.nu, model.nv))
        for i, (kind, (target, reference)) in enumerate(zip(model.actuator_trntype, model.actuator_trnid)):
            gear = np.asarray(model.actuator_gear[i])
            if kind == 3:
                rows[i] = gear[0] * find_tendon_jacobian(p)[target]
            elif kind <= 1:
                begin, joint = int(model.jnt_dofadr[target]), int(model.jnt_type[target])
                width = (6, 3, 1, 1)[joint]
                rows[i, begin : begin + width] = gear[:width]
                if kind == 1 and joint < 2:  # torques in the parent's axes; velocities are in the body's own
                    turn, place = (3, int(model.jnt_qposadr[target]) + 3) if joint == 0 else (0, int(model.jnt_qposadr[target]))
                    rows[i, begin + turn : begin + width] = to_matrix(p.state.q[place : place + 4]).T @ gear[turn:width]
            elif kind == 2:
                rows[i] = gear[0] * _find_crank_row(p, int(target), int(reference), float(model.actuator_cranklength[i]))
            elif kind == 4:
                rows[i] = _find_site_row(p, int(target), int(reference), gear, find_moment_rows(model)[i])
        return rows

    made: Array = p.keep("moments", make)
    return made


def _qfrc_spring(p: Pass) -> Array:
    model, q, rest = p.model, p.state.q, np.asarray(p.model.qpos_spring)
    force = np.zeros(model.nv)
    for kind, begin, v_begin, stiffness, (a, b) in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, model.jnt_stiffness, model.jnt_stiffnesspoly):
        def pull(way: Array, k: float = stiffness, a: float = a, b: float = b) -> Array:
            """-(k x + a x^2 + b x^3); along a way in space x is its length."""
            far = float(way[0]) if len(way) == 1 else float(np.linalg.norm(way))
            return -(k + a * far + b * far * far) * way

        if kind >= 2:
            force[v_begin : v_begin + 1] = pull(q[begin : begin + 1] - rest[begin : begin + 1])
            continue
        if kind == 0:
            force[v_begin : v_begin + 3] = pull(q[begin : begin + 3] - rest[begin : begin + 3])
            begin, v_begin = begin + 3, v_begin + 3
        turn = np.zeros(3)
        mju_subQuat(turn, q[begin : begin + 4], rest[begin : begin + 4])
        force[v_begin : v_begin + 3] = pull(turn)
    if np.any(model.tendon_stiffness):
        length, range_ = p.get("ten_length"), np.asarray(model.tendon_lengthspring)
        stretch = length - np.clip(length, range_[:, 0], range_[:, 1])
        force -= find_tendon_jacobian(p).T @ (np.asarray(model.tendon_stiffness) * stretch)
    return force


def _qfrc_gravcomp(p: Pass) -> Array:
    model, force = p.model, np.zeros(p.model.nv)
    for body in np.flatnonzero(np.asarray(model.body_gravcomp)):
        lift = -np.asarray(model.opt.gravity) * float(model.body_mass[body] * model.body_gravcomp[body])
        force += p.dynamics.point_jacobian(int(body), p.get("xipos")[body]).T @ lift
    return force


def _qfrc_damper(p: Pass) -> Array:
    v, (a, b) = p.state.v, np.asarray(p.model.dof_dampingpoly).T
    force: Array = -(np.asarray(p.model.dof_damping) + a * np.abs(v) + b * v * v) * v
    if np.any(p.model.tendon_damping):
        jacobian = find_tendon_jacobian(p)
        force -= jacobian.T @ (np.asarray(p.model.tendon_damping) * (jacobian @ p.state.v))
    return force


def _qfrc_fluid(p: Pass) -> Array:
    """What is left of the passive forces, in water or wind."""
    rest: Array = p.get("qfrc_passive") - p.get("qfrc_spring") - p.get("qfrc_damper") - p.get("qfrc_gravcomp")
    return rest if p.model.opt.density or p.model.opt.viscosity else np.zeros(p.model.nv)


def _look_at(place: Array, target: Array) -> Array:
    """Axes of a camera that looks at a point, level where it can be."""
    back = (place - target) / max(float(np.linalg.norm(place - target)), 1e-15)
    right = np.cross((0.0, 0.0, 1.0), back)
    right = right / max(float(np.linalg.norm(right)), 1e-15)
    return np.stack([right, np.cross(back, right), back], axis=1)


def _cameras(p: Pass) -> tuple[Array, Array]:
    """Places and axes."""
    m, center = p.model, p.get("subtree_com")
    places, axes = np.zeros((m.ncam, 3)), np.zeros((m.ncam, 9))
    for i, (body, mode, target) in enumerate(zip(m.cam_bodyid, m.cam_mode, m.cam_targetbodyid)):
        rotation = to_matrix(p.state.body_rotation[body])
        place, turn = p.state.body_position[body] + rotation @ m.cam_pos[i], rotation @ to_matrix(m.cam_quat[i])
        if mode in (1, 2):
            place = p.state.body_position[body] + m.cam_pos0[i] if mode == 1 else center[body] + m.cam_poscom0[i]
            turn = np.reshape(m.cam_mat0[i], (3, 3))
        elif mode > 2 and target >= 0:
            turn = _look_at(place, p.state.body_position[target] if mode == 3 else center[target])
        places[i], axes[i] = place, turn.reshape(9)
    return places, axes


def _lights(p: Pass) -> tuple[Array, Array]:
    """Places and directions."""
    m, center = p.model, p.get("subtree_com")
    places, ways = np.zeros((m.nlight, 3)), np.zeros((m.nlight, 3))
    for i, (body, mode, target) in enumerate(zip(m.light_bodyid, m.light_mode, m.light_targetbodyid)):
        rotation = to_matrix(p.state.body_rotation[body])
        place, way = p.state.body_position[body] + rotation @ m.light_pos[i], rotation @ m.light_dir[i]
        if mode in (1, 2):
            place = p.state.body_position[body] + m.light_pos0[i] if mode == 1 else center[body] + m.light_poscom0[i]
            way = np.asarray(m.light_dir0[i])
        elif mode > 2 and target >= 0:
            way = (p.state.body_position[target] if mode == 3 else center[target]) - place
        places[i], ways[i] = place, way / max(float(np.linalg.norm(way)), 1e-15)
    return places, ways


def _act_dot(p: Pass) -> Array:
    """Rates of activations: the input itself, a filter of it, or a muscle's."""
    from ._vectors import mju_muscleDynamics

    model, rates = p.model, np.zeros(p.model.na)
    kinds = ENUMS["mjtDyn"]
    for i, (kind, begin, limited) in enumerate(zip(model.actuator_dyntype, model.actuator_actadr, model.actuator_ctrllimited)):
        if begin < 0:
            continue
        value, now, prm = float(p.control.input[i]), float(p.state.act[begin]), np.asarray(model.actuator_dynprm[i])
        value = float(np.clip(value, *model.actuator_ctrlrange[i])) if limited else value
        if kind == kinds.mjDYN_MUSCLE:
            rates[begin] = mju_muscleDynamics(value, now, prm)
        else:
            rates[begin] = value if kind == kinds.mjDYN_INTEGRATOR else (value - now) / max(float(prm[0]), 1e-15)
    return rates


def _find_sparse_moments(p: Pass) -> dict[str, Any]:
    """actuator_moment and the arrays that say where its numbers belong."""
    rows = [row if reference < 0 else [j for j in row if find_moments(p)[i, j] != 0]  # of two sites MuJoCo keeps what is not zero
            for i, (row, reference) in enumerate(zip(find_moment_rows(p.model), p.model.actuator_trnid[:, 1]))]
    counts = np.array([len(row) for row in rows], dtype=np.int32)
    values = [find_moments(p)[i, row] for i, row in enumerate(rows)]
    rest = np.zeros(p.model.nJmom - int(counts.sum()))
    return {"moment_rownnz": counts, "moment_rowadr": np.concatenate([[0], np.cumsum(counts)])[: len(counts)],
            "moment_colind": np.concatenate([np.zeros(0), *rows, rest]).astype(np.int32), "actuator_moment": np.concatenate([np.zeros(0), *values, rest])}


def _take_moment(name: str) -> Callable[[Pass], Array]:
    return lambda p: p.keep("sparse moments", lambda: _find_sparse_moments(p))[name]


FIELDS: dict[str, Callable[[Pass], Array]] = {
    **{name: _take_moment(name) for name in ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")},
    "act_dot": _act_dot,
    "ten_velocity": lambda p: find_tendon_jacobian(p) @ p.state.v,
    "actuator_velocity": lambda p: find_moments(p) @ p.state.v,
    "cdof": _cdof,
    "cdof_dot": _cdof_dot,
    "cacc": _cacc,
    "cfrc_int": _cfrc_int,
    "crb": _crb,
    "qfrc_spring": _qfrc_spring,
    "qfrc_damper": _qfrc_damper,
    "qfrc_gravcomp": _qfrc_gravcomp,
    "qfrc_fluid": _qfrc_fluid,
    "cam_xpos": lambda p: p.keep("cameras", lambda: _cameras(p))[0],
    "cam_xmat": lambda p: p.keep("cameras", lambda: _cameras(p))[1],
    "light_xpos": lambda p: p.keep("lights", lambda: _lights(p))[0],
    "light_xdir": lambda p: p.keep("lights", lambda: _lights(p))[1],
}
