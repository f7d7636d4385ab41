"""MuJoCo's functions on banded matrices, boxes and pyramids of friction; results go into the first argument.

A banded matrix of `ntotal` rows keeps `nband` numbers, up to the diagonal, of each of its first ntotal - ndense rows, and all of the others."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._math import from_axis_angle, to_matrix
from ._algebra import multiply

Array = npt.NDArray[np.float64]


def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Where the diagonal of row i stands."""
    sparse = ntotal - ndense
    return i * nband + nband - 1 if i < sparse else sparse * nband + (i - sparse) * ntotal + i


def _find_first(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """The first column that row i keeps."""
    return max(0, i - nband + 1) if i < ntotal - ndense else 0


def mju_band2Dense(res: Array, mat: Array, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """As a full matrix; flg_sym: with its upper half."""
    dense, flat = np.zeros((ntotal, ntotal)), np.ravel(mat)
    for i in range(ntotal):
        first, end = _find_first(i, ntotal, nband, ndense), mju_bandDiag(i, ntotal, nband, ndense) + 1
        dense[i, first : i + 1] = flat[end - (i + 1 - first) : end]
    res[...] = (dense + np.tril(dense, -1).T if flg_sym else dense).reshape(res.shape)


def mju_dense2Band(res: Array, mat: Array, ntotal: int, nband: int, ndense: int) -> None:
    """From a full matrix; what the band does not use stays."""
    flat, dense = np.array(res).ravel(), np.reshape(mat, (ntotal, ntotal))
    for i in range(ntotal):
        first, end = _find_first(i, ntotal, nband, ndense), mju_bandDiag(i, ntotal, nband, ndense) + 1
        flat[end - (i + 1 - first) : end] = dense[i, first : i + 1]
    res[...] = flat.reshape(res.shape)


def _expand(mat: Array, ntotal: int, nband: int, ndense: int, symmetric: int) -> Array:
    dense = np.zeros((ntotal, ntotal))
    mju_band2Dense(dense, mat, ntotal, nband, ndense, symmetric)
    return dense


def mju_bandMulMatVec(res: Array, mat: Array, vec: Array, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """Matrix times nvec vectors."""
    res[...] = (np.reshape(vec, (nvec, ntotal)) @ _expand(mat, ntotal, nband, ndense, flg_sym).T).reshape(res.shape)


def mju_cholFactorBand(mat: Array, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """mat + diag(diagadd + diagmul mat_ii) = L L', L in the place of mat; the least number on the diagonal of L, 0 where there is no factor."""
    dense = _expand(mat, ntotal, nband, ndense, 1)
    dense[np.diag_indices(ntotal)] += diagadd + diagmul * np.diag(dense)
    try:
        factor: Array = np.linalg.cholesky(dense).astype(np.float64)
    except np.linalg.LinAlgError:
        return 0.0
    mju_dense2Band(mat, factor, ntotal, nband, ndense)
    return float(np.min(np.diag(factor)))


def mju_cholSolveBand(res: Array, mat: Array, vec: Array, ntotal: int, nband: int, ndense: int) -> None:
    """With such a factor."""
    factor = _expand(mat, ntotal, nband, ndense, 0)
    res[...] = np.linalg.solve(factor.T, np.linalg.solve(factor, np.ravel(vec))).reshape(res.shape)


def mju_boxQP(res: Array, R: Array | None, index: Any, H: Array, g: Array, lower: Array | None, upper: Array | None) -> int:  # noqa: N803
    """Least 0.5 x' H x + x' g between bounds, from res, by projected Newton [Tassa et al., ICRA 2014]; how many numbers are free at the end
    (their numbers in `index`, the factor of their part of H in R), -1 where H is not positive there."""
    n = len(g)
    low = np.full(n, -np.inf) if lower is None else np.asarray(lower)
    high = np.full(n, np.inf) if upper is None else np.asarray(upper)
    x, hessian, slope = np.clip(np.array(res), low, high), np.asarray(H), np.asarray(g)

    def value(at: Array) -> float:
        return float(0.5 * at @ hessian @ at + at @ slope)

    free, factor = np.arange(n), hessian
    for _ in range(100):
        gradient = slope + hessian @ x
        clamped = ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))
        free = np.flatnonzero(~clamped)
        try:
            factor = np.linalg.cholesky(hessian[np.ix_(free, free)]).astype(np.float64)
        except np.linalg.LinAlgError:
            return -1
        step = np.zeros(n)
        step[free] = -np.linalg.solve(hessian[np.ix_(free, free)], gradient[free]) if len(free) else 0
        if np.linalg.norm(gradient[free]) < 1e-14 or not len(free):
            break
        length, now = 1.0, value(x)
        while length > 1e-22 and value(np.clip(x + length * step, low, high)) > now + 0.1 * length * float(gradient @ step):
            length *= 0.5
        moved = np.clip(x + length * step, low, high)
        if np.array_equal(moved, x):
            break
        x = moved
    res[...] = x
    if index is not None:
        index.reshape(-1)[: len(free)] = free
    if R is not None:
        R.reshape(-1)[: len(free) ** 2] = factor.reshape(-1)
    return len(free)


def mju_encodePyramid(pyramid: Array, force: Array, mu: Array) -> None:
    """A contact's force as forces along the edges of its pyramid: one edge pair less than mu has numbers, as in MuJoCo."""
    for i in range(len(mu) - 1):
        share = float(force[0]) / (len(mu) - 1)
        part = min(share, float(force[i + 1]) / mu[i])
        pyramid[2 * i], pyramid[2 * i + 1] = 0.5 * (share + part), 0.5 * (share - part)


def mju_decodePyramid(force: Array, pyramid: Array, mu: Array) -> None:
    """The other way."""
    edges = np.ravel(pyramid)
    force[0] = edges[0] if len(mu) == 1 else np.sum(edges[: 2 * (len(mu) - 1)])
    for i in range(len(mu) - 1):
        force[i + 1] = (edges[2 * i] - edges[2 * i + 1]) * mu[i]


def mju_mat2Rot(quat: Array, mat: Array) -> int:
    """Turns quat to the rotation nearest to a 3x3 matrix [Mueller et al., MIG 2016]; how many turns it took."""
    columns = np.reshape(mat, (3, 3)).T
    for turn in range(500):
        axes = to_matrix(quat).T
        way = np.sum(np.cross(axes, columns), axis=0) / (abs(float(np.sum(axes * columns))) + 1e-9)
        angle = float(np.linalg.norm(way))
        if angle < 1e-9:
            return turn
        product = multiply(from_axis_angle(way, angle), quat)
        quat[...] = product / np.linalg.norm(product)
    return 500


_RANDOM = np.random.default_rng(0)


def mju_standardNormal(num2: Array | None = None) -> float:
    """A random number of the normal distribution; num2 gets a second one."""
    if num2 is not None:
        num2[...] = _RANDOM.normal()
    return float(_RANDOM.normal())


def mjd_subQuat(qa: Array, qb: Array, Da: Array | None, Db: Array | None) -> None:  # noqa: N803
    """Derivatives of mju_subQuat in the tangent spaces: the inverse right Jacobian of SO(3), and minus its transpose."""
    from ._algebra import mju_subQuat

    way = np.zeros(3)
    mju_subQuat(way, qa, qb)
    angle = float(np.linalg.norm(way))
    hat = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    second = 1 / 12 if angle < 1e-6 else 1 / angle**2 - (1 + np.cos(angle)) / (2 * angle * np.sin(angle))
    rate = np.eye(3) + 0.5 * hat + second * hat @ hat
    if Da is not None:
        Da[...] = rate.reshape(Da.shape)
    if Db is not None:
        Db[...] = -rate.T.reshape(Db.shape)


def mju_writeNumBytes(nbytes: int) -> str:
    """Bytes with the largest suffix that divides them: 2K, 1025."""
    size, letters = int(nbytes), iter("KMGTPE")
    letter = ""
    while size > 0 and size % 1024 == 0 and (larger := next(letters, "")):
        size, letter = size // 1024, larger
    return f"{size}{letter}"
