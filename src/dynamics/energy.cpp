// Energy, momentum and centre of mass of a world.
#include <rattleback/state.h>

#include "dynamics/energy.h"
#include "dynamics/forces.h"
#include "dynamics/tendons.h"
#include "dynamics/wrap.h"
#include "math/rotation.h"

namespace rattleback
{

namespace
{

// From poses and velocities of bodies alone, not from a workspace: any State can be asked, whichever solver wrote it.

/// What a body's velocity carries: linear and angular momentum about its centre of mass, world axes.
struct BodyMomentum
{
    Vec3 center, linear, angular;
};

double mass_of(const Model& model, int body, const MassView& own)
{
    return own.mass.empty() ? model.bodies.mass[body] : own.mass[static_cast<std::size_t>(body)];
}

BodyMomentum momentum_of(const Model& model, int body, const ConstWorldView& world, const MassView& own)
{
    const Bodies& bodies = model.bodies;
    const Pose& pose = world.body_pose[body];
    const Velocity& velocity = world.body_velocity[body];
    // In the principal axes of the body the inertia is diagonal: three products.
    const Quat axes = pose.rotation * bodies.inertial_pose[body].rotation;
    // Body rates in principal axes.
    const Vec3 w = rotate(conjugate(axes), velocity.angular);
    const double* const k = own.mass.empty() ? nullptr : &own.moments[static_cast<std::size_t>(3 * body)];
    // A world may have masses of its own; moments belong to them.
    const Vec3 i = k == nullptr ? bodies.inertia[body] : Vec3{k[0], k[1], k[2]};
    return {pose.position + rotate(pose.rotation, bodies.inertial_pose[body].position),
            mass_of(model, body, own) * velocity.linear, rotate(axes, Vec3{i.x * w.x, i.y * w.y, i.z * w.z})};
}

double joint_spring_energy(const Model& model, int j, const ConstWorldView& world)
{
    // E = k x^2 / 2.
    const double k = model.joints.stiffness[j];
    const auto& terms = model.joints.stiffness_polynomial[j];
    if (k == 0 && terms == std::array<double, 2>{}) return 0;
    int q = model.joints.q_begin[j];
    const JointType type = model.joints.type[j];
    const int yield = model.joints.plastic_begin[j];
    // Springs rest at spring_q, which need not be q0, or where they have yielded to.
    const auto stretch = [&](int i) { return world.q[i] - model.spring_q[i]; };
    if (type == JointType::hinge || type == JointType::slide)
        return find_spring_energy(k, terms, stretch(q) - (yield < 0 ? 0 : world.act[yield]));
    double energy = 0;
    if (type == JointType::free)
    {
        energy = find_spring_energy(k, terms, norm(Vec3{stretch(q), stretch(q + 1), stretch(q + 2)}));
        q += 3;
    }
    const auto quaternion = [&](std::span<const double> from)
    { return normalized(Quat{from[q], from[q + 1], from[q + 2], from[q + 3]}); };
    Quat rest = quaternion(model.spring_q);
    if (yield >= 0) rest = rest * exponential(Vec3{world.act[yield], world.act[yield + 1], world.act[yield + 2]});
    // The rotation vector from rest: its length is the angle.
    return energy + find_spring_energy(k, terms, norm(rotation_spring(quaternion(world.q), rest)));
}

/// Length of a tendon and its rate.
struct TendonMotion
{
    double length = 0, velocity = 0;
};

TendonMotion motion_of_fixed(const Model& model, int t, const ConstWorldView& world)
{
    TendonMotion motion;
    // A fixed tendon is a weighted sum of joint coordinates.
    for (int k = model.tendons.item_begin[t]; k < model.tendons.item_begin[t + 1]; ++k)
    {
        const TendonItem& item = model.tendons.items[k];
        motion.length += item.value * world.q[model.joints.q_begin[item.joint]];
        motion.velocity += item.value * world.v[model.joints.v_begin[item.joint]];
    }
    return motion;
}

/// A point that a body carries.
struct Carried
{
    Vec3 point, velocity;
};

Carried carry(const Model& model, const ConstWorldView& world, int body, const Vec3& point)
{
    const Pose& pose = world.body_pose[body];
    // Velocities of bodies are those of their centres of mass.
    const Vec3 center = pose.position + rotate(pose.rotation, model.bodies.inertial_pose[body].position);
    const Velocity& velocity = world.body_velocity[body];
    return {point, velocity.linear + cross(velocity.angular, point - center)};
}

Carried carry_site(const Model& model, const ConstWorldView& world, int site)
{
    const int b = model.sites.body[site];
    return carry(model, world, b, (world.body_pose[b] * model.sites.pose[site]).position);
}

TendonMotion motion_between(const Carried& first, const Carried& second)
{
    const double distance = norm(second.point - first.point);
    // Ends in one point: no direction, and no rate of the length.
    // The derivative of a norm is not defined at zero.
    if (!(distance > 0)) return {};
    return {distance, dot(second.point - first.point, second.velocity - first.velocity) / distance};
}

/// Of the segment between two sites that wraps around the item's shape.
TendonMotion motion_around(const Model& model, const ConstWorldView& world, const TendonItem& item,
                           const Carried& first, const Carried& second)
{
    const int b = model.shapes.body[item.shape];
    const Pose pose = world.body_pose[b] * model.shapes.pose[item.shape];
    // In the frame of the shape, where the wrapping path is found.
    const auto local = [&](const Vec3& point) { return rotate(conjugate(pose.rotation), point - pose.position); };
    const bool sided = item.side_site >= 0;
    const Vec3 side = sided ? local(carry_site(model, world, item.side_site).point) : Vec3{};
    const WrappedPath<double> path =
        find_wrapped_path(model.shapes.type[item.shape] == ShapeType::cylinder, model.shapes.size[item.shape].x,
                          local(first.point), local(second.point), sided ? &side : nullptr);
    // The way misses the shape: straight from site to site.
    if (path.touches == 0) return motion_between(first, second);
    const auto contact = [&](const Vec3& point)
    { return carry(model, world, b, pose.position + rotate(pose.rotation, point)); };
    // The rate of the length is what its two straight ends gain; points of the arc move with the shape.
    const Vec3 leaving = rotate(pose.rotation, path.first_unit), arriving = rotate(pose.rotation, path.second_unit);
    return {path.length, dot(leaving, contact(path.first_contact).velocity - first.velocity) +
                             dot(arriving, second.velocity - contact(path.second_contact).velocity)};
}

TendonMotion motion_of_spatial(const Model& model, int t, const ConstWorldView& world)
{
    // Lengths and rates of all segments, each over its divisor.
    TendonMotion motion;
    double divisor = 1;
    int previous = -1;
    const TendonItem* wrap = nullptr;
    Carried last;
    // Sites in order; a shape between two of them wraps that segment, a pulley divides what follows.
    for (int k = model.tendons.item_begin[t]; k < model.tendons.item_begin[t + 1]; ++k)
    {
        const TendonItem& item = model.tendons.items[k];
        if (item.shape >= 0)
        {
            wrap = &item;
            continue;
        }
        if (item.site < 0)
        {
            // A pulley ends the path: the next site begins another one.
            divisor = item.value;
        }
        else
        {
            const Carried site = carry_site(model, world, item.site);
            if (previous >= 0)
            {
                // Previous < 0: the first site of a path, or the first after a pulley.
                const TendonMotion part =
                    wrap ? motion_around(model, world, *wrap, last, site) : motion_between(last, site);
                motion.length += part.length / divisor;
                motion.velocity += part.velocity / divisor;
            }
            last = site;
        }
        previous = item.site;
        wrap = nullptr;
    }
    return motion;
}

/// A body that the tendon moves; 0 if none.
int find_tendon_body(const Model& model, int t)
{
    for (int k = model.tendons.item_begin[t]; k < model.tendons.item_begin[t + 1]; ++k)
    {
        const TendonItem& item = model.tendons.items[k];
        const bool fixed = model.tendons.type[t] == TendonType::fixed;
        const int body = fixed ? model.joints.body[item.joint] : item.site >= 0 ? model.sites.body[item.site] : 0;
        if (model.bodies.last_dof[body] >= 0) return body;
    }
    return 0;
}

/// add(body, kinetic, potential) for every term of the energy, always in the same order.
template <class Add>
void visit_energies(const Model& model, const ConstWorldView& world, const ParameterView& parameters, const Add& add)
{
    const Vec3 gravity = parameters.find_gravity(model);
    // Bodies that no joint moves carry no energy that changes.
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[b] < 0) continue;
        const BodyMomentum momentum = momentum_of(model, b, world, parameters.mass);
        const Velocity& velocity = world.body_velocity[b];
        // What gravity compensation holds up weighs nothing.
        const double weight = mass_of(model, b, parameters.mass) * (1 - model.bodies.gravity_compensation[b]);
        // T = (p . v + L . w) / 2, V = -m g . x.
        add(b, 0.5 * (dot(momentum.linear, velocity.linear) + dot(momentum.angular, velocity.angular)),
            -(weight * dot(gravity, momentum.center)));
    }
    // Rotors behind gears: armature adds to M's diagonal and so to the kinetic energy.
    for (int d = 0; d < model.v_count(); ++d)
        add(model.dofs.body[d], 0.5 * model.dofs.armature[d] * world.v[d] * world.v[d], 0);
    for (int j = 0; j < model.joint_count(); ++j) add(model.joints.body[j], 0, joint_spring_energy(model, j, world));
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        // Springs of tendons, with their dead band; armature moves with the length.
        const double stiffness = model.tendons.stiffness[t];
        const auto& terms = model.tendons.stiffness_polynomial[t];
        if (stiffness == 0 && terms == std::array<double, 2>{} && model.tendons.armature[t] == 0) continue;
        const bool fixed = model.tendons.type[t] == TendonType::fixed;
        const TendonMotion motion = fixed ? motion_of_fixed(model, t, world) : motion_of_spatial(model, t, world);
        auto [lower, upper] = model.tendons.spring_length[t];
        if (const int yield = model.tendons.plastic_begin[t]; yield >= 0)
        {
            lower += world.act[yield];
            upper += world.act[yield + 1];
        }
        add(find_tendon_body(model, t), 0.5 * model.tendons.armature[t] * motion.velocity * motion.velocity,
            find_spring_energy(stiffness, terms, find_stretch<double>({lower, upper}, motion.length)));
    }
}

}  // namespace

Energy compute_energy(const Model& model, const ConstWorldView& world)
{
    return compute_energy(model, world, ParameterView{});
}

Energy compute_energy(const Model& model, const ConstWorldView& world, const ParameterView& parameters)
{
    Energy energy;
    visit_energies(model, world, parameters,
                   [&](int /*body*/, double kinetic, double potential)
                   {
                       energy.kinetic += kinetic;
                       energy.potential += potential;
                   });
    return energy;
}

void add_body_energies(const Model& model, const ConstWorldView& world, const ParameterView& parameters,
                       std::span<Energy> of_body)
{
    visit_energies(model, world, parameters,
                   [&](int body, double kinetic, double potential)
                   {
                       of_body[static_cast<std::size_t>(body)].kinetic += kinetic;
                       of_body[static_cast<std::size_t>(body)].potential += potential;
                   });
}

Momentum compute_momentum(const Model& model, const ConstWorldView& world)
{
    return compute_momentum(model, world, ParameterView{});
}

Momentum compute_momentum(const Model& model, const ConstWorldView& world, const ParameterView& parameters)
{
    Momentum total;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[b] < 0) continue;
        const BodyMomentum momentum = momentum_of(model, b, world, parameters.mass);
        total.linear += momentum.linear;
        // About the world's origin: spin about the centre of mass and r x p.
        total.angular += momentum.angular + cross(momentum.center, momentum.linear);
    }
    return total;
}

Vec3 compute_center_of_mass(const Model& model, const ConstWorldView& world, BodyId subtree)
{
    return compute_center_of_mass(model, world, ParameterView{}, subtree);
}

Vec3 compute_center_of_mass(const Model& model, const ConstWorldView& world, const ParameterView& parameters,
                            BodyId subtree)
{
    RB_CHECK(subtree.index >= 0 && subtree.index < model.body_count(), "compute_center_of_mass: no such body");
    // Subtree by one pass: parents first.
    Vec3 moment;
    double mass = 0;
    std::vector<char> inside(static_cast<std::size_t>(model.body_count()));
    for (int b = subtree.index; b < model.body_count(); ++b)
    {
        inside[b] = b == subtree.index || (b > 0 && inside[model.bodies.parent[b]]);
        if (!inside[b]) continue;
        const double own = mass_of(model, b, parameters.mass);
        moment += own * momentum_of(model, b, world, parameters.mass).center;
        mass += own;
    }
    return mass > 0 ? (1 / mass) * moment : world.body_pose[subtree.index].position;
}

}  // namespace rattleback
