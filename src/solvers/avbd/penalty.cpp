// The iteration of [VBD-R]: blocks with penalties, Schur solves, ramps.
#include "solvers/avbd/penalty.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/loops.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr double kSlowSlip = 1e-2;  // [m/s]: friction is smooth below (Newton's source, friction_epsilon)

Vec3 point_now(const Body& body, const Vec3& local) { return body.center_now() + rotate(body.turned, local); }
Vec3 point_before(const Body& body, const Vec3& local) { return body.center + rotate(body.rotation, local); }

Mat3 outer(double scale, const Vec3& n)
{
    Mat3 m;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) m(i, j) = scale * n[i] * n[j];
    }
    return m;
}

/// linear += K, coupling += [r] K, angular += [r] K [r]ᵀ.
void add_stiffness(const Mat3& k, const Vec3& r, BodySystem<double>& system)
{
    const Mat3 skew{{0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0}};
    const Mat3 coupling = skew * k;
    const Mat3 angular = coupling * transpose(skew);
    system.linear += to_symmetric(k);
    for (int i = 0; i < 9; ++i) system.coupling.m[i] += coupling.m[i];
    system.angular += to_symmetric(angular);
}

void add_matrix(const Matrix6& a, const Vector6& right, BodySystem<double>& system)
{
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

/// Forces at the present poses, for reports and for joints that may break.
void note_loads(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work)
{
    for (ContactRow& row : rows)
    {
        const PenaltyContact contact =
            evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)], work.dt);
        row.pressure = dot(contact.force, row.normal);
        row.drag = contact.force - row.pressure * row.normal;
    }
    for (std::size_t l = 0; l < layout.links.size(); ++l)
        work.link_memory[l].hold = hold_wrench(work.links[l], layout.links[l], {}, work.counted);
    for (std::size_t l = 0; l < layout.loops.size(); ++l) raise_loop(layout, static_cast<int>(l), work);
}

void raise_penalties(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work)
{
    for (ContactRow& row : rows)
    {
        const PenaltyContact contact =
            evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)], work.dt);
        row.stiffness =
            std::min(row.stiffness + settings.penalty_ramp * std::max(0.0, contact.depth), settings.penalty_limit);
    }
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        LinkState& state = work.links[l];
        place_link(layout, layout.links[l], work.bodies, state);
        const double violation = norm(linear_of(state.error));
        state.hold_linear = std::min(state.hold_linear + settings.penalty_ramp * violation, settings.penalty_limit);
        state.hold_angular = state.hold_linear * layout.links[l].arm * layout.links[l].arm;
        work.link_memory[l].stiffness = state.hold_linear;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const int loop = static_cast<int>(l);
        double& stiffness = work.loop_memory[l].stiffness;
        stiffness =
            std::min(stiffness + settings.penalty_ramp * find_loop_opening(layout, loop, work), settings.penalty_limit);
        set_loop_penalty(layout, loop, stiffness, work);
    }
}

}  // namespace

PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt)
{
    PenaltyContact contact;
    const Vec3 a = point_now(first, row.first_point), b = point_now(second, row.second_point);
    contact.first_arm = a - first.center_now();
    contact.second_arm = b - second.center_now();
    contact.depth = row.margin - dot(b - a, row.normal);
    if (contact.depth <= 0) return contact;
    contact.energy = 0.5 * row.stiffness * contact.depth * contact.depth;
    double normal = row.stiffness * contact.depth;
    contact.stiffness = outer(row.stiffness, row.normal);
    const Vec3 moved = (b - point_before(second, row.second_point)) - (a - point_before(first, row.first_point));
    const double along = dot(moved, row.normal);
    if (settings.penalty_damping > 0 && along < 0)
    {
        const double damping = settings.penalty_damping * row.stiffness / dt;
        normal -= damping * along;
        const Mat3 more = outer(damping, row.normal);
        for (int i = 0; i < 9; ++i) contact.stiffness.m[i] += more.m[i];
    }
    const Vec3 slip = moved - along * row.normal;
    const double factor = friction_factor(row.friction * normal, norm(slip), kSlowSlip * dt);
    contact.force = normal * row.normal - factor * slip;
    const Mat3 projected = outer(-factor, row.normal);
    for (int i = 0; i < 9; ++i) contact.stiffness.m[i] += projected.m[i] + (i % 4 == 0 ? factor : 0);
    return contact;
}

BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int part, BlockWork& work)
{
    const Body& body = work.bodies[at(part)];
    const double inverse = 1 / (work.dt * work.dt);
    BodySystem<double> system;
    add_diagonal(system.linear, inverse * body.mass);
    const Mat3 axes = to_matrix(body.turned);
    const Mat3 inertia = axes * layout.parts[at(part)].inertia * transpose(axes);
    system.angular = to_symmetric(inertia);
    for (double& value : system.angular.m) value *= inverse;
    const Quat target = exponential(body.target.angular) * body.rotation;
    system.force = inverse * body.mass * (body.target.linear - body.moved.linear);
    system.torque = inverse * (inertia * logarithm(target * conjugate(body.turned)));
    for (int c = work.contact_begin[at(part)]; c < work.contact_begin[at(part) + 1]; ++c)
    {
        const BlockContact& side = work.contacts[at(c)];
        const ContactRow& row = rows[at(side.row)];
        const PenaltyContact contact =
            evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)], work.dt);
        if (contact.depth <= 0) continue;
        const Vec3& arm = side.side > 0 ? contact.second_arm : contact.first_arm;
        system.force += side.side * contact.force;
        system.torque += cross(arm, side.side * contact.force);
        add_stiffness(contact.stiffness, arm, system);
    }
    work.diagonal[at(part)] = {};
    work.right[at(part)] = {};
    add_joints(layout, part, work.scratch[0], work);
    add_matrix(work.diagonal[at(part)], work.right[at(part)], system);
    return system;
}

void solve_by_penalties(const Layout& layout, const Settings& settings, const Colouring& colouring,
                        std::vector<ContactRow>& rows, BlockWork& work)
{
    work.counted = 1;
    for (ContactRow& row : rows)
        row.stiffness = std::clamp(row.stiffness, settings.penalty_start, settings.penalty_limit);
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        LinkState& state = work.links[l];
        work.link_memory[l].hold = {};  // no multipliers in this mode
        work.link_memory[l].limit = work.link_memory[l].friction = work.link_memory[l].spring = {};
        state.hold_linear =
            std::clamp(settings.keep * work.link_memory[l].stiffness, settings.penalty_start, settings.penalty_limit);
        state.hold_angular = state.hold_linear * layout.links[l].arm * layout.links[l].arm;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        double& stiffness = work.loop_memory[l].stiffness;
        stiffness = std::clamp(settings.keep * stiffness, settings.penalty_start, settings.penalty_limit);
        set_loop_penalty(layout, static_cast<int>(l), stiffness, work);
    }
    for (int iteration = 0; iteration < settings.iterations; ++iteration)
    {
        for (const int block : colouring.blocks)
        {
            const int part = layout.order[at(layout.blocks[at(block)].begin)];
            const Increment<double> step = solve(assemble_penalty(layout, settings, rows, part, work));
            Body& body = work.bodies[at(part)];
            body.moved.linear += step.linear;
            body.turned = normalized(exponential(step.angular) * body.turned);
            body.moved.angular = logarithm(body.turned * conjugate(body.rotation));
        }
        if (iteration + 1 == settings.iterations) note_loads(layout, settings, rows, work);
        raise_penalties(layout, settings, rows, work);
    }
}

}  // namespace rattleback::avbd
