// Free bodies of a crowd: what their contacts need of them, and how impulses become velocities of their dofs.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback::comfree
{

/// About its centre of mass M of a free body is m and I alone. With I = L D Lᵀ and B = D^-1/2 L^-1 a row along an axis
/// at an arm is y = (axis / sqrt(m), B (arm x axis)), and A = Y Yᵀ as in the sweeps of other models.
struct alignas(32) CrowdBody
{
    double center[4]{};    ///< of mass, world [m]; then 1 / sqrt(m)
    double turn[8]{};      ///< B: lower triangle by rows
    double velocity[4]{};  ///< v_s of the centre [m/s]
    double spin[4]{};      ///< v_s, world axes [rad/s]
};

/// z = Yᵀf of a body, with a zero behind each vector.
struct alignas(64) CrowdImpulse
{
    double linear[4]{}, angular[4]{};
};

class CrowdBodies
{
public:
    explicit CrowdBodies(const Tree& tree);

    /// All trees are single free bodies without inertia, friction or limits of their dofs, and nothing is kinematic.
    static bool serves(const Tree& tree);

    /// Bodies at the poses of a workspace: M and the inertias of bodies with what is fixed on them, as
    /// compute_mass_matrix without its loops over trees, and what rows need of them.
    void place(Workspace<double>& w);
    /// qacc = M^-1 total, about centres of mass: no factor of M is made.
    void find_acceleration(Workspace<double>& w) const;
    /// v_s: where the acceleration without constraints leads in a step of `dt` [s].
    void predict(const Workspace<double>& w, double dt);
    /// q <- q (+) dt * rates, as advance_positions; `rates` [dof] is longer than its dofs by kPadding.
    void advance(std::span<const double> rates, double dt, Workspace<double>& w) const;
    static constexpr std::size_t kPadding = 1;

    /// [dof] The velocity that impulses give, M^-1 Jᵀf.
    void find_change(const Workspace<double>& w, std::span<const CrowdImpulse> z, std::span<double> change) const;
    /// [dof] Jᵀf times `rate`, of impulses that give this change.
    void find_force(const Workspace<double>& w, std::span<const CrowdImpulse> z, std::span<const double> change,
                    double rate, std::span<double> force) const;

    std::span<const CrowdBody> list() const { return bodies_; }
    int count() const { return static_cast<int>(bodies_.size()); }
    /// [body] In list(); 0 stands for what does not move.
    std::span<const int> places() const { return place_; }

private:
    std::vector<int> place_;
    std::vector<CrowdBody> bodies_;
    std::vector<int> body_, q_begin_;  ///< [place]
};

}  // namespace rattleback::comfree
