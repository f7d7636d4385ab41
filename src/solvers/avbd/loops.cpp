// Connects, welds and joint couplings as rows with multipliers.
#include "solvers/avbd/loops.h"

#include "math/rotation.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Frame of a loop on one of its parts, world.
Pose frame_on(const Layout& layout, int part, const Pose& frame, const BlockWork& work)
{
    const Body& body = work.bodies[at(part)];
    const Pose own{body.center_now() - rotate(body.turned, layout.parts[at(part)].center), body.turned};
    return own * frame;
}

/// What the second joint of a coupling asks of the first, and the slope.
std::array<double, 2> evaluate_polynomial(const std::array<double, 5>& p, double d)
{
    const double value = p[0] + d * (p[1] + d * (p[2] + d * (p[3] + d * p[4])));
    const double slope = p[1] + d * (2 * p[2] + d * (3 * p[3] + d * 4 * p[4]));
    return {value, slope};
}

double slope_of(const Layout& layout, const Loop& loop, const BlockWork& work)
{
    if (loop.second_link < 0) return 0;
    const LinkDof& dof = work.links[at(loop.second_link)].dofs[at(loop.second_dof)];
    const double d = dof.q - layout.model->q0[at(layout.model->joints.q_begin[at(dof.joint)])];
    return evaluate_polynomial(layout.model->equalities.polynomial[at(loop.equality)], d)[1];
}

/// Direction in which a unit of the loop's row pushes a part: its dof rows of up to two links.
Vector6 coupling_direction(const Layout& layout, const Loop& loop, int part, const BlockWork& work)
{
    Vector6 direction{};
    const auto add_dof = [&](int l, int d, double scale)
    {
        const Link& link = layout.links[at(l)];
        const LinkState& state = work.links[at(l)];
        const double sign = link.part == part ? 1 : link.parent == part ? -1 : 0;
        if (sign == 0) return;
        const Vector6 moment = shift_wrench(state.moment[at(d)], state.anchor - work.bodies[at(part)].center_now());
        for (std::size_t c = 0; c < 6; ++c) direction[c] += sign * scale * moment[c];
    };
    add_dof(loop.first_link, loop.first_dof, 1);
    if (loop.second_link >= 0) add_dof(loop.second_link, loop.second_dof, -slope_of(layout, loop, work));
    return direction;
}

/// Calls `visit` once with each part that a loop touches.
template <class Visit>
void for_each_part(const Layout& layout, const Loop& loop, Visit visit)
{
    std::array<int, 4> parts{loop.first, loop.second, -1, -1};
    if (loop.second_link >= 0)
    {
        parts[2] = layout.links[at(loop.second_link)].part;
        parts[3] = layout.links[at(loop.second_link)].parent;
    }
    for (std::size_t i = 0; i < 4; ++i)
    {
        if (parts[i] >= 0 && std::find(parts.begin(), parts.begin() + i, parts[i]) == parts.begin() + i)
            visit(parts[i]);
    }
}

int first_in_block(const Layout& layout, const Loop& loop, int block)
{
    int found = -1;
    for_each_part(layout, loop,
                  [&](int part)
                  {
                      if (found < 0 && layout.parts[at(part)].dynamic && layout.parts[at(part)].block == block)
                          found = part;
                  });
    return found;
}

int parts_in_block(const Layout& layout, const Loop& loop, int block)
{
    int count = 0;
    for_each_part(layout, loop, [&](int part)
                  { count += layout.parts[at(part)].dynamic && layout.parts[at(part)].block == block ? 1 : 0; });
    return count;
}

Vector6 counted_error(const LoopState& state, const Vector6& error, double counted)
{
    Vector6 result;
    const double share = state.share < 1 ? state.softness : counted;  // soft loops always see all of their error
    for (std::size_t c = 0; c < 6; ++c) result[c] = error[c] - (1 - share) * state.start_error[c];
    return result;
}

/// Wrench on the first part (or force on the first dof) by multiplier and error.
Vector6 hold(const LoopState& state, const LoopMemory& memory, const Vector6& error)
{
    Vector6 wrench;
    for (std::size_t c = 0; c < 6; ++c)
        wrench[c] = state.share * (memory.hold[c] + (c < 3 ? state.linear : state.angular) * error[c]);
    return wrench;
}

}  // namespace

int owner_of(const Layout& layout, int index)
{
    const Loop& loop = layout.loops[at(index)];
    if (layout.parts[at(loop.first)].dynamic) return loop.first;
    if (layout.parts[at(loop.second)].dynamic) return loop.second;
    return loop.second_link >= 0 ? layout.links[at(loop.second_link)].part : -1;
}

Vector6 find_loop_error(const Layout& layout, int index, BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    if (loop.type == EqualityType::joint)
    {
        for (const int l : {loop.first_link, loop.second_link})
        {
            if (l >= 0) place_link(layout, layout.links[at(l)], work.bodies, work.links[at(l)]);
        }
        const auto from_reference = [&](int l, int d)
        {
            const LinkDof& dof = work.links[at(l)].dofs[at(d)];
            return dof.q - layout.model->q0[at(layout.model->joints.q_begin[at(dof.joint)])];
        };
        const double second = loop.second_link < 0 ? 0 : from_reference(loop.second_link, loop.second_dof);
        const double wanted = evaluate_polynomial(layout.model->equalities.polynomial[at(loop.equality)], second)[0];
        // the wrench on the first part is +hold * error, so the error counts what is missing
        return {wanted - from_reference(loop.first_link, loop.first_dof), 0, 0, 0, 0, 0};
    }
    const Pose first = frame_on(layout, loop.first, loop.first_frame, work);
    const Pose second = frame_on(layout, loop.second, loop.second_frame, work);
    const Vec3 turned =
        loop.type == EqualityType::weld ? logarithm(second.rotation * conjugate(first.rotation)) : Vec3{};
    return make_vector6(second.position - first.position, turned);
}

double loop_violation(const Layout& layout, int index, BlockWork& work)
{
    const LoopState& state = work.loops[at(index)];
    if (work.loop_memory[at(index)].broken != 0) return 0;
    const Vector6 error = counted_error(state, find_loop_error(layout, index, work), work.counted);
    double sum = 0;
    for (std::size_t c = 0; c < 6; ++c) sum += (c < 3 ? state.linear : state.angular) * error[c] * error[c];
    return sum;
}

void add_loop(const Layout& layout, int index, int part, BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    const LoopState& state = work.loops[at(index)];
    const LoopMemory& memory = work.loop_memory[at(index)];
    if (memory.broken != 0) return;
    const int block = layout.parts[at(part)].block;
    const int touched = parts_in_block(layout, loop, block);
    const bool inside = touched > 1 && layout.blocks[at(block)].closes_loops();
    const Vector6 error = counted_error(state, find_loop_error(layout, index, work), work.counted);
    const Vector6 wrench = hold(state, memory, error);
    const bool coupling = loop.type == EqualityType::joint;
    const int rows = coupling ? 1 : loop.type == EqualityType::weld ? 6 : 3;
    const Vec3 point = coupling ? Vec3{} : frame_on(layout, loop.second, loop.second_frame, work).position;
    const auto direction_of = [&](int of, int row)
    {
        if (coupling) return coupling_direction(layout, loop, of, work);
        Vector6 unit{};
        unit[at(row)] = of == loop.first ? 1 : -1;
        return shift_wrench(unit, point - work.bodies[at(of)].center_now());
    };
    const bool first_visit = inside && part == first_in_block(layout, loop, block);
    for (int row = 0; row < rows; ++row)
    {
        const Vector6 own = direction_of(part, row);
        const double stiffness = state.share * (row < 3 ? state.linear : state.angular);
        for (std::size_t c = 0; c < 6; ++c) work.right[at(part)][c] += wrench[at(row)] * own[c];
        // couplings that are left out are bounded by the diagonal times the number of parts
        if (!inside) work.diagonal[at(part)].add_outer(touched * stiffness, own, own);
        if (!first_visit) continue;
        LoopRow exact;
        exact.stiffness = stiffness;
        std::size_t count = 0;
        for_each_part(layout, loop,
                      [&](int of)
                      {
                          if (!layout.parts[at(of)].dynamic || layout.parts[at(of)].block != block) return;
                          exact.part[count] = of;
                          exact.direction[count++] = direction_of(of, row);
                      });
        work.loop_rows.push_back(exact);
    }
}

void raise_loop(const Layout& layout, int index, BlockWork& work)
{
    const LoopState& state = work.loops[at(index)];
    LoopMemory& memory = work.loop_memory[at(index)];
    if (memory.broken != 0) return;
    memory.hold = hold(state, memory, counted_error(state, find_loop_error(layout, index, work), work.counted));
}

void break_joints(const Layout& layout, BlockWork& work)
{
    const auto beyond = [](const Vector6& hold, double force, double torque)
    { return norm(linear_of(hold)) > force || norm(angular_of(hold)) > torque; };
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        const Link& link = layout.links[l];
        LinkMemory& memory = work.link_memory[l];
        if (link.breakable && beyond(memory.hold, link.break_force, link.break_torque)) memory.broken = 1;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const auto e = at(layout.loops[l].equality);
        const Equalities& equalities = layout.model->equalities;
        LoopMemory& memory = work.loop_memory[l];
        if (beyond(memory.hold, equalities.break_force[e], equalities.break_torque[e])) memory.broken = 1;
    }
}

void start_loops(const Layout& layout, double scale, BlockWork& work)
{
    for (std::size_t i = 0; i < layout.loops.size(); ++i)
    {
        const Loop& loop = layout.loops[i];
        LoopState& state = work.loops[i];
        const double h2 = work.dt * work.dt;
        const auto e = at(loop.equality);
        state.start_error = find_loop_error(layout, static_cast<int>(i), work);
        state.linear = scale * loop.carried / h2;
        state.angular = loop.type == EqualityType::weld ? state.linear * loop.arm * loop.arm : 0;
        double mass = loop.carried;
        if (loop.type == EqualityType::joint)
        {
            const LinkDof& dof = work.links[at(loop.first_link)].dofs[at(loop.first_dof)];
            mass = layout.model->dofs.inertia[at(dof.dof)];
            state.linear = scale * mass / h2;
        }
        const Compliance soft =
            find_compliance(layout.model->equalities.softness[e], mass, norm(linear_of(state.start_error)), work.dt);
        state.share = state.softness = 1;
        if (soft.stiffness <= 0) continue;
        const double total = soft.stiffness + soft.damping / work.dt;
        state.share = 1 / (1 + state.linear / total);
        state.softness = soft.stiffness / total;
    }
}

}  // namespace rattleback::avbd
