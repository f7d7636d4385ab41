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
ContactProjection<T>::ContactProjection(const Model& model, double relaxation, const ParticleSet& set, ThreadPool& pool)
    : model_(model), relaxation_(relaxation), set_(set), pool_(pool), neighbours_(model, set), list_(model)
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
void ContactProjection<T>::find(Obstacles& obstacles, std::span<const SearchRegion> regions, const Cloud<T>& cloud)
{
    // Surfaces are taken as planes for the length of a step: a point, a normal and a velocity.
    surfaces_ = &obstacles.surfaces();
    // Pairs that the user's filter refuses are never found.
    neighbours_.set_filter(obstacles.filter());
    contacts_.clear();
    for (const ShapeContact& found : obstacles.find(regions, [&](int i) { return widen(cloud.position(i)); }))
    {
        contacts_.push_back({found.particle,
                             found.pair,
                             cast<T>(found.normal),
                             cast<T>(found.point),
                             cast<T>(found.velocity),
                             static_cast<T>(set_.obstacle_pairs[at(found.pair)].friction),
                             {}});
    }
    find_neighbours(regions, cloud);
}

template <class T>
void ContactProjection<T>::find_neighbours(std::span<const SearchRegion> regions, const Cloud<T>& cloud)
{
    // Pairs that were found again start their sum of corrections anew; those with shapes go on.
    if (set_.groups.size() > 1)
    {
        neighbours_.find(regions, [&](int i) { return widen(cloud.position(i)); });
        pair_total_.assign(neighbours_.pair_count(), {});
    }
    list_touched();
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
        if (!group_of_.empty()) touched.group = group_of_[at(touched.particle)];
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
    const Iterate iterate{groups, cloud, dt};
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
    const T radius = static_cast<T>(set_.spheres[at(touched.particle)].radius);
    // Over-relaxation would be above one; below one it damps the Jacobi iteration, which otherwise overshoots.
    const T relaxation = static_cast<T>(relaxation_);
    // Contacts of one particle are added, not averaged: a particle in a corner is pushed by both walls.
    Vector3<T> sum;
    for (int c = touched.begin; c < touched.end; ++c)
    {
        SurfaceContact& contact = contacts_[at(c)];
        // gap = n . (x - point) - r; only overlaps are corrected.
        const T gap = dot(contact.normal, own.x - contact.point) - radius;
        if (gap > 0) continue;
        deepest = std::max(deepest, -gap);
        // v_t = (1 - n n^T) (v - v_surface).
        const Vector3<T> relative = own.v - contact.velocity;
        const Vector3<T> tangential = relative - dot(contact.normal, relative) * contact.normal;
        // A part of it only: corrections of many particles of a body add up before shape matching spreads them.
        const Vector3<T> change =
            relaxation * find_contact_correction(gap, contact.normal, tangential, contact.friction, dt);
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
        const Vector3<T> away = own.x - their.x;
        const T distance = norm(away);
        const T gap = distance - static_cast<T>(mine.radius) - static_cast<T>(other.radius);
        if (gap > 0 || !(distance > T(0))) continue;
        deepest = std::max(deepest, -gap);
        // From the other particle to this one.
        const Vector3<T> n = (1 / distance) * away;
        // The authors take the tangential part of the particle's own velocity, not of the relative one.
        Vector3<T> tangential = own.v - dot(n, own.v - their.v) * n;
        if (surfaces_->any())
            tangential += cast<T>(
                surfaces_->find_drift(ShapeId{set_.shape[at(j)]}, ShapeId{set_.shape[at(i)]}, widen(own.x), widen(n))
                    .linear);
        // Neighbours are sorted, so that those of one shape follow each other.
        if (set_.shape[at(j)] != last_shape)
        {
            last_shape = set_.shape[at(j)];
            friction = static_cast<T>(find_friction(model_, set_, set_.shape[at(i)], last_shape));
        }
        // w / (w + w') of the correction with w = 1 / m; the other particle takes the rest when its turn comes.
        const T share = static_cast<T>(other.mass / (mine.mass + other.mass) * relaxation_);
        const Vector3<T> change = share * find_contact_correction(gap, n, tangential, friction, iterate.dt);
        pair_total_[at(slot)] += change;
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
void ContactProjection<T>::report(double dt, const Cloud<T>& cloud, Memory& memory)
{
    // Corrections of a step are impulses: a particle moved by d in a step has felt m d / dt^2.
    // f = m a with a = d / h^2: the velocity that Eq. 2 added is d / h, in a step of h.
    list_.clear();
    report_shape_contacts(dt, cloud);
    report_particle_contacts(dt, cloud);
    list_.hand_over(memory);
}

template <class T>
void ContactProjection<T>::report_shape_contacts(double dt, const Cloud<T>& cloud)
{
    for (const SurfaceContact& contact : contacts_)
    {
        // Gaps are those at the end of the step; what was never pushed was no contact.
        if (contact.total == Vector3<T>{}) continue;
        const ObstaclePair& pair = set_.obstacle_pairs[at(contact.pair)];
        const PackedSphere& sphere = set_.spheres[at(contact.particle)];
        const Vec3 normal = widen(contact.normal), point = widen(contact.point);
        list_.add({.shape = pair.shape,
                   .other_shape = pair.obstacle,
                   .feature = static_cast<std::uint64_t>(contact.particle),
                   .normal = normal,
                   .point = point,
                   .gap = dot(normal, widen(cloud.position(contact.particle)) - point) - sphere.radius,
                   .friction = pair.friction,
                   .force = (sphere.mass / (dt * dt)) * widen(contact.total)});
    }
}

template <class T>
void ContactProjection<T>::report_particle_contacts(double dt, const Cloud<T>& cloud)
{
    for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
    {
        const int i = neighbours_.particles()[k];
        int pair = neighbours_.first(k);
        for (const int j : neighbours_.of(k))
        {
            // Each pair stands twice, once from either side: the lower particle reports it.
            const Vector3<T>& total = pair_total_[at(pair++)];
            if (i > j || total == Vector3<T>{}) continue;
            const PackedSphere& sphere = set_.spheres[at(i)];
            const Vec3 x = widen(cloud.position(i)), away = x - widen(cloud.position(j));
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
