// Blocks with penalties and their Schur solves; headings in quotation marks are those of [VBD-R].
#include "solvers/avbd/penalty.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/body_stamp.h"
#include "solvers/avbd/medium.h"

namespace rattleback::avbd
{

namespace
{

void add_matrix(const Matrix6& a, const Vector6& right, BodySystem<double>& system)
{
    // lower triangles of the two diagonal blocks, the whole of the coupling
    constexpr std::size_t kRow[6] = {0, 1, 1, 2, 2, 2}, kColumn[6] = {0, 0, 1, 0, 1, 2};
    for (std::size_t i = 0; i < 6; ++i)
    {
        system.linear.m[i] += a(kRow[i], kColumn[i]);
        system.angular.m[i] += a(kRow[i] + 3, kColumn[i] + 3);
    }
    for (std::size_t i = 0; i < 3; ++i)
    {
        for (std::size_t j = 0; j < 3; ++j) system.coupling.m[3 * i + j] += a(i + 3, j);
    }
    system.force += linear_of(right);
    system.torque += angular_of(right);
}

}  // namespace

BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int group, LoopScratch& scratch, BlockWork& work)
{
    // "Inertial Blocks": I_world at the present rotation, theta the rotation vector from there to the target's
    const Body& body = work.bodies[at(group)];
    const double inverse = 1 / (work.dt * work.dt);
    const Mat3 inertia = turn_tensor(body.rotation_now, layout.groups[at(group)].inertia);
    Symmetric3<double> scaled = to_symmetric(inertia);
    for (double& value : scaled.m) value *= inverse;
    const Quat target = exponential(body.target.angular) * body.rotation;
    // logarithm of the rotation that is left: exact at any turn, unlike the difference of two rotation vectors
    const Vec3 theta = logarithm(target * conjugate(body.rotation_now));
    BodySystem<double> system = make_inertial_system(
        inverse * body.mass, scaled, body.target.linear - body.delta.linear, inverse * (inertia * theta));
    // "Contact and Constraint Blocks": H_ll += K, H_al += [r] K, H_aa += [r] K [r]ᵀ
    for (int c = work.contact_begin[at(group)]; c < work.contact_begin[at(group) + 1]; ++c)
    {
        const BlockContact& side = work.contacts[at(c)];
        const ContactRow& row = rows[at(side.row)];
        const PenaltyContact contact = evaluate_penalty(row, settings, work.bodies[at(row.first)],
                                                        work.bodies[at(row.second)], work.dt, work.drift_of(side.row));
        // no E, no force: a penalty does not pull
        if (contact.depth <= 0) continue;
        // the second body feels the force, the first the opposite at its own arm
        const Vec3& arm = side.side > 0 ? contact.second_arm : contact.first_arm;
        system.force += side.side * contact.force;
        system.torque += cross(arm, side.side * contact.force) + side.side * contact.torque;
        add_stiffness(contact.stiffness, arm, system);
        system.angular += to_symmetric(contact.turning);
    }
    // rows without multipliers: start_penalties() has cleared lambda, so that k C alone acts
    // joints and the medium, with the same rows and forces as in the augmented mode
    add_medium(layout, group, work, system);
    work.diagonal[at(group)] = {};
    work.right[at(group)] = {};
    add_joints(layout, group, scratch, work);
    add_matrix(work.diagonal[at(group)], work.right[at(group)], system);
    return system;
}

void solve_bodies(const Layout& layout, const Settings& settings, const Colouring& colouring, const BlockSweep& sweep,
                  const std::vector<ContactRow>& rows, ThreadPool& pool, BlockWork& work)
{
    // the order of Gauss and Seidel: bodies of one colour share no row, and move side by side
    const auto solve_one = [&](const Block& block, int worker)
    {
        const int group = layout.order[at(block.begin)];
        const Increment<double> step =
            solve(assemble_penalty(layout, settings, rows, group, work.scratch[at(worker)], work));
        // x <- x + d_linear, R <- exp(d_angular) R
        Body& body = work.bodies[at(group)];
        body.delta.linear += step.linear;
        body.rotation_now = normalized(exponential(step.angular) * body.rotation_now);
        // the rotation vector from x_t is what velocities are taken from
        body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
    };
    for (int colour = 0; colour < colouring.count(); ++colour)
        sweep.run_colour(layout, colouring, colour, pool, solve_one);
}

}  // namespace rattleback::avbd
