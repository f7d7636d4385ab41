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
_TURNS = 10000


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


def _find_hidden(m: MjModel, groups: Any, fixed: bool, excluded: int) -> npt.NDArray[np.bool_]:
    """MuJoCo's rule: no body that is excluded, no group that is switched off, nothing invisible, nothing fixed unless asked for."""
    bodies, materials, opacity = np.asarray(m.geom_bodyid), np.asarray(m.geom_matid), np.array(m.geom_rgba)[:, 3]
    opacity[materials >= 0] = np.asarray(m.mat_rgba)[materials[materials >= 0], 3]
    hidden = (bodies == excluded) | (opacity == 0)
    if not fixed:
        hidden |= np.asarray(m.body_weldid)[bodies] == 0
    if groups is not None:
        hidden |= ~np.asarray(groups).astype(bool)[np.clip(np.asarray(m.geom_group), 0, 5)]
    return np.ascontiguousarray(hidden)


def _meet_triangles(corners: Array, p: Array, v: Array) -> list[tuple[float, Array]]:
    """The nearest of triangles (n, 3 corners, 3), seen from either side."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(v, second)
    volume = np.einsum("ij,ij->i", first, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (across @ p - np.einsum("ij,ij->i", corners[:, 0], across)) / volume
        over = np.cross(p - corners[:, 0], first)
        w, x = over @ v / volume, np.einsum("ij,ij->i", second, over) / volume
        met = np.flatnonzero((u >= 0) & (w >= 0) & (u + w <= 1) & (x >= 0) & np.isfinite(x))
    if not len(met):
        return []
    nearest = met[np.argmin(x[met])]
    return [(float(x[nearest]), np.cross(first[nearest], second[nearest]))]


def _pass_to(d: MjData, geom: int, origin: Array, way: Array) -> tuple[float, Array] | None:
    """A ray of the engine that goes on behind everything before a geom."""
    length, travelled = float(np.linalg.norm(way)), 0.0
    for _ in range(_TURNS):
        hit = _core.cast_ray(d.passed.state, origin + travelled / length * way, way)
        if hit is None:
            return None
        travelled += hit.distance
        if int(hit.shape) == geom:
            return travelled / length, np.asarray(hit.normal)
        travelled += max(_BEYOND, 4 * float(np.spacing(travelled + np.max(np.abs(origin)))))  # a step that numbers show
    return None


def _meet_geom(m: MjModel, d: MjData, geom: int, origin: Array, way: Array) -> tuple[float, Array] | None:
    """Where a ray meets a geom: how far along, and a normal in the world, of any length."""
    kind = int(m.geom_type[geom])
    mesh = int(m.geom_dataid[geom])
    if kind == _GEOM.mjGEOM_HFIELD or kind > _GEOM.mjGEOM_MESH or (kind == _GEOM.mjGEOM_MESH and mesh < 0):
        return _pass_to(d, geom, origin, way)
    axes = np.reshape(d.geom_xmat[geom], (3, 3))
    p, v = axes.T @ (origin - np.asarray(d.geom_xpos[geom])), axes.T @ way
    if kind == _GEOM.mjGEOM_MESH:
        vertices = np.asarray(m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]], dtype=np.float64)
        hits = _meet_triangles(vertices[np.asarray(m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]])], p, v)
    else:
        hits = _meet(kind, np.asarray(m.geom_size[geom]), p, v)
    found, normal = min(hits, key=lambda hit: hit[0], default=(-1.0, np.zeros(3)))
    return None if found < 0 else (found, axes @ normal)


def _is_near(m: MjModel, d: MjData, origin: Array, way: Array) -> npt.NDArray[np.bool_]:
    """Of each geom, whether the ray's line passes its ball; planes have none."""
    radius, unit = np.asarray(m.geom_rbound), way / np.linalg.norm(way)
    apart = np.asarray(d.geom_xpos) - origin
    off = np.linalg.norm(apart - np.outer(apart @ unit, unit), axis=1)
    kinds = np.asarray(m.geom_type)
    near: npt.NDArray[np.bool_] = (kinds <= _GEOM.mjGEOM_HFIELD) | (off <= 1.001 * radius + 1e-9)
    return near


def _cast(m: MjModel, d: MjData, pnt: Array, vec: Array, hidden: npt.NDArray[np.bool_], normal: Array | None) -> tuple[float, int]:
    """How far along vec (in its lengths) the first surface is, and its geom; -1: nothing there."""
    origin, way = np.array(pnt, dtype=np.float64).reshape(3), np.array(vec, dtype=np.float64).reshape(3)
    length = float(np.linalg.norm(way))
    if not (0 < length < np.inf and np.isfinite(origin).all()):
        raise ValueError("a ray's origin must be finite, and its direction neither zero nor infinite")
    found, across, first = np.inf, np.zeros(3), -1
    for geom in np.flatnonzero(~hidden & _is_near(m, d, origin, way)):
        hit = _meet_geom(m, d, int(geom), origin, way)
        if hit is not None and hit[0] < found:
            (found, across), first = hit, int(geom)
    if normal is not None:
        normal[...] = np.reshape(across / max(float(np.linalg.norm(across)), 1e-300), normal.shape)
    return (-1.0, -1) if first < 0 else (found, first)


def mj_ray(m: MjModel, d: MjData, pnt: Array, vec: Array, geomgroup: Any, flg_static: int, bodyexclude: int,
           geomid: npt.NDArray[np.int32] | None, normal: Array | None = None) -> float:
    """How far along vec (in its lengths) the first surface is, its geom and its normal; -1: nothing there."""
    found, geom = _cast(m, d, pnt, vec, _find_hidden(m, geomgroup, bool(flg_static), int(bodyexclude)), normal)
    if geomid is not None:
        geomid.reshape(-1)[0] = geom
    return found


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
    """A ray that sees one geom alone."""
    return _cast(m, d, pnt, vec, np.arange(m.ngeom) != geom, normal)[0]


def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: Array, vec: Array, normal: Array | None = None) -> float:
    """The same for one geom that is a mesh."""
    return _ray_one(m, d, int(geomid), pnt, vec, normal)


def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: Array, vec: Array, normal: Array | None = None) -> float:
    """The same for one geom that is a height field."""
    return _ray_one(m, d, int(geomid), pnt, vec, normal)

