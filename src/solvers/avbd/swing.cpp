// Choosing the trees that swing, and forces along their dofs by the midpoint rule.
#include "solvers/avbd/swing.h"

#include "base/index.h"
#include "dynamics/forces.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"
#include "solvers/avbd/springs.h"

#include <algorithm>
#include <cmath>

namespace rattleback::avbd
{

namespace
{

// What counts as resolved: h^2 k and h d up to a quarter of the inertia (half a radian of an oscillation in a step),
// and turns of a body by half a radian. Beyond, the midpoint rule is stable still but keeps what it swings in a wrong
// rhythm.
constexpr double kResolved = 0.25;
constexpr double kMostTurn = 0.5;
constexpr double kMostSkew = 2;   // of dofs that nearly share their motion: 30 degrees from gimbal lock
constexpr double kHeld = 3;       // at least, of a touched tree's joints, in units of the heavier side's mass over h^2
constexpr double kLookAhead = 3;  // steps within which no limit may be reached

bool is_kinematic(const Layout& layout, int group)
{
    return std::find(layout.kinematic.begin(), layout.kinematic.end(), group) != layout.kinematic.end();
}

bool is_smooth_link(const Layout& layout, const Link& link)
{
    if (is_kinematic(layout, link.parent)) return false;
    for (const int j : layout.joints(link))
    {
        // balls and free joints: springs whose stiffness all their dofs share
        const Joints& joints = layout.model->joints;
        const bool scalar = joints.type[at(j)] == JointType::hinge || joints.type[at(j)] == JointType::slide;
        const bool bent =
            joints.stiffness_polynomial[at(j)] != std::array<double, 2>{} || joints.spring_yield[at(j)] > 0;
        if (!scalar && bent) return false;
    }
    const auto begin = layout.model->dofs.dry_friction.begin() + link.v_begin;
    return std::all_of(begin, begin + link.dof_count, [](double friction) { return friction == 0; });
}

bool is_smooth_tendon(const Layout& layout, int row, const Block& block)
{
    const TendonRow& tendon = layout.tendon_rows[at(row)];
    return tendon.equality < 0 && tendon.in_block && block.closes_loops() &&
           layout.model->tendons.dry_friction[at(tendon.first)] == 0;
}

bool is_smooth_block(const Layout& layout, const Block& block)
{
    if (!block.tree || !layout.medium_parts.empty()) return false;
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)], link = layout.groups[at(group)].link;
        if (layout.loops_begin[at(group) + 1] > layout.loops_begin[at(group)]) return false;
        if (link >= 0 && !is_smooth_link(layout, layout.links[at(link)])) return false;
        for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
        {
            if (!is_smooth_tendon(layout, layout.tendons_of_group[at(k)], block)) return false;
        }
    }
    return true;
}

/// Stiffness and damping of all that acts along one coordinate.
struct Gains
{
    double stiffness = 0, damping = 0;

    void add(const Drives& drives, int index)
    {
        for (int d = drives.begin[at(index)]; d < drives.begin[at(index) + 1]; ++d)
        {
            stiffness += std::abs(drives.items[at(d)].slope);
            damping += std::abs(drives.items[at(d)].damping);
        }
    }
    bool resolved(double inertia, double dt) const
    {
        return dt * dt * stiffness <= kResolved * inertia && dt * damping <= kResolved * inertia;
    }
};

/// Whether a coordinate stays away from its bounds for some steps.
bool is_clear(const Range& range, double margin, double q, double rate, double dt)
{
    const double reach = margin + kLookAhead * dt * std::abs(rate);
    return !range.limited || (q - range.lower > reach && range.upper - q > reach);
}

/// A length of motions and wrenches at the arm of a link, in which both count alike.
double norm6(const Vector6& a, double arm)
{
    return std::sqrt(dot(linear_of(a), linear_of(a)) + arm * arm * dot(angular_of(a), angular_of(a)));
}

bool turns(const Model& model, const LinkDof& dof)
{
    return !dof.scalar || model.joints.type[at(dof.joint)] == JointType::hinge;
}

bool is_dof_free(const Model& model, const Link& link, const LinkState& state, std::size_t i, const BlockWork& work)
{
    const LinkDof& dof = state.dofs[i];
    const auto j = at(dof.joint);
    const double x = dof.scalar ? dof.q - model.spring_q[at(model.joints.q_begin[j])] - dof.yielded : 0;
    Gains gains{std::abs(find_tangent(model.joints.stiffness[j], model.joints.stiffness_polynomial[j], x)),
                std::abs(find_damper_gain(model, at(dof.dof), dof.rate).secant)};
    if (dof.scalar) gains.add(work.drives, dof.dof);
    if (!gains.resolved(dof.inertia, work.dt)) return false;
    // rates run away at gimbal lock, where D = K S (SᵀKS)^-1 does; 1 for dofs at right angles, D.S = 1 for any
    const double skew = norm6(state.axis[i], link.arm) * norm6(state.moment[i], 1 / link.arm);
    if (model.dofs.armature[at(dof.dof)] > 0 && !(skew <= kMostSkew)) return false;
    if (turns(model, dof) && !(work.dt * std::abs(dof.rate) <= kMostTurn)) return false;
    return !dof.scalar || is_clear(model.joints.range[j], model.joints.margin[j], dof.q, dof.rate, work.dt);
}

/// A light link under a heavy load swings across it as a string does, f r = I w^2: with h w up to one half.
bool is_tension_resolved(const Layout& layout, int index, const BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    const LinkState& state = work.links[at(index)];
    const double force = work.dt * work.dt * norm(linear_of(work.link_memory[at(index)].lambda));
    const auto holds = [&](int group, double arm)
    {
        const RigidGroup& rigid = layout.groups[at(group)];
        const double own = (rigid.inertia(0, 0) + rigid.inertia(1, 1) + rigid.inertia(2, 2)) / 3;
        return !rigid.dynamic || force * arm <= kResolved * (rigid.mass * arm * arm + own);
    };
    return holds(link.child, norm(state.child_arm)) && holds(link.parent, norm(state.parent_arm));
}

bool is_link_free(const Layout& layout, int index, const BlockWork& work)
{
    const Model& model = *layout.model;
    const Link& link = layout.links[at(index)];
    const LinkState& state = work.links[at(index)];
    if (work.link_memory[at(index)].broken != 0 || !is_tension_resolved(layout, index, work)) return false;
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        if (!is_dof_free(model, link, state, i, work)) return false;
    }
    // balls: the angle of their turn
    std::size_t taken = 0, k = 0;
    for (const int j : layout.joints(link))
    {
        const JointType type = model.joints.type[at(j)];
        if (type == JointType::ball && model.joints.range[at(j)].limited)
        {
            const Vec3 rate{state.dofs[k].rate, state.dofs[k + 1].rate, state.dofs[k + 2].rate};
            const double angle = norm(logarithm(unit_quaternion(&state.q[taken])));
            const double reach = model.joints.margin[at(j)] + kLookAhead * work.dt * norm(rate);
            if (model.joints.range[at(j)].upper - angle <= reach) return false;
        }
        taken += at(q_count(type));
        k += at(v_count(type));
    }
    return true;
}

bool is_tendon_free(const Layout& layout, int row, const BlockWork& work)
{
    const Tendons& tendons = layout.model->tendons;
    const TendonState& state = work.tendons[at(row)];
    const double stretch = find_stretch(find_band(layout, row, state), state.length);
    Gains gains{std::abs(find_tangent(tendons.stiffness[at(row)], tendons.stiffness_polynomial[at(row)], stretch)),
                std::abs(find_secant(tendons.damping[at(row)], tendons.damping_polynomial[at(row)],
                                     std::abs(state.start_rate)))};
    gains.add(work.tendon_drives, row);
    return gains.resolved(layout.tendon_rows[at(row)].mass, work.dt) &&
           is_clear(tendons.range[at(row)], tendons.margin[at(row)], state.length, state.start_rate, work.dt);
}

bool may_swing(const StepState& state, const Block& block)
{
    const Layout& layout = state.layout;
    const BlockWork& work = state.work;
    if (state.sleep && state.sleep->is_asleep(layout.order[at(block.begin)])) return false;
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)], link = layout.groups[at(group)].link;
        if (work.near_count[at(group)] > 0) return false;
        // written so that what is no number does not swing
        if (!(work.dt * norm(work.bodies[at(group)].velocity.angular) <= kMostTurn)) return false;
        if (link >= 0 && !is_link_free(layout, link, work)) return false;
        for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
        {
            if (!is_tendon_free(layout, layout.tendons_of_group[at(k)], work)) return false;
        }
    }
    return true;
}

/// Half the force of a ball's spring, at the mean of the turns from its rest, and its stiffness.
void add_ball_spring(const Model& model, std::size_t first, std::size_t taken, const LinkState& state,
                     DofForces& forces)
{
    const auto j = at(state.dofs[first].joint);
    const double stiffness = model.joints.stiffness[j];
    if (stiffness == 0) return;
    const auto begin = at(model.joints.q_begin[j]) + (model.joints.type[j] == JointType::free ? 3 : 0);
    const double* rest = &model.spring_q[begin];
    const Quat reference{rest[0], rest[1], rest[2], rest[3]};
    const Vec3 pull = rotation_spring(unit_quaternion(&state.q[taken]), reference) +
                      rotation_spring(unit_quaternion(&state.start_q[taken]), reference);
    for (int c = 0; c < 3; ++c)
    {
        forces.force[first + at(c)] += 0.25 * stiffness * pull[c];
        forces.stiffness[first + at(c)] += 0.25 * stiffness;
    }
}

/// Joints of a tree that is touched may bear its heavier side, whichever that is: k of at least kHeld times its mass
/// over h^2, or multipliers would need as many sweeps as the masses differ.
void stiffen_links(const Layout& layout, const Block& block, BlockWork& work)
{
    const auto touched = [&](int i) { return work.near_count[at(layout.order[at(i)])] > 0; };
    bool any = false;
    for (int i = block.begin; i < block.end && !any; ++i) any = touched(i);
    if (!any) return;
    for (int i = block.begin; i < block.end; ++i)
    {
        const int index = layout.groups[at(layout.order[at(i)])].link;
        if (index < 0) continue;
        const double least = kHeld * layout.links[at(index)].heavier_mass / (work.dt * work.dt);
        LinkState& state = work.links[at(index)];
        if (state.linear_penalty >= least) continue;
        state.angular_penalty *= least / state.linear_penalty;
        state.linear_penalty = least;
    }
}

}  // namespace

std::vector<char> find_smooth_blocks(const Layout& layout)
{
    std::vector<char> smooth;
    for (const Block& block : layout.blocks) smooth.push_back(is_smooth_block(layout, block) ? 1 : 0);
    return smooth;
}

void choose_swings(StepState& state)
{
    BlockWork& work = state.work;
    const Layout& layout = state.layout;
    // stabilisation `alpha` counts old errors in the sweeps: their correction is no velocity to be mirrored; sweeps
    // over single bodies of a tree do not converge
    const bool allowed = state.tree_blocks && state.settings.stabilisation == Stabilisation::post;
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
    {
        work.swings[b] = 0;
        const Block& block = layout.blocks[b];
        if (!allowed || state.smooth_blocks[b] == 0 || !may_swing(state, block)) continue;
        work.swings[b] = 1;
        for (int i = block.begin; i < block.end; ++i)
        {
            const int group = layout.order[at(i)], link = layout.groups[at(group)].link;
            Body& body = work.bodies[at(group)];
            body.swings = true;
            body.pivot = 0.5;
            if (link >= 0) work.links[at(link)].swings = true;
            for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
                work.tendons[at(layout.tendons_of_group[at(k)])].swings = true;
        }
    }
}

void stiffen_touched(const Layout& layout, BlockWork& work)
{
    for (const Block& block : layout.blocks)
    {
        if (block.tree) stiffen_links(layout, block, work);
    }
}

void finish_swings(BlockWork& work)
{
    for (LinkState& link : work.links)
    {
        if (link.swings) link.swings = link.placed = false;
    }
    for (TendonState& tendon : work.tendons) tendon.swings = false;
}

DofForces evaluate_swing(const Model& model, const Link& link, const LinkState& state, const Drives& drives, double dt)
{
    // M (v' - v) / h = F with v + v' = 2 (x - x_t) / h is M / h^2 (x - x_t - h v) = F / 2, F between the two ends
    DofForces forces;
    std::size_t taken = 0;  // in state.q
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        const LinkDof& dof = state.dofs[i];
        const auto d = at(dof.dof), j = at(dof.joint);
        const double advance = dof.q - dof.start, middle = 0.5 * (dof.q + dof.start);
        // damping on the mean rate; armature as the mass that it is
        const SpringGain damper = find_damper_gain(model, d, advance / dt);
        const double armature = model.dofs.armature[d] / (dt * dt);
        forces.force[i] +=
            0.5 * dof.applied + armature * dt * dof.rate - (0.5 * damper.secant / dt + armature) * advance;
        forces.stiffness[i] += 0.5 * damper.slope / dt + armature;
        const JointType type = model.joints.type[j];
        const int within = dof.dof - model.joints.v_begin[j];
        if (!dof.scalar && !(type == JointType::free && within < 3))
        {
            if (within != (type == JointType::free ? 3 : 0)) continue;
            add_ball_spring(model, i, taken, state, forces);
            taken += 4;
            continue;
        }
        const double x = middle - model.spring_q[at(model.joints.q_begin[j] + within)] - dof.yielded;
        const SpringGain gain = find_spring_gain(model, j, x);
        forces.force[i] -= 0.5 * gain.secant * x;
        forces.stiffness[i] += 0.25 * gain.slope;
        ++taken;
        if (!dof.scalar) continue;
        // the rate (q - q_t) / h is twice the way to the middle over h
        const DofForce drive =
            sum_drives(drives, dof.dof, middle, dof.start, model.joints.actuator_force_range[j], 0.5 * dt);
        forces.force[i] += 0.5 * drive.force;
        forces.stiffness[i] += 0.25 * drive.stiffness;
    }
    return forces;
}

}  // namespace rattleback::avbd
