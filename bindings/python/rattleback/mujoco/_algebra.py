"""MuJoCo's functions on vectors, matrices and quaternions; results go into the first argument."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._math import from_axis_angle, to_matrix

Array = npt.NDArray[np.float64]


def multiply(a: Any, b: Any) -> Array:
    """Of quaternions (w, x, y, z)."""
    w, x, y, z = a
    product: Array = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]) @ np.asarray(b)
    return product


def mju_mulQuat(res: Array, quat1: Array, quat2: Array) -> None:
    """Product of quaternions."""
    res[...] = multiply(quat1, quat2)


def mju_negQuat(res: Array, quat: Array) -> None:
    """The turn back."""
    res[...] = np.asarray(quat) * (1, -1, -1, -1)


def mju_mulQuatAxis(res: Array, quat: Array, axis: Array) -> None:
    """Quaternion times a vector."""
    res[...] = multiply(quat, [0.0, *axis])


def mju_rotVecQuat(res: Array, vec: Array, quat: Array) -> None:
    """A vector, turned."""
    res[...] = to_matrix(quat) @ np.asarray(vec)


def mju_axisAngle2Quat(res: Array, axis: Array, angle: float) -> None:
    """A turn about a unit axis [rad]."""
    res[...] = (1, 0, 0, 0) if angle == 0 else [np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis))]


def mju_quat2Vel(res: Array, quat: Array, dt: float) -> None:
    """The constant velocity that turns so far in dt."""
    axis, length = np.asarray(quat)[1:], float(np.linalg.norm(quat[1:]))
    angle = 2 * np.arctan2(length, quat[0])
    angle = angle - 2 * np.pi if angle > np.pi else angle
    res[...] = axis * (angle / (length * dt)) if length > 1e-15 else axis * 2 / dt


def mju_subQuat(res: Array, qa: Array, qb: Array) -> None:
    """The velocity that leads from qb to qa in unit time."""
    mju_quat2Vel(res, multiply(np.asarray(qb) * (1, -1, -1, -1), qa), 1.0)


def mju_quatIntegrate(quat: Array, vel: Array, scale: float) -> None:
    """Turns a quaternion by a velocity in body axes."""
    speed = float(np.linalg.norm(vel))
    if speed > 0:
        quat[...] = multiply(quat, from_axis_angle(vel, speed * scale))


def mju_derivQuat(res: Array, quat: Array, vel: Array) -> None:
    """Rate of a quaternion."""
    res[...] = 0.5 * multiply([0.0, *vel], quat)


def mju_quat2Mat(res: Array, quat: Array) -> None:
    """Rotation matrix, 9 numbers."""
    res[...] = to_matrix(quat).reshape(res.shape)


def mju_mat2Quat(quat: Array, mat: Array) -> None:
    """Quaternion of a rotation matrix."""
    from ._results import to_quaternions

    quat[...] = to_quaternions(np.asarray(mat, dtype=np.float64).reshape(1, 9))[0]


def mju_normalize3(vec: Array) -> float:
    """Makes a vector one of length one, and gives the length it had."""
    length = float(np.linalg.norm(vec))
    vec[...] = np.asarray(vec) / length if length > 1e-15 else (1, 0, 0)
    return length


def mju_normalize4(vec: Array) -> float:
    """The same for quaternions."""
    length = float(np.linalg.norm(vec))
    vec[...] = np.asarray(vec) / length if length > 1e-15 else (1, 0, 0, 0)
    return length


def mju_cross(res: Array, a: Array, b: Array) -> None:
    """Vector product."""
    res[...] = np.cross(a, b)


def mju_dot(vec1: Array, vec2: Array) -> float:
    """Scalar product."""
    return float(np.dot(np.ravel(vec1), np.ravel(vec2)))


def mju_norm(vec: Array) -> float:
    """Length."""
    return float(np.linalg.norm(vec))


mju_dot3, mju_norm3 = mju_dot, mju_norm


def mju_dist3(pos1: Array, pos2: Array) -> float:
    """Distance of points."""
    return float(np.linalg.norm(np.asarray(pos1) - np.asarray(pos2)))


def mju_mulMatVec(res: Array, mat: Array, vec: Array) -> None:
    """Matrix times vector."""
    res[...] = np.asarray(mat) @ np.ravel(vec)


def mju_mulMatTVec(res: Array, mat: Array, vec: Array) -> None:
    """Transposed matrix times vector."""
    res[...] = np.asarray(mat).T @ np.ravel(vec)


def mju_mulMatVec3(res: Array, mat: Array, vec: Array) -> None:
    """3x3 matrix times vector."""
    res[...] = np.reshape(mat, (3, 3)) @ np.ravel(vec)


def mju_mulMatTVec3(res: Array, mat: Array, vec: Array) -> None:
    """Transposed 3x3 matrix times vector."""
    res[...] = np.reshape(mat, (3, 3)).T @ np.ravel(vec)


def mju_mulMatMat(res: Array, mat1: Array, mat2: Array) -> None:
    """Product of matrices."""
    res[...] = np.asarray(mat1) @ np.asarray(mat2)


def mju_transpose(res: Array, mat: Array) -> None:
    """The transpose."""
    res[...] = np.asarray(mat).T


def mju_sym2dense(res: Array, mat: Array, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """A symmetric matrix from the rows of its lower half."""
    res[...] = 0
    for row, (count, begin) in enumerate(zip(rownnz, rowadr)):
        columns = np.asarray(colind[begin : begin + count])
        res[row, columns] = res[columns, row] = np.asarray(mat[begin : begin + count])


def mju_clip(x: float, min: float, max: float) -> float:  # noqa: A002
    """Between two limits."""
    return float(np.clip(x, min, max))


def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
    return float(np.sign(x))


def mju_euler2Quat(quat: Array, euler: Array, seq: str) -> None:
    """Three turns about axes named in `seq`: small letters move with the frame, capitals do not."""
    from ._model import FatalError

    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    for place, letter in enumerate(seq):
        if letter not in "xyzXYZ":
            raise FatalError(f"mju_euler2Quat: seq[{place}] is '{letter}', should be one of x, y, z, X, Y, Z")
    result = np.array([1.0, 0, 0, 0])
    for angle, letter in zip(euler, seq):
        turn = from_axis_angle(np.eye(3)["xyz".index(letter.lower())], float(angle))
        result = multiply(result, turn) if letter.islower() else multiply(turn, result)
    quat[...] = result
