"""MuJoCo's Python interface on Rattleback: `import rattleback.mujoco as mujoco`, or install() for programs that import it.

What is here behaves as MuJoCo 4.0 says; docs/python.md lists what there is. Anything else raises, by name.
The solver is `convex` (MuJoCo's own problem) unless the environment variable RATTLEBACK_SOLVER, the file or `model.opt.solver = "avbd"` names another.
"""
from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from . import _algebra, _bands, _data, _functions, _inverse, _quantities, _rays, _scene, _stages, _tables, _vectors, _views
from . import rollout as rollout
from ._arguments import check_arguments
from ._data import MjData
from ._model import FatalError, MjModel, MjOption
from ._passes import MjContact
from ._scene import GLContext, MjrContext, MjrRect, MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvOption, MjvPerturb, MjvScene, Renderer
from ._structs import MjLogConfig, MjLROpt, MjrRendererInfo, MjSolverStat, MjStatistic, MjTimerStat, MjvLight, MjVisual, MjWarningStat

__version__ = "4.0.0"
mjVERSION_HEADER = 4000000
MJTNUM_DTYPE, MJTNUM_BYTES = np.float64, 8

for _module in (_algebra, _vectors, _bands, _functions, _inverse, _quantities, _rays, _stages, _scene, _views):
    globals().update({_name: check_arguments(_value) if isinstance(_value, FunctionType) else _value
                      for _name, _value in vars(_module).items() if _name.startswith("mj")})
globals().update(_tables.ENUMS)
globals().update(_tables.CONSTANTS)

_CALLBACKS = ("mjcb_act_bias", "mjcb_act_dyn", "mjcb_act_gain", "mjcb_contactfilter", "mjcb_control", "mjcb_passive", "mjcb_sensor", "mjcb_time",
              "mju_user_warning", "mju_user_malloc", "mju_user_free")
_CALLED = ("mjcb_control", "mjcb_passive", "mjcb_time", "mju_user_warning", "mju_user_malloc", "mju_user_free")  # memory is nobody's business here

__all__ = [
    "FatalError", "GLContext", "MjContact", "MjData", "MjLROpt", "MjLogConfig", "MjModel", "MjOption", "MjSolverStat", "MjStatistic",
    "MjTimerStat", "MjVisual", "MjWarningStat", "MjrContext", "MjrRect", "MjrRendererInfo", "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption",
    "MjvPerturb", "MjvScene", "Renderer", "install", "mjVERSION_HEADER",
]


def install() -> None:
    """From now on `import mujoco` in this process means this module."""
    sys.modules["mujoco"] = sys.modules[__name__]
    for name, content in (("rollout", rollout), ("_enums", _tables), ("_functions", _functions), ("renderer", _scene), ("gl_context", _scene),
                          ("egl", _scene), ("glfw", _scene), ("osmesa", _scene)):
        sys.modules["mujoco." + name] = content
    enums = ModuleType("mujoco._enums")
    enums.__dict__.update(_tables.ENUMS)
    sys.modules["mujoco._enums"] = enums


def _make_callback(kind: str, name: str) -> Any:
    if kind == "get":
        return lambda: _data.CALLBACKS.get(name)

    def change(function: Any) -> None:
        if function is not None and not callable(function):
            raise TypeError("callback is not an Optional[Callable]")
        if function is not None and name not in _CALLED:
            raise NotImplementedError(f"rattleback.mujoco does not call {name}")
        _data.CALLBACKS[name] = function

    return change


def __getattr__(name: str) -> Any:
    kind, _, callback = name.partition("_")
    if kind in ("get", "set") and callback in _CALLBACKS:
        return _make_callback(kind, callback)
    if name in _tables.FUNCTIONS:
        raise AttributeError(f"rattleback.mujoco does not have MuJoCo's function '{name}' (docs/python.md lists what it has)")
    raise AttributeError(name if name.startswith("__") else f"rattleback.mujoco has no '{name}' (docs/python.md lists what it has)")
