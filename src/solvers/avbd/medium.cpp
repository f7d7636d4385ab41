// Forces of the medium by implicit Euler, with a diagonal bound of their derivative.
#include "solvers/avbd/medium.h"

#include "base/index.h"
#include "dynamics/fluid.h"
#include "dynamics/fluid_derivative.h"
#include "math/rotation.h"
#include "solvers/avbd/body_stamp.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// The resistance B that the block sees, in the part's axes: velocity, then spin. The derivative D of the force by the
/// motion is neither symmetric nor negative where there is lift; B = diag(max(0, -S_ii) + sum of |S_ij|), S its
/// symmetric part, is at least -S in every direction (as [AVBD] Eq. 17 bounds G by its columns), and exact for the box
/// model.
Vector6 bound_resistance(const LocalDerivative<double>& d)
{
    Vector6 resistance{};
    for (std::size_t i = 0; i < 6; ++i)
    {
        for (std::size_t j = 0; j < 6; ++j)
        {
            const double symmetric = 0.5 * (d[i][j] + d[j][i]);
            resistance[i] += i == j ? std::max(0.0, -symmetric) : std::abs(symmetric);
        }
    }
    return resistance;
}

}  // namespace

void add_medium_parts(const Model& model, Layout& layout)
{
    // parts as MuJoCo has them: an inertia box per body, or ellipsoids per shape
    layout.medium_parts = make_fluid_parts(model);
    for (FluidPart& part : layout.medium_parts)
    {
        // in the frames of the groups, which are what moves
        part.pose = layout.in_group[at(part.body)] * part.pose;
        part.body = layout.group_of_body[at(part.body)];
    }
    // by group, their order within it kept: sums have one order
    std::stable_sort(layout.medium_parts.begin(), layout.medium_parts.end(),
                     [](const FluidPart& a, const FluidPart& b) { return a.body < b.body; });
    // where each group's parts begin
    layout.medium_begin.assign(layout.groups.size() + 1, 0);
    for (const FluidPart& part : layout.medium_parts) ++layout.medium_begin[at(part.body) + 1];
    for (std::size_t g = 0; g < layout.groups.size(); ++g) layout.medium_begin[g + 1] += layout.medium_begin[g];
}

void add_medium(const Layout& layout, int group, const BlockWork& work, BodySystem<double>& system)
{
    const Medium& medium = layout.model->settings.medium;
    const Body& body = work.bodies[at(group)];
    // v of implicit Euler at the present x
    const double rate = 1 / work.dt;
    for (int k = layout.medium_begin[at(group)]; k < layout.medium_begin[at(group) + 1]; ++k)
    {
        // motion of the part against the fluid at the end of the substep, in its own axes
        const FluidPart& part = layout.medium_parts[at(k)];
        const Vec3 arm = rotate(body.rotation_now, part.pose.position - layout.groups[at(group)].center);
        const Quat axes = body.rotation_now * part.pose.rotation;
        const Vec3 spin = rate * body.delta.angular;
        const Vec3 velocity = rate * body.delta.linear + cross(spin, arm) - medium.wind;
        const Vec3 own_velocity = rotate(conjugate(axes), velocity), own_spin = rotate(conjugate(axes), spin);
        // f += force, H += B / h at the part's place
        const LocalForce<double> force = part_force(part, medium, own_velocity, own_spin);
        const Vec3 push = rotate(axes, force.force);
        system.force += push;
        system.torque += rotate(axes, force.torque) + cross(arm, push);
        const Vector6 resistance = bound_resistance(find_part_derivative(part, medium, own_velocity, own_spin));
        // B is diagonal in the part's own axes
        const auto turned = [&](std::size_t first)
        {
            return turn_tensor(axes, Mat3{{rate * resistance[first], 0, 0, 0, rate * resistance[first + 1], 0, 0, 0,
                                           rate * resistance[first + 2]}});
        };
        // a resistance at an arm acts like a contact's K ([VBD-R], "Contact and Constraint Blocks")
        add_stiffness(turned(0), arm, system);
        system.angular += to_symmetric(turned(3));
    }
}

}  // namespace rattleback::avbd
