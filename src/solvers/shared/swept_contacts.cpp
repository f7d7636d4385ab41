// Fast bodies, and where they first meet what is in their way.
#include "solvers/shared/swept_contacts_code.h"

#include "base/index.h"
#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace rattleback
{

namespace
{

constexpr double kClose = 0.01;     // of the thinner body's half thickness: near enough to count as met
constexpr double kRounding = 1e-9;  // of it: contacts act below their margin

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
}

void SweptContacts::merge(const Contacts& contacts, Contacts& all) const
{
    const auto key = [](const Contact& c) { return std::tuple(c.first_shape, c.second_shape, c.feature); };
    all.replace(contacts);
    all.items.insert(all.items.end(), found_.begin(), found_.end());
    std::sort(all.items.begin(), all.items.end(), [&](const Contact& a, const Contact& b) { return key(a) < key(b); });
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

MovingShape SweptContacts::find_moving(const ConstWorldView& world, const Vec3& gravity, double dt, ShapeId shape) const
{
    const int body = model_.shapes.body[at(shape)];
    const bool falls = model_.bodies.last_dof[at(body)] >= 0;
    return {.shape = shape,
            .body = {},
            .center_in_frame = model_.bodies.inertial_pose[at(body)].position,
            .center = center_of(model_, world, body),
            .rotation = world.body_pose[at(body)].rotation,
            .velocity = world.body_velocity[at(body)],
            .fall = (falls ? dt : 0) * gravity,
            .reach = reach_[at(body)]};
}

/// Half the thickness of the thinner of the two bodies.
double SweptContacts::find_thin(const PairCandidate& pair) const
{
    return std::min(half_thickness_[at(model_.shapes.body[at(pair.first)])],
                    half_thickness_[at(model_.shapes.body[at(pair.second)])]);
}

bool SweptContacts::find_meeting(const ConstWorldView& world, const Vec3& gravity, double dt, const PairCandidate& pair,
                                 Contact& contact) const
{
    const int first = model_.shapes.body[at(pair.first)], second = model_.shapes.body[at(pair.second)];
    const double thin = find_thin(pair);
    const MovingShape a = find_moving(world, gravity, dt, pair.first), b = find_moving(world, gravity, dt, pair.second);
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

double SweptContacts::find_first_meeting(const ConstWorldView& world, const Vec3& gravity, double dt,
                                         std::span<const PairCandidate> pairs, std::span<const double> way) const
{
    double time = dt;
    for (const PairCandidate& pair : pairs)
    {
        const int first = model_.shapes.body[at(pair.first)], second = model_.shapes.body[at(pair.second)];
        if (fast_[at(first)] == 0 && fast_[at(second)] == 0) continue;
        const double thin = find_thin(pair);
        const MovingShape a = find_moving(world, gravity, dt, pair.first);
        const MovingShape b = find_moving(world, gravity, dt, pair.second);
        const std::optional<TimeOfImpact> impact =
            find_time_of_impact(model_, a, b, {.duration = dt, .tolerance = kClose * thin});
        if (!impact || impact->state == ImpactState::apart) continue;
        // What touches now, a gap below the tolerance included, and slides along or leaves is a matter of its contacts.
        const Vec3 closing = velocity_at(a, impact->gap.on_first) - velocity_at(b, impact->gap.on_second);
        const double closer = dt * dot(closing, impact->gap.normal);
        const bool touches_now = impact->state == ImpactState::overlap || impact->time <= 0;
        if (touches_now && closer < std::min(way[at(first)], way[at(second)])) continue;
        time = std::min(time, impact->time);
    }
    return time;
}

double SweptContacts::find_shortest_hop(const ConstWorldView& world, const Vec3& gravity, double dt,
                                        std::span<const double> way) const
{
    double time = dt;
    for (std::size_t b = 1; b < fast_.size(); ++b)
    {
        if (fast_[b] == 0) continue;
        const Velocity& v = world.body_velocity[b];
        const double speed = norm(v.linear) + dt * norm(gravity) + reach_[b] * norm(v.angular);
        time = std::min(time, way[b] / speed);
    }
    return time;
}

template bool SweptContacts::find_fast_lanes(const Workspace<double>&, double) const;
template MaskOf<Pack4> SweptContacts::find_fast_lanes(const Workspace<Pack4>&, double) const;
template MaskOf<Pack8> SweptContacts::find_fast_lanes(const Workspace<Pack8>&, double) const;
template std::span<const Contact> SweptContacts::look_ahead(double, std::span<const double>, Stepper<double>&,
                                                            StageContacts&, ColliderMemory&, Workspace<double>&,
                                                            StageTimer&);
template std::span<const Contact> SweptContacts::look_ahead(double, std::span<const Pack4>, Stepper<Pack4>&,
                                                            StageContacts&, ColliderMemory&, Workspace<Pack4>&,
                                                            StageTimer&);
template std::span<const Contact> SweptContacts::look_ahead(double, std::span<const Pack8>, Stepper<Pack8>&,
                                                            StageContacts&, ColliderMemory&, Workspace<Pack8>&,
                                                            StageTimer&);

}  // namespace rattleback
