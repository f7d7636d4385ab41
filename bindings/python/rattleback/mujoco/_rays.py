"""Rays, by MuJoCo's names."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ._data import MjData
from ._model import MjModel
from ._tables import ENUMS

Array = npt.NDArray[np.float64]
_GEOM = ENUMS["mjtGeom"]
_BEYOND = 1e-9  # a ray goes on behind what it must not see [m]


def _find_roots(a: float, b: float, c: float) -> list[float]:
    """Of a x^2 + 2 b x + c, the smaller first."""
    inside = b * b - a * c
    if inside < 1e-15 or a < 1e-15:
        return []
    root = float(np.sqrt(inside))
    return [(-b - root) / a, (-b + root) / a]


def _meet_box(size: Array, p: Array, v: Array) -> list[tuple[float, Array]]:
    hits = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            if abs(v[axis]) < 1e-15:
                continue
            x = (side * size[axis] - p[axis]) / v[axis]
            others = [i for i in range(3) if i != axis]
            if x >= 0 and all(abs(p[i] + x * v[i]) <= size[i] for i in others):
                hits.append((float(x), side * np.eye(3)[axis]))
    return hits


def _meet_ball(scale: Array, p: Array, v: Array, centre: Any = (0.0, 0.0, 0.0)) -> list[tuple[float, Array]]:
    """An ellipsoid about a point."""
    start, way = (p - np.asarray(centre)) / scale, v / scale
    roots = [x for x in _find_roots(float(way @ way), float(way @ start), float(start @ start) - 1) if x >= 0]
    return [(x, (start + x * way) / scale) for x in roots]


def _meet_tube(size: Array, p: Array, v: Array) -> list[tuple[float, Array]]:
    """The side of a cylinder."""
    roots = _find_roots(float(v[:2] @ v[:2]), float(v[:2] @ p[:2]), float(p[:2] @ p[:2]) - float(size[0]) ** 2)
    return [(x, np.array([*(p[:2] + x * v[:2]), 0.0])) for x in roots if x >= 0 and abs(p[2] + x * v[2]) <= size[1]]


def _meet(kind: int, size: Array, p: Array, v: Array) -> list[tuple[float, Array]]:
    """All meetings of a ray with a shape at the origin: how far along v, and a normal of any length."""
    if kind == _GEOM.mjGEOM_PLANE:
        x = -p[2] / v[2] if abs(v[2]) > 1e-15 else -1.0
        where = p + x * v
        within = all(size[i] <= 0 or abs(where[i]) <= size[i] for i in range(2))
        return [(float(x), np.array([0.0, 0.0, 1.0]))] if x >= 0 and v[2] < 0 and within else []
    if kind == _GEOM.mjGEOM_SPHERE:
        return _meet_ball(np.full(3, size[0]), p, v)
    if kind == _GEOM.mjGEOM_ELLIPSOID:
        return _meet_ball(size, p, v)
    if kind == _GEOM.mjGEOM_BOX:
        return _meet_box(size, p, v)
    if kind == _GEOM.mjGEOM_CAPSULE:
        ends = [hit for side in (-1.0, 1.0) for hit in _meet_ball(np.full(3, size[0]), p, v, (0, 0, side * size[1]))
                if side * (p[2] + hit[0] * v[2]) >= size[1]]
        return _meet_tube(size, p, v) + ends
    if kind == _GEOM.mjGEOM_CYLINDER:
        caps = [((side * size[1] - p[2]) / v[2], np.array([0.0, 0.0, side])) for side in (-1.0, 1.0) if abs(v[2]) > 1e-15]
        return _meet_tube(size, p, v) + [(float(x), n) for x, n in caps if x >= 0 and np.hypot(*(p + x * v)[:2]) <= size[0]]
    raise ValueError(f"mju_rayGeom: no rays meet a geom of type {kind}")


def mju_rayGeom(pos: Array, mat: Array, size: Array, pnt: Array, vec: Array, geomtype: int, normal: Array | None = None) -> float:
    """How far along vec (in its lengths) a ray meets a simple shape, and the normal there; -1: nowhere."""
    axes = np.reshape(mat, (3, 3))
    hits = _meet(int(geomtype), np.ravel(size), axes.T @ (np.ravel(pnt) - np.ravel(pos)), axes.T @ np.ravel(vec))
    found, way = min(hits, key=lambda hit: hit[0], default=(-1.0, np.zeros(3)))
    if normal is not None:
        length = float(np.linalg.norm(way))
        normal[...] = (axes @ way / length if length > 0 else np.zeros(3)).reshape(normal.shape)
    return float(found)


def _is_seen(m: MjModel, geom: int, groups: Any, fixed: bool, excluded: int) -> bool:
    """MuJoCo's rule: no body that is excluded, no group that is switched off, nothing invisible, nothing fixed unless asked for."""
    body = int(m.geom_bodyid[geom])
    if body == excluded or (not fixed and int(m.body_weldid[body]) == 0):
        return False
    visible = m.geom_rgba[geom, 3] != 0 or m.geom_matid[geom] >= 0
    return bool(visible) and (groups is None or bool(groups[min(max(int(m.geom_group[geom]), 0), 5)]))


def _is_within(m: MjModel, d: MjData, geom: int, point: Array) -> bool:
    """A plane ends for rays where it ends to the eye."""
    if int(m.geom_type[geom]) != _GEOM.mjGEOM_PLANE:
        return True
    where = np.reshape(d.geom_xmat[geom], (3, 3)).T @ (point - np.asarray(d.geom_xpos[geom]))
    return all(size <= 0 or abs(x) <= size for x, size in zip(where[:2], m.geom_size[geom]))


def mj_ray(m: MjModel, d: MjData, pnt: Array, vec: Array, geomgroup: Any, flg_static: int, bodyexclude: int,
           geomid: npt.NDArray[np.int32] | None, normal: Array | None = None) -> float:
    """How far along vec (in its lengths) the first surface is, its geom and its normal; -1: nothing there."""
    origin, way = np.array(pnt, dtype=np.float64).reshape(3), np.array(vec, dtype=np.float64).reshape(3)
    length, travelled, found = float(np.linalg.norm(way)), 0.0, None
    state = d.passed.state
    while True:
        hit = _core.cast_ray(state, origin + travelled / length * way, way)
        if hit is None:
            break
        travelled += hit.distance
        if _is_seen(m, int(hit.shape), geomgroup, bool(flg_static), int(bodyexclude)) and _is_within(m, d, int(hit.shape), hit.point):
            found = hit
            break
        travelled += _BEYOND
    if geomid is not None:
        geomid.reshape(-1)[0] = -1 if found is None else int(found.shape)
    if normal is not None:
        normal[...] = 0 if found is None else np.reshape(found.normal, normal.shape)
    return -1.0 if found is None else travelled / length


def mj_multiRay(m: MjModel, d: MjData, pnt: Array, vec: Array, geomgroup: Any, flg_static: int, bodyexclude: int, geomid: npt.NDArray[np.int32],
                dist: Array, normal: Array | None = None, nray: int | None = None, cutoff: float = 1e10) -> None:
    """mj_ray for several directions from one point."""
    rays = np.reshape(vec, (-1, 3))
    for i in range(len(rays) if nray is None else nray):
        one, across = np.zeros(1, dtype=np.int32), np.zeros(3)
        found = mj_ray(m, d, pnt, rays[i], geomgroup, flg_static, bodyexclude, one, across)
        beyond = found * float(np.linalg.norm(rays[i])) > cutoff
        dist.reshape(-1)[i], geomid.reshape(-1)[i] = (-1.0, -1) if beyond else (found, one[0])
        if normal is not None:
            normal.reshape(-1, 3)[i] = 0 if beyond else across


def _ray_one(m: MjModel, d: MjData, geom: int, pnt: Array, vec: Array, normal: Array | None) -> float:
    """A ray that sees one geom alone: what lies before it is passed."""
    origin, way = np.array(pnt, dtype=np.float64).reshape(3), np.array(vec, dtype=np.float64).reshape(3)
    length, travelled = float(np.linalg.norm(way)), 0.0
    while (hit := _core.cast_ray(d.passed.state, origin + travelled / length * way, way)) is not None:
        travelled += hit.distance
        if int(hit.shape) == geom:
            if normal is not None:
                normal[...] = np.reshape(hit.normal, normal.shape)
            return travelled / length
        travelled += _BEYOND
    if normal is not None:
        normal[...] = 0
    return -1.0


def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: Array, vec: Array, normal: Array | None = None) -> float:
    """The same for one geom that is a mesh."""
    return _ray_one(m, d, int(geomid), pnt, vec, normal)


def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: Array, vec: Array, normal: Array | None = None) -> float:
    """The same for one geom that is a height field."""
    return _ray_one(m, d, int(geomid), pnt, vec, normal)

