// Fast bodies, and where they first meet what is in their way.
#include "solvers/shared/swept_contacts.h"

#include "base/index.h"
#include "collide/time_of_impact.h"
#include "dynamics/jacobian.h"
#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

constexpr double kClose = 0.01;     // of the thinner body's half thickness: near enough to count as met
constexpr double kRounding = 1e-9;  // of it: contacts act below their margin
constexpr double kSwing = 4;        // thicknesses that the end of a body may swing in a step

/// Half the shortest side of the box around a shape in its own frame [m].
double find_half_thickness(const Model& model, int shape)
{
    const Shapes& shapes = model.shapes;
    const ShapeType type = shapes.type[at(shape)];
    const int asset = shapes.asset[at(shape)];
    const bool field = type == ShapeType::height_field;
    const Aabb box =
        compute_bounds(type, shapes.size[at(shape)], asset >= 0 && !field ? &model.meshes[at(asset)] : nullptr,
                       asset >= 0 && field ? &model.height_fields[at(asset)] : nullptr, Pose{});
    const Vec3 sides = box.upper - box.lower;
    return 0.5 * std::min({sides.x, sides.y, sides.z});
}

Vec3 center_of(const Model& model, const ConstWorldView& world, int body)
{
    const Pose& pose = world.body_pose[at(body)];
    return pose.position + rotate(pose.rotation, model.bodies.inertial_pose[at(body)].position);
}

Vec3 velocity_at(const MovingShape& moving, const Vec3& point)
{
    return moving.velocity.linear + moving.fall + cross(moving.velocity.angular, point - moving.center);
}

}  // namespace

SweptContacts::SweptContacts(const Model& model)
    : model_(model),
      half_thickness_(at(model.body_count()), std::numeric_limits<double>::infinity()),
      reach_(at(model.body_count())),
      fast_(at(model.body_count()))
{
    for (int s = 0; s < model.shape_count(); ++s)
    {
        // Planes do not move.
        const int body = model.shapes.body[at(s)];
        const double radius = model.shapes.bounding_radius[at(s)];
        if (model.bodies.last_dof[at(body)] < 0 || !std::isfinite(radius)) continue;
        half_thickness_[at(body)] = std::min(half_thickness_[at(body)], find_half_thickness(model, s));
        const Vec3 arm = model.shapes.pose[at(s)].position - model.bodies.inertial_pose[at(body)].position;
        reach_[at(body)] = std::max(reach_[at(body)], norm(arm) + radius);
    }
    for (int b = 1; b < model.body_count(); ++b)
        if (std::isfinite(half_thickness_[at(b)])) movable_.push_back(b);
}

bool SweptContacts::all_slow(const Workspace<double>& w, double dt) const
{
    if (!w.tree->kinematic_bodies.empty()) return false;
    constexpr double kSure = 1 - 1e-9;  // rounding never calls a fast body slow
    const double fall = dt * dt * norm(w.gravity[0]), square = dt * dt;
    for (const int b : movable_)
    {
        const Vec3 v = point_velocity(w, w.velocity[b], b, w.center[b]), spin = w.velocity[b].angular;
        const double thickness = 2 * half_thickness_[at(b)], reach = reach_[at(b)];
        // |v| h + g h^2 <= d, and the ends swing by no more than what is left of kSwing d.
        const double way = kSure * (thickness - fall), swing = kSure * (kSwing - 1) * thickness;
        const bool slow =
            way > 0 && square * dot(v, v) <= way * way && square * reach * reach * dot(spin, spin) <= swing * swing;
        if (!slow) return false;
    }
    return true;
}

ConstWorldView SweptContacts::place(const Workspace<double>& w)
{
    const Bodies& bodies = model_.bodies;
    poses_.resize(bodies.parent.size());
    velocities_.resize(bodies.parent.size());
    for (std::size_t b = 0; b < poses_.size(); ++b)
    {
        const int body = static_cast<int>(b);
        poses_[b] = {w.position[body], w.rotation[body]};
        // Bodies that neither joints nor tracks move have no velocity.
        if (bodies.last_dof[b] < 0 && w.tree->kinematic_bodies.empty()) continue;
        const Vec3 center = poses_[b].position + rotate(poses_[b].rotation, bodies.inertial_pose[b].position);
        velocities_[b] = {body_point_velocity(w, body, center), body_angular_velocity(w, body)};
    }
    ConstWorldView view;
    view.body_pose = poses_;
    view.body_velocity = velocities_;
    return view;
}

bool SweptContacts::any_fast(const ConstWorldView& world, const Vec3& gravity, double dt)
{
    bool any = false;
    const double fall = dt * norm(gravity);
    for (std::size_t b = 1; b < fast_.size(); ++b)
    {
        // The ends of limbs that swing are looked for later: they pass little by themselves.
        const Velocity& v = world.body_velocity[b];
        const double way = dt * (norm(v.linear) + fall), swing = dt * reach_[b] * norm(v.angular);
        const double thickness = 2 * half_thickness_[b];
        // Who turns by more than half a round in a step has no path that could be looked along.
        const bool has_path = dt * norm(v.angular) < kPi;
        fast_[b] = has_path && (way > thickness || way + swing > kSwing * thickness) ? 1 : 0;
        any = any || fast_[b] != 0;
    }
    return any;
}

bool SweptContacts::find_meeting(const ConstWorldView& world, const Vec3& gravity, double dt, const PairCandidate& pair,
                                 Contact& contact) const
{
    const int first = model_.shapes.body[at(pair.first)], second = model_.shapes.body[at(pair.second)];
    const auto moving = [&](ShapeId shape, int body)
    {
        const bool falls = model_.bodies.last_dof[at(body)] >= 0;
        const Pose& pose = world.body_pose[at(body)];
        return MovingShape{.shape = shape,
                           .body = {},
                           .center_in_frame = model_.bodies.inertial_pose[at(body)].position,
                           .center = center_of(model_, world, body),
                           .rotation = pose.rotation,
                           .velocity = world.body_velocity[at(body)],
                           .fall = (falls ? dt : 0) * gravity,
                           .reach = reach_[at(body)]};
    };
    const double thin = std::min(half_thickness_[at(first)], half_thickness_[at(second)]);
    const MovingShape a = moving(pair.first, first), b = moving(pair.second, second);
    const std::optional<TimeOfImpact> impact =
        find_time_of_impact(model_, a, b, {.duration = dt, .tolerance = kClose * thin});
    // Kinds that cannot be swept are a matter of the contacts.
    if (!impact || impact->state == ImpactState::apart || impact->state == ImpactState::undecided) return false;
    // The material points that will meet, where they are now.
    const auto now = [](const MovingShape& shape, const Pose& then, const Vec3& point)
    {
        const Vec3 arm = rotate(conjugate(then.rotation), point - then.position);
        return shape.center + rotate(shape.rotation, arm);
    };
    const Vec3 on_first = now(a, impact->first, impact->gap.on_first);
    const Vec3 on_second = now(b, impact->second, impact->gap.on_second);
    const Vec3& normal = impact->gap.normal;
    const double distance = std::max(0.0, dot(normal, on_second - on_first));
    // What touches has rows of its own, which slide and roll; one more is for those that would be through all the same.
    const Vec3 closing = velocity_at(a, on_first) - velocity_at(b, on_second);
    if (impact->state == ImpactState::overlap && dt * dot(closing, normal) < thin) return false;
    contact = {};
    contact.first_body = BodyId{first};
    contact.second_body = BodyId{second};
    contact.first_shape = pair.first;
    contact.second_shape = pair.second;
    contact.point = fast_[at(first)] != 0 ? on_first : on_second;
    contact.frame = make_contact_frame(normal);
    contact.distance = distance;
    contact.margin = distance + kRounding * thin;
    contact.feature = kSweptFeature;
    contact.dimension = 1;
    contact.softness = Rigid{};
    return true;
}

std::span<const Contact> SweptContacts::find(const ConstWorldView& world, const Vec3& gravity, double dt,
                                             std::span<const PairCandidate> pairs)
{
    found_.clear();
    for (const PairCandidate& pair : pairs)
    {
        const int first = model_.shapes.body[at(pair.first)], second = model_.shapes.body[at(pair.second)];
        if (fast_[at(first)] == 0 && fast_[at(second)] == 0) continue;
        Contact contact;
        if (find_meeting(world, gravity, dt, pair, contact)) found_.push_back(contact);
    }
    return found_;
}

}  // namespace rattleback
