// PbdSolver: `pbd` and `pbdr` as their authors wrote them, in float or double.
#pragma once

#include "solvers/particles/contact_projection.h"
#include "solvers/particles/particle_memory.h"

#include "base/stage_timer.h"

namespace rattleback::particles
{

/// `Order`: the scalar and the order of sums over particles (group_sums.h).
template <class Order>
class PbdSolver final : public Solver
{
public:
    PbdSolver(const Model& model, const ParticleOptions& options, std::shared_ptr<const ParticleSet> set);

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ParticleMemory<T>>(); }
    StepReport step(const StepInput& input, WorldView world, Memory& memory) override;

private:
    using T = typename Order::Scalar;

    StepReport step_varied(const StepInput& input, const WorldView& world, ParticleMemory<T>& memory);
    void add_up_masses();
    void follow_state(const WorldView& world, ParticleMemory<T>& memory) const;
    void place_particles(int g, const WorldView& world, ParticleMemory<T>& memory) const;
    void plan_step(const StepInput& input, const WorldView& world, const ParticleMemory<T>& memory);
    void find_contacts(const StepInput& input, const WorldView& world, const ParticleMemory<T>& memory,
                       StageTimer& timer);
    void place_frame(int group, const RigidMotion& motion, const Vec3& gain, const Vec3& turn, double dt,
                     const ParticleMemory<T>& memory);
    void fit_shapes();
    void find_momentum_corrections();
    bool read_back(const WorldView& world, StepReport& report);
    void commit(double dt, WorldView world, ParticleMemory<T>& memory);

    // The order of members is that of construction: passes and contacts refer to the set and share the pool.
    const Model& model_;
    ParticleOptions options_;
    std::shared_ptr<const ParticleSet> set_;
    VariedWorlds varied_;
    ThreadPool pool_;
    ParticlePasses<Order> passes_;
    Obstacles obstacles_;
    ContactProjection<T> contacts_;

    // scratch
    Cloud<T> cloud_;                      ///< of the step under way
    VectorList<T> start_;                 ///< its positions at the start, where Eq. 1 asks for them
    std::vector<GroupFrame> frames_;      ///< [group] of the step under way
    std::vector<ExternalKick<T>> kicks_;  ///< [group]
    std::vector<SearchRegion> regions_;   ///< [group] at the start of the step
    EndCoordinates end_;
};

}  // namespace rattleback::particles
