// Merges the contacts of each particle, and projects particles out of shapes and of each other.
#include "solvers/particles/contact_projection.h"

#include "solvers/particles/contact_correction.h"

#include <algorithm>

namespace rattleback::particles
{

// Lines 7 and 8 of Algorithm 1. Contacts are found once per step, as planes that stay; in every iteration the overlap
// with each is measured anew and a part of it taken away. Corrections are collected per particle and made by the next
// pass.

template <class T>
ContactProjection<T>::ContactProjection(const Model& model, const ParticleOptions& options, const ParticleSet& set,
                                        ThreadPool& pool)
    : model_(model),
      relaxation_(options.relaxation),
      world_frame_(options.world_frame),
      set_(set),
      pool_(pool),
      neighbours_(model, set),
      list_(model)
{
    // One group touches shapes alone, and all its particles belong to it.
    if (set_.groups.size() < 2) return;
    group_of_.resize(set_.spheres.size());
    for (std::size_t g = 0; g < set_.groups.size(); ++g)
    {
        const RigidGroup& group = set_.groups[g];
        std::fill(group_of_.begin() + group.begin, group_of_.begin() + group.padded_end, static_cast<int>(g));
    }
}

template <class T>
void ContactProjection<T>::find(Obstacles& obstacles, std::span<const SearchRegion> regions,
                                std::span<const GroupFrame> frames, const Cloud<T>& cloud,
                                std::span<const GroupFrame> of_step, double stay)
{
    // Surfaces are taken as planes for the length of a step: a point, a normal and a velocity.
    surfaces_ = &obstacles.surfaces();
    // Pairs that the user's filter refuses are never found.
    neighbours_.set_filter(obstacles.filter());
    contacts_.clear();
    for (const ShapeContact& found : obstacles.find(regions, [&](int i) { return place(frames, cloud, i); }))
    {
        contacts_.push_back(follow(found, of_step));
        if (!(stay > 0)) continue;
        const double height = dot(found.normal, place(frames, cloud, found.particle) - found.point);
        contacts_.back().slack = find_slack(height - set_.spheres[at(found.particle)].radius, stay);
    }
    find_neighbours(regions, frames, cloud, of_step, stay);
}

template <class T>
void ContactProjection<T>::find_neighbours(std::span<const SearchRegion> regions, std::span<const GroupFrame> frames,
                                           const Cloud<T>& cloud, std::span<const GroupFrame> of_step, double stay)
{
    // Pairs that were found again start their sum of corrections anew; those with shapes go on.
    if (set_.groups.size() > 1)
    {
        neighbours_.find(regions, [&](int i) { return place(frames, cloud, i); });
        pairs_.clear();
        if (is_full()) return;
        for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
        {
            const int i = neighbours_.particles()[k];
            for (const int j : neighbours_.of(k))
            {
                pairs_.push_back(follow(i, j, of_step));
                if (!(stay > 0)) continue;
                const double distance = norm(place(frames, cloud, i) - place(frames, cloud, j));
                const double gap = distance - set_.spheres[at(i)].radius - set_.spheres[at(j)].radius;
                pairs_.back().slack = find_slack(gap, stay);
            }
        }
    }
    list_touched();
}

/// A contact as the iterations see it. What is large, the gap where the frame has the particle and the velocities of
/// both, is taken in double; u and f are added to it.
template <class T>
typename ContactProjection<T>::SurfaceContact ContactProjection<T>::follow(const ShapeContact& found,
                                                                           std::span<const GroupFrame> of_step) const
{
    const PackedSphere& sphere = set_.spheres[at(found.particle)];
    SurfaceContact contact{.particle = found.particle,
                           .pair = found.pair,
                           .place = found.point,
                           .normal = cast<T>(found.normal),
                           .point = cast<T>(found.point),
                           .velocity = cast<T>(found.velocity),
                           .offset = static_cast<T>(sphere.radius),
                           .friction = static_cast<T>(set_.obstacle_pairs[at(found.pair)].friction),
                           .total = {}};
    if (world_frame_) return contact;
    const GroupFrame& frame = of_step[at(group_of(found.particle))];
    const Vec3 start = find_position(frame, sphere.center, Vector3<T>{});
    contact.point = {};
    contact.offset = static_cast<T>(sphere.radius - dot(found.normal, start - found.point));
    contact.velocity = cast<T>(found.velocity - (frame.velocity + frame.spin * sphere.center));
    return contact;
}

template <class T>
typename ContactProjection<T>::ParticlePair ContactProjection<T>::follow(int first, int second,
                                                                         std::span<const GroupFrame> of_step) const
{
    if (world_frame_) return {};
    const PackedSphere &mine = set_.spheres[at(first)], &other = set_.spheres[at(second)];
    const Vec3 base = find_position(of_step[at(group_of(first))], mine.center, Vector3<T>{}) -
                      find_position(of_step[at(group_of(second))], other.center, Vector3<T>{});
    return {.base = cast<T>(base), .gap = static_cast<T>(norm(base) - mine.radius - other.radius), .total = {}};
}

/// Merges contacts with shapes and neighbours, both sorted by particle, into one item per particle.
template <class T>
void ContactProjection<T>::list_touched()
{
    touched_.clear();
    const std::span<const int> near = neighbours_.particles();
    std::size_t k = 0;
    int c = 0;
    const int count = static_cast<int>(contacts_.size());
    while (c < count || k < near.size())
    {
        // Particles near another body that have no neighbour within reach.
        if (k < near.size() && neighbours_.of(k).empty())
        {
            ++k;
            continue;
        }
        // The lower particle of the two heads of the lists, and all that either list has of it.
        const bool shape_first = k == near.size() || (c < count && contacts_[at(c)].particle <= near[k]);
        TouchedParticle touched{.particle = shape_first ? contacts_[at(c)].particle : near[k],
                                .group = 0,
                                .begin = c,
                                .end = c,
                                .neighbours = -1};
        touched.group = group_of(touched.particle);
        // All contacts with shapes of this particle stand together, and so do its neighbours.
        while (touched.end < count && contacts_[at(touched.end)].particle == touched.particle) ++touched.end;
        c = touched.end;
        if (k < near.size() && near[k] == touched.particle) touched.neighbours = static_cast<int>(k++);
        touched_.push_back(touched);
    }
    corrections_.resize(touched_.size());
    deepest_.assign(touched_.size(), T(0));
}

template <class T>
void ContactProjection<T>::project(std::span<const GroupState<T>> groups, T dt, const Cloud<T>& cloud)
{
    // Jacobi: all corrections are found from the positions X_i and made later, so that no order of particles matters
    // and any thread may take any of them.
    const Iterate iterate{groups, set_, cloud, dt};
    const auto project_one = [&](int k, int)
    {
        const TouchedParticle& touched = touched_[at(k)];
        // Where line 12 of the last iteration has put it.
        const MovingPoint own = iterate.at(touched.particle, touched.group);
        T& deepest = deepest_[at(k)];
        deepest = 0;
        Vector3<T> sum = project_from_shapes(touched, own, dt, deepest);
        if (touched.neighbours >= 0) sum += project_from_particles(touched, own, iterate, deepest);
        corrections_[at(k)] = {touched.particle, sum};
    };
    constexpr int kWorthSharing = 1024;  // waking the workers costs as much as this many particles
    const int count = static_cast<int>(touched_.size());
    if (count < kWorthSharing || pool_.worker_count() == 1)
        for (int k = 0; k < count; ++k) project_one(k, 0);
    else
        pool_.run(count, project_one);
}

/// Line 7, for shapes of any kind: the sum over all that the particle overlaps.
template <class T>
Vector3<T> ContactProjection<T>::project_from_shapes(const TouchedParticle& touched, const MovingPoint& own, T dt,
                                                     T& deepest)
{
    // Over-relaxation would be above one; below one it damps the Jacobi iteration, which otherwise overshoots.
    const T relaxation = static_cast<T>(relaxation_);
    // Contacts of one particle are added, not averaged: a particle in a corner is pushed by both walls.
    Vector3<T> sum;
    for (int c = touched.begin; c < touched.end; ++c)
    {
        SurfaceContact& contact = contacts_[at(c)];
        // gap = n . (x - point) - r; only overlaps are corrected.
        const T gap = dot(contact.normal, own.x - contact.point) - contact.offset;
        deepest = std::max(deepest, -gap);
        const T over = gap - contact.slack;
        if (over > 0) continue;
        // v_t = (1 - n n^T) (v - v_surface).
        const Vector3<T> relative = own.v - contact.velocity;
        const Vector3<T> tangential = relative - dot(contact.normal, relative) * contact.normal;
        // A part of it only: corrections of many particles of a body add up before shape matching spreads them.
        const Vector3<T> change =
            relaxation * find_contact_correction(over, contact.normal, tangential, contact.friction, dt);
        contact.total += change;
        sum += change;
    }
    return sum;
}

/// Line 8: each of two particles takes its share m_other / (m + m_other) of the overlap.
template <class T>
Vector3<T> ContactProjection<T>::project_from_particles(const TouchedParticle& touched, const MovingPoint& own,
                                                        const Iterate& iterate, T& deepest)
{
    // Each side of a pair is corrected by itself, from the same positions.
    const int i = touched.particle;
    const PackedSphere& mine = set_.spheres[at(i)];
    const auto k = at(touched.neighbours);
    const Vector3<T> velocity = iterate.carried(i, touched.group);
    Vector3<T> sum;
    int pair = neighbours_.first(k);
    int last_shape = -1;
    T friction = 0;
    for (const int j : neighbours_.of(k))
    {
        // gap = |x - y| - r - r', n = (x - y) / |x - y|; two centres in one point have no direction.
        const int slot = pair++;
        const PackedSphere& other = set_.spheres[at(j)];
        const MovingPoint their = iterate.at(j, group_of_[at(j)]);
        ParticlePair& between = pairs_[at(slot)];
        const Vector3<T> apart = own.x - their.x, away = apart + between.base;
        const T distance = norm(away);
        // |a + d| - |a| = (2 a . d + d . d) / (|a + d| + |a|), without the difference of two lengths.
        const T gap = world_frame_ ? distance - static_cast<T>(mine.radius) - static_cast<T>(other.radius)
                                   : between.gap + dot(between.base + away, apart) / (distance + norm(between.base));
        const T over = gap - between.slack;
        if (!(distance > T(0))) continue;
        deepest = std::max(deepest, -gap);
        if (over > 0) continue;
        // From the other particle to this one.
        const Vector3<T> n = (1 / distance) * away;
        // The authors take the tangential part of the particle's own velocity, not of the relative one.
        const Vector3<T> v = velocity + own.v;
        Vector3<T> tangential = v - dot(n, v - (iterate.carried(j, group_of_[at(j)]) + their.v)) * n;
        if (surfaces_->any())
            tangential += cast<T>(
                surfaces_
                    ->find_drift(ShapeId{set_.shape[at(j)]}, ShapeId{set_.shape[at(i)]},
                                 find_position(iterate.groups[at(touched.group)].frame, mine.center, own.x), widen(n))
                    .linear);
        // Neighbours are sorted, so that those of one shape follow each other.
        if (set_.shape[at(j)] != last_shape)
        {
            last_shape = set_.shape[at(j)];
            friction = static_cast<T>(find_friction(model_, set_, set_.shape[at(i)], last_shape));
        }
        // w / (w + w') of the correction with w = 1 / m; the other particle takes the rest when its turn comes.
        const T share = static_cast<T>(other.mass / (mine.mass + other.mass) * relaxation_);
        const Vector3<T> change = share * find_contact_correction(over, n, tangential, friction, iterate.dt);
        between.total += change;
        sum += change;
    }
    return sum;
}

template <class T>
double ContactProjection<T>::deepest() const
{
    // As left by the last iteration, before its own corrections were made.
    double deepest = 0;
    for (const T depth : deepest_) deepest = std::max(deepest, static_cast<double>(depth));
    return deepest;
}

template <class T>
void ContactProjection<T>::report(double dt, std::span<const GroupFrame> frames, const Cloud<T>& cloud, Memory& memory)
{
    // Corrections of a step are impulses: a particle moved by d in a step has felt m d / dt^2.
    // f = m a with a = d / h^2: the velocity that Eq. 2 added is d / h, in a step of h.
    list_.clear();
    report_shape_contacts(dt, frames, cloud);
    report_particle_contacts(dt, frames, cloud);
    list_.hand_over(memory);
}

template <class T>
void ContactProjection<T>::report_shape_contacts(double dt, std::span<const GroupFrame> frames, const Cloud<T>& cloud)
{
    for (const SurfaceContact& contact : contacts_)
    {
        // Gaps are those at the end of the step; what was never pushed was no contact.
        if (contact.total == Vector3<T>{}) continue;
        const ObstaclePair& pair = set_.obstacle_pairs[at(contact.pair)];
        const PackedSphere& sphere = set_.spheres[at(contact.particle)];
        const Vec3 normal = widen(contact.normal), point = contact.place;
        list_.add({.shape = pair.shape,
                   .other_shape = pair.obstacle,
                   .feature = static_cast<std::uint64_t>(contact.particle),
                   .normal = normal,
                   .point = point,
                   .gap = dot(normal, place(frames, cloud, contact.particle) - point) - sphere.radius,
                   .friction = pair.friction,
                   .force = (sphere.mass / (dt * dt)) * widen(contact.total)});
    }
}

template <class T>
void ContactProjection<T>::report_particle_contacts(double dt, std::span<const GroupFrame> frames,
                                                    const Cloud<T>& cloud)
{
    for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
    {
        const int i = neighbours_.particles()[k];
        int pair = neighbours_.first(k);
        for (const int j : neighbours_.of(k))
        {
            // Each pair stands twice, once from either side: the lower particle reports it.
            const Vector3<T>& total = pairs_[at(pair++)].total;
            if (i > j || total == Vector3<T>{}) continue;
            const PackedSphere& sphere = set_.spheres[at(i)];
            const Vec3 x = place(frames, cloud, i), away = x - place(frames, cloud, j);
            const Vec3 normal = (1 / norm(away)) * away;
            list_.add({.shape = set_.shape[at(i)],
                       .other_shape = set_.shape[at(j)],
                       .feature = (static_cast<std::uint64_t>(i) << 32U) | static_cast<std::uint64_t>(j),
                       .normal = normal,
                       .point = x - sphere.radius * normal,
                       .gap = norm(away) - sphere.radius - set_.spheres[at(j)].radius,
                       .friction = find_friction(model_, set_, set_.shape[at(i)], set_.shape[at(j)]),
                       .force = (sphere.mass / (dt * dt)) * widen(total)});
        }
    }
}

template class ContactProjection<float>;
template class ContactProjection<double>;

}  // namespace rattleback::particles
