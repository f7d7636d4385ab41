"""MuJoCo's functions, on MjModel and MjData."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ._algebra import mju_subQuat
from ._data import MjData
from ._model import FatalError, MjModel
from ._passes import move
from ._tables import mjtObj, mjtState

Array = npt.NDArray[np.float64]


def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """A step from the present state and inputs. Optionally, repeat nstep times."""
    if nstep > 0:
        d.step(nstep)


def mj_forward(m: MjModel, d: MjData) -> None:
    """All that follows from state and inputs, without a step."""
    d.forward()


def mj_step1(m: MjModel, d: MjData) -> None:
    """The part of a step before the inputs are needed: accelerations and forces stay those of the pass before."""
    d.forward(whole=False)


def mj_step2(m: MjModel, d: MjData) -> None:
    """The rest of the step. A state that was written since the pass is moved by the pass's accelerations, as MuJoCo does, to rounding; with the integrator
    implicit MuJoCo takes the derivatives of forces at the written state, we those of the pass: velocities of about 1 come out up to 8e-4 apart."""
    d.step_rest()


mj_kinematics = mj_comPos = mj_comVel = mj_fwdPosition = mj_fwdVelocity = mj_fwdKinematics = mj_fwdActuation = mj_fwdAcceleration = mj_forward
mj_fwdConstraint = mj_crb = mj_makeM = mj_tendon = mj_transmission = mj_collision = mj_makeConstraint = mj_passive = mj_forward
mj_sensorPos = mj_sensorVel = mj_sensorAcc = mj_energyPos = mj_energyVel = mj_subtreeVel = mj_camlight = mj_factorM = mj_forward


def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """A forward pass; nothing is skipped."""
    d.forward()


def mj_setConst(m: MjModel, d: MjData) -> None:
    """What follows from the model's numbers follows by itself."""
    m.apply()


def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """cfrc_ext is computed when it is read."""


def mj_resetData(m: MjModel, d: MjData) -> None:
    """To the initial state, inputs zero."""
    d.reset()


def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """To a keyframe."""
    d.reset(key)


def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> MjData:
    """State and inputs of another MjData."""
    dest.take_state(src.get_state())
    return dest


# Kinds by MuJoCo's number.
_KINDS = {
    mjtObj.mjOBJ_BODY: "body", mjtObj.mjOBJ_XBODY: "body", mjtObj.mjOBJ_JOINT: "joint", mjtObj.mjOBJ_GEOM: "geom", mjtObj.mjOBJ_SITE: "site",
    mjtObj.mjOBJ_CAMERA: "camera", mjtObj.mjOBJ_LIGHT: "light", mjtObj.mjOBJ_TENDON: "tendon", mjtObj.mjOBJ_ACTUATOR: "actuator",
    mjtObj.mjOBJ_SENSOR: "sensor", mjtObj.mjOBJ_EQUALITY: "equality", mjtObj.mjOBJ_KEY: "key", mjtObj.mjOBJ_MESH: "mesh",
    mjtObj.mjOBJ_HFIELD: "hfield", mjtObj.mjOBJ_TEXTURE: "texture", mjtObj.mjOBJ_MATERIAL: "material", mjtObj.mjOBJ_PAIR: "pair",
    mjtObj.mjOBJ_EXCLUDE: "exclude", mjtObj.mjOBJ_NUMERIC: "numeric", mjtObj.mjOBJ_TEXT: "text", mjtObj.mjOBJ_TUPLE: "tuple",
}
_TYPE_NAMES = {kind: word for kind, word in _KINDS.items() if kind != mjtObj.mjOBJ_XBODY}


def _names(m: MjModel, kind: int) -> list[str]:
    word = _KINDS.get(mjtObj(kind))
    return m.list_names(word) if word else []


def mju_str2Type(str: str | bytes) -> int:  # noqa: A002
    """Number of a kind of elements; 0 where there is none."""
    word = str.decode() if isinstance(str, bytes) else str
    return next((int(kind) for kind, name in _TYPE_NAMES.items() if name == word), 0)


def mju_type2Str(type: int) -> str | None:  # noqa: A002
    """Word of a kind of elements."""
    return _TYPE_NAMES.get(mjtObj(type))


def mj_name2id(m: MjModel, type: int, name: str) -> int:  # noqa: A002
    """Index of an element; -1 where there is none."""
    names = _names(m, type)
    return names.index(name) if name in names else -1


def mj_id2name(m: MjModel, type: int, id: int) -> str | None:  # noqa: A002
    """Name of an element; None where there is none."""
    names = _names(m, type)
    return names[id] or None if 0 <= id < len(names) else None


def mj_jac(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, point: Array, body: int) -> None:
    """Jacobians (3, nv) of a point of a body, and of its rotation."""
    dynamics = d.passed.dynamics
    if jacp is not None:
        jacp[...] = dynamics.point_jacobian(body, np.asarray(point).reshape(3))
    if jacr is not None:
        jacr[...] = dynamics.rotation_jacobian(body)


def mj_jacBody(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """Of a body's origin."""
    mj_jac(m, d, jacp, jacr, d.xpos[body], body)


def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """Of a body's centre of mass."""
    mj_jac(m, d, jacp, jacr, d.xipos[body], body)


def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Array, body: int) -> None:
    """Of the centre of mass of a body and all that it carries."""
    jacp[...] = d.passed.dynamics.center_of_mass_jacobian(body)


def mj_jacGeom(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, geom: int) -> None:
    """Of a geom's origin."""
    mj_jac(m, d, jacp, jacr, d.geom_xpos[geom], int(m.geom_bodyid[geom]))


def mj_jacSite(m: MjModel, d: MjData, jacp: Array | None, jacr: Array | None, site: int) -> None:
    """Of a site's origin."""
    mj_jac(m, d, jacp, jacr, d.site_xpos[site], int(m.site_bodyid[site]))


def mj_fullM(m: MjModel, d: MjData, dst: Array) -> None:
    """The mass matrix (nv, nv)."""
    dst[...] = d.passed.dynamics.mass_matrix()


def mj_mulM(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """M times a vector."""
    res[...] = d.passed.dynamics.mass_matrix() @ np.asarray(vec).reshape(-1)


def mj_solveM(m: MjModel, d: MjData, x: Array, y: Array) -> None:
    """x = M^-1 y, row by row."""
    rows = np.atleast_2d(y)
    x[...] = np.array([d.passed.dynamics.solve(row) for row in rows]).reshape(np.shape(y))


def mj_contactForce(m: MjModel, d: MjData, id: int, result: Array) -> None:  # noqa: A002
    """Force and torque of a contact in its frame, (6,)."""
    contact = d.contact[id]
    axes = contact.frame.reshape(3, 3)
    np.asarray(result).reshape(-1)[:] = 0
    result.reshape(-1)[:3] = axes @ contact.force
    result.reshape(-1)[3:] = axes @ contact.torque


def mj_getTotalmass(m: MjModel) -> float:
    """[kg]"""
    return float(np.sum(m.body_mass))


_PARTS = [(mjtState.mjSTATE_TIME, "time"), (mjtState.mjSTATE_QPOS, "qpos"), (mjtState.mjSTATE_QVEL, "qvel"),
          (mjtState.mjSTATE_ACT, "act"), (mjtState.mjSTATE_CTRL, "ctrl"), (mjtState.mjSTATE_QFRC_APPLIED, "qfrc_applied"),
          (mjtState.mjSTATE_XFRC_APPLIED, "xfrc_applied"), (mjtState.mjSTATE_EQ_ACTIVE, "eq_active"), (mjtState.mjSTATE_MOCAP_POS, "mocap_pos"),
          (mjtState.mjSTATE_MOCAP_QUAT, "mocap_quat"), (mjtState.mjSTATE_USERDATA, "userdata"), (mjtState.mjSTATE_HISTORY, "history"),
          (mjtState.mjSTATE_WARMSTART, "qacc_warmstart"), (mjtState.mjSTATE_PLUGIN, "plugin_state"), (mjtState.mjSTATE_PLASTIC, "plastic")]
_PARTS.sort(key=lambda part: int(part[0]))
_KNOWN = sum(int(part) for part, _ in _PARTS)


def _check_signature(sig: int) -> None:
    if int(sig) < 0:
        raise FatalError(f"mj_stateSize: invalid state signature {int(sig)} < 0")
    if int(sig) & ~_KNOWN:
        raise FatalError(f"mj_stateSize: invalid state signature {int(sig)} >= 2^mjNSTATE")


def mj_stateSize(m: MjModel, sig: int) -> int:
    """Numbers of a state vector."""
    _check_signature(sig)
    sizes = {"time": 1, "qpos": m.nq, "qvel": m.nv, "act": m.na, "ctrl": m.nu, "qfrc_applied": m.nv, "xfrc_applied": 6 * m.nbody,
             "eq_active": m.neq, "mocap_pos": 3 * m.nmocap, "mocap_quat": 4 * m.nmocap, "userdata": m.nuserdata, "history": m.nhistory,
             "qacc_warmstart": m.nv, "plugin_state": m.npluginstate, "plastic": m.nplastic}
    return sum(sizes[name] for part, name in _PARTS if int(sig) & part)


def mj_getState(m: MjModel, d: MjData, state: Array, sig: int) -> None:
    """Parts of the state, one after the other."""
    if np.size(state) != mj_stateSize(m, sig):
        raise TypeError("state size should equal mj_stateSize(m, sig)")
    state[...] = np.concatenate([np.zeros(0), *(np.ravel(getattr(d, name)) for part, name in _PARTS if int(sig) & part)]).reshape(state.shape)


def mj_setState(m: MjModel, d: MjData, state: Array, sig: int) -> None:
    """The other way."""
    if np.size(state) != mj_stateSize(m, sig):
        raise TypeError("state size should equal mj_stateSize(m, sig)")
    rest = np.ravel(state)
    for part, name in _PARTS:
        if not int(sig) & part:
            continue
        if name == "time":
            d.time, rest = float(rest[0]), rest[1:]
            continue
        view = getattr(d, name)
        view[...] = rest[: view.size].reshape(view.shape)
        rest = rest[view.size :]
    d.take_over()


def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Angular and linear velocity of the origin of an element, in world axes or its own."""
    kind = mjtObj(objtype)
    places = {mjtObj.mjOBJ_BODY: ("xipos", "ximat", None), mjtObj.mjOBJ_XBODY: ("xpos", "xmat", None),
              mjtObj.mjOBJ_GEOM: ("geom_xpos", "geom_xmat", "geom_bodyid"), mjtObj.mjOBJ_SITE: ("site_xpos", "site_xmat", "site_bodyid")}
    if kind not in places:
        raise FatalError(f"mj_objectVelocity: rattleback.mujoco knows bodies, geoms and sites, not {kind.name}")
    where, turn, owner = places[kind]
    body = int(objid if owner is None else getattr(m, owner)[objid])
    state = d.passed.state
    angular = state.body_angular_velocity[body]
    linear = state.body_linear_velocity[body] + np.cross(angular, np.asarray(getattr(d, where)[objid]) - np.asarray(d.xipos[body]))
    axes = np.asarray(getattr(d, turn)[objid]).reshape(3, 3) if flg_local else np.eye(3)
    res.reshape(-1)[:3], res.reshape(-1)[3:] = axes.T @ angular, axes.T @ linear


def mj_integratePos(m: MjModel, qpos: Array, qvel: Array, dt: float) -> None:
    """Moves qpos along a constant velocity."""
    qpos[...] = move(m, np.asarray(qpos), np.asarray(qvel), dt)


def mj_differentiatePos(m: MjModel, qvel: Array, dt: float, qpos1: Array, qpos2: Array) -> None:
    """The constant velocity from qpos1 to qpos2."""
    first, second = np.asarray(qpos1), np.asarray(qpos2)
    for kind, begin, v_begin in zip(m.jnt_type, m.jnt_qposadr, m.jnt_dofadr):
        if kind >= 2:
            qvel[v_begin] = (second[begin] - first[begin]) / dt
            continue
        if kind == 0:
            qvel[v_begin : v_begin + 3] = (second[begin : begin + 3] - first[begin : begin + 3]) / dt
            begin, v_begin = begin + 3, v_begin + 3
        turn = np.zeros(3)
        mju_subQuat(turn, second[begin : begin + 4], first[begin : begin + 4])
        qvel[v_begin : v_begin + 3] = turn / dt


def mj_normalizeQuat(m: MjModel, qpos: Array) -> None:
    """Quaternions of length one."""
    for kind, begin in zip(m.jnt_type, m.jnt_qposadr):
        if kind < 2:
            part = slice(begin + 3, begin + 7) if kind == 0 else slice(begin, begin + 4)
            qpos[part] /= np.linalg.norm(qpos[part])


def mj_applyFT(m: MjModel, d: MjData, force: Array, torque: Array, point: Array, body: int, qfrc_target: Array) -> None:
    """Adds what a force and a torque on a body are in joint forces."""
    dynamics = d.passed.dynamics
    qfrc_target += dynamics.point_jacobian(body, np.ravel(point)).T @ np.ravel(force) + dynamics.rotation_jacobian(body).T @ np.ravel(torque)


def mj_version() -> int:
    """Whose interface this is."""
    return 4000000


def mj_versionString() -> str:
    """Whose interface this is."""
    return "4.0.0"


def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """The model as MJCF."""
    m.apply()
    with open(filename, "w", encoding="utf-8") as file:
        file.write(_core.write_mjcf(m.rattleback))
