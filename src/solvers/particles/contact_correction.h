// The formula of a contact correction, with shapes and with particles of other bodies alike.
#pragma once

#include <rattleback/math.h>

#include <algorithm>

namespace rattleback::particles
{

/// Correction of a particle that overlaps something by -gap along the normal n, before relaxation and weighting
/// (Macklin et al. 2014, section 6.1): out along the normal, and against the tangential velocity by at most friction
/// times overlap and not beyond standstill,
///
///     dx = -gap n - min(-mu gap, h |v_t|) v_t / |v_t|.
template <class T>
Vector3<T> find_contact_correction(T gap, const Vector3<T>& n, const Vector3<T>& tangential, T friction, T dt)
{
    // mu |gap| bounds the friction as Coulomb's law does: the normal correction stands in for the normal force.
    const T speed = norm(tangential);
    const T slide = std::min(-friction * gap, speed * dt);
    const Vector3<T> push = -gap * n;
    // At standstill there is no direction to oppose.
    if (!(speed > T(0))) return push;
    return push - (slide / speed) * tangential;
}

}  // namespace rattleback::particles
