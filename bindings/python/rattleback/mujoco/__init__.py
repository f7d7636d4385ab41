"""MuJoCo's Python interface on Rattleback: `import rattleback.mujoco as mujoco`, or install() for programs that import it.

What is here behaves as MuJoCo 4.0 says; docs/python.md lists what there is. Anything else raises, by name.
The solver is `convex` (MuJoCo's own problem) unless the environment variable RATTLEBACK_SOLVER names another.
"""
import sys
from typing import Any

from ._data import MjContact, MjData
from ._enums import mjtIntegrator, mjtJoint, mjtObj, mjtState
from ._functions import (
    mj_comPos,
    mj_contactForce,
    mj_forward,
    mj_fullM,
    mj_fwdPosition,
    mj_fwdVelocity,
    mj_getState,
    mj_getTotalmass,
    mj_id2name,
    mj_inverse,
    mj_jac,
    mj_jacBody,
    mj_jacBodyCom,
    mj_jacGeom,
    mj_jacSite,
    mj_jacSubtreeCom,
    mj_kinematics,
    mj_mulM,
    mj_name2id,
    mj_ray,
    mj_resetData,
    mj_resetDataKeyframe,
    mj_rnePostConstraint,
    mj_setState,
    mj_solveM,
    mj_stateSize,
    mj_step,
    mj_step1,
    mj_step2,
)
from ._model import FatalError, MjModel, MjOption

__version__ = "4.0.0"
mjVERSION_HEADER = 4000000

__all__ = [
    "FatalError", "MjContact", "MjData", "MjModel", "MjOption", "install", "mjVERSION_HEADER", "mj_comPos",
    "mj_contactForce", "mj_forward", "mj_fullM", "mj_fwdPosition", "mj_fwdVelocity", "mj_getState",
    "mj_getTotalmass", "mj_id2name", "mj_inverse", "mj_jac", "mj_jacBody", "mj_jacBodyCom", "mj_jacGeom",
    "mj_jacSite", "mj_jacSubtreeCom", "mj_kinematics", "mj_mulM", "mj_name2id", "mj_ray", "mj_resetData",
    "mj_resetDataKeyframe", "mj_rnePostConstraint", "mj_setState", "mj_solveM", "mj_stateSize", "mj_step",
    "mj_step1", "mj_step2", "mjtIntegrator", "mjtJoint", "mjtObj", "mjtState",
]


def install() -> None:
    """From now on `import mujoco` in this process means this module."""
    sys.modules["mujoco"] = sys.modules[__name__]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"rattleback.mujoco has no '{name}' (docs/python.md lists what it has)")
