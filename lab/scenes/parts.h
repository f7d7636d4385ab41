// Small parts that several scenes are made of: limbs, colours, ranges, random rotations.
#pragma once

#include "math/align.h"
#include "math/random.h"

#include <rattleback/builder.h>

namespace rattleback::lab
{

using Colour = std::array<float, 4>;

// One palette for all scenes, so that pictures of them look like one family.
inline constexpr Colour kInk{0.16F, 0.19F, 0.24F, 1};
inline constexpr Colour kSteel{0.62F, 0.67F, 0.72F, 1};
inline constexpr Colour kPaper{0.90F, 0.88F, 0.83F, 1};
inline constexpr Colour kSkin{0.86F, 0.66F, 0.53F, 1};
inline constexpr Colour kTeal{0.16F, 0.55F, 0.58F, 1};
inline constexpr Colour kAmber{0.91F, 0.62F, 0.22F, 1};
inline constexpr Colour kRust{0.75F, 0.33F, 0.22F, 1};
inline constexpr Colour kFloor{0.83F, 0.84F, 0.85F, 1};

/// A range in degrees, for authoring; stored in radians.
Range degrees(double lower, double upper);
/// A range in metres, newtons or any unit as it is.
Range limits(double lower, double upper);
/// The same bound on both sides.
inline Range limits(double bound) { return limits(-bound, bound); }

/// A capsule whose segment runs from `from` to `to` (body frame); options.position and rotation are overwritten.
ShapeId add_limb(ModelBuilder& builder, BodyId body, const Vec3& from, const Vec3& to, double radius,
                 ShapeOptions options);

/// A uniformly distributed rotation, drawn in the order w, x, y, z.
Quat draw_rotation(Random& random);

/// Colours that take turns.
Colour colour_of(int index);

/// A free box with the given mass [kg].
void add_box(ModelBuilder& builder, const std::string& name, const Vec3& position, const Vec3& half_extents,
             double mass, Colour colour);

/// Meshes of points on ellipsoids with radii of 5 to 9 cm, for hulls.
std::vector<MeshId> add_rocks(ModelBuilder& builder, Random& random);

/// A stone of a random size, some 5 to 8 cm: box, sphere, capsule (of half length up to `longest` [m]), cylinder,
/// ellipsoid, or one of the rocks.
Shape make_stone(ShapeType type, double longest, Random& random, const std::vector<MeshId>& rocks);

/// Four walls around a square of half the given width; `height` is half of theirs.
void add_walls(ModelBuilder& builder, double half_width, double height, MaterialId material, Colour colour = kSteel);

}  // namespace rattleback::lab
