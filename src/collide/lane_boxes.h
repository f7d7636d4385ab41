// Boxes around shapes in the lanes of a pack: which shapes of which worlds may touch at all.
#pragma once

#include "geometry/placed_shape.h"
#include "math/masks.h"

#include <algorithm>

namespace rattleback
{

/// In world axes.
template <class T>
struct LaneBox
{
    Vector3<T> center;
    Vector3<T> half;  ///< half of its sides
};

/// A box in the axes of a shape.
struct ShapeBox
{
    Vec3 center, half;
};

/// The smallest one around a bounded shape.
inline ShapeBox find_shape_box(const PlacedShape& shape)
{
    const Vec3& size = shape.size;
    switch (shape.type)
    {
        case ShapeType::sphere:
            return {{}, {size.x, size.x, size.x}};
        case ShapeType::capsule:
            return {{}, {size.x, size.x, size.x + size.y}};
        case ShapeType::cylinder:
            return {{}, {size.x, size.x, size.y}};
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return {{}, size};
        default:
            break;
    }
    if (shape.hull == nullptr || shape.hull->vertices.empty()) return {};
    Vec3 lower = shape.hull->vertices[0], upper = lower;
    for (const Vec3& vertex : shape.hull->vertices)
    {
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = std::min(lower[k], vertex[k]);
            upper[k] = std::max(upper[k], vertex[k]);
        }
    }
    return {0.5 * (lower + upper), 0.5 * (upper - lower)};
}

/// A box in world axes by its ends, wider by what its pairs may be apart.
template <class T>
struct LaneBounds
{
    Vector3<T> lower, upper;
};

/// Lanes in which two of them meet.
template <class T>
MaskOf<T> do_meet(const LaneBounds<T>& a, const LaneBounds<T>& b)
{
    const auto along = [&](int k) { return both(a.lower[k] <= b.upper[k], b.lower[k] <= a.upper[k]); };
    return both(both(along(0), along(1)), along(2));
}

/// Lanes in which a box comes within `reach` [m] of the half space behind a plane.
template <class T>
MaskOf<T> is_near_plane(const Vector3<T>& normal, const Vector3<T>& point, const LaneBox<T>& box, double reach)
{
    const T half = absolute(normal.x) * box.half.x + absolute(normal.y) * box.half.y + absolute(normal.z) * box.half.z;
    return dot(normal, box.center - point) < half + T(reach);
}

/// A box that turns with its shape.
template <class T>
struct TurnedBox
{
    Vector3<T> center;
    const Matrix3<T>& axes;
    const Vec3& half;
};

/// Lanes of `near` in which no plane parts two boxes by more than `reach` [m]: across the normals of their faces, then
/// across pairs of their edges (the fifteen axes of Gottschalk, Lin and Manocha 1996).
template <class T>
MaskOf<T> may_touch(const TurnedBox<T>& a, const TurnedBox<T>& b, double reach, MaskOf<T> near)
{
    // b seen from a: its place t and its axes, the columns of R.
    const Vector3<T> between = b.center - a.center;
    Vector3<T> t;
    T r[3][3], size[3][3];
    for (int i = 0; i < 3; ++i)
    {
        const Vector3<T> axis = a.axes.column(i);
        t[i] = dot(axis, between);
        for (int j = 0; j < 3; ++j)
        {
            r[i][j] = dot(axis, b.axes.column(j));
            size[i][j] = absolute(r[i][j]);
        }
    }
    const T far(reach);
    for (int i = 0; i < 3; ++i)
    {
        // Normals of the faces of a, then of b.
        const T first = T(a.half[i]) + (size[i][0] * T(b.half.x) + size[i][1] * T(b.half.y) + size[i][2] * T(b.half.z));
        near = both(near, absolute(t[i]) < first + far);
        const T second =
            T(b.half[i]) + (size[0][i] * T(a.half.x) + size[1][i] * T(a.half.y) + size[2][i] * T(a.half.z));
        near = both(near, absolute(t.x * r[0][i] + t.y * r[1][i] + t.z * r[2][i]) < second + far);
    }
    for (int i = 0; i < 3 && any(near); ++i)
    {
        // e_i x R_j, at most of length one: `reach` is then more than enough.
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const T sum = (T(a.half[i1]) * size[i2][j] + T(a.half[i2]) * size[i1][j]) +
                          (T(b.half[j1]) * size[i][j2] + T(b.half[j2]) * size[i][j1]);
            near = both(near, absolute(t[i2] * r[i1][j] - t[i1] * r[i2][j]) < sum + far);
        }
    }
    return near;
}

}  // namespace rattleback
