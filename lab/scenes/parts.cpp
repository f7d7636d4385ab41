// Implementation of the scenes' common parts.
#include "lab/scenes/parts.h"

#include <cmath>

namespace rattleback::lab
{

Range degrees(double lower, double upper) { return {true, lower * kDegree, upper * kDegree}; }

Range limits(double lower, double upper) { return {true, lower, upper}; }

Quat turn_z_to(const Vec3& direction)
{
    const double length = norm(direction);
    const Vec3 d = (1 / length) * direction;
    if (d.z < -1 + 1e-12) return {0, 1, 0, 0};       // opposite: half a turn about x
    return normalized(Quat{1 + d.z, -d.y, d.x, 0});  // (1 + z.d, z x d): half of the angle between them
}

ShapeId add_limb(ModelBuilder& builder, BodyId body, const Vec3& from, const Vec3& to, double radius,
                 ShapeOptions options)
{
    const Vec3 along = to - from;
    options.position = 0.5 * (from + to);
    options.rotation = turn_z_to(along);
    return builder.add_shape(body, Capsule{.radius = radius, .half_length = 0.5 * norm(along)}, options);
}

std::uint64_t Random::next()
{
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

double Random::uniform(double lower, double upper)
{
    return lower + (upper - lower) * static_cast<double>(next() >> 11) * 0x1p-53;
}

Quat Random::rotation()
{
    // A point drawn in the unit ball of four dimensions, pushed onto its surface.
    for (;;)
    {
        const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        const double length = norm(q);
        if (length > 0.1 && length < 1) return normalized(q);
    }
}

}  // namespace rattleback::lab
