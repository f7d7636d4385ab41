// Arms of the middle of a step, across its turn.
#include "solvers/ipc/turning_arms.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/symmetric3.h"
#include "solvers/ipc/grip_slip.h"

namespace rattleback::ipc
{

void take_turning_arms(const Newton& newton, std::span<const Body> bodies, double dt, std::vector<TurningArms>& arms,
                       std::span<Velocity> velocities)
{
    constexpr double kMostPart = 0.1, kMostTurn = 1;
    const Potential& potential = newton.potential();
    const Layout& layout = potential.candidates().layout();
    arms.assign(bodies.size(), {});
    for (std::size_t g = 0; g < bodies.size(); ++g)
        if (layout.groups[g].dynamic) arms[g].turn = find_step_turn(bodies[g], newton.placements()[g]);
    const auto add = [&](int g, const Vec3& arm, const Vec3& force)
    {
        if (layout.groups[at(g)].dynamic) arms[at(g)].moment -= (0.5 * dt) * cross(cross(arms[at(g)].turn, arm), force);
    };
    for (const Touch& touch : potential.touches())
    {
        const Vec3 force = potential.find_force(touch) * touch.normal;
        add(touch.first, touch.first_place() - newton.placements()[at(touch.first)].center, force);
        add(touch.second, touch.second_place() - newton.placements()[at(touch.second)].center, -force);
    }
    for (std::size_t i = 0; i < potential.grips().size(); ++i)
    {
        const Grip& grip = potential.grips()[i];
        const GripSlip slip = find_grip_slip(grip, bodies, newton.placements());
        const Vec3 force = potential.find_friction_force(i, bodies, newton.placements());
        add(grip.first, slip.first_arm, force);
        add(grip.second, slip.second_arm, -force);
    }
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const auto& [turn, moment] = arms[g];
        const double square = dot(turn, turn);
        if (moment == Vec3{} || !(square > 0) || square > kMostTurn * kMostTurn) continue;
        const Mat3 inertia = turn_tensor(newton.placements()[g].rotation, layout.groups[g].inertia);
        Vec3 across = moment - (dot(moment, turn) / square) * turn;
        const double most = kMostPart * norm(inertia * velocities[g].angular), size = norm(across);
        if (size > most) across = (most / size) * across;
        const Symmetric3<double> own{
            {inertia.m[0], inertia.m[3], inertia.m[4], inertia.m[6], inertia.m[7], inertia.m[8]}};
        velocities[g].angular += Cholesky3<double>(own).solve(across);
    }
}

}  // namespace rattleback::ipc
