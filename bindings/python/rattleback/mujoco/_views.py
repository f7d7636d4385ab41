"""MuJoCo's small functions around a model and its pictures: defaults, buffers, rooms and connectors of scenes, rays to skins, files of a model."""
from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import numpy.typing as npt

from ._algebra import mju_mulQuat, mju_negQuat, mju_quat2Mat, mju_rotVecQuat
from ._data import MjData
from ._model import FatalError, MjModel, MjOption
from ._scene import MjrContext, MjrRect, MjvFigure, MjvGeom, MjvScene
from ._structs import MjLROpt, MjrRendererInfo, MjVisual
from ._tables import ENUMS
from ._vectors import mju_quatZ2Vec

Array = npt.NDArray[np.float64]
_GEOM = ENUMS["mjtGeom"]


# Defaults ---------------------------------------------------------------------------------------------------------------------------
def mj_defaultOption(opt: MjOption) -> None:
    """Those of a model that says nothing."""
    opt.take(MjOption())


def mj_defaultVisual(vis: MjVisual) -> None:
    """As a new one."""
    vis.take(MjVisual())


def mj_defaultLROpt(opt: MjLROpt) -> None:
    """As a new one."""
    opt.take(MjLROpt())


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """As a new one."""
    fig.__dict__.update(MjvFigure().__dict__)


def mjr_defaultRendererInfo(info: MjrRendererInfo) -> None:
    """As a new one."""
    info.take(MjrRendererInfo())


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """A rasteriser without a graphics library."""
    info.take(MjrRendererInfo())


# Buffers of pictures: there is one, which is as large as what is drawn ------------------------------------------------------------------
def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The largest picture."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Another largest picture."""
    con.offWidth, con.offHeight = int(width), int(height)


def mjr_restoreBuffer(con: MjrContext) -> None:
    """There is one buffer."""


def mjr_finish() -> None:
    """Pictures are whole when they are read."""


def mjr_getError() -> int:
    """None: there is no graphics library to ask."""
    return 0


def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """0 where the rectangle holds the point, -1 where not."""
    inside = rect.left <= x < rect.left + rect.width and rect.bottom <= y < rect.bottom + rect.height
    return 0 if nrect > 0 and inside else -1


# Scenes -----------------------------------------------------------------------------------------------------------------------------
def mjv_alignToCamera(res: Array, vec: Array, forward: Array) -> None:
    """vec turned about z by the angle from (0, 1) to the horizontal part of forward."""
    way, (x, y, z) = np.ravel(forward)[:2], np.ravel(vec)
    length = float(np.linalg.norm(way))
    c, s = way / length if length > 1e-15 else np.array([1.0, 0.0])
    res.reshape(-1)[:] = x * s + y * c, -x * c + y * s, z


def _turn(vector: Array, quat: Array) -> Array:
    turned = np.zeros(3)
    mju_rotVecQuat(turned, vector, quat)
    return turned


def _read_room(scn: MjvScene) -> tuple[Array, Array, float]:
    """Translation, rotation and scale from the model to the room."""
    if not scn.enabletransform:
        return np.zeros(3), np.array([1.0, 0, 0, 0]), 1.0
    if scn.scale < 1e-15:
        raise ValueError("mjvScene scale too small")
    return np.asarray(scn.translate, dtype=np.float64), np.asarray(scn.rotate, dtype=np.float64), float(scn.scale)


def mjv_model2room(roompos: Array, roomquat: Array, modelpos: Array, modelquat: Array, scn: MjvScene) -> None:
    """A pose of the model in the room: turned, stretched and moved."""
    translate, rotate, scale = _read_room(scn)
    roompos[...] = (translate + scale * _turn(np.ravel(modelpos), rotate)).reshape(roompos.shape)
    mju_mulQuat(roomquat, rotate, modelquat)


def mjv_room2model(modelpos: Array, modelquat: Array, roompos: Array, roomquat: Array, scn: MjvScene) -> None:
    """The other way."""
    translate, rotate, scale = _read_room(scn)
    back = np.zeros(4)
    mju_negQuat(back, rotate)
    modelpos[...] = (_turn(np.ravel(roompos) - translate, back) / scale).reshape(modelpos.shape)
    mju_mulQuat(modelquat, back, roomquat)


_CONNECTORS = {int(_GEOM["mjGEOM_" + name]) for name in ("CAPSULE", "CYLINDER", "ARROW", "ARROW1", "ARROW2", "LINE")}


def mjv_connector(geom: MjvGeom, type: int, width: float, from_: Array, to: Array) -> None:  # noqa: A002
    """A decoration from one point to another: capsules and cylinders about the middle, arrows and lines from the first."""
    if int(type) not in _CONNECTORS:
        raise FatalError(f"mjv_connector: invalid geom type {int(type)} for connector")
    first, way = np.ravel(from_), np.ravel(to) - np.ravel(from_)
    length, middle = float(np.linalg.norm(way)), int(type) in (int(_GEOM.mjGEOM_CAPSULE), int(_GEOM.mjGEOM_CYLINDER))
    geom.type = int(type)
    geom.size[:] = width, width, length / 2 if middle else length
    geom.pos[:] = first + way / 2 if middle else first
    quat, mat = np.zeros(4), np.zeros(9)
    mju_quatZ2Vec(quat, way)
    mju_quat2Mat(mat, quat)
    geom.mat[:] = mat.reshape(3, 3)


# Inputs and sensors without delays ------------------------------------------------------------------------------------------------------
def _refuse_delays(m: MjModel, caller: str) -> None:
    """What was an input or a reading some time ago is the engine's own: MjData.history is not filled."""
    for kind in ("actuator", "sensor"):
        for number, element in enumerate(m.text.elements[kind]):
            if any(float(word) > 0 for name in ("nsample", "delay", "interval") for word in element.get(name, "").split()):
                raise FatalError(f"{caller}: {kind} {number} '{element.get('name', '')}' has a delay, an interval or samples; rattleback.mujoco keeps no history")


def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, result: Array, interp: int) -> Array:  # noqa: A002
    """The present input of an actuator; models with delays are refused."""
    _refuse_delays(m, "mj_readCtrl")
    result[...] = np.asarray(d.ctrl)[id]
    return result


def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: Array, interp: int) -> Array:  # noqa: A002
    """The present readings of a sensor; models with delays are refused."""
    _refuse_delays(m, "mj_readSensor")
    begin = int(m.sensor_adr[id])
    result[...] = np.asarray(d.sensordata)[begin : begin + int(m.sensor_dim[id])].reshape(result.shape)
    return result


def mju_threadpool(d: MjData, nthread: int) -> None:
    """Steps have the same bits for any number of threads: the number is kept, because rollout refuses data that has threads of its own."""
    d.thread_count = int(nthread)


# Skins and files ------------------------------------------------------------------------------------------------------------------------
def _check_skin(nface: int, nvert: int, face: Any, vert: Any) -> tuple[npt.NDArray[np.int32], Array]:
    if not (isinstance(face, np.ndarray) and face.dtype == np.int32 and isinstance(vert, np.ndarray) and vert.dtype == np.float32):
        raise TypeError("mju_raySkin: face is an array of int32, vert of float32")
    if nface < 0 or nvert < 0:
        raise ValueError("mju_raySkin: nface and nvert are not negative")
    if face.size != 3 * nface or vert.size != 3 * nvert:
        raise TypeError(f"mju_raySkin: face has 3 * {nface} numbers, vert 3 * {nvert}")
    if face.size and not 0 <= face.min() <= face.max() < nvert:
        raise ValueError(f"mju_raySkin: corners of faces are numbers below {nvert}")
    return face.reshape(-1, 3), vert.reshape(-1, 3).astype(np.float64)


def mju_raySkin(nface: int, nvert: int, face: Any, vert: Any, pnt: Array, vec: Array, vertid: Any = None) -> float:
    """Distance to the nearest triangle in lengths of vec, from both sides; -1: none is met. vertid: the corner that is nearest to the point."""
    corners, points = _check_skin(nface, nvert, face, vert)
    start, way = np.ravel(pnt), np.ravel(vec)
    best, nearest = -1.0, -1
    for triangle in corners:
        origin = points[triangle[0]]
        # start + x way = origin + a (second - origin) + b (third - origin)
        system = np.column_stack([-way, points[triangle[1]] - origin, points[triangle[2]] - origin])
        if abs(np.linalg.det(system)) < 1e-15:
            continue
        x, a, b = np.linalg.solve(system, start - origin)
        if x >= 0 and a >= 0 and b >= 0 and a + b <= 1 and (best < 0 or x < best):
            best = float(x)
            nearest = int(triangle[np.argmin(np.linalg.norm(points[triangle] - (start + x * way), axis=1))])
    if vertid is not None:
        vertid[0] = nearest
    return best


def _list_files(path: str, folder: str, found: list[str]) -> None:
    """A file of MJCF, and the files that it names; folder: that of the first one."""
    found.append(path)
    root = ElementTree.parse(path).getroot()
    kinds = {"mesh": "meshdir", "hfield": "meshdir", "skin": "meshdir", "flexcomp": "meshdir", "texture": "texturedir"}
    said = {name: value for compiler in root.iter("compiler") for name, value in compiler.items()}
    for element in root.iter():
        name = element.get("file")
        if not name:
            continue
        if element.tag in ("include", "model"):
            place = os.path.join(folder, name)
            if place not in found:
                _list_files(place, folder, found)
        elif element.tag in kinds:
            place = os.path.join(folder, said.get(kinds[element.tag], said.get("assetdir", "")), name)
            if place not in found:
                found.append(place)


def mju_getXMLDependencies(filename: str) -> list[str]:
    """The file and all files that it needs."""
    found: list[str] = []
    _list_files(filename, os.path.dirname(filename), found)
    return found
