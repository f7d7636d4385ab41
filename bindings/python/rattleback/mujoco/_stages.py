"""MuJoCo's functions for parts of a step: checks, integrators, keyframes, factors of the mass matrix, inverse dynamics by differences."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._data import CALLBACKS, MjData
from ._functions import mj_getState, mj_integratePos, mj_setState, mj_stateSize
from ._inverse import mj_inverse
from ._model import FatalError, MjModel
from ._tables import ENUMS, mjtState

Array = npt.NDArray[np.float64]
_HUGE = 1e10  # mjMAXVAL


def _check(m: MjModel, d: MjData, values: Array, what: str, warning: int) -> None:
    """NaN, or numbers beyond 1e10: a warning is counted and said, and everything starts anew."""
    bad = np.flatnonzero(~(np.abs(values) <= _HUGE))
    if not len(bad):
        return
    message = f"Nan, Inf or huge value in {what} at DOF {int(bad[0])}. The simulation is unstable. Time = {d.time:.4f}."
    if not int(m.opt.disableflags) & int(ENUMS["mjtDisableBit"].mjDSBL_AUTORESET):
        d.restart()
    d.warning.number[warning] += 1
    d.warning.lastinfo[warning] = int(bad[0])
    if CALLBACKS.get("mju_user_warning") is not None:
        CALLBACKS["mju_user_warning"](message)


def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Of qpos."""
    _check(m, d, np.asarray(d.qpos), "QPOS", int(ENUMS["mjtWarning"].mjWARN_BADQPOS))


def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Of qvel."""
    _check(m, d, np.asarray(d.qvel), "QVEL", int(ENUMS["mjtWarning"].mjWARN_BADQVEL))


def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Of qacc."""
    _check(m, d, np.asarray(d.qacc), "QACC", int(ENUMS["mjtWarning"].mjWARN_BADQACC))


def _integrate(m: MjModel, d: MjData, name: str, kinds: tuple[int, ...]) -> None:
    if int(m.opt.integrator) not in kinds:
        raise NotImplementedError(f"rattleback.mujoco.{name} steps models with that integrator: set model.opt.integrator")
    d.step(1)


def mj_Euler(m: MjModel, d: MjData) -> None:
    """Euler integrator, semi-implicit in velocity: a step from the present state, forces included."""
    _integrate(m, d, "mj_Euler", (0,))


def mj_RungeKutta(m: MjModel, d: MjData, N: int = 4) -> None:  # noqa: N803
    """Runge-Kutta's step of order four."""
    if N != 4:
        raise NotImplementedError("rattleback.mujoco.mj_RungeKutta: order 4 is there")
    _integrate(m, d, "mj_RungeKutta", (1,))


def mj_implicit(m: MjModel, d: MjData) -> None:
    """A step that is implicit in velocity."""
    _integrate(m, d, "mj_implicit", (2, 3))


def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """To the initial state; memory has no other values here."""
    d.reset()


def mj_resetCallbacks() -> None:
    """No callbacks from now on."""
    CALLBACKS.clear()


def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Keeps the present state as a keyframe; the model's file is another one then."""
    if not 0 <= k < m.nkey:
        raise FatalError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    m.write_keyframe(int(k), {"time": [d.time], "qpos": d.qpos, "qvel": d.qvel, "act": d.act, "ctrl": d.ctrl, "mpos": d.mocap_pos, "mquat": d.mocap_quat})


def _factor(m: MjModel, d: MjData) -> tuple[Array, Array]:
    """M = L' D L with ones on L's diagonal, from the last row up, as MuJoCo eliminates."""
    dense = np.array(d.passed.dynamics.mass_matrix())
    lower, diagonal = np.eye(m.nv), np.zeros(m.nv)
    for k in range(m.nv - 1, -1, -1):
        diagonal[k] = dense[k, k]
        lower[k, :k] = dense[k, :k] / diagonal[k]
        dense[:k, :k] -= diagonal[k] * np.outer(lower[k, :k], lower[k, :k])
    return lower, diagonal


def mj_mulM2(m: MjModel, d: MjData, res: Array, vec: Array) -> None:
    """sqrt(D) L vec: its square is vec' M vec."""
    lower, diagonal = _factor(m, d)
    res[...] = (np.sqrt(diagonal) * (lower @ np.ravel(vec))).reshape(res.shape)


def mj_solveM2(m: MjModel, d: MjData, x: Array, y: Array, sqrtInvD: Array) -> None:  # noqa: N803
    """x = sqrtInvD inv(L') y, row by row; sqrtInvD is 1 / sqrt(D)."""
    lower, _ = _factor(m, d)
    rows = np.reshape(y, (-1, m.nv))
    x[...] = np.array([np.ravel(sqrtInvD) * np.linalg.solve(lower.T, row) for row in rows]).reshape(np.shape(x))


def mj_addM(m: MjModel, d: MjData, dst: Array, rownnz: Any = None, rowadr: Any = None, colind: Any = None) -> None:
    """Adds the mass matrix, its lower triangle alone: to a full matrix, or to the numbers of a sparse one that has its rows."""
    dense = d.passed.dynamics.mass_matrix()
    if rownnz is None:
        dst += np.tril(dense).reshape(dst.shape)
        return
    for row, (count, begin) in enumerate(zip(rownnz, rowadr)):
        columns = np.asarray(colind[begin : begin + count])
        dst[begin : begin + count] += np.where(columns <= row, dense[row, columns], 0.0)


def mj_invPosition(m: MjModel, d: MjData) -> None:
    """What inverse dynamics needs of positions; qacc stays, written or not."""
    d.look()


def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """What it needs of velocities."""
    d.look()


def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """How far inverse dynamics is from what was applied, into solver_fwdinv: of constraint forces, and of applied ones."""
    p = d.passed
    applied = np.asarray(d.qfrc_applied) + np.asarray(d.qfrc_actuator)
    applied = applied + np.sum([p.dynamics.point_jacobian(body, np.asarray(d.xipos[body])).T @ wrench[:3]
                                + p.dynamics.rotation_jacobian(body).T @ wrench[3:] for body, wrench in enumerate(np.asarray(d.xfrc_applied))], axis=0)
    constraint = np.array(d.qfrc_constraint)
    mj_inverse(m, d)
    d.write_result("solver_fwdinv", [np.linalg.norm(np.asarray(d.qfrc_constraint) - constraint), np.linalg.norm(np.asarray(d.qfrc_inverse) - applied)])
    d.write_result("qfrc_constraint", constraint)


def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: Array | None, DfDv: Array | None, DfDa: Array | None,  # noqa: N803
                  DsDq: Array | None, DsDv: Array | None, DsDa: Array | None, DmDq: Array | None) -> None:  # noqa: N803
    """Derivatives of inverse dynamics, of sensors and of the mass matrix by forward differences; row i is the change along direction i."""
    full = int(mjtState.mjSTATE_INTEGRATION)
    start, acceleration = np.zeros(mj_stateSize(m, full)), np.array(d.qacc)
    mj_getState(m, d, start, full)

    def ask() -> tuple[Array, Array, Array]:
        d.qacc[:] = acceleration
        mj_inverse(m, d)
        forces = np.array(d.qfrc_inverse) - (np.asarray(d.qfrc_actuator) if flg_actuation else 0)
        return forces, np.array(d.sensordata), np.array(d.M)

    def go_back() -> None:
        mj_setState(m, d, start, full)
        d.forward()

    here = ask()
    for kind, targets in (("q", (DfDq, DsDq, DmDq)), ("v", (DfDv, DsDv, None)), ("a", (DfDa, DsDa, None))):
        if all(target is None for target in targets):
            continue
        for i in range(m.nv):
            along, kept = np.zeros(m.nv), acceleration.copy()
            along[i] = 1
            if kind == "q":
                qpos = np.array(d.qpos)
                mj_integratePos(m, qpos, along, eps)
                d.qpos[:] = qpos
            elif kind == "v":
                d.qvel[i] += eps
            else:
                acceleration = acceleration + eps * along
            if kind != "a":
                d.forward()
            for target, before, after in zip(targets, here, ask()):
                if target is not None:
                    target[i] = (after - before) / eps
            acceleration = kept
            go_back()
    d.qacc[:] = acceleration
