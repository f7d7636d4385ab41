"""MuJoCo's smaller functions on vectors, matrices, poses and muscles; results go into the first argument."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._math import to_matrix
from ._algebra import mju_mat2Quat, multiply

Array = npt.NDArray[np.float64]
_TINY = 1e-15  # mjMINVAL


def mju_copy(res: Array, vec: Array) -> None:
    """res = vec"""
    res[...] = vec


def mju_fill(res: Array, val: float) -> None:
    """All numbers the same."""
    res[...] = val


def mju_zero(res: Array) -> None:
    """All numbers zero."""
    res[...] = 0


def mju_scl(res: Array, vec: Array, scl: float) -> None:
    """res = vec scl"""
    res[...] = np.asarray(vec) * scl


def mju_add(res: Array, vec1: Array, vec2: Array) -> None:
    """res = vec1 + vec2"""
    res[...] = np.asarray(vec1) + np.asarray(vec2)


def mju_sub(res: Array, vec1: Array, vec2: Array) -> None:
    """res = vec1 - vec2"""
    res[...] = np.asarray(vec1) - np.asarray(vec2)


def mju_addTo(res: Array, vec: Array) -> None:
    """res += vec"""
    res[...] += np.asarray(vec)


def mju_subFrom(res: Array, vec: Array) -> None:
    """res -= vec"""
    res[...] -= np.asarray(vec)


def mju_addScl(res: Array, vec1: Array, vec2: Array, scl: float) -> None:
    """res = vec1 + vec2 scl"""
    res[...] = np.asarray(vec1) + np.asarray(vec2) * scl


def mju_addToScl(res: Array, vec: Array, scl: float) -> None:
    """res += vec scl"""
    res[...] += np.asarray(vec) * scl


mju_copy3 = mju_copy4 = mju_n2f = mju_f2n = mju_n2d = mju_d2n = mju_copy
mju_zero3 = mju_zero4 = mju_zero
mju_scl3, mju_add3, mju_sub3, mju_addTo3, mju_subFrom3, mju_addScl3, mju_addToScl3 = mju_scl, mju_add, mju_sub, mju_addTo, mju_subFrom, mju_addScl, mju_addToScl


def mju_unit4(res: Array) -> None:
    """No turn."""
    res[...] = (1, 0, 0, 0)


def mju_sum(vec: Array) -> float:
    """Of all numbers."""
    return float(np.sum(vec))


def mju_L1(vec: Array) -> float:
    """Sum of sizes."""
    return float(np.abs(vec).sum())


def mju_max(a: float, b: float) -> float:
    """The larger."""
    return float(max(a, b))


def mju_min(a: float, b: float) -> float:
    """The smaller."""
    return float(min(a, b))


def mju_isZero(vec: Array) -> int:
    """1 where all are zero."""
    return int(not np.any(vec))


def mju_isBad(x: float) -> int:
    """1 for numbers that no simulation survives: NaN, or beyond 1e10."""
    return int(not abs(x) <= 1e10)


def mju_round(x: float) -> int:
    """The nearest whole number, halves upwards."""
    return int(np.floor(x + 0.5))


def mju_sigmoid(x: float) -> float:
    """From 0 to 1 between 0 and 1, with two smooth derivatives."""
    x = min(max(float(x), 0.0), 1.0)
    return x**3 * (3 * x * (2 * x - 5) + 10)


def mju_Halton(index: int, base: int) -> float:
    """Number `index` of the sequence that fills 0 to 1 evenly."""
    result, part = 0.0, 1.0 / base
    while index > 0:
        index, digit = divmod(int(index), base)
        result += digit * part
        part /= base
    return result


def mju_insertionSort(list: Array) -> None:  # noqa: A002
    """Ascending."""
    list.sort()


mju_insertionSortInt = mju_insertionSort


def mju_normalize(res: Array) -> float:
    """Makes a vector one of length one, and gives the length it had."""
    length = float(np.linalg.norm(res))
    res[...] = np.asarray(res) / length if length > _TINY else np.eye(1, res.size).reshape(res.shape)
    return length


def mju_eye(mat: Array) -> None:
    """The unit matrix."""
    mat[...] = np.eye(*mat.shape)


def mju_symmetrize(res: Array, mat: Array) -> None:
    """Half the sum with the transpose."""
    res[...] = 0.5 * (np.asarray(mat) + np.asarray(mat).T)


def mju_mulMatMatT(res: Array, mat1: Array, mat2: Array) -> None:
    """mat1 mat2^T"""
    res[...] = np.asarray(mat1) @ np.asarray(mat2).T


def mju_mulMatTMat(res: Array, mat1: Array, mat2: Array) -> None:
    """mat1^T mat2"""
    res[...] = np.asarray(mat1).T @ np.asarray(mat2)


def mju_sqrMatTD(res: Array, mat: Array, diag: Array | None) -> None:
    """mat^T diag mat"""
    rows = np.asarray(mat)
    res[...] = rows.T @ (rows if diag is None else np.ravel(diag)[:, None] * rows)


def mju_mulVecMatVec(vec1: Array, mat: Array, vec2: Array) -> float:
    """vec1^T mat vec2"""
    return float(np.ravel(vec1) @ np.asarray(mat) @ np.ravel(vec2))


def mju_cholFactor(mat: Array, mindiag: float) -> int:
    """The lower factor in place, by rows from the top; squares below mindiag become mindiag, and the rank is what is left of those."""
    rank = len(mat)
    for j in range(len(mat)):
        square = mat[j, j] - mat[j, :j] @ mat[j, :j]
        if square < mindiag:
            square, rank = mindiag, rank - 1
        mat[j, j] = np.sqrt(square)
        mat[j + 1 :, j] = (mat[j + 1 :, j] - mat[j + 1 :, :j] @ mat[j, :j]) / mat[j, j]
    return rank


def mju_cholSolve(res: Array, mat: Array, vec: Array) -> None:
    """Solves with a factor of mju_cholFactor."""
    lower, x = np.tril(mat), np.array(vec, dtype=np.float64).reshape(-1)
    for i in range(len(x)):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    for i in reversed(range(len(x))):
        x[i] = (x[i] - lower[i + 1 :, i] @ x[i + 1 :]) / lower[i, i]
    res[...] = x.reshape(res.shape)


def mju_cholUpdate(mat: Array, x: Array, flg_plus: int) -> int:
    """The factor of L L^T + x x^T (or -) in place, one row after the other; the rank. x is used up."""
    rest, rank, sign = x.reshape(-1), len(mat), 1 if flg_plus else -1
    for k in range(len(mat)):
        if rest[k] == 0:
            continue
        square = mat[k, k] ** 2 + sign * rest[k] ** 2
        if square < _TINY:
            square, rank = _TINY, rank - 1
        root = np.sqrt(square)
        c, s = root / mat[k, k], rest[k] / mat[k, k]
        mat[k, k] = root
        mat[k + 1 :, k] = (mat[k + 1 :, k] + sign * s * rest[k + 1 :]) / c
        rest[k + 1 :] = c * rest[k + 1 :] - s * mat[k + 1 :, k]
    return rank


def mju_sparse2dense(res: Array, mat: Array, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """A matrix from rows of numbers and columns."""
    res[...] = 0
    for row, (count, begin) in enumerate(zip(rownnz, rowadr)):
        res[row, np.asarray(colind[begin : begin + count])] = np.asarray(mat[begin : begin + count])


def mju_dense2sparse(res: Array, mat: Array, rownnz: Any, rowadr: Any, colind: Any) -> int:
    """The other way; 1 where there is no room."""
    count = 0
    for row, numbers in enumerate(np.asarray(mat)):
        columns = np.flatnonzero(numbers)
        if count + len(columns) > len(res):
            return 1
        rownnz[row], rowadr[row] = len(columns), count
        res[count : count + len(columns)], colind[count : count + len(columns)] = numbers[columns], columns
        count += len(columns)
    return 0


def mju_mulPose(posres: Array, quatres: Array, pos1: Array, quat1: Array, pos2: Array, quat2: Array) -> None:
    """One pose after the other."""
    place, turn = to_matrix(quat1) @ np.asarray(pos2) + np.asarray(pos1), multiply(quat1, quat2)
    posres[...], quatres[...] = place, turn / np.linalg.norm(turn)


def mju_negPose(posres: Array, quatres: Array, pos: Array, quat: Array) -> None:
    """The way back."""
    back = np.asarray(quat) * (1, -1, -1, -1)
    posres[...], quatres[...] = -to_matrix(back) @ np.asarray(pos), back


def mju_trnVecPose(res: Array, pos: Array, quat: Array, vec: Array) -> None:
    """A point of a frame, in the world."""
    res[...] = to_matrix(quat) @ np.asarray(vec) + np.asarray(pos)


def mju_transformSpatial(res: Array, vec: Array, flg_force: int, newpos: Array, oldpos: Array, rotnew2old: Array | None) -> None:
    """Motion or force (rotation first) about another point, in other axes."""
    turning, moving = np.array(vec[:3]), np.array(vec[3:])
    way = np.asarray(newpos) - np.asarray(oldpos)
    if flg_force:
        turning = turning - np.cross(way, moving)
    else:
        moving = moving - np.cross(way, turning)
    axes = np.eye(3) if rotnew2old is None else np.reshape(rotnew2old, (3, 3))
    res[:3], res[3:] = axes.T @ turning, axes.T @ moving


def mju_quatZ2Vec(quat: Array, vec: Array) -> None:
    """The shortest turn that leads z along a vector."""
    length = float(np.linalg.norm(vec))
    quat[...] = (1, 0, 0, 0)
    if length < _TINY:
        return
    x, y, z = np.asarray(vec) / length
    sine = float(np.hypot(x, y))
    if sine < _TINY:
        quat[...] = (1, 0, 0, 0) if z > 0 else (0, 1, 0, 0)
        return
    angle = np.arctan2(sine, z)
    quat[...] = (np.cos(angle / 2), *(np.sin(angle / 2) * np.array([-y, x, 0]) / sine))


def mju_eig3(eigval: Array, eigvec: Array, quat: Array, mat: Array) -> int:
    """Eigenvalues of a symmetric 3x3 matrix, the largest first, eigenvectors as columns that turn to the right, and as a quaternion."""
    values, vectors = np.linalg.eigh(np.reshape(mat, (3, 3)))
    values, vectors = values[::-1], vectors[:, ::-1].copy()
    vectors[:, 2] *= np.sign(np.linalg.det(vectors))
    eigval[...] = values
    eigvec[...] = vectors.reshape(eigvec.shape)
    mju_mat2Quat(quat, vectors)
    return 0


def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:  # noqa: N803
    """Where a spring with a damper is after dt: x'' = -Kv x' - Kp x, in closed form."""
    square = Kv * Kv - 4 * Kp
    if square < -_TINY:
        w, r = np.sqrt(-square) / 2, -Kv / 2
        return float((pos0 * np.cos(w * dt) + (vel0 - r * pos0) / w * np.sin(w * dt)) * np.exp(r * dt))
    if square <= _TINY:
        r = -Kv / 2
        return float(np.exp(r * dt) * (pos0 + (vel0 - r * pos0) * dt))
    first, second = (-Kv - np.sqrt(square)) / 2, (-Kv + np.sqrt(square)) / 2
    a, b = (vel0 - pos0 * second) / (first - second), (pos0 * first - vel0) / (first - second)
    return float(a * np.exp(first * dt) + b * np.exp(second * dt))


def _find_muscle(length: float, lengthrange: Any, acc0: float, prm: Any) -> tuple[float, float, float]:
    """Peak force, optimal length and length in units of it (MuJoCo's documentation, Muscles)."""
    low, high, peak, scale = (float(x) for x in prm[:4])
    optimal = (float(lengthrange[1]) - float(lengthrange[0])) / max(_TINY, high - low)
    return scale / max(_TINY, acc0) if peak < 0 else peak, optimal, low + (length - float(lengthrange[0])) / max(_TINY, optimal)


def mju_muscleGain(len: float, vel: float, lengthrange: Array, acc0: float, prm: Array) -> float:  # noqa: A002
    """Active force of a muscle at full activation."""
    force, optimal, length = _find_muscle(len, lengthrange, acc0, prm)
    lmin, lmax, vmax, fvmax = float(prm[4]), float(prm[5]), float(prm[6]), float(prm[8])
    speed = vel / max(_TINY, optimal * vmax)
    a, b = 0.5 * (lmin + 1), 0.5 * (1 + lmax)
    by_length = 0.0
    if lmin <= length <= lmax:
        if length <= a:
            by_length = 0.5 * ((length - lmin) / max(_TINY, a - lmin)) ** 2
        elif length <= 1:
            by_length = 1 - 0.5 * ((1 - length) / max(_TINY, 1 - a)) ** 2
        elif length <= b:
            by_length = 1 - 0.5 * ((length - 1) / max(_TINY, b - 1)) ** 2
        else:
            by_length = 0.5 * ((lmax - length) / max(_TINY, lmax - b)) ** 2
    y = fvmax - 1
    if speed <= -1:
        by_speed = 0.0
    elif speed <= 0:
        by_speed = (speed + 1) ** 2
    elif speed <= y:
        by_speed = fvmax - (y - speed) ** 2 / max(_TINY, y)
    else:
        by_speed = fvmax
    return -force * by_length * by_speed


def mju_muscleBias(len: float, lengthrange: Array, acc0: float, prm: Array) -> float:  # noqa: A002
    """Passive force of a muscle."""
    force, _, length = _find_muscle(len, lengthrange, acc0, prm)
    lmax, fpmax = float(prm[5]), float(prm[7])
    b = 0.5 * (1 + lmax)
    if length <= 1:
        return 0.0
    x = (length - 1) / max(_TINY, b - 1)
    return -force * fpmax * (0.5 * x * x if length <= b else 0.5 + (length - b) / max(_TINY, b - 1))


def mju_muscleDynamics(ctrl: float, act: float, prm: Array) -> float:
    """Rate of a muscle's activation [1/s]."""
    ctrl, bounded = min(max(ctrl, 0.0), 1.0), min(max(act, 0.0), 1.0)
    up, down, width = float(prm[0]) * (0.5 + 1.5 * bounded), float(prm[1]) / (0.5 + 1.5 * bounded), float(prm[2])
    change = ctrl - act
    if width < _TINY:
        constant = up if change > 0 else down
    else:
        constant = down + (up - down) * mju_sigmoid(change / width + 0.5)
    return change / max(_TINY, constant)
