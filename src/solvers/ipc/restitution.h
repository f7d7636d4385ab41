// Restitution: after an impact, bodies part with e times the speed at which they met.
#pragma once

#include "solvers/ipc/potential.h"

namespace rattleback::ipc
{

/// Two groups that met and are still being stopped by the barrier.
struct Impact
{
    int first = -1, second = -1;  ///< groups
    double speed = 0;             ///< at which their surfaces met [m/s]
};

class Restitution
{
public:
    Restitution(const Model& model, const Layout& layout);

    bool is_on() const { return is_on_; }
    /// Changes velocities at the end of a step: the next one takes them up, and its path is certified like every other.
    /// `energy`: that of the world when the first of the impacts began [J].
    void finish(const Potential& potential, std::span<const Body> bodies, std::span<const Placement> placements,
                double dt, const Vec3& gravity, std::vector<Impact>& impacts, double& energy,
                std::span<Velocity> velocities);

private:
    /// The touches of two groups as one point.
    struct Meeting
    {
        int first = -1, second = -1;
        Vec3 normal, point;  ///< weighted by force; from the second to the first
        double force = 0;
        double barrier = 0;  ///< energy stored [J]
        double bounce = 0;   ///< e
        double closing = 0;  ///< way that the points came nearer in the step [m], of the hardest pressed
        double hardest = 0;
    };
    void gather(const Potential& potential, std::span<const Body> bodies, std::span<const Placement> now);
    double find_bounce(int first_shape, int second_shape) const;
    double find_speed(const Meeting& meeting, std::span<const Body> bodies, std::span<const Placement> placements,
                      double dt) const;
    double find_energy(std::span<const Placement> placements, std::span<const Velocity> velocities,
                       const Vec3& gravity) const;
    /// Velocity of the first's point against the second's along the normal.
    double find_parting(const Meeting& meeting, std::span<const Placement> placements,
                        std::span<const Velocity> velocities) const;
    double find_mass(const Meeting& meeting, std::span<const Placement> placements) const;
    void push(const Meeting& meeting, std::span<const Placement> placements, double impulse,
              std::span<Velocity> velocities) const;

    const Model& model_;
    const Layout& layout_;
    bool is_on_ = false;
    std::vector<Meeting> meetings_;
    std::vector<Impact> kept_;
    std::vector<Velocity> before_;
    std::vector<Placement> starts_;
};

}  // namespace rattleback::ipc
