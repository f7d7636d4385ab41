// The step of `pbd` and `pbdr`: predict, then per iteration contact, shape matching and momentum ([PBD-R] Algorithm 1).
#include "solvers/particles/pbd_solver.h"

#include "math/matrix3.h"
#include "solvers/shared/stage_seconds.h"

#include <algorithm>

namespace rattleback::particles
{

template <class Order>
PbdSolver<Order>::PbdSolver(const Model& model, const ParticleOptions& options, std::shared_ptr<const ParticleSet> set)
    : model_(model),
      options_(options),
      set_(std::move(set)),
      varied_(model, options, *set_),
      pool_(options.threads),
      passes_(*set_, options, pool_),
      obstacles_(model, *set_),
      contacts_(model, options, *set_, pool_),
      frames_(set_->groups.size()),
      kicks_(set_->groups.size()),
      regions_(set_->groups.size()),
      end_(model)
{
    cloud_.resize(set_->spheres.size());
    if (options_.velocity_update == VelocityUpdate::difference) start_.resize(set_->spheres.size());
    if (options_.world_centers) add_up_masses();
}

/// What the authors' code knows of a group: its mass, added up in the order of the particles, and from it the centre of
/// the rest shape where the model begins.
template <class Order>
void PbdSolver<Order>::add_up_masses()
{
    const State state(model_);
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        const Pose& root = state.body_pose[at(group.body)];
        const Vec3 center = root.position + rotate(root.rotation, group.points.center);
        GroupState<T>& fit = passes_.groups[g];
        Vector3<T> place;
        for (int i = group.begin; i < group.end; ++i)
        {
            const PackedSphere& sphere = set_->spheres[at(i)];
            const T mass = static_cast<T>(sphere.mass);
            fit.added_mass += mass;
            place += mass * cast<T>(center + rotate(root.rotation, sphere.center));
        }
        const Vec3 missing = center - widen((1 / fit.added_mass) * place);
        fit.rest_shift = cast<T>(rotate(conjugate(root.rotation), missing));
    }
}

template <class Order>
StepReport PbdSolver<Order>::step(const StepInput& input, WorldView world, Memory& kept)
{
    // Everything up to read_back works on scratch: a step that diverges leaves world and memory as they were.
    auto& memory = static_cast<ParticleMemory<T>&>(kept);
    // A world with masses or friction of its own has particles of its own.
    if (VariedWorlds::is_varied(input.parameters)) return step_varied(input, world, memory);
    const T dt = static_cast<T>(input.dt);
    StageTimer timer(input.timings);
    // Particles follow bodies that were placed from outside; outer forces; what they may touch in this step.
    follow_state(world, memory);
    plan_step(input, world, memory);
    find_contacts(input, world, memory, timer);
    if (contacts_.is_full()) return refuse_pairs(contacts_.pair_count());
    // Lines 1 to 5: v += h f / m, x += h v.
    // Eq. 1 needs the positions that the step began with; Eq. 2 does not, and passes null.
    VectorList<T>* start = options_.velocity_update == VelocityUpdate::difference ? &start_ : nullptr;
    passes_.predict(memory.cloud, kicks_, dt, cloud_, start);
    timer.mark(static_cast<int>(Stage::integrate));
    const bool momentum = options_.linear_momentum || options_.angular_momentum;
    for (int i = 0; i < options_.iterations; ++i)
    {
        // Lines 7 and 8: out of shapes and of other bodies' particles, all from the same positions (Jacobi).
        if (i > 0 && options_.grid_per_iteration) contacts_.find_neighbours(regions_, frames_, cloud_, frames_, 0);
        if (contacts_.is_full()) return refuse_pairs(contacts_.pair_count());
        contacts_.project(passes_.groups, dt, cloud_);
        // Lines 10 and 11 for contact: x += dx, v by Eq. 1 (pbd) or Eq. 2 (pbdr).
        passes_.apply_corrections(contacts_.corrections(), start, dt, cloud_);
        // Lines 9 to 11 for shape matching: R = polar(A), x = R r + c, v by Eq. 1 or Eq. 2.
        fit_shapes();
        passes_.match_shapes(contacts_.corrections(), start, dt, momentum, cloud_);
        // Line 12: what restores P (Eq. 3) and L (Eq. 4); it is rigid, and made by the next apply_corrections.
        if (momentum) find_momentum_corrections();
    }
    // The corrections that the last iteration left pending, and the sums from which the bodies' motion is read.
    passes_.apply_corrections({}, nullptr, dt, cloud_);
    timer.mark(static_cast<int>(Stage::solve));
    // The last fit and the momentum of the particles are pose and velocity of the body.
    // The residual of a projection method is what it has not projected away: the deepest overlap left.
    StepReport report{.iterations = options_.iterations, .contact_count = contacts_.contact_count()};
    report.residual = report.deepest_penetration = contacts_.deepest();
    if (read_back(world, report)) commit(input.dt, world, memory);
    timer.mark(static_cast<int>(Stage::refresh));
    report_seconds(timer, report);
    return report;
}

template <class Order>
StepReport PbdSolver<Order>::step_varied(const StepInput& input, const WorldView& world, ParticleMemory<T>& memory)
{
    const auto make = [&](const ParticleOptions& options, std::shared_ptr<const ParticleSet> set)
    { return std::make_unique<PbdSolver>(model_, options, std::move(set)); };
    return varied_.step(input, world, memory, make);
}

/// Shapes as they are half way through the step, and who may touch whom until its end.
template <class Order>
void PbdSolver<Order>::find_contacts(const StepInput& input, const WorldView& world, const ParticleMemory<T>& memory,
                                     StageTimer& timer)
{
    obstacles_.place(input, world, 0.5 * input.dt);
    // A part of a step takes its share of what overlaps when it begins: all of it in so short a time would be a speed
    // dx / h that no approach had (Eq. 1 and 2).
    const double stay = input.contact_dt > input.dt ? 1 - input.dt / input.contact_dt : 0;
    contacts_.find(obstacles_, regions_, memory.frames, memory.cloud, frames_, stay);
    timer.mark(static_cast<int>(Stage::collide));
}

/// Particles follow where somebody has placed a body: at first, after a reset, after a teleport.
template <class Order>
void PbdSolver<Order>::follow_state(const WorldView& world, ParticleMemory<T>& memory) const
{
    // A memory that is empty, or belongs to another packing.
    const bool fresh = memory.cloud.x.size() != set_->spheres.size() || memory.q.size() != world.q.size() ||
                       memory.v.size() != world.v.size() || memory.rotation.size() != set_->groups.size() ||
                       memory.frames.size() != set_->groups.size();
    if (fresh)
    {
        memory.cloud.resize(set_->spheres.size());
        memory.rotation.resize(set_->groups.size());
        memory.frames.resize(set_->groups.size());
        memory.q.assign(world.q.begin(), world.q.end());
        memory.v.assign(world.v.begin(), world.v.end());
    }
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        // A free joint that still holds the bits of the last step was not written.
        const RigidGroup& group = set_->groups[g];
        const auto q = group.q_begin, v = group.v_begin;
        if (!fresh && std::equal(world.q.begin() + q, world.q.begin() + q + 7, memory.q.begin() + q) &&
            std::equal(world.v.begin() + v, world.v.begin() + v + 6, memory.v.begin() + v))
            continue;
        place_particles(static_cast<int>(g), world, memory);
    }
}

/// x = c + R r, v = v_c + omega x R r.
template <class Order>
void PbdSolver<Order>::place_particles(int g, const WorldView& world, ParticleMemory<T>& memory) const
{
    // In double and about the centre of the points, then rounded once.
    // Padding particles have mass zero and are placed too: they must be finite, as sums multiply them by zero.
    const RigidGroup& group = set_->groups[at(g)];
    const RigidMotion motion = read_motion(group, group.points.center, world);
    memory.rotation[at(g)] = motion.rotation;
    memory.frames[at(g)] = {};
    if (!options_.world_frame)
    {
        // A rigid motion leaves nothing beside its frame.
        const Mat3 rotation = to_matrix(motion.rotation);
        memory.frames[at(g)] = {motion.center, motion.velocity, rotation, skew(motion.angular_velocity) * rotation};
    }
    for (int i = group.begin; i < group.padded_end; ++i)
    {
        const Vec3 arm = rotate(motion.rotation, set_->spheres[at(i)].center);
        const bool whole = options_.world_frame;
        memory.cloud.x.set(i, whole ? cast<T>(motion.center + arm) : Vector3<T>{});
        memory.cloud.v.set(i, whole ? cast<T>(motion.velocity + cross(motion.angular_velocity, arm)) : Vector3<T>{});
    }
}

/// Outer forces, the points about which sums are taken, and how far contacts are looked for.
template <class Order>
void PbdSolver<Order>::plan_step(const StepInput& input, const WorldView& world, const ParticleMemory<T>& memory)
{
    // The authors' torque distribution adds it to the diagonal of I. A body of a centimetre has no more itself, and
    // would turn too slowly, so that it is left out elsewhere: the packing refuses points that lie on a line.
    const double singular = options_.world_frame ? 1e-8 : 0;  // [kg m^2]
    const double dt = input.dt;
    const Vec3 gravity = input.parameters.find_gravity(model_);
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        const RigidMotion motion = read_motion(group, group.points.center, world);
        const Wrench wrench = find_wrench(*set_, static_cast<int>(g), input.control, motion);

        // Line 2: a force is shared by mass, dv = h (g + F / M); a torque as f_i = m_i lambda x r_i with
        // I lambda = torque, which adds no linear momentum.
        const Vec3 gain = dt * (group.weight_scale * gravity + (1 / group.points.mass) * wrench.force);
        const Vec3 turn =
            dt * solve_or_zero(rotate_inertia(group.points.inertia, motion.rotation, singular), wrench.torque);
        // Twice the way of the fastest particle: both sides of a contact may move.
        // The surface point furthest from the centre gains reach times the angular velocity on top of the centre's own.
        const double speed =
            norm(motion.velocity) + norm(gain) + group.reach * (norm(motion.angular_velocity) + norm(turn));
        regions_[g] = {motion.center, std::min(options_.margin, group.reach) + 2 * dt * speed};

        place_frame(static_cast<int>(g), motion, gain, turn, dt, memory);
        // Nothing to restore yet: the first apply_corrections makes a zero correction about the predicted centre.
        GroupState<T>& state = passes_.groups[g];
        state.pending = {state.reference, {}, {}};
        state.rotation = memory.rotation[g];
    }
}

/// What particles are measured from in this step, and how those of the last one are carried over.
template <class Order>
void PbdSolver<Order>::place_frame(int group, const RigidMotion& motion, const Vec3& gain, const Vec3& turn, double dt,
                                   const ParticleMemory<T>& memory)
{
    GroupState<T>& state = passes_.groups[at(group)];
    ExternalKick<T>& kick = kicks_[at(group)];
    GroupFrame& frame = frames_[at(group)];
    kick = {};
    kick.angular_velocity = cast<T>(turn);
    if (options_.world_frame)
    {
        // Sums about the predicted centre stay small, however far from the origin and however fast the body is.
        state.reference = cast<T>(motion.center + dt * (motion.velocity + gain));
        state.reference_velocity = cast<T>(motion.velocity + gain);
        kick.velocity = cast<T>(gain);
        kick.center = cast<T>(motion.center);
        return;
    }
    // The motion that lines 1 to 5 give a rigid body, in double: x = c + h w + (R + h W) r. Gains are all in it.
    const GroupFrame& last = memory.frames[at(group)];
    const Mat3 rotation = to_matrix(motion.rotation), spin = skew(motion.angular_velocity) * rotation;
    const auto apart = [](const Mat3& a, const Mat3& b)
    {
        Mat3 c;
        for (int k = 0; k < 9; ++k) c.m[k] = a.m[k] - b.m[k];
        return cast<T>(c);
    };
    kick.place = cast<T>(last.place - motion.center);
    kick.velocity = cast<T>(last.velocity - motion.velocity);
    kick.shape = apart(last.shape, rotation);
    kick.spin = apart(last.spin, spin);
    frame.velocity = motion.velocity + gain;
    frame.place = motion.center + dt * frame.velocity;
    frame.spin = skew(motion.angular_velocity + turn) * rotation;
    for (int k = 0; k < 9; ++k) frame.shape.m[k] = rotation.m[k] + dt * frame.spin.m[k];
    state.frame = frame;
    state.arms = cast<T>(frame.shape);
    state.spin = cast<T>(frame.spin);
}

template <class Order>
void PbdSolver<Order>::fit_shapes()
{
    // One polar decomposition per group and iteration: its cost does not depend on the number of particles.
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
        fit_shape(set_->groups[g], passes_.sums[g], options_.fast_polar, passes_.groups[g]);
}

template <class Order>
void PbdSolver<Order>::find_momentum_corrections()
{
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
        find_momentum_correction(passes_.sums[g], options_.linear_momentum, options_.angular_momentum,
                                 passes_.groups[g]);
}

/// Poses and velocities from the particles; false, with the culprit, when something is not finite.
template <class Order>
bool PbdSolver<Order>::read_back(const WorldView& world, StepReport& report)
{
    // The fit of the particles after their last corrections; State is written only once all groups are sound.
    fit_shapes();
    end_.start(world);
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const RigidGroup& group = set_->groups[g];
        if (!end_.set(group, group.points.center, find_motion(group, passes_.groups[g]), report)) return false;
    }
    return true;
}

/// Writes the world, and keeps the particles and what they touched.
template <class Order>
void PbdSolver<Order>::commit(double dt, WorldView world, ParticleMemory<T>& memory)
{
    // First the world, then what only the solver knows.
    end_.commit(world);
    obstacles_.commit(world);
    // The clouds change places, so that the next step predicts from this one into the old one's room.
    memory.cloud.swap(cloud_);
    std::copy(frames_.begin(), frames_.end(), memory.frames.begin());
    for (std::size_t g = 0; g < set_->groups.size(); ++g) memory.rotation[g] = passes_.groups[g].rotation;
    memory.q = end_.q();
    memory.v = end_.v();
    contacts_.report(dt, frames_, memory.cloud, memory);
}

template class PbdSolver<SequentialOrder<float>>;
template class PbdSolver<SequentialOrder<double>>;
template class PbdSolver<TreeOrder<float>>;
template class PbdSolver<TreeOrder<double>>;
template class PbdSolver<CompensatedOrder<float>>;
template class PbdSolver<CompensatedOrder<double>>;

}  // namespace rattleback::particles
