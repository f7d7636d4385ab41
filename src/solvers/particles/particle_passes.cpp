// The loops over particles: predict, apply corrections, match shapes, sum.
#include "solvers/particles/particle_passes.h"

#include <algorithm>

namespace rattleback::particles
{

namespace
{

// An iteration reads and writes every particle twice: once to make the corrections that are pending and to sum A, c, P,
// L, once to go to the goals and to sum P, L, I. All else is per body or per contact.

/// The corrections of particles in [begin, end).
template <class T>
std::span<const ContactCorrection<T>> find_corrections(std::span<const ContactCorrection<T>> all, int begin, int end)
{
    // The list is sorted by particle, a block is a range of particles: two bisections.
    const auto before = [](const ContactCorrection<T>& c, int particle) { return c.particle < particle; };
    const auto first = std::lower_bound(all.begin(), all.end(), begin, before);
    const auto last = std::lower_bound(first, all.end(), end, before);
    return {first, last};
}

template <class T>
void shift_position(const ContactCorrection<T>& correction, T sign, Cloud<T>& cloud)
{
    cloud.x.set(correction.particle, cloud.position(correction.particle) + sign * correction.change);
}

/// x += dx, v += dx / h (Eq. 2).
template <class T>
void move_particle(const ContactCorrection<T>& correction, T rate, Cloud<T>& cloud)
{
    shift_position(correction, T(1), cloud);
    cloud.v.set(correction.particle, cloud.velocity(correction.particle) + rate * correction.change);
}

}  // namespace

template <class Order>
ParticlePasses<Order>::ParticlePasses(const ParticleSet& set, const ParticleOptions& options, ThreadPool& pool)
    : groups(set.groups.size()),
      sums(set.groups.size()),
      pool_(pool),
      printed_order_(options.printed_order),
      world_frame_(options.world_frame),
      world_centers_(options.world_centers),
      speed_limit_(static_cast<T>(options.speed_limit))
{
    // A block never spans two groups, so that each block has one sum.
    for (int g = 0; g < static_cast<int>(set.groups.size()); ++g)
    {
        const RigidGroup& group = set.groups[at(g)];
        group_begin_.push_back(static_cast<int>(blocks_.size()));
        // Size 0: one block per group, summed in the order of the particles.
        const int size = Order::kBlockSize > 0 ? Order::kBlockSize : group.padded_end - group.begin;
        for (int begin = group.begin; begin < group.padded_end; begin += size)
            blocks_.push_back({g, begin, std::min(begin + size, group.padded_end)});
    }
    group_begin_.push_back(static_cast<int>(blocks_.size()));
    block_sums_.resize(blocks_.size());
    // Masses and rest positions r in the solver's precision, stored as the cloud.
    mass_.reserve(set.spheres.size());
    rest_.resize(set.spheres.size());
    for (std::size_t g = 0; g < set.groups.size(); ++g)
    {
        const RigidGroup& group = set.groups[g];
        groups[g].world_frame = world_frame_;
        // Parts of the whole: what floats add up is of the size of the arms, whatever a body weighs.
        groups[g].mass = world_frame_ ? group.points.mass : 1;
        const double unit = world_frame_ ? 1 : group.points.mass;
        for (int i = group.begin; i < group.padded_end; ++i)
        {
            mass_.push_back(static_cast<T>(set.spheres[at(i)].mass / unit));
            rest_.set(i, cast<T>(set.spheres[at(i)].center));
        }
    }
}

/// |v| <= limit.
template <class Order>
void ParticlePasses<Order>::limit_speeds(const ParticleBlock& block, Cloud<T>& cloud) const
{
    for (int i = block.begin; i < block.end; ++i)
    {
        const Vector3<T> v = cloud.velocity(i);
        const T speed = norm(v);
        if (speed > speed_limit_) cloud.v.set(i, (speed_limit_ / speed) * v);
    }
}

template <class Order>
void ParticlePasses<Order>::predict(const Cloud<T>& from, std::span<const ExternalKick<T>> kicks, T dt, Cloud<T>& to,
                                    VectorList<T>* start)
{
    each_block(
        [&](std::size_t b)
        {
            const ParticleBlock& block = blocks_[b];
            const ExternalKick<T>& kick = kicks[at(block.group)];
            // Constants of the group in all lanes; the loop below touches each particle once.
            const Vector3<V> gain = splat3<V>(kick.velocity), turn = splat3<V>(kick.angular_velocity);
            const Vector3<V> center = splat3<V>(kick.center);
            const Vector3<V> place = splat3<V>(kick.place);
            const Matrix3<V> shape = splat9<V>(kick.shape), spin = splat9<V>(kick.spin);
            const V h(dt);
            for (int i = block.begin; i < block.end; i += kStride)
            {
                // From where the frame of this step begins.
                const Vector3<V> rest = load3<V>(rest_, at(i));
                const Vector3<V> x = load3<V>(from.x, at(i)) + (shape * rest + place);
                if (start != nullptr) store3(x, *start, at(i));
                // Line 2: v += h F / m for all alike, and h lambda x (x - c) for the torque I lambda.
                const Vector3<V> v = load3<V>(from.v, at(i)) + (gain + spin * rest) + cross(turn, x - center);
                store3(v, to.v, at(i));
                // Line 3: x += h v with the new v (semi-implicit Euler).
                store3(x + h * v, to.x, at(i));
            }
            if (!(speed_limit_ > T(0))) return;
            // Where speeds are limited, x follows from what is left of v.
            limit_speeds(block, to);
            for (int i = block.begin; i < block.end; i += kStride)
                store3(load3<V>(from.x, at(i)) + h * load3<V>(to.v, at(i)), to.x, at(i));
        });
}

template <class Order>
void ParticlePasses<Order>::apply_corrections(Corrections contacts, const VectorList<T>* start, T dt, Cloud<T>& cloud)
{
    each_block(
        [&](std::size_t b)
        {
            const ParticleBlock& block = blocks_[b];
            // Line 12 of the iteration before: Eqs. 3 and 4.
            // First what is pending from the last iteration: positions are read and written once for both.
            restore_momentum(block, dt, cloud);
            // As printed, shape matching starts from the positions that contact started from.
            Running running;
            if (printed_order_) sum_shape(block, cloud, running);
            // Lines 10 and 11 for contact; the few particles that it moves are found by bisection.
            const T rate = 1 / dt;
            for (const auto& contact : find_corrections(contacts, block.begin, block.end))
                // Eq. 2 also where Eq. 1 follows: take_difference then overwrites the velocity.
                move_particle(contact, rate, cloud);
            if (start != nullptr) take_difference(block, *start, dt, cloud);
            if (speed_limit_ > T(0)) limit_speeds(block, cloud);
            if (world_centers_) sum_places(block, cloud, running);
            // A, c, P and L for shape matching.
            if (printed_order_)
                sum_momentum(block, cloud, running);
            else
                sum_all(block, cloud, running);
            // Each block has a place of its own for its sum: no thread waits for another.
            running.write(block_sums_[b]);
        });
    add_blocks();
}

template <class Order>
void ParticlePasses<Order>::match_shapes(Corrections contacts, const VectorList<T>* start, T dt, bool sum,
                                         Cloud<T>& cloud)
{
    each_block(
        [&](std::size_t b)
        {
            const ParticleBlock& block = blocks_[b];
            // As printed, contact and shape matching add up: goals are reached from before contact.
            const Corrections own =
                printed_order_ ? find_corrections(contacts, block.begin, block.end) : contacts.first(0);
            // Contact's change is taken off and put back, so that dx of shape matching is measured from X_i.
            for (const auto& contact : own) shift_position(contact, T(-1), cloud);
            move_to_goals(block, dt, cloud);
            for (const auto& contact : own) shift_position(contact, T(1), cloud);
            if (start != nullptr) take_difference(block, *start, dt, cloud);
            if (speed_limit_ > T(0)) limit_speeds(block, cloud);
            // P, L and I after shape matching, for Eqs. 3 and 4.
            if (!sum) return;
            Running running;
            sum_inertia(block, cloud, running);
            if (!world_frame_) sum_shape(block, cloud, running);
            running.write(block_sums_[b]);
        });
    if (sum) add_blocks();
}

/// Calls function(block) for all blocks, on all workers where that is worth it.
template <class Order>
template <class Function>
void ParticlePasses<Order>::each_block(Function function)
{
    // A block is the unit of work: who takes which does not change its sum.
    const int count = static_cast<int>(blocks_.size());
    constexpr int kWorthSharing = 4 * kBlock;  // waking the workers costs as much as this many particles
    // Below this waking the workers costs more than the work.
    if (pool_.worker_count() == 1 || static_cast<int>(mass_.size()) < kWorthSharing)
        for (int b = 0; b < count; ++b) function(at(b));
    else
        pool_.run(count, [&](int b, int) { function(at(b)); });
}

template <class Order>
void ParticlePasses<Order>::add_blocks()
{
    // By one thread and in the order of the blocks: who summed a block does not matter.
    for (std::size_t g = 0; g < sums.size(); ++g)
    {
        const auto begin = at(group_begin_[g]), end = at(group_begin_[g + 1]);
        // Pairwise over blocks: the error grows with the logarithm of their number.
        sums[g] = add_pairwise(std::span<const GroupSums<T>>(block_sums_).subspan(begin, end - begin));
    }
}

// The loops that follow are inlined into the passes, so that running sums stay in registers.

/// Eqs. 3 and 4 in one: v += dv - omega x r, x += h (dv - omega x r).
template <class Order>
inline void ParticlePasses<Order>::restore_momentum(const ParticleBlock& block, T dt, Cloud<T>& cloud) const
{
    // Both corrections are rigid motions, and so is their sum: one pass makes them, and touches x and v once.
    const MomentumCorrection<T>& pending = groups[at(block.group)].pending;
    const Vector3<V> center = splat3<V>(pending.center), velocity = splat3<V>(pending.velocity);
    const Vector3<V> angular_velocity = splat3<V>(pending.angular_velocity);
    const Matrix3<V> arms = splat9<V>(groups[at(block.group)].arms);
    const V h(dt);
    for (int i = block.begin; i < block.end; i += kStride)
    {
        // r = x - c; the same change, times h, moves the particle.
        const Vector3<V> x = load3<V>(cloud.x, at(i)), arm = arms * load3<V>(rest_, at(i)) + (x - center);
        const Vector3<V> change = velocity - cross(angular_velocity, arm);
        store3(load3<V>(cloud.v, at(i)) + change, cloud.v, at(i));
        store3(x + h * change, cloud.x, at(i));
    }
}

/// Goal positions of shape matching, R r + c (Müller et al. 2005), with v += dx / h (Eq. 2).
template <class Order>
inline void ParticlePasses<Order>::move_to_goals(const ParticleBlock& block, T dt, Cloud<T>& cloud) const
{
    // All from the frame: what is left of R and c is small.
    const ShapeFit<T>& fit = groups[at(block.group)].fit;
    const Vector3<V> center = splat3<V>(fit.center);
    const Matrix3<V> turn = splat9<V>(fit.turn);
    const V rate(1 / dt);
    for (int i = block.begin; i < block.end; i += kStride)
    {
        const Vector3<V> rest = load3<V>(rest_, at(i)), x = load3<V>(cloud.x, at(i));
        const Vector3<V> goal = turn * rest + center;
        const Vector3<V> change = goal - x;
        // x + (goal - x) and not goal: position and velocity see the same rounded change, which is the point of
        // Eq. 2 (section III-B: the accuracy of both is that of dx).
        store3(x + change, cloud.x, at(i));
        store3(load3<V>(cloud.v, at(i)) + rate * change, cloud.v, at(i));
    }
}

/// Eq. 1: v = (x - x at the start of the step) / h.
template <class Order>
inline void ParticlePasses<Order>::take_difference(const ParticleBlock& block, const VectorList<T>& start, T dt,
                                                   Cloud<T>& cloud) const
{
    // The frame's velocity is what it moves in a step, so that f is the difference of the two u.
    // From the world's origin both are large against it: in float it loses the digits that Eq. 2 keeps.
    const V h(dt);
    for (int i = block.begin; i < block.end; i += kStride)
    {
        const Vector3<V> change = load3<V>(cloud.x, at(i)) - load3<V>(start, at(i));
        store3(Vector3<V>{change.x / h, change.y / h, change.z / h}, cloud.v, at(i));
    }
}

/// A and c alone.
template <class Order>
inline void ParticlePasses<Order>::sum_shape(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const
{
    // Arms from the predicted centre are as small as the body, wherever it is.
    const Vector3<V> reference = splat3<V>(groups[at(block.group)].reference);
    for (int i = block.begin; i < block.end; i += kStride)
        running.add_shape(load_lanes<V>(&mass_[at(i)]), load3<V>(cloud.x, at(i)) - reference, load3<V>(rest_, at(i)));
}

/// The sum of m x about the world's origin.
template <class Order>
inline void ParticlePasses<Order>::sum_places(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const
{
    for (int i = block.begin; i < block.end; i += kStride)
        running.place.add(load_lanes<V>(&mass_[at(i)]) * load3<V>(cloud.x, at(i)));
}

/// P, L and the first moment that belongs to them.
template <class Order>
inline void ParticlePasses<Order>::sum_momentum(const ParticleBlock& block, const Cloud<T>& cloud,
                                                Running& running) const
{
    const GroupState<T>& group = groups[at(block.group)];
    const Vector3<V> reference = splat3<V>(group.reference), moving = splat3<V>(group.reference_velocity);
    const Matrix3<V> arms = splat9<V>(group.arms);
    // Velocities against the predicted one of the group: small numbers, whatever the body's speed.
    for (int i = block.begin; i < block.end; i += kStride)
    {
        const V m = load_lanes<V>(&mass_[at(i)]);
        const Vector3<V> u = load3<V>(cloud.x, at(i)) - reference;
        running.moved.add(m * u);
        running.add_momentum(m, arms * load3<V>(rest_, at(i)) + u, load3<V>(cloud.v, at(i)) - moving);
    }
}

/// A, c, P and L in one pass.
template <class Order>
inline void ParticlePasses<Order>::sum_all(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const
{
    const GroupState<T>& group = groups[at(block.group)];
    const Vector3<V> reference = splat3<V>(group.reference), moving = splat3<V>(group.reference_velocity);
    const Matrix3<V> arms = splat9<V>(group.arms);
    for (int i = block.begin; i < block.end; i += kStride)
    {
        const V m = load_lanes<V>(&mass_[at(i)]);
        // With x from the reference: A += m x rᵀ, c += m x, P += m v, L += m x × v in one reading of the particle.
        const Vector3<V> u = load3<V>(cloud.x, at(i)) - reference, rest = load3<V>(rest_, at(i));
        running.add_shape(m, u, rest);
        running.add_momentum(m, arms * rest + u, load3<V>(cloud.v, at(i)) - moving);
    }
    // Contact has been made already: both first moments are the same.
    running.moved = running.first;
}

/// P, L and second moments about the centre of the fit.
template <class Order>
inline void ParticlePasses<Order>::sum_inertia(const ParticleBlock& block, const Cloud<T>& cloud,
                                               Running& running) const
{
    const GroupState<T>& group = groups[at(block.group)];
    const Vector3<V> center = splat3<V>(group.fit.center), moving = splat3<V>(group.reference_velocity);
    const Matrix3<V> arms = splat9<V>(group.arms);
    for (int i = block.begin; i < block.end; i += kStride)
    {
        const V m = load_lanes<V>(&mass_[at(i)]);
        // About the new centre: the inertia of Eq. 4 has no large part to cancel.
        const Vector3<V> u = load3<V>(cloud.x, at(i)) - center, arm = arms * load3<V>(rest_, at(i)) + u;
        running.moved.add(m * u);
        running.add_momentum(m, arm, load3<V>(cloud.v, at(i)) - moving);
        running.add_inertia(m, arm);
    }
}

template class ParticlePasses<SequentialOrder<float>>;
template class ParticlePasses<SequentialOrder<double>>;
template class ParticlePasses<TreeOrder<float>>;
template class ParticlePasses<TreeOrder<double>>;
template class ParticlePasses<CompensatedOrder<float>>;
template class ParticlePasses<CompensatedOrder<double>>;

}  // namespace rattleback::particles
