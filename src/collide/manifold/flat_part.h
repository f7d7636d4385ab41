// Flat and straight parts of a shape's surface, as a contact sees them: across its normal and along it.
#pragma once

#include "collide/manifold/feature_key.h"

#include <array>

namespace rattleback
{

/// Two directions across a contact's normal, and the normal.
struct NormalFrame
{
    Vec3 origin;   ///< world [m]
    Vec3 u, v, n;  ///< unit, right-handed, world
};
NormalFrame make_normal_frame(const Vec3& origin, const Vec3& normal);

/// A flat face of a shape.
struct Face
{
    int index = -1;     ///< as in ShapeFeature; -1: the shape has none that looks there
    Vec3 normal;        ///< outward, unit, world
    Vec3 point;         ///< on it, world [m]
    double cosine = 0;  ///< between the normal and the direction asked for
};

/// The face whose normal is nearest to a unit direction: of boxes and hulls one of all faces (of nearly equal ones the
/// first), of cylinders the cap within 45 degrees. Round shapes have none.
Face find_face(const PlacedShape& shape, const Vec3& direction);

/// How far a bounded shape reaches from its position along a unit direction [m].
double find_extent(const PlacedShape& shape, const Vec3& direction);

/// Signed distance of a shape from the plane of a face [m].
double find_gap_over(const Face& face, const PlacedShape& other);

/// The length beside which rounding and solver noise are small [m]: across the thinner directions of the widest face,
/// or the radius. Infinite for planes.
double find_width(const PlacedShape& shape);

/// A point, a segment, a convex polygon or a disc; in the coordinates of a NormalFrame, h along the normal.
struct FlatPart
{
    static constexpr int kMaxCorners = 64;
    using Numbers = std::array<double, kMaxCorners>;
    using Indices = std::array<std::uint32_t, kMaxCorners>;

    FlatPart() = default;  // the arrays are filled up to `count` only

    int count = 0;           ///< 1 point, 2 segment, more: polygon, counter-clockwise about the normal
    Numbers u, v, h;         ///< corners [m]
    Numbers side;            ///< length of the side from corner i to the next, about as seen along the normal [m]
    Indices corner, edge;    ///< numbers of the corners, and of the sides after them
    double disc_radius = 0;  ///< above zero: a disc, and the corners are points on its rim [m]
    double disc_u = 0, disc_v = 0;
    double base = 0, slope_u = 0, slope_v = 0;  ///< h = base + slope_u u + slope_v v, of polygons and discs
    FeatureKind kind = FeatureKind::face;       ///< of the part itself
    std::uint32_t index = 0;
    bool is_round = false;  ///< a segment on the side of a capsule or cylinder

    static constexpr int kMaxLoose = 24;
    int loose_count = 0;  ///< more vertices of a hull that are below the other surface, beside the part
    std::array<double, kMaxLoose> loose_u, loose_v, loose_h;
    std::array<std::uint32_t, kMaxLoose> loose;
};

/// The part of a shape that looks along a direction which is the frame's normal (sign +1) or against it (-1), as far as
/// it can lie on something: the face of a box or hull that `face` names, a cylinder's cap or the line along its side, a
/// capsule's line, the point of a sphere or ellipsoid. A hull that stands on an edge or a vertex, up to `slack` [m],
/// none of which `face` holds in full, shows those; and all its vertices within `depth` [m] of the furthest.
void build_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                double depth, FlatPart& part);

/// The straight part of a shape, edge or line along its side, whose ends reach as far along the direction as any
/// point up to `slack` [m], nearest to the point `near`, and of those the one most along `hint` (any length, may be
/// zero). False if there is none.
bool build_segment(const PlacedShape& shape, const NormalFrame& frame, int sign, double slack, const Vec3& near,
                   const Vec3& hint, FlatPart& part);

}  // namespace rattleback
