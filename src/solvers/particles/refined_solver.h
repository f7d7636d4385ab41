// RefinedSolver: our variant of `pbdr`: spheres touch, the body keeps exact inertia and momentum, second order in time.
#pragma once

#include "solvers/particles/motion.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/obstacles.h"

namespace rattleback::particles
{

/// Impulses of contacts that last.
struct RefinedMemory final : Memory
{
    struct Kept
    {
        std::uint64_t key = 0;
        Vec3 impulse;  ///< on the particle's body [N s], world axes
    };
    std::vector<Kept> kept;  ///< sorted by key

    void reset() override;
    void save(std::vector<std::byte>& bytes) const override;
    bool load(std::span<const std::byte>& bytes) override;
};

template <class T>
class RefinedSolver final : public Solver
{
public:
    RefinedSolver(const Model& model, const Options& options, std::shared_ptr<const ParticleSet> set);

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<RefinedMemory>(); }
    StepReport step(const StepInput& input, WorldView world, Memory& memory) override;

private:
    /// A body in a step. Poses and momenta are double; what contacts change is a small difference and in T.
    struct Body
    {
        Motion start;                   ///< about the solid's centre
        Vec3 velocity, spin, momentum;  ///< at the end, with outer forces and without contacts
        Vec3 start_momentum;
        Quat rotation;                       ///< predicted for the end of the step
        Vec3 center;                         ///< likewise
        std::array<T, 6> inverse_inertia{};  ///< there
        T inverse_mass = 0;
        Vector3<T> gained, turned;            ///< velocity and spin gained by contacts
        Vector3<T> last_gained, last_turned;  ///< before a sweep
        Vector3<T> twist;                     ///< angular momentum gained
        bool struck = false;
    };
    struct Row
    {
        std::uint64_t key = 0;
        int first = -1, second = -1;    ///< bodies; second -1: a shape
        int particle = -1, other = -1;  ///< other: particle, or pairing
        Vector3<T> normal, tangent, bitangent;
        Vector3<T> arm, other_arm;  ///< from the centres of mass
        Vector3<T> base;            ///< relative velocity at the end of the step without contacts
        T gap = 0, friction = 0;
        T push = 0, slide = 0, slip = 0;  ///< impulses along normal and tangents
        T normal_mass = 0, tangent_mass = 0, bitangent_mass = 0;
        T start_speed = 0;  ///< along the normal at the start of the step
    };

    void predict(const StepInput& input, const WorldView& world);
    void find_contacts();
    void add_row(std::uint64_t key, int first, int second, int particle, int other, const Vec3& normal,
                 const Vec3& point, double gap, const Vec3& surface_velocity, double friction);
    bool warm_start(const RefinedMemory& memory);
    T solve(double dt);
    void solve_row(Row& row, T rate);
    Vector3<T> relative_velocity(const Row& row) const;
    T effective_mass(const Row& row, const Vector3<T>& direction) const;
    void apply(const Row& row, const Vector3<T>& impulse);
    void find_strikes(double dt);
    void advance(double dt);
    void remember(RefinedMemory& memory, double dt);

    const Model& model_;
    Options options_;
    std::shared_ptr<const ParticleSet> set_;
    Obstacles obstacles_;
    Neighbours neighbours_;
    std::vector<Vec3> rest_;    ///< [particle] from the solid's centre, root's axes
    std::vector<Body> bodies_;  ///< [group]
    std::vector<Motion> ends_;  ///< [group]
    std::vector<double> reaches_;
    std::vector<Vec3> points_centers_;
    std::vector<int> group_of_;
    std::vector<Row> rows_;
    std::vector<double> q_, v_;
    ContactList list_;
};

}  // namespace rattleback::particles
