// Placing shapes in the world: poses, boxes, sweeps, and trees of compounds.
#include "collide/broad_placement.h"

#include "base/bits.h"
#include "base/index.h"
#include "collide/model_shape.h"

#include "base/hash.h"
#include "base/thread_pool.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr std::size_t kFewVertices = 32;  // a shape with more is bounded by its own box, turned
constexpr double kRounding = 1e-14;       // of the largest coordinate: several times what all operations here lose
constexpr std::size_t kCarriersPerTask = 64;

// A box holds a shape with its share of the distance at which pairs count, so that the boxes of a pair that matters
// always overlap. All boxes are rounded outward: a contact must not be lost to rounding at the rim.

double sum_sizes(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

bool is_finite(const Vec3& v) { return sum_sizes(v) < HUGE_VAL; }

bool is_finite(const Pose& pose)
{
    const Quat& q = pose.rotation;
    return is_finite(pose.position) && is_finite(Vec3{q.x, q.y, q.z}) && std::abs(q.w) < HUGE_VAL;
}

/// Around a box that is turned and moved.
Aabb place_box(const Aabb& box, const Vec3& position, const Mat3& rotation)
{
    // Centre and half sides: the box of a turned box is |R| times the half sides.
    const Vec3 center = position + rotation * (0.5 * (box.lower + box.upper));
    const Vec3 half = 0.5 * (box.upper - box.lower);
    Vec3 reach;
    for (int i = 0; i < 3; ++i)
    {
        reach[i] =
            std::abs(rotation(i, 0)) * half.x + std::abs(rotation(i, 1)) * half.y + std::abs(rotation(i, 2)) * half.z;
    }
    return {center - reach, center + reach};
}

/// A little larger than given; empty where a bound is not finite.
Aabb round_outward(const Aabb& box)
{
    if (!is_finite(box.lower) || !is_finite(box.upper)) return kEmptyBox;
    const auto size = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    // Relative to the largest coordinate, because that is what rounding is relative to.
    const double x = size(box.lower.x, box.upper.x), y = size(box.lower.y, box.upper.y);
    return inflate(box, kRounding * std::max({x, y, size(box.lower.z, box.upper.z)}));
}

}  // namespace

Placement::Placement(const BroadLayout& layout) : layout_(layout)
{
    const Model& model = layout.model;
    const std::size_t count = at(model.shape_count());
    shapes.resize(count);
    boxes.assign(count, kEmptyBox);
    bare_boxes.assign(count, kEmptyBox);
    kinds_.resize(count);
    for (const int shape : layout.shapes)
    {
        const std::size_t s = at(shape);
        // What does not change with poses is found once, in a byte per shape.
        const ShapeType type = model.shapes.type[s];
        const int asset = model.shapes.asset[s];
        const bool is_field = type == ShapeType::height_field;
        const MeshOptions* mesh = asset >= 0 && !is_field ? &model.meshes[at(asset)] : nullptr;
        const HeightFieldOptions* field = is_field ? &model.height_fields[at(asset)] : nullptr;
        shapes[s] = make_unplaced(model, shape);
        // Fixed shapes keep their bare box, because margins change from call to call and poses do not.
        const bool is_fixed = model.bodies.weld[at(model.shapes.body[s])] == 0;
        kinds_[s].is_plane = type == ShapeType::plane;
        // The box of many vertices costs more than its own box turned, which is a little larger.
        kinds_[s].is_turned_box = is_field || (mesh != nullptr && mesh->vertices.size() > kFewVertices);
        kinds_[s].is_centered = model.shapes.pose[s] == Pose{};
        kinds_[s].keeps_bare_box = is_fixed || layout.is_explicit[s] != 0;
        // Boxes in the shape's own frame, for those whose box is turned instead of their vertices.
        if (!kinds_[s].is_turned_box) continue;
        local_boxes_.resize(count, kEmptyBox);
        local_boxes_[s] = compute_bounds(type, {}, mesh, field, Pose{});
    }
    proxy_boxes.assign(layout.proxies.size(), kEmptyBox);
    // Poses of the last call: what has the same bits needs no new box.
    moving_poses_.resize(layout.moving.size());
    fixed_poses_.resize(layout.fixed.size());
    changed_.assign(layout.moving.size(), 0);
    fixed_boxes_.resize(layout.fixed_proxies.size());
    for (const int plane : layout.planes)
    {
        const int body = model.shapes.body[at(plane)];
        const bool has_masks = (model.shapes.category[at(plane)] | model.shapes.mask[at(plane)]) != 0;
        planes.push_back({.shape = plane, .moving = model.bodies.weld[at(body)] != 0, .has_masks = has_masks});
    }
    build_compounds();
}

/// Their trees in the bodies' own frames; every call only turns and moves the boxes.
void Placement::build_compounds()
{
    compounds.resize(at(layout_.compound_count));
    std::vector<Aabb> local;
    // One tree per body with many shapes, built once; a call only moves its boxes.
    for (const Carrier& carrier : layout_.moving)
    {
        // Bodies with few shapes are tested shape by shape.
        if (carrier.compound < 0) continue;
        local.clear();
        for (const int shape : layout_.bounded_shapes(carrier))
        {
            // In the body's frame; place_carrier puts the placed boxes into the leaves and refits.
            const Pose& pose = layout_.model.shapes.pose[at(shape)];
            local.push_back(compute_box(shape, pose.position, to_matrix(pose.rotation)));
        }
        compounds[at(carrier.compound)].build(local);
    }
}

const PlacedPlane& Placement::find_plane(int shape) const
{
    return *std::lower_bound(planes.begin(), planes.end(), shape,
                             [](const PlacedPlane& plane, int other) { return plane.shape < other; });
}

Aabb Placement::compute_box(int shape, const Vec3& position, const Mat3& rotation) const
{
    // Vertices of small meshes are turned one by one, which is tighter; large ones by their own box.
    const std::size_t s = at(shape);
    const Model& model = layout_.model;
    // A box of a box is never too small: rotation of the corners encloses the vertices.
    if (kinds_[s].is_turned_box) return round_outward(place_box(local_boxes_[s], position, rotation));
    const ShapeType type = model.shapes.type[s];
    const int asset = model.shapes.asset[s];
    const MeshOptions* mesh = asset >= 0 ? &model.meshes[at(asset)] : nullptr;
    return round_outward(compute_bounds(type, model.shapes.size[s], mesh, nullptr, position, rotation));
}

Aabb Placement::sweep(const Aabb& box, const ConstWorldView& world, double motion, int shape,
                      const Vec3& position) const
{
    const Shapes& all = layout_.model.shapes;
    const std::size_t s = at(shape), body = at(all.body[s]);
    const Velocity& velocity = world.body_velocity[body];
    const Vec3 mass_center = (world.body_pose[body] * layout_.model.bodies.inertial_pose[body]).position;
    // A point at distance r from the centre of mass is at most 2 r sin(angle / 2) from where it would be without turn.
    const double turn = std::min(motion * norm(velocity.angular), 2.0);
    // A sphere's turn about its own centre moves nothing.
    const double own = all.type[s] == ShapeType::sphere ? 0 : all.bounding_radius[s];
    // The straight way of the centre of mass; what turns is added on all sides.
    const Vec3 shift = motion * velocity.linear;
    // The arm to the shape and the shape's own radius turn with the body.
    const Aabb swept =
        inflate(merge(box, {box.lower + shift, box.upper + shift}), turn * (norm(position - mass_center) + own));
    return is_finite(swept.lower) && is_finite(swept.upper) ? swept : kEmptyBox;
}

/// A shape's part of the distance within which it is met.
double Placement::share(const Reach& reach, int shape) const
{
    const Shapes& all = layout_.model.shapes;
    // Half of the call's margin for each partner, and all of its own; boxes never shrink for a negative one.
    return 0.5 * reach.margin + (reach.own ? std::max(0.0, all.margin[at(shape)] + all.gap[at(shape)]) : 0);
}

/// Returns the bare box.
Aabb Placement::place_shape(const ConstWorldView& world, const Reach& reach, int body, int shape)
{
    const std::size_t s = at(shape);
    // A shape whose frame is the body's saves a product of poses.
    const Pose& body_pose = world.body_pose[at(body)];
    const Pose pose = kinds_[s].is_centered ? body_pose : body_pose * layout_.model.shapes.pose[s];
    const Mat3 rotation = to_matrix(pose.rotation);
    // Contact functions need the pose; mere pairs do not, but planes are met by their pose.
    if (reach.own || kinds_[s].is_plane)
    {
        shapes[s].position = pose.position;
        shapes[s].rotation = rotation;
    }
    if (kinds_[s].is_plane) return kEmptyBox;
    const Aabb box = compute_box(shape, pose.position, rotation);
    return reach.motion > 0 ? sweep(box, world, reach.motion, shape, pose.position) : box;
}

void Placement::place_carrier(const ConstWorldView& world, const Reach& reach, const Carrier& carrier)
{
    // A pose that is not finite has no box and meets nothing: divergence is reported elsewhere.
    const bool usable = is_finite(world.body_pose[at(carrier.body)]);
    // A body of one shape: its box is the proxy's, and no list is kept.
    const bool is_single = carrier.middle == carrier.begin + 1;
    Aabb around = kEmptyBox;
    for (int i = carrier.begin; i < carrier.end; ++i)
    {
        const int shape = layout_.shapes[at(i)];
        // The bare box first; shares of the reach differ from call to call.
        const Aabb bare = usable ? place_shape(world, reach, carrier.body, shape) : kEmptyBox;
        if (kinds_[at(shape)].keeps_bare_box) bare_boxes[at(shape)] = bare;
        if (i >= carrier.middle) continue;
        const Aabb box = inflate(bare, share(reach, shape));
        around = is_single ? box : merge(around, box);
        if (!is_single) boxes[at(shape)] = box;
        // The tree of a compound has the same boxes in its leaves.
        if (carrier.compound >= 0) compounds[at(carrier.compound)].set_box(i - carrier.begin, box);
    }
    // Several together: a rounding larger, so that a plane near one of them is never found far from all.
    if (carrier.proxy >= 0) proxy_boxes[at(carrier.proxy)] = is_single ? around : round_outward(around);
    if (carrier.compound >= 0) compounds[at(carrier.compound)].refit();
}

/// Fixed bodies keep their poses; if somebody writes others into the state, they are taken up.
bool Placement::update_fixed(const ConstWorldView& world, const Reach& reach)
{
    bool moved = is_fresh_;
    // Bits, not values: -0 and 0 differ, and NaN equals itself.
    for (std::size_t i = 0; i < layout_.fixed.size() && !moved; ++i)
    {
        moved = !same_bits(world.body_pose[at(layout_.fixed[i].body)], fixed_poses_[i]);
    }
    // Somebody moved what should not move: everything fixed is placed anew, and the tree is built again.
    for (std::size_t i = 0; i < layout_.fixed.size() && moved; ++i)
    {
        fixed_poses_[i] = world.body_pose[at(layout_.fixed[i].body)];
        place_carrier(world, {.own = true}, layout_.fixed[i]);
    }
    // The tree of fixed boxes is independent of the call's margin, which the partners' fat boxes carry.
    for (std::size_t i = 0; i < fixed_boxes_.size() && (moved || reach != reach_); ++i)
    {
        const int proxy = layout_.fixed_proxies[i], shape = layout_.proxies[at(proxy)].shape;
        const Aabb& bare = bare_boxes[at(shape)];
        fixed_boxes_[i] = inflate(bare, share({.own = true}, shape));
        proxy_boxes[at(proxy)] = inflate(bare, share(reach, shape));
    }
    if (!moved) return false;
    // The tree holds boxes without the call's margin: it lasts as long as nothing fixed moves.
    fixed_tree.build(fixed_boxes_);
    sign();
    return true;
}

bool Placement::update_moving(const ConstWorldView& world, const Reach& reach, bool all, ThreadPool* pool)
{
    const auto place = [&](int i)
    {
        const Carrier& carrier = layout_.moving[at(i)];
        const Pose& pose = world.body_pose[at(carrier.body)];
        // A body with the same bits as in the last call keeps its boxes.
        changed_[at(i)] = static_cast<char>(all || !same_bits(pose, moving_poses_[at(i)]));
        if (changed_[at(i)] == 0) return;
        moving_poses_[at(i)] = pose;
        place_carrier(world, reach, carrier);
    };
    // Bodies are independent: any thread may place any of them.
    run_pieces(pool, layout_.moving.size(), kCarriersPerTask,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i) place(static_cast<int>(i));
               });
    return std::find(changed_.begin(), changed_.end(), 1) != changed_.end();
}

void Placement::update_plane(const ConstWorldView& world, const Reach& reach, PlacedPlane& plane) const
{
    const std::size_t s = at(plane.shape), body = at(layout_.model.shapes.body[s]);
    plane.is_finite = is_finite(world.body_pose[body]);
    plane.point = shapes[s].position;
    plane.normal = shapes[s].rotation.column(2);
    plane.reach = share(reach, plane.shape);
    plane.path = plane.turn = 0;
    // A plane at rest reaches nothing further than its margin.
    if (reach.motion <= 0 || !plane.moving) return;
    const Velocity& velocity = world.body_velocity[body];
    const Vec3 mass_center = (world.body_pose[body] * layout_.model.bodies.inertial_pose[body]).position;
    // A chord of the unit circle is at most two, however fast it spins.
    plane.turn = std::min(reach.motion * norm(velocity.angular), 2.0);
    plane.path = reach.motion * norm(velocity.linear) + plane.turn * norm(plane.point - mass_center);
}

bool Placement::update(const ConstWorldView& world, const Reach& reach, ThreadPool* pool)
{
    // What moves on needs velocities too: nothing is kept then.
    // With a motion ahead boxes depend on velocities, which are not compared: all are placed anew.
    const bool anew = is_fresh_ || reach != reach_ || reach.motion > 0;
    const bool fixed_changed = update_fixed(world, reach);
    const bool moved = update_moving(world, reach, anew, pool);
    const bool changed = anew || fixed_changed || moved;
    for (std::size_t i = 0; i < planes.size() && changed; ++i) update_plane(world, reach, planes[i]);
    reach_ = reach;
    is_fresh_ = false;
    return changed;
}

void Placement::sign()
{
    Hasher hasher;
    const auto add = [&](const Vec3& v)
    {
        hasher.add(v.x);
        hasher.add(v.y);
        hasher.add(v.z);
    };
    // Everything that the kept pairs depend on, so that a memory of another model or scene is recognised.
    hasher.add(layout_.proxies.size());
    for (const Proxy& proxy : layout_.proxies)
    {
        hasher.add(proxy.body);
        hasher.add(proxy.shape);
        hasher.add(proxy.carrier);
        hasher.add((static_cast<std::uint64_t>(proxy.category) << 32U) | proxy.mask);
    }
    for (const Aabb& box : fixed_boxes_)
    {
        add(box.lower);
        add(box.upper);
    }
    // Which proxies may meet depends on all that follows as well.
    const Model& model = layout_.model;
    for (const int shape : layout_.shapes) hasher.add(model.shapes.type[at(shape)]);
    for (const int weld : model.bodies.weld) hasher.add(weld);
    for (const int parent : model.bodies.parent) hasher.add(parent);
    for (const int dof : model.bodies.last_dof) hasher.add(dof);
    for (const auto& [first, second] : model.excluded_bodies)
    {
        hasher.add(first);
        hasher.add(second);
    }
    for (const ShapePair& pair : layout_.explicit_pairs)
    {
        hasher.add(pair.first);
        hasher.add(pair.second);
    }
    signature = hasher.value();
}

bool is_near(const PlacedPlane& plane, const Aabb& box, double extra)
{
    if (!plane.is_finite) return false;
    const Vec3 center = 0.5 * (box.lower + box.upper), half = 0.5 * (box.upper - box.lower);
    const Vec3 from_plane = center - plane.point;
    // The lowest corner of the box over the plane: the support of the box against the normal.
    const double lowest = dot(plane.normal, from_plane) - std::abs(plane.normal.x) * half.x -
                          std::abs(plane.normal.y) * half.y - std::abs(plane.normal.z) * half.z;
    double reach = plane.reach + extra;
    // Rounding may not decide that a plane is missed.
    reach += kRounding * (sum_sizes(center) + sum_sizes(half) + sum_sizes(plane.point));
    // A turn by a small angle sweeps the further, the further out the plane is met.
    const auto far = [](double a, double b) { return std::abs(a) + b; };
    const Vec3 corner{far(from_plane.x, half.x), far(from_plane.y, half.y), far(from_plane.z, half.z)};
    if (plane.turn > 0 || plane.path > 0) reach += plane.path + plane.turn * norm(corner);
    return lowest <= reach;
}

}  // namespace rattleback
