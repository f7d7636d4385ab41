// Boxes and balls around shapes.
#pragma once

#include <rattleback/shapes.h>

#include <limits>

namespace rattleback
{

/// Axis-aligned box [m]. Empty where lower > upper.
struct Aabb
{
    Vec3 lower;
    Vec3 upper;

    friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

/// Holds nothing, meets nothing, and changes nothing that it is merged with.
inline constexpr Aabb kEmptyBox{{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()},
                                {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()}};

/// True if the two share a point, their surfaces included; false where a number is NaN.
constexpr bool overlaps(const Aabb& a, const Aabb& b)
{
    // Without short cuts: six comparisons cost less than one branch that is guessed wrong.
    return static_cast<bool>(static_cast<int>(a.lower.x <= b.upper.x) & static_cast<int>(b.lower.x <= a.upper.x) &
                             static_cast<int>(a.lower.y <= b.upper.y) & static_cast<int>(b.lower.y <= a.upper.y) &
                             static_cast<int>(a.lower.z <= b.upper.z) & static_cast<int>(b.lower.z <= a.upper.z));
}
/// True if every point of `inner` is in `outer`; an empty box is in all.
constexpr bool contains(const Aabb& outer, const Aabb& inner)
{
    return static_cast<bool>(
        static_cast<int>(outer.lower.x <= inner.lower.x) & static_cast<int>(inner.upper.x <= outer.upper.x) &
        static_cast<int>(outer.lower.y <= inner.lower.y) & static_cast<int>(inner.upper.y <= outer.upper.y) &
        static_cast<int>(outer.lower.z <= inner.lower.z) & static_cast<int>(inner.upper.z <= outer.upper.z));
}
/// The smallest box around both.
constexpr Aabb merge(const Aabb& a, const Aabb& b)
{
    const auto least = [](double x, double y) { return y < x ? y : x; };
    const auto most = [](double x, double y) { return x < y ? y : x; };
    return {{least(a.lower.x, b.lower.x), least(a.lower.y, b.lower.y), least(a.lower.z, b.lower.z)},
            {most(a.upper.x, b.upper.x), most(a.upper.y, b.upper.y), most(a.upper.z, b.upper.z)}};
}
/// The box with every face moved out by `distance` [m].
constexpr Aabb inflate(const Aabb& box, double distance)
{
    const Vec3 by{distance, distance, distance};
    return {box.lower - by, box.upper + by};
}

/// Smallest axis-aligned box, up to rounding, around a shape at `pose`. Meshes and their kin count all their vertices
/// (none: an empty box), height fields their own bounding box; planes are infinite in all directions. `mesh` or
/// `field` may be null where the type does not need them.
Aabb compute_bounds(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                    const Pose& pose);
/// The same with the rotation as a matrix.
Aabb compute_bounds(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                    const Vec3& position, const Mat3& rotation);

/// Radius [m] of a ball around the shape's origin that holds the shape; infinite for planes.
double compute_bounding_radius(ShapeType type, const Vec3& size, const MeshOptions* mesh,
                               const HeightFieldOptions* field);

}  // namespace rattleback
