// ContactProjection: contacts of particles with shapes and with particles of other bodies, for `pbd` and `pbdr`.
#pragma once

#include "solvers/particles/contact_list.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/obstacles.h"
#include "solvers/particles/particle_passes.h"

namespace rattleback::particles
{

/// Finds contacts once per step (or iteration) and projects particles out of what they overlap, all from the same
/// positions (Jacobi).
template <class T>
class ContactProjection
{
public:
    /// Model, set and pool outlive it.
    ContactProjection(const Model& model, const ParticleOptions& options, const ParticleSet& set, ThreadPool& pool);

    /// Contacts within the regions of the groups, of a cloud that is measured from `frames`; gaps are then followed
    /// from the frames of the step. `stay`: what part of an overlap that is there already is left there (0 to 1).
    void find(Obstacles& obstacles, std::span<const SearchRegion> regions, std::span<const GroupFrame> frames,
              const Cloud<T>& cloud, std::span<const GroupFrame> of_step, double stay);
    /// The same of particles of other bodies alone.
    void find_neighbours(std::span<const SearchRegion> regions, std::span<const GroupFrame> frames,
                         const Cloud<T>& cloud, std::span<const GroupFrame> of_step, double stay);

    /// Lines 7 and 8 of [PBD-R] Algorithm 1: fills `corrections`. Pending corrections of momentum count as made.
    void project(std::span<const GroupState<T>> groups, T dt, const Cloud<T>& cloud);

    /// Of the last projection, sorted by particle.
    std::span<const ContactCorrection<T>> corrections() const { return corrections_; }
    /// More pairs of spheres than a step may take.
    bool is_full() const { return neighbours_.is_full(); }
    int pair_count() const { return static_cast<int>(neighbours_.pair_count()); }
    int contact_count() const { return static_cast<int>(contacts_.size()); }
    /// Deepest overlap of the last projection [m].
    double deepest() const;
    /// Hands contacts and the forces of the whole step to the memory.
    void report(double dt, std::span<const GroupFrame> frames, const Cloud<T>& cloud, Memory& memory);

private:
    /// A contact with a shape in the solver's precision: gap = normal . (u - point) - offset.
    struct SurfaceContact
    {
        int particle;
        int pair;                            ///< in ParticleSet::obstacle_pairs
        Vec3 place;                          ///< on the surface, in the world [m]
        Vector3<T> normal, point, velocity;  ///< the velocity as f, less that of the particle's frame
        T offset, friction;
        T slack = 0;       ///< gap from which on it is corrected, not above 0 [m]
        Vector3<T> total;  ///< sum of its corrections in this step [m]
    };
    /// Two particles: away = own u - other u + base, gap = |away| - |base| + gap.
    struct ParticlePair
    {
        Vector3<T> base;   ///< between them where their frames place them; zero: measured from the world's origin
        T gap = 0;         ///< there [m]
        T slack = 0;       ///< as of SurfaceContact
        Vector3<T> total;  ///< sum of corrections [m]
    };
    /// A particle with all its contacts.
    struct TouchedParticle
    {
        // Merged from two lists that are sorted by particle: the corrections come out sorted as well.
        int particle;
        int group;
        int begin, end;  ///< in contacts_
        int neighbours;  ///< in neighbours_; -1: none
    };

    /// Where a particle is and how it moves once the pending correction of its group is made.
    struct MovingPoint
    {
        Vector3<T> x, v;
    };
    struct Iterate
    {
        std::span<const GroupState<T>> groups;
        const ParticleSet& set;
        const Cloud<T>& cloud;
        T dt;

        /// From the frame of its group.
        MovingPoint at(int particle, int group) const
        {
            const GroupState<T>& state = groups[static_cast<std::size_t>(group)];
            const Vector3<T> x = cloud.position(particle);
            const Vector3<T> change = state.pending.at(state.arm(rest(particle)) + x);
            return {x + dt * change, cloud.velocity(particle) + change};
        }
        /// Velocity of its frame there.
        Vector3<T> carried(int particle, int group) const
        {
            const GroupState<T>& state = groups[static_cast<std::size_t>(group)];
            return cast<T>(state.frame.velocity) + state.spin * rest(particle);
        }
        Vector3<T> rest(int particle) const { return cast<T>(set.spheres[static_cast<std::size_t>(particle)].center); }
    };

    int group_of(int particle) const { return group_of_.empty() ? 0 : group_of_[at(particle)]; }
    /// Where a particle of a cloud is [m].
    Vec3 place(std::span<const GroupFrame> frames, const Cloud<T>& cloud, int particle) const
    {
        return find_position(frames[at(group_of(particle))], set_.spheres[at(particle)].center,
                             cloud.position(particle));
    }
    SurfaceContact follow(const ShapeContact& found, std::span<const GroupFrame> of_step) const;
    ParticlePair follow(int first, int second, std::span<const GroupFrame> of_step) const;
    static T find_slack(double gap, double stay) { return static_cast<T>(stay * std::min(0.0, gap)); }
    void list_touched();
    Vector3<T> project_from_shapes(const TouchedParticle& touched, const MovingPoint& own, T dt, T& deepest);
    Vector3<T> project_from_particles(const TouchedParticle& touched, const MovingPoint& own, const Iterate& iterate,
                                      T& deepest);
    void report_shape_contacts(double dt, std::span<const GroupFrame> frames, const Cloud<T>& cloud);
    void report_particle_contacts(double dt, std::span<const GroupFrame> frames, const Cloud<T>& cloud);

    const Model& model_;
    const double relaxation_;
    const bool world_frame_;
    const ParticleSet& set_;
    ThreadPool& pool_;
    Neighbours neighbours_;
    const RunningSurfaces* surfaces_ = nullptr;  ///< of this step
    std::vector<int> group_of_;                  ///< [particle], only where there are several groups

    // of this step
    std::vector<SurfaceContact> contacts_;
    std::vector<TouchedParticle> touched_;
    std::vector<ContactCorrection<T>> corrections_;  ///< [touched particle]
    std::vector<T> deepest_;                         ///< [touched particle]
    std::vector<ParticlePair> pairs_;                ///< [pair of neighbours]
    ContactList list_;
};

}  // namespace rattleback::particles
