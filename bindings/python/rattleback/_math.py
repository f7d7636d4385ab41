"""The little algebra that scenes need."""
from __future__ import annotations

import numpy as np
import numpy.typing as npt


def from_axis_angle(axis: npt.ArrayLike, angle: float) -> npt.NDArray[np.float64]:
    """Unit quaternion (w, x, y, z) of a turn by `angle` [rad] about `axis` (any length but zero)."""
    direction = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(direction))
    if direction.shape != (3,) or not 0 < length < np.inf:
        raise ValueError(f"from_axis_angle: expected an axis of 3 numbers, neither zero nor infinite, got {axis!r}")
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) / length * direction))


def to_matrix(quaternion: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Rotation matrices of unit quaternions, (..., 4) -> (..., 3, 3)."""
    quat = np.asarray(quaternion, dtype=np.float64)
    if quat.shape[-1:] != (4,):
        raise ValueError(f"to_matrix: expected quaternions of shape (..., 4), got {quat.shape}")
    w, x, y, z = np.moveaxis(quat, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
