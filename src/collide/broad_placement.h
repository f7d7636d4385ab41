// Placement: where all shapes of one world are, and the boxes around them, computed once per call.
#pragma once

#include "collide/broad_layout.h"
#include "geometry/placed_shape.h"
#include "geometry/tree.h"

namespace rattleback
{

class ThreadPool;

/// How far apart shapes may be to count as a pair.
struct Reach
{
    double margin = 0;  ///< for each pair [m]
    double motion = 0;  ///< the time for which bodies move on [s]
    bool own = false;   ///< beside `margin`, the shapes' own margins and gaps, or those of the explicit pair

    friend bool operator==(const Reach&, const Reach&) = default;
};

/// A plane in the world.
struct PlacedPlane
{
    int shape = -1;
    bool moving = false;
    bool has_masks = false;  ///< false: it is met in explicit pairs only
    Vec3 point, normal;      ///< [m], unit
    double reach = 0;        ///< its share of the distance within which it is met [m]
    double path = 0;         ///< how far its point may move [m]
    double turn = 0;         ///< at most how much its normal may change
    bool is_finite = true;   ///< false: it meets nothing
};

/// All shapes of a world. Boxes hold the shape with its share of the reach: half of `margin`, all of its own margin and
/// gap, and the way it goes in `motion`: along the straight path of the centre of mass, with room for any turn. Where a
/// body's pose is not finite its boxes are empty. Boxes are a few roundings larger than the shapes, so that no contact
/// is lost at the rim.
class Placement
{
public:
    explicit Placement(const BroadLayout& layout);

    /// Places everything for this world. False when all boxes are as they were after the last call.
    bool update(const ConstWorldView& world, const Reach& reach, ThreadPool* pool);

    const PlacedPlane& find_plane(int shape) const;

    std::vector<PlacedShape> shapes;  ///< [shape]; placed only where the reach is that of contacts, planes always
    std::vector<Aabb> boxes;          ///< [shape], only of moving bodies with several; the others': see proxy_boxes
    std::vector<Aabb> bare_boxes;     ///< without margins, [shape], only of fixed shapes and those of explicit pairs
    std::vector<Aabb> proxy_boxes;    ///< [proxy]
    std::vector<PlacedPlane> planes;  ///< as in BroadLayout::planes
    std::vector<BoxTree> compounds;   ///< of bodies with many shapes; items in the order of Carrier's shapes
    BoxTree fixed_tree;               ///< of fixed_proxies, with their own margins and gaps, without the call's
    std::uint64_t signature = 0;      ///< differs when layout or anything fixed does

private:
    /// How a shape is bounded and placed, in one byte.
    struct Kind
    {
        bool is_plane : 1 = false;
        bool is_turned_box : 1 = false;  ///< bounded by its own box, turned: see local_boxes_
        bool is_centered : 1 = false;    ///< its frame is the body's
        bool keeps_bare_box : 1 = false;
    };

    void build_compounds();
    bool update_fixed(const ConstWorldView& world, const Reach& reach);
    bool update_moving(const ConstWorldView& world, const Reach& reach, bool all, ThreadPool* pool);
    void place_carrier(const ConstWorldView& world, const Reach& reach, const Carrier& carrier);
    Aabb place_shape(const ConstWorldView& world, const Reach& reach, int body, int shape);
    Aabb compute_box(int shape, const Vec3& position, const Mat3& rotation) const;
    Aabb sweep(const Aabb& box, const ConstWorldView& world, double motion, int shape, const Vec3& position) const;
    double share(const Reach& reach, int shape) const;
    void update_plane(const ConstWorldView& world, const Reach& reach, PlacedPlane& plane) const;
    void sign();

    const BroadLayout& layout_;
    std::vector<Kind> kinds_;                       ///< [shape]
    std::vector<Aabb> local_boxes_;                 ///< [shape], or empty: there are no turned boxes
    std::vector<Pose> moving_poses_, fixed_poses_;  ///< of the last call, by carrier
    std::vector<char> changed_;                     ///< [moving carrier]
    std::vector<Aabb> fixed_boxes_;                 ///< in fixed_tree
    Reach reach_;                                   ///< of the last call
    bool is_fresh_ = true;
};

/// True if a box comes within the plane's reach plus `extra` [m].
bool is_near(const PlacedPlane& plane, const Aabb& box, double extra = 0);

}  // namespace rattleback
