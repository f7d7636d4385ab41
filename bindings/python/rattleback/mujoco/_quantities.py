"""MuJoCo's functions that ask about a model and its data: inverse dynamics, distances, states, derivatives by differences."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._math import to_matrix
from ._data import MjData
from ._functions import _PARTS, _check_signature, mj_differentiatePos, mj_getState, mj_integratePos, mj_jac, mj_setState, mj_stateSize
from ._model import MjModel
from ._tables import ENUMS, mjtObj, mjtState

Array = npt.NDArray[np.float64]


def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: Array) -> None:
    """Joint forces of inverse dynamics without constraints: bias, and with flg_acc those of qacc (no armature)."""
    dynamics = d.passed.dynamics
    forces = np.array(dynamics.bias())
    if flg_acc:
        acceleration = np.asarray(d.qacc)
        forces += dynamics.mass_matrix() @ acceleration - np.asarray(m.dof_armature) * acceleration
    result[...] = forces.reshape(result.shape)


def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: Array | None) -> float:
    """Signed distance of two geoms, at most distmax, and the shortest way from the first to the second, (6,); zeros where there is none so short."""
    gap = _core.find_distance(d.passed.state, geom1, geom2)
    near = gap is not None and gap.distance < distmax
    if fromto is not None:
        fromto[...] = np.concatenate([gap.on_first, gap.on_second]).reshape(fromto.shape) if near and gap is not None else 0
    return gap.distance if near and gap is not None else float(distmax)


def mj_local2Global(d: MjData, xpos: Array, xmat: Array, pos: Array, quat: Array, body: int, sameframe: int = 0) -> None:
    """A pose in a body's frame, in the world."""
    if sameframe:
        raise NotImplementedError("rattleback.mujoco.mj_local2Global: pass sameframe 0")
    axes = np.reshape(d.xmat[body], (3, 3))
    xpos[...] = np.asarray(d.xpos[body]) + axes @ np.asarray(pos)
    xmat[...] = (axes @ to_matrix(quat)).reshape(xmat.shape)


def mj_angmomMat(m: MjModel, d: MjData, mat: Array, body: int) -> None:
    """(3, nv): angular momentum of a subtree about its centre of mass is this times qvel."""
    mat[...] = 0
    centre = np.asarray(d.subtree_com[body])
    for b in range(body, m.nbody):
        above = b
        while above > body:
            above = int(m.body_parentid[above])
        if above != body:
            continue
        point, turn = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        mj_jac(m, d, point, turn, np.asarray(d.xipos[b]), b)
        axes = np.reshape(d.ximat[b], (3, 3))
        inertia = axes @ np.diag(m.body_inertia[b]) @ axes.T
        mat += inertia @ turn + float(m.body_mass[b]) * np.cross((np.asarray(d.xipos[b]) - centre)[:, None], point, axis=0)


def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: Array | None, jacAxis: Array | None, point: Array, axis: Array, body: int) -> None:  # noqa: N803
    """Jacobians (3, nv) of a point and of an axis of a body."""
    turn = np.zeros((3, m.nv))
    mj_jac(m, d, jacPoint, turn, point, body)
    if jacAxis is not None:
        jacAxis[...] = np.cross(turn, np.ravel(axis)[:, None], axis=0)


def mj_jacDot(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, point: Array, body: int) -> None:
    """Rate of mj_jac for a point that moves with its body: central differences along qvel, to about 1e-9."""
    h, rates = 1e-5, []
    local = np.reshape(d.xmat[body], (3, 3)).T @ (np.ravel(point) - np.asarray(d.xpos[body]))
    for sign in (1, -1):
        state = _core.State(m.rattleback)
        qpos = np.array(d.qpos)
        mj_integratePos(m, qpos, np.asarray(d.qvel), sign * h)
        state.q[:] = qpos
        _core.refresh_bodies(state)
        dynamics = _core.Dynamics(m.rattleback)
        dynamics.update(state)
        moved = state.body_position[body] + to_matrix(state.body_rotation[body]) @ local
        rates.append((np.array(dynamics.point_jacobian(body, moved)), np.array(dynamics.rotation_jacobian(body))))
    for target, ahead, behind in zip((jacp, jacr), *rates):
        if target is not None:
            target[...] = (ahead - behind) / (2 * h)


def mj_insideSite(m: MjModel, d: MjData, siteid: int, point: Array) -> int:
    """1 where a point is inside the volume of a site."""
    x, y, z = np.reshape(d.site_xmat[siteid], (3, 3)).T @ (np.ravel(point) - np.asarray(d.site_xpos[siteid]))
    a, b, c = (float(s) for s in m.site_size[siteid])
    kind, geoms = int(m.site_type[siteid]), ENUMS["mjtGeom"]
    across = float(np.hypot(x, y))
    if kind == geoms.mjGEOM_SPHERE:
        return int(x * x + y * y + z * z < a * a)
    if kind == geoms.mjGEOM_CAPSULE:
        return int(np.hypot(across, max(abs(z) - b, 0.0)) < a)
    if kind == geoms.mjGEOM_ELLIPSOID:
        return int((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2 < 1)
    if kind == geoms.mjGEOM_CYLINDER:
        return int(abs(z) < b and across < a)
    if kind == geoms.mjGEOM_BOX:
        return int(abs(x) < a and abs(y) < b and abs(z) < c)
    raise ValueError(f"mj_insideSite: a site of type {kind} has no volume")


def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scales all masses and inertias."""
    factor = max(1e-15, newmass / max(1e-15, float(np.sum(m.body_mass))))
    m.body_mass[:] = np.asarray(m.body_mass) * factor
    m.body_inertia[:] = np.asarray(m.body_inertia) * factor


def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Parts of the state of another MjData."""
    kept = np.zeros(mj_stateSize(m, sig))
    mj_getState(m, src, kept, sig)
    mj_setState(m, dst, kept, sig)


def mj_extractState(m: MjModel, src: Array, srcsig: int, dst: Array, dstsig: int) -> None:
    """Some parts of a state vector that has more."""
    _check_signature(srcsig)
    if int(dstsig) & ~int(srcsig):
        raise ValueError("mj_extractState: dstsig is not a subset of srcsig")
    place, kept = 0, []
    for part, _ in _PARTS:
        if int(srcsig) & part:
            size = mj_stateSize(m, int(part))
            kept += [np.ravel(src)[place : place + size]] if int(dstsig) & part else []
            place += size
    dst[...] = np.concatenate(kept).reshape(dst.shape)


def mj_resetCtrl(m: MjModel, d: MjData) -> None:
    """Inputs zero."""
    d.ctrl[:] = 0


def mj_isPyramidal(m: MjModel) -> int:
    """1 for pyramids of friction."""
    return int(int(m.opt.cone) == int(ENUMS["mjtCone"].mjCONE_PYRAMIDAL))


def mj_isDual(m: MjModel) -> int:
    """1 for PGS, and where noslip follows."""
    return int(int(m.opt.solver) == int(ENUMS["mjtSolver"].mjSOL_PGS) or int(m.opt.noslip_iterations) > 0)


def mj_isSparse(m: MjModel) -> int:
    """1 where MuJoCo would choose sparse Jacobians."""
    kind = int(m.opt.jacobian)
    automatic = int(ENUMS["mjtJacobian"].mjJAC_AUTO)
    return int(kind == int(ENUMS["mjtJacobian"].mjJAC_SPARSE) or (kind == automatic and m.nv >= 60))


def mj_defaultSolRefImp(solref: Array | None, solimp: Array | None) -> None:
    """The numbers of a model that says nothing."""
    for name, array, size in (("solref", solref, 2), ("solimp", solimp, 5)):
        if array is not None and np.shape(array) != (size,):
            raise TypeError(f"mj_defaultSolRefImp: {name} has {size} numbers")
    if solref is not None:
        solref[...] = (0.02, 1)
    if solimp is not None:
        solimp[...] = (0.9, 0.95, 0.001, 0.5, 2)


def _hat(x: Any) -> Array:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def mjd_quatIntegrate(vel: Array, scale: float, Dquat: Array, Dvel: Array, Dscale: Array) -> None:  # noqa: N803
    """Derivatives of mju_quatIntegrate in the tangent space: the turn back, the right Jacobian of SO(3), and vel."""
    turn = np.asarray(vel, dtype=np.float64) * scale
    angle, hat = float(np.linalg.norm(turn)), _hat(turn)
    small = angle < 1e-6  # the series beyond its first terms is below 1e-13
    first = 0.5 - angle**2 / 24 if small else (1 - np.cos(angle)) / angle**2
    second = 1 / 6 - angle**2 / 120 if small else (angle - np.sin(angle)) / angle**3
    sine = 1 - angle**2 / 6 if small else np.sin(angle) / angle
    Dquat[...] = (np.eye(3) - sine * hat + first * hat @ hat).reshape(Dquat.shape)
    Dvel[...] = (np.eye(3) - first * hat + second * hat @ hat).reshape(Dvel.shape)
    Dscale[...] = np.asarray(vel).reshape(Dscale.shape)


def _difference(m: MjModel, d: MjData, before: Array, after: Array) -> Array:
    """From one state vector (qpos, qvel, act) to another, in tangent space."""
    change = np.zeros(m.nv)
    mj_differentiatePos(m, change, 1.0, before[: m.nq], after[: m.nq])
    return np.concatenate([change, after[m.nq :] - before[m.nq :]])


def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: Array | None, B: Array | None, C: Array | None,  # noqa: N803
                     D: Array | None) -> None:  # noqa: N803
    """Derivatives of a step by differences: next state (2 nv + na) and sensors by state and inputs. The data is left as it was."""
    full = int(mjtState.mjSTATE_INTEGRATION)
    start, size = np.zeros(mj_stateSize(m, full)), 2 * m.nv + m.na
    mj_getState(m, d, start, full)

    def step() -> tuple[Array, Array]:
        d.step(1)
        return np.concatenate([d.qpos, d.qvel, d.act]), np.array(d.sensordata)

    def move(place: int, by: float) -> tuple[Array, Array]:
        mj_setState(m, d, start, full)
        if place < m.nv:
            along = np.zeros(m.nv)
            along[place] = 1
            qpos = np.array(d.qpos)
            mj_integratePos(m, qpos, along, by)
            d.qpos[:] = qpos
        elif place < 2 * m.nv:
            d.qvel[place - m.nv] += by
        elif place < size:
            d.act[place - 2 * m.nv] += by
        else:
            d.ctrl[place - size] += by
        return step()

    mj_setState(m, d, start, full)
    here = step()
    limits = np.asarray(m.actuator_ctrlrange)
    for place in range(size + m.nu):
        ahead = behind = True
        if place >= size and m.actuator_ctrllimited[place - size]:  # differences stay within the limits
            value = float(start[_find_ctrl(m, full) + place - size])
            ahead, behind = value + eps <= limits[place - size, 1], value - eps >= limits[place - size, 0]
        after = move(place, eps) if ahead else here
        before = move(place, -eps) if behind and (flg_centered or not ahead) else here
        width = eps * ((after is not here) + (before is not here))
        if width == 0:
            continue
        for target, rate in ((A if place < size else B, _difference(m, d, before[0], after[0])), (C if place < size else D, after[1] - before[1])):
            if target is not None:
                target[:, place if place < size else place - size] = rate / width
    mj_setState(m, d, start, full)


def _find_ctrl(m: MjModel, sig: int) -> int:
    """Where the inputs begin in a state vector."""
    return sum(mj_stateSize(m, int(part)) for part, _ in _PARTS if int(sig) & part and int(part) < int(mjtState.mjSTATE_CTRL))


def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Angular and linear acceleration of the origin of an element, gravity taken off as an accelerometer feels it: J a + J' v - g."""
    places = {mjtObj.mjOBJ_BODY: ("xipos", "ximat", None), mjtObj.mjOBJ_XBODY: ("xpos", "xmat", None),
              mjtObj.mjOBJ_GEOM: ("geom_xpos", "geom_xmat", "geom_bodyid"), mjtObj.mjOBJ_SITE: ("site_xpos", "site_xmat", "site_bodyid")}
    if mjtObj(objtype) not in places:
        raise ValueError("mj_objectAcceleration: rattleback.mujoco knows bodies, geoms and sites")
    where, turn, owner = places[mjtObj(objtype)]
    body = int(objid if owner is None else getattr(m, owner)[objid])
    point, (jp, jr), (rate_p, rate_r) = np.asarray(getattr(d, where)[objid]), np.zeros((2, 3, m.nv)), np.zeros((2, 3, m.nv))
    mj_jac(m, d, jp, jr, point, body)
    mj_jacDot(m, d, rate_p, rate_r, point, body)
    axes = np.reshape(getattr(d, turn)[objid], (3, 3)) if flg_local else np.eye(3)
    acceleration, velocity = np.asarray(d.qacc), np.asarray(d.qvel)
    res.reshape(-1)[:3] = axes.T @ (jr @ acceleration + rate_r @ velocity)
    res.reshape(-1)[3:] = axes.T @ (jp @ acceleration + rate_p @ velocity - np.asarray(m.opt.gravity))
