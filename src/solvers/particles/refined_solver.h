// RefinedSolver: spheres touch, bodies keep their own inertia and their momentum, second order in time.
#pragma once

#include "solvers/particles/contact_impulses.h"
#include "solvers/particles/contact_list.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/obstacles.h"

namespace rattleback::particles
{

/// The method of the README's section `refined`, whose equations (R1) to (R8) the code cites. T: of contacts.
template <class T>
class RefinedSolver final : public Solver
{
public:
    RefinedSolver(const Model& model, const ParticleOptions& options, std::shared_ptr<const ParticleSet> set);

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<RefinedMemory>(); }
    StepReport step(const StepInput& input, WorldView world, Memory& memory) override;

private:
    /// A contact as it was found, before it becomes a constraint.
    struct FoundContact
    {
        std::uint64_t key = 0;
        int first = -1, second = -1;    ///< bodies; second -1: a shape
        int particle = -1, other = -1;  ///< other: particle, or obstacle pair
        Vec3 normal;                    ///< towards `first`
        Vec3 point;                     ///< at the start of the step [m]
        double gap = 0;                 ///< [m]
        Vec3 surface_velocity;          ///< of a shape, and of surfaces that run [m/s]
        double friction = 0;
    };

    StepReport step_varied(const StepInput& input, const WorldView& world, RefinedMemory& memory);
    void predict(const StepInput& input, const WorldView& world);
    Vec3 find_start_position(int particle) const;
    void find_contacts();
    void find_shape_contacts();
    void find_particle_contacts();
    Vec3 find_drift(int i, int j, const Vec3& point, const Vec3& normal) const;
    void add_constraint(const FoundContact& found);
    void advance(double dt);
    bool write_back(WorldView world, StepReport& report);
    void store_memory(RefinedMemory& memory, double dt);

    const Model& model_;
    ParticleOptions options_;
    std::shared_ptr<const ParticleSet> set_;
    VariedWorlds varied_;
    Obstacles obstacles_;
    Neighbours neighbours_;
    std::vector<Vec3> rest_;     ///< [particle] from the solid's centre, root's axes
    std::vector<int> group_of_;  ///< [particle]

    // scratch
    ContactImpulses<T> impulses_;
    std::vector<RigidMotion> ends_;      ///< [group] at the end of the step
    std::vector<SearchRegion> regions_;  ///< [group]
    EndCoordinates end_;
    ContactList list_;
};

}  // namespace rattleback::particles
