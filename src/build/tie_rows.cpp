// Connects, welds and couplings as the solvers have them ([MuJoCo] eq:aref), one dense row after the other.
#include "build/tie_rows.h"

#include "base/index.h"
#include "dynamics/impedance.h"
#include "dynamics/ties.h"

namespace rattleback
{

namespace
{

/// What every row of an equality shares.
struct TieRows
{
    const Workspace<double>& w;
    const Model& model;
    double dt;
    std::vector<ReachRow>& rows;

    void add(std::vector<double> jacobian, double residual, double product, double weight, const RowResponse& response)
    {
        double velocity = 0;
        for (std::size_t d = 0; d < jacobian.size(); ++d) velocity += jacobian[d] * w.v[d];
        const double reference = -response.damping * velocity - response.stiffness * residual - product;
        rows.push_back({std::move(jacobian), reference, regulariser(response, weight)});
    }
    RowResponse respond(int equality, double violation) const
    {
        return respond_tie(model.equalities.softness[at(equality)], violation, dt, true);
    }
};

void add_body_tie(TieRows& ties, int e)
{
    const Workspace<double>& w = ties.w;
    const Equalities& all = ties.model.equalities;
    const bool weld = all.type[at(e)] == EqualityType::weld;
    const int bodies[] = {all.first[at(e)], all.second[at(e)]};
    const TieFrame first = place_frame(w, bodies[0], all.first_frame[at(e)]);
    const TieFrame second = place_frame(w, bodies[1], all.second_frame[at(e)]);
    const double scale = all.torque_scale[at(e)];
    const Mat3 rate = weld ? make_rotation_rate(first.rotation, second.rotation, scale) : Mat3{};
    const TieResidual residual = find_tie_residual(first, second, rate, scale, weld);
    const RowResponse response = ties.respond(e, residual.norm());
    // Which dofs move the first body (bit 1), the second (bit 2).
    std::vector<int> side(w.v.size());
    for (int k = 0; k < 2; ++k)
        for (int d = ties.model.bodies.last_dof[at(bodies[k])]; d >= 0; d = ties.model.dofs.parent[at(d)])
            side[at(d)] |= k + 1;
    for (int k = 0; k < (weld ? 6 : 3); ++k)
    {
        std::vector<double> jacobian(w.v.size());
        for (std::size_t d = 0; d < jacobian.size(); ++d)
        {
            if (side[d] == 0) continue;
            const auto [linear, angular] = find_difference(w, first, second, static_cast<int>(d), side[d]);
            jacobian[d] = k < 3 ? linear[k] : (rate * angular)[k - 3];
        }
        const auto& weights = ties.model.bodies.inverse_weight;
        const std::size_t kind = k < 3 ? 0 : 1;
        ties.add(std::move(jacobian), residual.position[at(k)], residual.product[at(k)],
                 weights[at(bodies[0])][kind] + weights[at(bodies[1])][kind], response);
    }
}

void add_coupling(TieRows& ties, int e)
{
    const Model& m = ties.model;
    const Workspace<double>& w = ties.w;
    const bool joints = m.equalities.type[at(e)] == EqualityType::joint;
    const int first = m.equalities.first[at(e)], second = m.equalities.second[at(e)];
    // Coordinates and lengths are measured from those at q0.
    const auto offset = [&](int i)
    {
        if (!joints) return w.tendon_length[at(i)] - m.tendons.length[at(i)];
        const std::size_t q = at(m.joints.q_begin[at(i)]);
        return w.q[q] - m.q0[q];
    };
    const TieCoupling coupling =
        evaluate_coupling(m.equalities.polynomial[at(e)], offset(first), second < 0 ? 0 : offset(second), second < 0);
    std::vector<double> jacobian(w.v.size());
    double weight = 0;
    const auto add = [&](int i, double scale)
    {
        const SparsePattern& pattern = w.tree->tendon;
        weight += joints ? m.dofs.inverse_weight[at(m.joints.v_begin[at(i)])] : m.tendons.inverse_weight[at(i)];
        if (joints) jacobian[at(m.joints.v_begin[at(i)])] += scale;
        for (int k = joints ? 0 : pattern.begin[at(i)]; !joints && k < pattern.begin[at(i) + 1]; ++k)
            jacobian[at(pattern.dof[at(k)])] += scale * w.tendon_jacobian[at(k)];
    };
    // J = J_1 - p' J_2
    add(first, 1);
    if (second >= 0) add(second, -coupling.slope);
    ties.add(std::move(jacobian), coupling.residual, 0, weight, ties.respond(e, coupling.residual));
}

}  // namespace

void add_tie_rows(const Workspace<double>& w, double dt, std::vector<ReachRow>& rows)
{
    const Model& model = *w.tree->model;
    TieRows ties{w, model, dt, rows};
    for (int e = 0; e < model.equality_count(); ++e)
    {
        const EqualityType type = model.equalities.type[at(e)];
        if (model.equalities.active[at(e)] == 0 || type == EqualityType::cable) continue;
        if (type == EqualityType::connect || type == EqualityType::weld)
            add_body_tie(ties, e);
        else
            add_coupling(ties, e);
    }
}

}  // namespace rattleback
