// The frame of a contact, for one world or a pack of them.
#pragma once

#include "math/masks.h"

namespace rattleback
{

/// As make_contact_frame (contacts.h): first column the unit `normal`, second the `tangent` made orthogonal to it.
template <class T>
RB_HD Matrix3<T> find_contact_frame(const Vector3<T>& normal, const Vector3<T>& tangent)
{
    constexpr double kAlong = 1e-12;  // of the squared length: a millionth of a radian
    const T zero(0.0), one(1.0);
    // The wanted tangent, made perpendicular; one along the normal is no direction, and a fixed hint takes its place.
    const Vector3<T> wanted = tangent - dot(normal, tangent) * normal;
    const MaskOf<T> is_wanted = dot(wanted, wanted) > T(kAlong) * dot(tangent, tangent);
    // MuJoCo's rule: the y axis, or z where the normal is near y.
    const MaskOf<T> is_flat = absolute(normal.y) < T(0.5);
    const Vector3<T> hint{zero, select(is_flat, one, zero), select(is_flat, zero, one)};
    const Vector3<T> across = select(is_wanted, wanted, hint - dot(normal, hint) * normal);
    const Vector3<T> y = (one / norm(across)) * across;
    const Vector3<T> z = cross(normal, y);
    return {{normal.x, y.x, z.x, normal.y, y.y, z.y, normal.z, y.z, z.z}};
}

}  // namespace rattleback
