// Blocks with penalties, Schur solves, ramps; headings in quotation marks are those of [VBD-R].
#include "solvers/avbd/penalty.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/body_stamp.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/medium.h"
#include "solvers/avbd/tendon_rows.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr double kSlowSlip = 1e-2;  // [m/s]: friction is smooth below (Newton's source, friction_epsilon)

Vec3 point_now(const Body& body, const Vec3& local) { return body.center_now() + rotate(body.rotation_now, local); }
Vec3 point_before(const Body& body, const Vec3& local) { return body.center + rotate(body.rotation, local); }

Mat3 outer_product(double scale, const Vec3& n)
{
    Mat3 m;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) m(i, j) = scale * n[i] * n[j];
    }
    return m;
}

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

/// Smooth Coulomb friction (Li et al. 2020): the coefficient of the slip in the force, for a slip of length u.
double friction_factor(double bound, double u, double smooth)
{
    return u >= smooth ? bound / u : bound * (2 - u / smooth) / smooth;
}

}  // namespace

PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt, const Vec3& drift)
{
    PenaltyContact contact;
    // E = k d^2 / 2, f = k d n, K = k n nᵀ
    // points fixed to the bodies at their present poses: [VBD-R] evaluates contacts anew in every iteration
    const Vec3 a = point_now(first, row.first_point), b = point_now(second, row.second_point);
    contact.first_arm = a - first.center_now();
    contact.second_arm = b - second.center_now();
    contact.depth = row.margin - dot(b - a, row.normal);
    if (contact.depth <= 0) return contact;
    contact.energy = 0.5 * row.penalty * contact.depth * contact.depth;
    // k is that of the row, ramped between iterations and carried over from the last step
    double normal = row.penalty * contact.depth;
    contact.stiffness = outer_product(row.penalty, row.normal);
    // damping while the points approach: v by finite difference over the step
    const Vec3 motion = (b - point_before(second, row.second_point)) - (a - point_before(first, row.first_point));
    const double along = dot(motion, row.normal);
    if (settings.penalty_damping > 0 && along < 0)
    {
        // dissipative: it acts against approach alone, and never pulls
        const double damping = settings.penalty_damping * row.penalty / dt;
        normal -= damping * along;
        const Mat3 more = outer_product(damping, row.normal);
        for (int i = 0; i < 9; ++i) contact.stiffness.m[i] += more.m[i];
    }
    // friction along the slip, as stiff as its secant: K += factor (I - n nᵀ)
    const Vec3 slip = motion - along * row.normal + dt * drift;
    const double factor = friction_factor(row.friction * normal, norm(slip), kSlowSlip * dt);
    // the force is -factor slip, |force| = friction N once the slip is faster than kSlowSlip
    contact.force = normal * row.normal - factor * slip;
    const Mat3 projected = outer_product(-factor, row.normal);
    for (int i = 0; i < 9; ++i) contact.stiffness.m[i] += projected.m[i] + (i % 4 == 0 ? factor : 0);
    return contact;
}

BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int group, BlockWork& work)
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
        const PenaltyContact contact =
            evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)], work.dt,
                             work.drift_of(side.row).linear);
        // no E, no force: a penalty does not pull
        if (contact.depth <= 0) continue;
        // the second body feels the force, the first the opposite at its own arm
        const Vec3& arm = side.side > 0 ? contact.second_arm : contact.first_arm;
        system.force += side.side * contact.force;
        system.torque += cross(arm, side.side * contact.force);
        add_stiffness(contact.stiffness, arm, system);
    }
    // rows without multipliers: start_penalties() has cleared lambda, so that k C alone acts
    // joints and the medium, with the same rows and forces as in the augmented mode
    add_medium(layout, group, work, system);
    work.diagonal[at(group)] = {};
    work.right[at(group)] = {};
    add_joints(layout, group, work.scratch[0], work);
    add_matrix(work.diagonal[at(group)], work.right[at(group)], system);
    return system;
}

void start_penalties(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work)
{
    // k <- gamma k, inside [k_min, k_max]; the rows of contacts have taken gamma with their warm start
    // one interval for contacts and joints, in N/m: the units of [VBD-R]
    const auto bounded = [&](double k) { return std::clamp(k, settings.penalty_start, settings.penalty_limit); };
    for (ContactRow& row : rows) row.penalty = bounded(row.penalty);
    // joints: k from the last step; rows of dofs and tendons are springs without multipliers
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        LinkState& state = work.links[l];
        LinkMemory& memory = work.link_memory[l];
        memory.lambda = {};
        memory.limit = memory.friction = memory.spring = {};
        state.linear_penalty = bounded(settings.keep * memory.penalty);
        state.angular_penalty = state.linear_penalty * layout.links[l].arm * layout.links[l].arm;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        double& penalty = work.loop_memory[l].penalty;
        penalty = bounded(settings.keep * penalty);
        // all rows of a loop ramp together, turns at its arm
        set_loop_penalty(layout, static_cast<int>(l), penalty, work);
    }
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
        set_tendon_penalty(static_cast<int>(r), bounded(work.tendon_memory[r].penalty), work);
}

void solve_bodies(const Layout& layout, const Settings& settings, const Colouring& colouring,
                  const std::vector<ContactRow>& rows, BlockWork& work)
{
    // blocks are sorted by colour: the order of Gauss and Seidel
    for (const int block : colouring.blocks)
    {
        const int group = layout.order[at(layout.blocks[at(block)].begin)];
        const Increment<double> step = solve(assemble_penalty(layout, settings, rows, group, work));
        // x <- x + d_linear, R <- exp(d_angular) R
        Body& body = work.bodies[at(group)];
        body.delta.linear += step.linear;
        body.rotation_now = normalized(exponential(step.angular) * body.rotation_now);
        // the rotation vector from x_t is what velocities are taken from
        body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
    }
}

void ramp_penalties(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work)
{
    // k <- min(k + beta |C|, k_max): C the depth of a contact, the opening of a joint
    const auto ramped = [&](double k, double violation)
    { return std::min(k + settings.penalty_ramp * violation, settings.penalty_limit); };
    for (ContactRow& row : rows)
    {
        const PenaltyContact contact =
            evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)], work.dt);
        // a contact that is apart keeps its k
        row.penalty = ramped(row.penalty, std::max(0.0, contact.depth));
    }
    // joints open by |C|; turns at the length of their arm
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        LinkState& state = work.links[l];
        // |C| of the position alone, as in Newton's ball joint
        place_link(layout, layout.links[l], work.bodies, state);
        state.linear_penalty = ramped(state.linear_penalty, norm(linear_of(state.error)));
        state.angular_penalty = state.linear_penalty * layout.links[l].arm * layout.links[l].arm;
        work.link_memory[l].penalty = state.linear_penalty;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const int loop = static_cast<int>(l);
        double& penalty = work.loop_memory[l].penalty;
        penalty = ramped(penalty, find_loop_opening(layout, loop, work));
        set_loop_penalty(layout, loop, penalty, work);
    }
    for (int r = 0; r < static_cast<int>(layout.tendon_rows.size()); ++r)
        set_tendon_penalty(r, ramped(work.tendon_memory[at(r)].penalty, find_tendon_violation(layout, r, work)), work);
}

void record_loads(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work)
{
    // contacts: the force along the normal, and the rest of it
    for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    {
        ContactRow& row = rows[at(r)];
        const PenaltyContact contact = evaluate_penalty(row, settings, work.bodies[at(row.first)],
                                                        work.bodies[at(row.second)], work.dt, work.drift_of(r).linear);
        // what a sensor reads as the contact's force
        row.normal_lambda = dot(contact.force, row.normal);
        row.tangent_lambda = contact.force - row.normal_lambda * row.normal;
    }
    // joints: k C, by the same functions as with multipliers, which are zero here
    for (std::size_t l = 0; l < layout.links.size(); ++l)
        work.link_memory[l].lambda = constraint_wrench(work.links[l], layout.links[l], {}, work.error_fraction);
    for (std::size_t l = 0; l < layout.loops.size(); ++l) update_loop_dual(layout, static_cast<int>(l), work);
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        if (layout.tendon_rows[r].equality >= 0) update_tendon_dual(layout, static_cast<int>(r), true, 0, work);
    }
}

}  // namespace rattleback::avbd
