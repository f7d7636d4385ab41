// The step of `pbd` and `pbdr`: predict, then per iteration contact, shape matching and momentum ([PBD-R] Algorithm 1).
#include "solvers/particles/pbd_solver.h"

#include "base/bytes.h"
#include "base/index.h"
#include "base/stage_timer.h"
#include "solvers/particles/polar.h"
#include "solvers/particles/touches.h"
#include "solvers/shared/divergence.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

template <class T>
void ParticleMemory<T>::reset()
{
    Memory::reset();
    cloud.resize(0);
    rotation.clear();
    q.clear();
    v.clear();
}

template <class T>
void ParticleMemory<T>::save(std::vector<std::byte>& bytes) const
{
    Memory::save(bytes);
    for (const auto& list : cloud.x) append(bytes, list);
    for (const auto& list : cloud.v) append(bytes, list);
    append(bytes, rotation);
    append(bytes, q);
    append(bytes, v);
}

template <class T>
bool ParticleMemory<T>::load(std::span<const std::byte>& bytes)
{
    bool complete = Memory::load(bytes);
    for (auto& list : cloud.x) complete = complete && read(bytes, list) && list.size() == cloud.x[0].size();
    for (auto& list : cloud.v) complete = complete && read(bytes, list) && list.size() == cloud.x[0].size();
    complete = complete && read(bytes, rotation) && read(bytes, q) && read(bytes, v);
    if (!complete) reset();
    return complete;
}

template <class T>
PbdSolver<T>::PbdSolver(const Model& model, const Options& options, std::shared_ptr<const ParticleSet> set)
    : model_(model),
      options_(options),
      set_(std::move(set)),
      pool_(options.threads),
      passes_(make_passes<T>(*set_, options.summation, pool_)),
      obstacles_(model, *set_),
      neighbours_(model, *set_),
      drives_(set_->groups.size()),
      centers_(set_->groups.size()),
      reaches_(set_->groups.size()),
      rotations_(set_->groups.size()),
      linear_(set_->groups.size()),
      angular_(set_->groups.size()),
      q_(static_cast<std::size_t>(model.q_count())),
      v_(static_cast<std::size_t>(model.v_count())),
      list_(model)
{
    passes_->printed_order = options_.printed_order;
    next_.resize(set_->spheres.size());
    if (set_->groups.size() < 2) return;
    group_of_.resize(set_->spheres.size());
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const Group& group = set_->groups[g];
        std::fill(group_of_.begin() + group.begin, group_of_.begin() + group.padded_end, static_cast<int>(g));
    }
}

template <class T>
StepReport PbdSolver<T>::step(const StepInput& input, WorldView world, Memory& kept)
{
    auto& memory = static_cast<ParticleMemory<T>&>(kept);
    StageTimer timer(input.timings);
    const T dt = static_cast<T>(input.dt);
    adopt(world, memory);
    plan(input, world);
    obstacles_.place(input, world);
    find_contacts(memory.cloud);
    timer.mark(static_cast<int>(Stage::collide));

    rotations_ = memory.rotation;
    passes_->predict(memory.cloud, drives_, dt, next_);
    timer.mark(static_cast<int>(Stage::integrate));
    const bool incremental = options_.velocity_update == VelocityUpdate::incremental;
    const Cloud<T>* start = incremental ? nullptr : &memory.cloud;
    const bool momentum = options_.linear_momentum || options_.angular_momentum;
    for (int i = 0; i < options_.iterations; ++i)
    {
        if (i > 0 && options_.grid_per_iteration) find_neighbours(next_);
        solve_contacts(dt);
        passes_->apply_and_sum(touches_, start, dt, next_);
        fit_shapes();
        passes_->match(touches_, start, dt, momentum, next_);
        if (momentum) find_corrections();
    }
    passes_->apply_and_sum({}, nullptr, dt, next_);
    timer.mark(static_cast<int>(Stage::solve));

    StepReport report{.iterations = options_.iterations, .contact_count = static_cast<int>(contacts_.size())};
    for (const T depth : deepest_)
        report.deepest_penetration = std::max(report.deepest_penetration, static_cast<double>(depth));
    report.residual = report.deepest_penetration;
    if (!read_back(world, q_, v_, report)) return report;
    std::copy(q_.begin(), q_.end(), world.q.begin());
    std::copy(v_.begin(), v_.end(), world.v.begin());
    obstacles_.commit(world);
    for (std::size_t k = 0; k < 3; ++k)
    {
        memory.cloud.x[k].swap(next_.x[k]);
        memory.cloud.v[k].swap(next_.v[k]);
    }
    memory.rotation = rotations_;
    memory.q = q_;
    memory.v = v_;
    report_contacts(input.dt, memory);
    timer.mark(static_cast<int>(Stage::refresh));
    for (int k = 0; k < kStageCount; ++k) report.seconds[at(k)] = timer.seconds(k);
    return report;
}

/// Particles follow where somebody has placed a body: at first, after a reset, after a teleport.
template <class T>
void PbdSolver<T>::adopt(const WorldView& world, ParticleMemory<T>& memory) const
{
    const bool fresh = memory.cloud.x[0].size() != set_->spheres.size() || memory.q.size() != world.q.size() ||
                       memory.v.size() != world.v.size() || memory.rotation.size() != set_->groups.size();
    if (fresh)
    {
        memory.cloud.resize(set_->spheres.size());
        memory.rotation.resize(set_->groups.size());
        memory.q.assign(world.q.begin(), world.q.end());
        memory.v.assign(world.v.begin(), world.v.end());
    }
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const Group& group = set_->groups[g];
        const auto q = group.q_begin, v = group.v_begin;
        if (!fresh && std::equal(world.q.begin() + q, world.q.begin() + q + 7, memory.q.begin() + q) &&
            std::equal(world.v.begin() + v, world.v.begin() + v + 6, memory.v.begin() + v))
            continue;
        place_group(group, world, memory.cloud);
        memory.rotation[g] = read_motion(group, group.points.center, world).rotation;
    }
}

template <class T>
void PbdSolver<T>::place_group(const Group& group, const WorldView& world, Cloud<T>& cloud) const
{
    const Motion motion = read_motion(group, group.points.center, world);
    for (int i = group.begin; i < group.padded_end; ++i)
    {
        const Vec3 arm = rotate(motion.rotation, set_->spheres[at(i)].center);
        const Vector3<T> x = cast<T>(motion.center + arm);
        const Vector3<T> v = cast<T>(motion.velocity + cross(motion.spin, arm));
        for (int k = 0; k < 3; ++k)
        {
            cloud.x[at(k)][at(i)] = x[k];
            cloud.v[at(k)][at(i)] = v[k];
        }
    }
}

/// Forces of the step, the points about which sums are taken, and how far contacts are looked for.
template <class T>
void PbdSolver<T>::plan(const StepInput& input, const WorldView& world)
{
    constexpr double kSingular = 1e-8;  // [kg m^2], as in the authors' torque distribution
    const double dt = input.dt;
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const Group& group = set_->groups[g];
        const Motion motion = read_motion(group, group.points.center, world);
        const Wrench wrench = find_wrench(*set_, static_cast<int>(g), input.control, motion);
        const Vec3 gain = dt * (group.weight_scale * model_.settings.gravity + (1 / group.points.mass) * wrench.force);
        // f_i = m_i lambda x r_i with I lambda = torque
        const Vec3 turn =
            dt * solve_symmetric(turn_inertia(group.points.inertia, motion.rotation, kSingular), wrench.torque);
        drives_[g] = {cast<T>(gain), cast<T>(turn), cast<T>(motion.center)};
        centers_[g] = motion.center;
        const double speed = norm(motion.velocity) + norm(gain) + group.reach * (norm(motion.spin) + norm(turn));
        reaches_[g] = std::min(options_.margin, group.reach) + 2 * dt * speed;
        Frame<T>& frame = passes_->frames[g];
        frame.reference = cast<T>(motion.center + dt * (motion.velocity + gain));
        frame.reference_velocity = cast<T>(motion.velocity + gain);
        frame.pending = {frame.reference, {}, {}};
    }
}

template <class T>
void PbdSolver<T>::find_contacts(const Cloud<T>& cloud)
{
    const auto center = [&](int g) { return centers_[at(g)]; };
    const auto position = [&](int i) { return widen(cloud.position(i)); };
    const auto reach = [&](int g) { return reaches_[at(g)]; };
    contacts_.clear();
    for (const ShapeContact& found : obstacles_.find(center, position, reach))
    {
        contacts_.push_back({found.particle,
                             found.pairing,
                             cast<T>(found.normal),
                             cast<T>(found.point),
                             cast<T>(found.velocity),
                             static_cast<T>(set_->pairings[at(found.pairing)].friction),
                             {}});
    }
    find_neighbours(cloud);
}

template <class T>
void PbdSolver<T>::find_neighbours(const Cloud<T>& cloud)
{
    if (set_->groups.size() > 1)
    {
        neighbours_.find([&](int g) { return centers_[at(g)]; }, [&](int i) { return widen(cloud.position(i)); },
                         [&](int g) { return reaches_[at(g)]; });
        pair_total_.assign(neighbours_.pair_count(), {});
    }
    list_meetings();
}

/// Merges contacts and neighbours, both sorted by particle.
template <class T>
void PbdSolver<T>::list_meetings()
{
    meetings_.clear();
    const std::span<const int> near = neighbours_.particles();
    std::size_t k = 0;
    int c = 0;
    const int count = static_cast<int>(contacts_.size());
    while (c < count || k < near.size())
    {
        if (k < near.size() && neighbours_.of(k).empty())
        {
            ++k;
            continue;
        }
        const bool shape_first = k == near.size() || (c < count && contacts_[at(c)].particle <= near[k]);
        Meeting meeting{.particle = shape_first ? contacts_[at(c)].particle : near[k],
                        .group = 0,
                        .begin = c,
                        .end = c,
                        .neighbours = -1};
        if (!group_of_.empty()) meeting.group = group_of_[at(meeting.particle)];
        while (meeting.end < count && contacts_[at(meeting.end)].particle == meeting.particle) ++meeting.end;
        c = meeting.end;
        if (k < near.size() && near[k] == meeting.particle) meeting.neighbours = static_cast<int>(k++);
        meetings_.push_back(meeting);
    }
    touches_.resize(meetings_.size());
    deepest_.assign(meetings_.size(), T(0));
}

/// Corrections by contact, all from the same positions (Jacobi). Pending corrections of momentum count as made.
template <class T>
void PbdSolver<T>::solve_contacts(T dt)
{
    const auto solve = [&](int m, int)
    {
        const Meeting& meeting = meetings_[at(m)];
        const Vector3<T> x0 = next_.position(meeting.particle);
        const Vector3<T> change = passes_->frames[at(meeting.group)].pending.at(x0);
        const Vector3<T> x = x0 + dt * change, v = next_.velocity(meeting.particle) + change;
        T& deepest = deepest_[at(m)];
        deepest = 0;
        Vector3<T> sum = touch_shapes(meeting, x, v, dt, deepest);
        if (meeting.neighbours >= 0) sum += touch_particles(meeting, x, v, dt, deepest);
        touches_[at(m)] = {meeting.particle, sum};
    };
    const int count = static_cast<int>(meetings_.size());
    if (count < 1024 || pool_.worker_count() == 1)
        for (int m = 0; m < count; ++m) solve(m, 0);
    else
        pool_.run(count, solve);
}

template <class T>
Vector3<T> PbdSolver<T>::touch_shapes(const Meeting& meeting, const Vector3<T>& x, const Vector3<T>& v, T dt,
                                      T& deepest)
{
    const T radius = static_cast<T>(set_->spheres[at(meeting.particle)].radius);
    const T relaxation = static_cast<T>(options_.relaxation);
    Vector3<T> sum;
    for (int c = meeting.begin; c < meeting.end; ++c)
    {
        Contact& contact = contacts_[at(c)];
        const T gap = dot(contact.normal, x - contact.point) - radius;
        if (gap > 0) continue;
        deepest = std::max(deepest, -gap);
        const Vector3<T> relative = v - contact.velocity;
        const Vector3<T> tangential = relative - dot(contact.normal, relative) * contact.normal;
        const Vector3<T> change =
            relaxation * find_contact_change(gap, contact.normal, tangential, contact.friction, dt);
        contact.total += change;
        sum += change;
    }
    return sum;
}

template <class T>
Vector3<T> PbdSolver<T>::touch_particles(const Meeting& meeting, const Vector3<T>& x, const Vector3<T>& v, T dt,
                                         T& deepest)
{
    const int i = meeting.particle;
    const PackedSphere& mine = set_->spheres[at(i)];
    const auto k = at(meeting.neighbours);
    Vector3<T> sum;
    int pair = neighbours_.first(k);
    int last_shape = -1;
    T friction = 0;
    for (const int j : neighbours_.of(k))
    {
        const int slot = pair++;
        const PackedSphere& other = set_->spheres[at(j)];
        const Vector3<T> y0 = next_.position(j);
        const Vector3<T> change = passes_->frames[at(group_of_[at(j)])].pending.at(y0);
        const Vector3<T> away = x - (y0 + dt * change), w = next_.velocity(j) + change;
        const T distance = norm(away);
        const T gap = distance - static_cast<T>(mine.radius) - static_cast<T>(other.radius);
        if (gap > 0 || !(distance > T(0))) continue;
        deepest = std::max(deepest, -gap);
        const Vector3<T> n = (1 / distance) * away;
        // the authors take the tangential part of the particle's own velocity, not of the relative one
        const Vector3<T> tangential = v - dot(n, v - w) * n;
        if (set_->shape[at(j)] != last_shape)
        {
            last_shape = set_->shape[at(j)];
            friction = static_cast<T>(find_friction(model_, *set_, set_->shape[at(i)], last_shape));
        }
        const T share = static_cast<T>(other.mass / (mine.mass + other.mass) * options_.relaxation);
        const Vector3<T> moved = share * find_contact_change(gap, n, tangential, friction, dt);
        pair_total_[at(slot)] += moved;
        sum += moved;
    }
    return sum;
}

/// Centre and rotation of every group, and its momentum before shape matching.
template <class T>
void PbdSolver<T>::fit_shapes()
{
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const GroupSums<T>& sums = passes_->sums[g];
        const T share = static_cast<T>(1 / set_->groups[g].points.mass);
        Mat3 a;
        for (int k = 0; k < 9; ++k) a.m[k] = static_cast<double>(sums.shape.m[k]);
        rotations_[g] = options_.fast_polar ? find_rotation_fast(a) : find_rotation(a, rotations_[g]);
        const Mat3 rotation = to_matrix(rotations_[g]);
        Frame<T>& frame = passes_->frames[g];
        for (int k = 0; k < 9; ++k) frame.fit.rotation.m[k] = static_cast<T>(rotation.m[k]);
        frame.fit.center = frame.reference + share * sums.first;
        frame.pending = {frame.fit.center, {}, {}};
        linear_[g] = sums.linear;
        angular_[g] = sums.angular - share * cross(sums.moved, sums.linear);
    }
}

/// Equations 3 and 4: what restores the momentum from before shape matching.
template <class T>
void PbdSolver<T>::find_corrections()
{
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const GroupSums<T>& sums = passes_->sums[g];
        const T mass = static_cast<T>(set_->groups[g].points.mass), share = 1 / mass;
        const Vector3<T> shift = share * sums.moved;  // of the centre of mass from the fit's
        const Vector3<T> angular = sums.angular - cross(shift, sums.linear);
        const auto& s = sums.second;
        const T xx = s[0] - mass * shift.x * shift.x, yy = s[1] - mass * shift.y * shift.y;
        const T zz = s[2] - mass * shift.z * shift.z;
        Correction<T>& pending = passes_->frames[g].pending;
        pending.center = passes_->frames[g].fit.center + shift;
        if (options_.linear_momentum) pending.velocity = share * (linear_[g] - sums.linear);
        if (options_.angular_momentum)
        {
            const std::array<T, 6> inertia{yy + zz,
                                           xx + zz,
                                           xx + yy,
                                           mass * shift.x * shift.y - s[3],
                                           mass * shift.x * shift.z - s[4],
                                           mass * shift.y * shift.z - s[5]};
            pending.spin = solve_symmetric(inertia, angular - angular_[g]);
        }
    }
}

/// Poses and velocities from the particles; false, with the culprit, when something is not finite.
template <class T>
bool PbdSolver<T>::read_back(WorldView world, std::vector<double>& q, std::vector<double>& v, StepReport& report)
{
    fit_shapes();
    std::copy(world.q.begin(), world.q.end(), q.begin());
    std::copy(world.v.begin(), world.v.end(), v.begin());
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const Group& group = set_->groups[g];
        const Frame<T>& frame = passes_->frames[g];
        const Vec3 center = widen(frame.fit.center);
        const Vec3 velocity = widen(frame.reference_velocity) + (1 / group.points.mass) * widen(linear_[g]);
        const Vec3 spin = solve_symmetric(turn_inertia(group.points.inertia, rotations_[g]), widen(angular_[g]));
        write_motion(group, group.points.center, {rotations_[g], center, velocity, spin}, q, v);
        if (is_sound(group, q, v)) continue;
        report_bad_body(group.body, read_position(group, q), read_velocity(group, v), report);
        return false;
    }
    return true;
}

/// Corrections of a step are impulses: a particle moved by d in a step has felt m d / dt^2.
template <class T>
void PbdSolver<T>::report_contacts(double dt, ParticleMemory<T>& memory)
{
    list_.clear();
    for (const Contact& contact : contacts_)
    {
        if (contact.total == Vector3<T>{}) continue;
        const Pairing& pairing = set_->pairings[at(contact.pairing)];
        const PackedSphere& sphere = set_->spheres[at(contact.particle)];
        const Vec3 normal = widen(contact.normal), point = widen(contact.point);
        const double gap = dot(normal, widen(memory.cloud.position(contact.particle)) - point) - sphere.radius;
        list_.add(pairing.shape, pairing.obstacle, static_cast<std::uint64_t>(contact.particle), normal, point, gap,
                  pairing.friction, (sphere.mass / (dt * dt)) * widen(contact.total));
    }
    for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
    {
        const int i = neighbours_.particles()[k];
        int pair = neighbours_.first(k);
        for (const int j : neighbours_.of(k))
        {
            const Vector3<T>& total = pair_total_[at(pair++)];
            if (i > j || total == Vector3<T>{}) continue;
            const PackedSphere& sphere = set_->spheres[at(i)];
            const Vec3 x = widen(memory.cloud.position(i)), away = x - widen(memory.cloud.position(j));
            const Vec3 normal = (1 / norm(away)) * away;
            const auto feature = (static_cast<std::uint64_t>(i) << 32U) | static_cast<std::uint64_t>(j);
            list_.add(set_->shape[at(i)], set_->shape[at(j)], feature, normal, x - sphere.radius * normal,
                      norm(away) - sphere.radius - set_->spheres[at(j)].radius,
                      find_friction(model_, *set_, set_->shape[at(i)], set_->shape[at(j)]),
                      (sphere.mass / (dt * dt)) * widen(total));
        }
    }
    list_.hand_over(memory);
}

template struct ParticleMemory<float>;
template struct ParticleMemory<double>;
template class PbdSolver<float>;
template class PbdSolver<double>;

}  // namespace rattleback::particles
