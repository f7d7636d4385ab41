"""MuJoCo's functions, on MjModel and MjData."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ._data import MjData
from ._enums import mjtObj, mjtState
from ._model import MjModel

Array = npt.NDArray[np.float64]


def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """So many steps."""
    if nstep > 0:
        d.step(nstep)


def mj_forward(m: MjModel, d: MjData) -> None:
    """All that follows from state and inputs, without a step."""
    d.forward()


def mj_step1(m: MjModel, d: MjData) -> None:
    """The part of a step before the inputs are needed."""
    d.forward()


def mj_step2(m: MjModel, d: MjData) -> None:
    """The rest of the step."""
    d.step(1)


mj_kinematics = mj_comPos = mj_fwdPosition = mj_fwdVelocity = mj_forward


def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """cfrc_ext is computed when it is read."""


def mj_resetData(m: MjModel, d: MjData) -> None:
    """To the initial state, inputs zero."""
    d.simulation.reset()
    d.remember()
    d.forward()


def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """To a keyframe."""
    d.simulation.reset(key)
    d.remember()
    d.forward()


_KINDS = {
    mjtObj.mjOBJ_BODY: "bodies", mjtObj.mjOBJ_XBODY: "bodies", mjtObj.mjOBJ_JOINT: "joints", mjtObj.mjOBJ_GEOM: "shapes",
    mjtObj.mjOBJ_SITE: "sites", mjtObj.mjOBJ_TENDON: "tendons", mjtObj.mjOBJ_ACTUATOR: "actuators",
    mjtObj.mjOBJ_SENSOR: "sensors", mjtObj.mjOBJ_EQUALITY: "equalities",
}


def _names(m: MjModel, kind: int) -> list[str]:
    kind = mjtObj(kind)
    if kind == mjtObj.mjOBJ_KEY:
        return [key.name for key in m.rattleback.keyframes]
    if kind == mjtObj.mjOBJ_CAMERA:
        return m.rattleback.cameras
    names: list[str] = getattr(m.rattleback, _KINDS[kind]).name
    return names


def mj_name2id(m: MjModel, type: int, name: str) -> int:  # noqa: A002
    """Index of an element; -1 where there is none."""
    names = _names(m, type)
    return names.index(name) if name in names else -1


def mj_id2name(m: MjModel, type: int, id: int) -> str | None:  # noqa: A002
    """Name of an element; None where there is none."""
    names = _names(m, type)
    return names[id] if 0 <= id < len(names) else None


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


def mj_inverse(m: MjModel, d: MjData) -> None:
    """qfrc_inverse is computed when it is read, of qacc of the forward pass."""


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


def mj_ray(m: MjModel, d: MjData, pnt: Array, vec: Array, geomgroup: Any, flg_static: int, bodyexclude: int,
           geomid: npt.NDArray[np.int32], normal: Any = None) -> float:
    """Distance along a ray to the first surface, and its geom; -1: nothing there. Groups and exclusions are not supported."""
    if geomgroup is not None or not flg_static or bodyexclude >= 0:
        raise NotImplementedError("rattleback.mujoco.mj_ray sees every geom: pass None, 1 and -1")
    hit = _core.cast_ray(d.passed.state, pnt, vec)
    geomid.reshape(-1)[0] = -1 if hit is None else int(hit.shape)
    return -1.0 if hit is None else hit.distance / float(np.linalg.norm(vec))


_PARTS = [(mjtState.mjSTATE_TIME, "time"), (mjtState.mjSTATE_QPOS, "qpos"), (mjtState.mjSTATE_QVEL, "qvel"),
          (mjtState.mjSTATE_ACT, "act"), (mjtState.mjSTATE_CTRL, "ctrl"), (mjtState.mjSTATE_QFRC_APPLIED, "qfrc_applied"),
          (mjtState.mjSTATE_XFRC_APPLIED, "xfrc_applied")]
_KNOWN = sum(int(part) for part, _ in _PARTS)


def _check_signature(sig: int) -> None:
    if int(sig) & ~_KNOWN or int(sig) == 0:
        raise ValueError(f"rattleback.mujoco knows the parts {mjtState(_KNOWN)!r} of a state, not {int(sig)}")


def mj_stateSize(m: MjModel, sig: int) -> int:
    """Numbers of a state vector."""
    _check_signature(sig)
    sizes = {"time": 1, "qpos": m.nq, "qvel": m.nv, "act": m.na, "ctrl": m.nu, "qfrc_applied": m.nv, "xfrc_applied": 6 * m.nbody}
    return sum(sizes[name] for part, name in _PARTS if int(sig) & part)


def mj_getState(m: MjModel, d: MjData, state: Array, sig: int) -> None:
    """Parts of the state, one after the other."""
    _check_signature(sig)
    state[...] = np.concatenate([np.ravel(getattr(d, name)) for part, name in _PARTS if int(sig) & part]).reshape(state.shape)


def mj_setState(m: MjModel, d: MjData, state: Array, sig: int) -> None:
    """The other way."""
    if np.size(state) != mj_stateSize(m, sig):
        raise TypeError(f"mj_setState: expected {mj_stateSize(m, sig)} numbers, got {np.size(state)}")
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
