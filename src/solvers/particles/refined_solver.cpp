// The step of `refined`: predict, find contacts, accumulate impulses, move in second order.
#include "solvers/particles/refined_solver.h"

#include "math/rotation.h"
#include "solvers/shared/stage_seconds.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

namespace
{

constexpr double kTolerance = 1e-5;            // of what gravity adds to a velocity in a step
constexpr int kSweepsPerIteration = 10;        // at most
constexpr int kFirstSweepsPerIteration = 200;  // where all contacts are new: what goes wrong at the start stays wrong
// A corner lies this part of its body's reach above the spheres' surface: rows of a face at rest have no unique loads,
// and corners that took some of it (28 % of a box) turned friction about the normal into that of a table on four legs.
// Convergence leaves gaps of 1e-9 m, so that a corner carries what tips the body, and nothing before.
constexpr double kRecess = 1e-6;

/// (R8): rotation after dt by the implicit midpoint rule for constant mean angular momentum, omega = I(middle)^-1 L
/// (Simo and Wong 1991).
Quat rotate_by_momentum(const Mat3& inertia, const Quat& start, const Vec3& guess, const Vec3& mean_momentum, double dt)
{
    // omega = I(R_m)^-1 L with R_m = exp(h omega / 2) R0 is a fixed point; each of four turns gains an order in h.
    Vec3 omega = guess;
    for (int i = 0; i < 4; ++i)
    {
        const Quat middle = exponential(0.5 * dt * omega) * start;
        omega = solve_or_zero(rotate_inertia(inertia, middle), mean_momentum);
    }
    return normalized(exponential(dt * omega) * start);
}

}  // namespace

template <class T>
RefinedSolver<T>::RefinedSolver(const Model& model, const ParticleOptions& options,
                                std::shared_ptr<const ParticleSet> set)
    : model_(model),
      options_(options),
      set_(std::move(set)),
      varied_(model, options, *set_),
      obstacles_(model, *set_),
      neighbours_(model, *set_),
      impulses_(set_->groups.size()),
      ends_(set_->groups.size()),
      regions_(set_->groups.size()),
      end_(model),
      list_(model)
{
    // Spheres are packed about the centre of the points; bodies move about that of the solid.
    rest_.reserve(set_->spheres.size());
    group_of_.reserve(set_->spheres.size());
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        for (int i = group.begin; i < group.padded_end; ++i)
        {
            // Sphere centres from the solid's centre of mass, in the body's axes.
            rest_.push_back(set_->spheres[at(i)].center + group.points.center - group.solid.center);
            group_of_.push_back(static_cast<int>(g));
        }
    }
}

template <class T>
StepReport RefinedSolver<T>::step(const StepInput& input, WorldView world, Memory& kept)
{
    auto& memory = static_cast<RefinedMemory&>(kept);
    // A world with masses or friction of its own has particles of its own.
    if (VariedWorlds::is_varied(input.parameters)) return step_varied(input, world, memory);
    StageTimer timer(input.timings);

    // (R1): motion under outer forces alone.
    predict(input, world);
    timer.mark(static_cast<int>(Stage::integrate));

    // (R2): gaps, normals and arms of all spheres that may touch something before the step ends.
    obstacles_.place(input, world, input.dt);
    find_contacts();
    if (neighbours_.is_full()) return refuse_pairs(static_cast<int>(neighbours_.pair_count()));
    timer.mark(static_cast<int>(Stage::collide));

    // (R3) to (R6): impulses that start from the last step's, swept until the motion of no body changes.
    // Convergence is measured in velocity: against what gravity adds in a step, so that it means the same for any h.
    const double gravity = norm(input.parameters.find_gravity(model_)),
                 tolerance = kTolerance * input.dt * std::max(1.0, gravity);
    const bool warm = impulses_.warm_start(memory);
    const int sweeps = (warm ? kSweepsPerIteration : kFirstSweepsPerIteration) * options_.iterations;
    StepReport report{.contact_count = static_cast<int>(impulses_.contacts().size())};
    for (; report.iterations < sweeps && report.contact_count > 0; ++report.iterations)
    {
        report.residual = static_cast<double>(impulses_.sweep(input.dt));
        if (report.residual < tolerance) break;
    }
    // A factor of a thousand above the tolerance is still a hundredth of gravity: beyond it the result is called bad.
    if (report.residual > 1000 * tolerance) report.status = StepStatus::not_converged;
    timer.mark(static_cast<int>(Stage::solve));

    // (R7) and (R8): positions by the mean velocity, rotations by the mean angular momentum.
    // An impact's impulse acts at a moment: the body has its new velocity for the whole step.
    impulses_.find_impacts(input.dt, gravity);
    advance(input.dt);
    // Divergence: the report has the culprit, the world and the memory of impulses stay untouched.
    if (!write_back(world, report)) return report;
    store_memory(memory, input.dt);
    timer.mark(static_cast<int>(Stage::refresh));
    report_seconds(timer, report);
    return report;
}

template <class T>
StepReport RefinedSolver<T>::step_varied(const StepInput& input, const WorldView& world, RefinedMemory& memory)
{
    const auto make = [&](const ParticleOptions& options, std::shared_ptr<const ParticleSet> set)
    { return std::make_unique<RefinedSolver>(model_, options, std::move(set)); };
    return varied_.step(input, world, memory, make);
}

/// Motion without contacts, and the pose at the end of the step at which arms are taken.
template <class T>
void RefinedSolver<T>::predict(const StepInput& input, const WorldView& world)
{
    const double dt = input.dt;
    const Vec3 gravity = input.parameters.find_gravity(model_);
    for (std::size_t g = 0; g < impulses_.bodies.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        ImpulseBody<T>& body = impulses_.bodies[g];
        // Nothing of the last step but its impulses lives on.
        body = {};
        body.start = read_motion(group, group.solid.center, world);
        // The control's wrench on any body of the group, moved to the group's centre of mass.
        const Wrench wrench = find_wrench(*set_, static_cast<int>(g), input.control, body.start);

        // (R1): v* = v0 + h (g + F / m) and L* = L0 + h torque, with L0 = R I R^T omega0: momentum and not velocity
        // is what a torque adds to.
        body.velocity =
            body.start.velocity + dt * (group.weight_scale * gravity + (1 / group.solid.mass) * wrench.force);
        // L0 = R I R^T omega0 without forming the rotated inertia: into body axes, times I, and back.
        const Mat3 r = to_matrix(body.start.rotation);
        body.start_momentum = r * (group.solid.inertia * transpose_times(r, body.start.angular_velocity));
        body.momentum = body.start_momentum + dt * wrench.torque;

        // The pose that the body would reach with its first velocities, and omega* = I^-1 L* there. Inertia and arms
        // are taken at this pose, so that impulses act where the contact will be.
        body.rotation = normalized(exponential(dt * body.start.angular_velocity) * body.start.rotation);
        body.center = body.start.center + dt * body.start.velocity;
        // A solid without volume has a singular inertia; its inverse counts as zero, and contacts do not turn it.
        const Symmetric3<double> inverse = invert_or_zero(rotate_inertia(group.solid.inertia, body.rotation));
        for (int k = 0; k < 6; ++k) body.inverse_inertia.m[k] = static_cast<T>(inverse.m[k]);
        body.inverse_mass = static_cast<T>(1 / group.solid.mass);
        body.reach = static_cast<T>(group.reach);
        body.angular_velocity = inverse * body.momentum;

        // Contacts are looked for within the margin and twice the way of the fastest sphere: both sides may move. They
        // bound velocities by gap / h, so that nothing is passed in between (`continuous`).
        const double speed = norm(body.velocity) + group.reach * norm(body.start.angular_velocity);
        regions_[g] = {body.start.center + rotate(body.start.rotation, group.points.center - group.solid.center),
                       std::min(options_.margin, 0.5 * group.reach) + (options_.continuous ? 2 * dt * speed : 0)};
    }
}

template <class T>
Vec3 RefinedSolver<T>::find_start_position(int particle) const
{
    // From the body's pose and not from stored positions: the spheres are rigid by construction.
    const RigidMotion& start = impulses_.bodies[at(group_of_[at(particle)])].start;
    return start.center + rotate(start.rotation, rest_[at(particle)]);
}

/// Contacts at the start of the step: gaps there, and directions that hold to its end.
template <class T>
void RefinedSolver<T>::find_contacts()
{
    // Spheres against shapes first, spheres of other bodies after; both with keys that last from step to step.
    impulses_.clear();
    find_shape_contacts();
    if (set_->groups.size() < 2) return;
    neighbours_.set_filter(obstacles_.filter());
    const std::size_t with_shapes = impulses_.contacts().size();
    find_particle_contacts();
    // Each list is sorted; where there are both they are merged. The order of contacts is that of a sweep.
    if (with_shapes > 0 && with_shapes < impulses_.contacts().size()) impulses_.sort_by_key();
}

template <class T>
void RefinedSolver<T>::find_shape_contacts()
{
    const auto position = [&](int i) { return find_start_position(i); };
    for (const ShapeContact& found : obstacles_.find(regions_, position))
    {
        const int group = group_of_[at(found.particle)];
        const double radius = set_->spheres[at(found.particle)].radius;
        // Bit 31 tells a shape from a particle of the same number.
        add_constraint({.key = (static_cast<std::uint64_t>(found.particle) << 32U) | (std::uint64_t{1} << 31U) |
                               static_cast<std::uint64_t>(found.pair),
                        .first = group,
                        .particle = found.particle,
                        .other = found.pair,
                        .normal = found.normal,
                        .point = found.point,
                        .gap = dot(found.normal, position(found.particle) - found.point) -
                               (radius > 0 ? radius : -kRecess * set_->groups[at(group)].reach),
                        .surface_velocity = found.velocity,
                        .friction = set_->obstacle_pairs[at(found.pair)].friction});
    }
}

/// Velocity of the surface at particle j against that at particle i, where they run.
template <class T>
Vec3 RefinedSolver<T>::find_drift(int i, int j, const Vec3& point, const Vec3& normal) const
{
    const RunningSurfaces& surfaces = obstacles_.surfaces();
    if (!surfaces.any()) return {};
    return surfaces.find_drift(ShapeId{set_->shape[at(i)]}, ShapeId{set_->shape[at(j)]}, point, normal).linear;
}

template <class T>
void RefinedSolver<T>::find_particle_contacts()
{
    neighbours_.find(regions_, [&](int i) { return find_start_position(i); });
    // Pairs of spheres whose surfaces may meet within the step.
    for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
    {
        const int i = neighbours_.particles()[k];
        const PackedSphere& sphere = set_->spheres[at(i)];
        for (const int j : neighbours_.of(k))
        {
            // Each pair stands twice in the lists; the lower particle's side counts. The normal joins the centres.
            if (j < i) continue;
            // Two centres in one point have no normal, and are left to the other contacts of their bodies.
            const Vec3 x = find_start_position(i), away = x - find_start_position(j);
            const double distance = norm(away);
            if (!(distance > 0)) continue;
            const Vec3 normal = (1 / distance) * away;
            add_constraint({.key = (static_cast<std::uint64_t>(i) << 32U) | static_cast<std::uint64_t>(j),
                            .first = group_of_[at(i)],
                            .second = group_of_[at(j)],
                            .particle = i,
                            .other = j,
                            .normal = normal,
                            .point = x - sphere.radius * normal,
                            .gap = distance - sphere.radius - set_->spheres[at(j)].radius,
                            .surface_velocity = find_drift(i, j, x, normal),
                            .friction = find_friction(model_, *set_, set_->shape[at(i)], set_->shape[at(j)])});
        }
    }
}

template <class T>
void RefinedSolver<T>::add_constraint(const FoundContact& found)
{
    const Vec3& normal = found.normal;
    // Any tangent frame will do: the friction disc of (R6) is isotropic.
    const Mat3 frame = make_contact_frame(normal);
    ContactConstraint<T> contact{.key = found.key,
                                 .first = found.first,
                                 .second = found.second,
                                 .particle = found.particle,
                                 .other = found.other,
                                 .normal = cast<T>(normal),
                                 .tangent = cast<T>(frame.column(1)),
                                 .bitangent = cast<T>(frame.column(2))};

    // (R2): arms at the predicted end: the sphere's lowest point turns with the body, the normal stays.
    const ImpulseBody<T>& a = impulses_.bodies[at(found.first)];
    const Vec3 arm = rotate(a.rotation, rest_[at(found.particle)]) - set_->spheres[at(found.particle)].radius * normal;
    contact.arm = cast<T>(arm);

    // (R3): u* = v* + omega* x r, less that of the surface or of the other body; in double, as it may be large.
    // Along the normal also at the start of the step, to tell an impact from a contact that lasts.
    Vec3 free_velocity = a.velocity + cross(a.angular_velocity, arm) - found.surface_velocity;
    const Vec3 start_velocity =
        a.start.velocity + cross(a.start.angular_velocity, found.point - a.start.center) - found.surface_velocity;
    contact.start_normal_speed = static_cast<T>(dot(normal, start_velocity));
    if (found.second >= 0)
    {
        const ImpulseBody<T>& b = impulses_.bodies[at(found.second)];
        // Of the second body: its sphere is touched on the side of the normal, hence the other sign of the radius.
        const Vec3 other_arm =
            rotate(b.rotation, rest_[at(found.other)]) + set_->spheres[at(found.other)].radius * normal;
        contact.other_arm = cast<T>(other_arm);
        free_velocity -= b.velocity + cross(b.angular_velocity, other_arm);
        contact.start_normal_speed -= static_cast<T>(
            dot(normal, b.start.velocity + cross(b.start.angular_velocity, found.point - b.start.center)));
    }
    contact.free_velocity = cast<T>(free_velocity);
    contact.gap = static_cast<T>(found.gap);
    contact.friction = static_cast<T>(found.friction);
    impulses_.add(contact);
}

template <class T>
void RefinedSolver<T>::advance(double dt)
{
    for (std::size_t g = 0; g < impulses_.bodies.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        const ImpulseBody<T>& body = impulses_.bodies[g];
        RigidMotion& end = ends_[g];
        // v = v* + dv and L = L* + dL: what the contacts added in T is widened once.
        end.velocity = body.velocity + widen(body.delta_velocity);
        const Vec3 momentum = body.momentum + widen(body.delta_momentum);

        // (R7): c = c0 + h (v0 + v) / 2, exact for constant forces. After an impact c = c0 + h v: the mean would go on
        // moving into what was struck.
        const Vec3 mean_velocity = body.impact ? end.velocity : 0.5 * (body.start.velocity + end.velocity);
        end.center = body.start.center + dt * mean_velocity;

        // (R8): the same with angular momentum. omega = I(R)^-1 L at the new rotation, so that L is kept to rounding
        // while nothing acts.
        const Vec3 mean_momentum = body.impact ? momentum : 0.5 * (body.start_momentum + momentum);
        end.rotation = rotate_by_momentum(group.solid.inertia, body.start.rotation, body.start.angular_velocity,
                                          mean_momentum, dt);
        end.angular_velocity = solve_or_zero(rotate_inertia(group.solid.inertia, end.rotation), momentum);
    }
}

/// Writes the world; false, with the culprit and nothing written, when something is not finite.
template <class T>
bool RefinedSolver<T>::write_back(WorldView world, StepReport& report)
{
    end_.start(world);
    for (std::size_t g = 0; g < impulses_.bodies.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        if (!end_.set(group, group.solid.center, ends_[g], report)) return false;
    }
    // Overlaps are those that the step began with.
    for (const ContactConstraint<T>& contact : impulses_.contacts())
        report.deepest_penetration = std::max(report.deepest_penetration, -static_cast<double>(contact.gap));
    end_.commit(world);
    obstacles_.commit(world);
    return true;
}

/// Impulses for the next step's start, and contacts with their forces, impulse / h.
template <class T>
void RefinedSolver<T>::store_memory(RefinedMemory& memory, double dt)
{
    memory.kept.clear();
    list_.clear();
    for (const ContactConstraint<T>& contact : impulses_.contacts())
    {
        // What carried nothing is forgotten: if it comes back, it starts from zero anyway.
        if (contact.normal_impulse == T(0)) continue;
        const Vec3 impulse = widen(contact.impulse());
        // The order of the contacts is that of their keys, which the next warm start walks along.
        memory.kept.push_back({contact.key, impulse});
        const bool shape = contact.second < 0;
        list_.add(
            {.shape = set_->shape[at(contact.particle)],
             .other_shape = shape ? set_->obstacle_pairs[at(contact.other)].obstacle : set_->shape[at(contact.other)],
             .feature = shape ? static_cast<std::uint64_t>(contact.particle) : contact.key,
             .normal = widen(contact.normal),
             .point = impulses_.bodies[at(contact.first)].center + widen(contact.arm),
             .gap = static_cast<double>(contact.gap),
             .friction = static_cast<double>(contact.friction),
             .force = (1 / dt) * impulse});
    }
    list_.hand_over(memory);
}

template class RefinedSolver<float>;
template class RefinedSolver<double>;

}  // namespace rattleback::particles
