// Poses as seven numbers in an array: x y z, then the quaternion x y z w. No allocation: they run for every shape.

// out = a * b, the frame b as seen from where a is seen from.
export function multiply_poses(out, o, a, i, b, j)
{
    const ax = a[i + 3], ay = a[i + 4], az = a[i + 5], aw = a[i + 6];
    const bx = b[j + 3], by = b[j + 4], bz = b[j + 5], bw = b[j + 6];
    rotate(out, o, ax, ay, az, aw, b[j], b[j + 1], b[j + 2]);
    out[o] += a[i];
    out[o + 1] += a[i + 1];
    out[o + 2] += a[i + 2];
    out[o + 3] = aw * bx + ax * bw + ay * bz - az * by;
    out[o + 4] = aw * by - ax * bz + ay * bw + az * bx;
    out[o + 5] = aw * bz + ax * by - ay * bx + az * bw;
    out[o + 6] = aw * bw - ax * bx - ay * by - az * bz;
}

// out[o..o+2] = the vector (x, y, z) turned by the quaternion.
export function rotate(out, o, qx, qy, qz, qw, x, y, z)
{
    const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
    out[o] = x + qw * tx + qy * tz - qz * ty;
    out[o + 1] = y + qw * ty + qz * tx - qx * tz;
    out[o + 2] = z + qw * tz + qx * ty - qy * tx;
}

// The 4x4 matrix, column by column, of a pose after a scaling.
export function write_matrix(out, o, pose, i, sx, sy, sz)
{
    const x = pose[i + 3], y = pose[i + 4], z = pose[i + 5], w = pose[i + 6];
    const xx = 2 * x * x, yy = 2 * y * y, zz = 2 * z * z;
    const xy = 2 * x * y, xz = 2 * x * z, yz = 2 * y * z, wx = 2 * w * x, wy = 2 * w * y, wz = 2 * w * z;
    out[o] = sx * (1 - yy - zz);
    out[o + 1] = sx * (xy + wz);
    out[o + 2] = sx * (xz - wy);
    out[o + 3] = 0;
    out[o + 4] = sy * (xy - wz);
    out[o + 5] = sy * (1 - xx - zz);
    out[o + 6] = sy * (yz + wx);
    out[o + 7] = 0;
    out[o + 8] = sz * (xz + wy);
    out[o + 9] = sz * (yz - wx);
    out[o + 10] = sz * (1 - xx - yy);
    out[o + 11] = 0;
    out[o + 12] = pose[i];
    out[o + 13] = pose[i + 1];
    out[o + 14] = pose[i + 2];
    out[o + 15] = 1;
}

// a + s (b - a) for a whole array of poses, quaternions the short way round and of unit length. The result is in `a`.
export function blend_poses(a, b, s, count)
{
    for (let i = 0; i < 7 * count; i += 7)
    {
        for (let k = 0; k < 3; ++k) a[i + k] += s * (b[i + k] - a[i + k]);
        let dot = 0;
        for (let k = 3; k < 7; ++k) dot += a[i + k] * b[i + k];
        const sign = dot < 0 ? -s : s;
        let squared = 0;
        for (let k = 3; k < 7; ++k)
        {
            a[i + k] = (1 - s) * a[i + k] + sign * b[i + k];
            squared += a[i + k] * a[i + k];
        }
        const factor = squared > 0 ? 1 / Math.sqrt(squared) : 1;
        for (let k = 3; k < 7; ++k) a[i + k] *= factor;
    }
}
