// Rows of equalities: connect, weld, and couplings of joints or tendons.
#include "dynamics/ties.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

namespace
{

void add_body_equality(const RowBuilder& b, int equality)
{
    const Equalities& all = b.model.equalities;
    // Bodies: points that stay together, or whole frames.
    const bool weld = all.type[equality] == EqualityType::weld;
    const int first_body = all.first[equality], second_body = all.second[equality];
    // Dofs above both bodies stay in the chain: where the anchors are apart they turn the residual.
    const BodyPairChain& chain = find_chain(b, first_body, second_body, true);
    if (chain.dof.empty()) return;

    // Residual r, its rate J v and J' v, which a_ref has to make up for.
    const TieFrame first = place_frame(b.w, first_body, all.first_frame[equality]);
    const TieFrame second = place_frame(b.w, second_body, all.second_frame[equality]);
    const double scale = all.torque_scale[equality];
    const Mat3 rate = weld ? make_rotation_rate(first.rotation, second.rotation, scale) : Mat3{};
    const TieResidual residual = find_tie_residual(first, second, rate, scale, weld);

    const int count = weld ? 6 : 3, row = b.rows.count();
    const std::size_t n = chain.dof.size();
    // J: how each dof moves the difference of the frames.
    double* jacobian = append_rows(b.rows, RowKind::equality, equality, count, chain.dof);
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto [linear, angular] = find_difference(b.w, first, second, chain.dof[i], chain.side[i]);
        const Vec3 turned = rate * angular;
        for (int k = 0; k < 3; ++k) jacobian[static_cast<std::size_t>(k) * n + i] = linear[k];
        for (int k = 3; k < count; ++k) jacobian[static_cast<std::size_t>(k) * n + i] = turned[k - 3];
    }

    const std::span<const double> weights = b.w.body_weight;
    // One impedance for all rows, at the length of the residual.
    const RowResponse response = b.respond_tie(all.softness[equality], residual.norm());
    for (int k = 0; k < count; ++k)
    {
        // A-hat of the row: translations and rotations of a body have one inverse weight each, measured at q0.
        // The sum over both bodies, as if each moved without the other.
        const double diagonal = weights[2 * first_body + k / 3] + weights[2 * second_body + k / 3];
        finish_row(b, row + k,
                   {.position = residual.position[k],
                    .velocity = residual.velocity[k],
                    .diagonal = diagonal,
                    .product = residual.product[k]},
                   response);
    }
}

void finish_coupling(const RowBuilder& b, int equality, double residual, double diagonal)
{
    // One row, which was appended last. As in MuJoCo, a_ref leaves out the velocity product p'' x'^2 of a coupling.
    const int row = b.rows.count() - 1;
    // The violation of a coupling is its one residual.
    const RowResponse response = b.respond_tie(b.model.equalities.softness[equality], residual);
    finish_row(b, row, {.position = residual, .velocity = row_velocity(b, row), .diagonal = diagonal}, response);
}

void add_joint_coupling(const RowBuilder& b, int equality)
{
    const Model& m = b.model;
    const int first = m.equalities.first[equality], second = m.equalities.second[equality];
    // Coordinates are measured from q0, where the coupling holds with the polynomial's constant.
    const auto offset = [&](int joint)
    {
        const int q = m.joints.q_begin[joint];
        return b.w.q[q] - m.q0[q];
    };
    const TieCoupling coupling = evaluate_coupling(m.equalities.polynomial[equality], offset(first),
                                                   second < 0 ? 0 : offset(second), second < 0);
    const int dof = m.joints.v_begin[first];
    double diagonal = b.w.dof_weight[dof];
    if (second < 0)
    {
        // A joint that is held where the constant says.
        append_rows(b.rows, RowKind::equality, equality, 1, {&dof, 1})[0] = 1;
    }
    else
    {
        const int other = m.joints.v_begin[second];
        // Columns of a row stand by index.
        const std::array<int, 2> columns{std::min(dof, other), std::max(dof, other)};
        double* jacobian = append_rows(b.rows, RowKind::equality, equality, 1, columns);
        // y - y0 = p(x - x0): the rate is y' - p' x'.
        jacobian[dof < other ? 0 : 1] = 1;
        jacobian[dof < other ? 1 : 0] = -coupling.slope;
        diagonal += b.w.dof_weight[other];
    }
    finish_coupling(b, equality, coupling.residual, diagonal);
}

void add_tendon_coupling(const RowBuilder& b, int equality)
{
    const Tendons& tendons = b.model.tendons;
    const int first = b.model.equalities.first[equality], second = b.model.equalities.second[equality];
    // Lengths are measured from those at q0.
    const auto offset = [&](int tendon) { return b.w.tendon_length[tendon] - tendons.length[tendon]; };
    const TieCoupling coupling = evaluate_coupling(b.model.equalities.polynomial[equality], offset(first),
                                                   second < 0 ? 0 : offset(second), second < 0);
    const TendonRow of_first = find_tendon_row(b, first);
    const TendonRow of_second = second < 0 ? TendonRow{} : find_tendon_row(b, second);
    BodyPairChain& chain = b.rows.chain;  // as scratch
    chain.first_body = -1;
    chain.dof.clear();
    // Columns of both tendons, each once.
    std::set_union(of_first.dof.begin(), of_first.dof.end(), of_second.dof.begin(), of_second.dof.end(),
                   std::back_inserter(chain.dof));
    if (chain.dof.empty()) return;

    double* jacobian = append_rows(b.rows, RowKind::equality, equality, 1, chain.dof);
    const auto add = [&](const TendonRow& tendon, double scale)
    {
        std::size_t place = 0;
        for (std::size_t i = 0; i < tendon.dof.size(); ++i)
        {
            // Both lists are sorted: one walk.
            while (chain.dof[place] != tendon.dof[i]) ++place;
            jacobian[place] += scale * tendon.jacobian[i];
        }
    };
    // J = J_1 - p' J_2.
    add(of_first, 1);
    add(of_second, -coupling.slope);
    // A-hat adds up the inverse weights of what the row moves.
    const double diagonal = b.w.tendon_weight[first] + (second < 0 ? 0 : b.w.tendon_weight[second]);
    finish_coupling(b, equality, coupling.residual, diagonal);
}

}  // namespace

void add_equality_rows(const RowBuilder& builder)
{
    const Equalities& all = builder.model.equalities;
    const std::span<const int> given = builder.input.equality_active;
    // The control's switches, or the Model's own where there are none.
    const std::span<const int> active = given.empty() ? std::span<const int>(all.active) : given;
    for (int e = 0; e < builder.model.equality_count(); ++e)
    {
        // Switched off: no rows.
        if (active[e] == 0) continue;
        switch (all.type[e])
        {
            // Three rows, or six.
            case EqualityType::connect:
            case EqualityType::weld:
                add_body_equality(builder, e);
                break;
            case EqualityType::joint:
                add_joint_coupling(builder, e);
                break;
            case EqualityType::tendon:
                add_tendon_coupling(builder, e);
                break;
            case EqualityType::cable:  // a feature of its own: solvers with these rows refuse it
                break;
        }
    }
}

}  // namespace rattleback
