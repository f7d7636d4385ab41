// Fast bodies, and where they first meet what is in their way.
#include "solvers/shared/swept_contacts.h"

#include "base/index.h"
#include "dynamics/bias.h"
#include "dynamics/forces.h"
#include "dynamics/jacobian.h"
#include "geometry/bounds.h"
#include "math/broadcast.h"

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
}

/// Poses and velocities of all bodies in the first lane, where a workspace stands; good until the next call.
template <class T>
ConstWorldView SweptContacts::place(const Workspace<T>& w)
{
    const auto first = [](const Vector3<T>& a) { return Vec3{lane(a.x, 0), lane(a.y, 0), lane(a.z, 0)}; };
    const Bodies& bodies = model_.bodies;
    poses_.resize(bodies.parent.size());
    velocities_.resize(bodies.parent.size());
    for (std::size_t b = 0; b < poses_.size(); ++b)
    {
        const int body = static_cast<int>(b);
        const Quaternion<T>& q = w.rotation[body];
        poses_[b] = {first(w.position[body]), {lane(q.w, 0), lane(q.x, 0), lane(q.y, 0), lane(q.z, 0)}};
        // Bodies that neither joints nor tracks move have no velocity.
        if (bodies.last_dof[b] < 0 && w.tree->kinematic_bodies.empty()) continue;
        const Vec3 center = poses_[b].position + rotate(poses_[b].rotation, bodies.inertial_pose[b].position);
        velocities_[b] = {first(body_point_velocity(w, body, broadcast<T>(center))),
                          first(body_angular_velocity(w, body))};
    }
    ConstWorldView view;
    view.body_pose = poses_;
    view.body_velocity = velocities_;
    return view;
}

template <class T>
MaskOf<T> SweptContacts::find_fast_lanes(const Workspace<T>& w, double dt) const
{
    MaskOf<T> fast = make_mask<T>(false);
    const T fall = T(dt) * norm(w.gravity[0]);
    for (std::size_t b = 1; b < fast_.size(); ++b)
    {
        if (!std::isfinite(half_thickness_[b])) continue;
        const int body = static_cast<int>(b);
        const Vector3<T> v = point_velocity(w, w.velocity[body], body, w.center[body]);
        const Vector3<T>& spin = w.velocity[body].angular;
        const T thickness(2 * half_thickness_[b]), reach(reach_[b]);
        // (x + y + z)^2 <= 3 (x^2 + y^2 + z^2): most bodies are slow beyond doubt, and need no root.
        const T square = dot(v, v) + fall * fall + reach * reach * dot(spin, spin);
        if (!any(T(3 * dt * dt) * square > thickness * thickness)) continue;
        // as any_fast() says it
        const T way = T(dt) * (norm(v) + fall), turn = T(dt) * norm(spin);
        const MaskOf<T> passes = either(way > thickness, way + reach * turn > T(kSwing) * thickness);
        fast = either(fast, both(passes, turn < T(kPi)));
    }
    return fast;
}

template <class T>
std::span<const Contact> SweptContacts::look_ahead(double dt, std::span<const T> start_q, Stepper<T>& stepper,
                                                   StageContacts& contacts, ColliderMemory& memory, Workspace<T>& w,
                                                   StageTimer& timer)
{
    const auto move = [&](bool held)
    {
        std::copy(start_q.begin(), start_q.end(), w.q.begin());
        stepper.hold_drift(held);
        stepper.move_to_stage(0, dt, w, timer);
        compute_position_stage(w, timer);
    };
    move(true);
    compute_velocities(w);
    const ConstWorldView view = place(w);
    const Vector3<T>& g = w.gravity[0];
    const Vec3 gravity{lane(g.x, 0), lane(g.y, 0), lane(g.z, 0)};
    found_.clear();
    if (any_fast(view, gravity, dt)) find(view, gravity, dt, contacts.find_pairs(view, dt, memory));
    if (found_.empty()) move(false);
    return found_;
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
        // What touches and slides along, or leaves, is a matter of its contacts.
        const Vec3 closing = velocity_at(a, impact->gap.on_first) - velocity_at(b, impact->gap.on_second);
        const double closer = dt * dot(closing, impact->gap.normal);
        if (impact->state == ImpactState::overlap && closer < std::min(way[at(first)], way[at(second)])) continue;
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
