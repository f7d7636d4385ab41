// CrowdLaw: impulses of the law `stable` by sweeps for many free bodies, four contacts at a time.
#pragma once

#include "solvers/comfree/crowd_bodies.h"
#include "solvers/comfree/crowd_groups.h"

#include "base/disjoint_sets.h"
#include "base/flatten.h"

namespace rattleback::comfree
{

/// The three rows of four contacts: normals and tangents.
struct CrowdRows
{
    Vector3<Pack4> axis[3];     ///< along which the second body's point moves away from the first's
    Vector3<Pack4> turn[2][3];  ///< [body][row] B (arm x axis); of the first body times -1
    Pack4 root_mass[2];         ///< [body] 1 / sqrt(m)
};

/// The answers and energy bound of SweepLaw (README, "Sweeps"), with another order of the contacts: by colours of the
/// contact graph, those with the ground last. Lanes are contacts of one world, not worlds.
class CrowdLaw
{
public:
    CrowdLaw(const Tree& tree, const Options& options);
    CrowdLaw(const CrowdLaw&) = delete;
    CrowdLaw& operator=(const CrowdLaw&) = delete;

    /// Many free bodies and nothing else that moves, and contacts without spin and rolling friction.
    static bool serves(const Tree& tree, const Options& options);

    /// They are placed before solve().
    CrowdBodies& bodies() { return bodies_; }

    /// As SweepLaw::solve. The workspace needs no factor of M.
    void solve(Workspace<double>& w, std::span<const ContactSlot<double>> slots, const LaneShares<double>& shares,
               double dt, int sweeps);
    /// Moves the poses, and them alone, out of what is left of overlaps.
    void push_out(Workspace<double>& w, double dt);

    /// [dof] Joint forces of the impulses, Jᵀ f / dt.
    std::span<const double> joint_force() const { return force_; }
    /// Largest velocity that the last sweep gave a row by its own impulse [m/s].
    double residual() const { return residual_; }
    /// [slot] Impulses along normal and tangents [N s].
    std::span<const Vec3> impulses() const { return impulses_; }

private:
    void build(std::span<const ContactSlot<double>> slots);
    void sweep(int count);
    template <bool kTwo>
    RB_FLATTEN void build_group(std::span<const ContactSlot<double>> slots, std::size_t index);
    template <bool kTwo, bool kMeasured>
    RB_FLATTEN void step_group(std::size_t index);
    void sum_energy();
    void limit_energy();
    void find_push(const Pack4& kept);
    template <bool kTwo>
    RB_FLATTEN void find_left(std::size_t index, const Pack4& kept);
    template <bool kTwo>
    RB_FLATTEN void step_push_out(std::size_t index);
    void use_impulses(Workspace<double>& w, std::size_t slot_count, double dt);

    const Options& options_;
    CrowdBodies bodies_;
    CrowdGroups colours_;
    std::vector<CrowdRows> rows_;                ///< [group]
    std::vector<BlockNumbers<Pack4>> numbers_;   ///< [group]
    std::vector<CrowdImpulse> z_, push_z_;       ///< [place]
    std::vector<std::size_t> pushing_;           ///< groups that have overlaps left
    std::vector<double> work_, square_;          ///< [place] of limit_energy
    std::vector<double> force_, change_, push_;  ///< [dof]
    std::vector<Vec3> impulses_;
    DisjointSets islands_;
    Pack4 measured_;
    double residual_ = 0;
};

}  // namespace rattleback::comfree
