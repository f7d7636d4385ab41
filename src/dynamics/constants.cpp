// Inertias and inverse weights at q0 (MuJoCo's dof_M0, dof_invweight0, body_invweight0, tendon_invweight0).
#include "dynamics/constants.h"

#include "dynamics/forces.h"
#include "dynamics/jacobian.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// A-hat of [MuJoCo] eq:impedance_R: one number per dof, tendon and body (two: translation and rotation) that says how
// much a unit force moves it at q0. Solvers take it for the diagonal of J M^-1 Jᵀ, which it is not in other poses.

/// J M^-1 Jᵀ of sparse rows J. L^-T only spreads entries to ancestors, so the cost is that of the ancestors alone.
class InverseWeight
{
public:
    explicit InverseWeight(const Workspace<double>& w) : w_(w), dense_(w.v.size(), 0.0), seen_(w.v.size(), 0) {}

    void add(int dof, double value) { dense_[dof] += value; }

    /// The weight of the row that was added, starting from `last` dofs; the row is cleared.
    double take(std::span<const int> last)
    {
        // M = LᵀDL gives J M^-1 Jᵀ = sum of y_d^2 / D_d with y = L^-T Jᵀ.
        const Dofs& dofs = w_.tree->model->dofs;
        list_.clear();
        // Dofs that the row reaches: its own and their ancestors, each once.
        for (const int start : last)
        {
            for (int d = start; d >= 0 && !seen_[d]; d = dofs.parent[d])
            {
                seen_[d] = 1;
                list_.push_back(d);
            }
        }
        // Descendants before ancestors: the substitution runs from the leaves to the root.
        if (last.size() > 1) std::sort(list_.rbegin(), list_.rend());  // one chain of ancestors is in order
        double sum = 0;
        for (const int d : list_)
        {
            // One step of Lᵀ y = x, as in scatter_to_ancestors, and the square of what it leaves.
            const double value = dense_[d];
            const double* row = &w_.factor[w_.tree->factor_begin[d]];
            for (int k = dofs.row_begin[d]; k < dofs.row_begin[d + 1] - 1; ++k)
            {
                dense_[dofs.row_column[k]] -= *row++ * value;
            }
            sum += value * value * w_.inverse_pivot[d];
            // Cleared on the way, so that the next row starts from zeros at the cost of this one.
            dense_[d] = 0;
            seen_[d] = 0;
        }
        return sum;
    }
    double take(int last) { return take(std::span(&last, 1)); }

private:
    const Workspace<double>& w_;
    std::vector<double> dense_;
    std::vector<char> seen_;
    std::vector<int> list_;
};

void place_at(Workspace<double>& w, std::span<const double> q)
{
    // Weights are constants of the model: taken once, at the pose q0, and not followed afterwards ([MuJoCo],
    // "Parameters": the approximation A-hat).
    std::copy(q.begin(), q.end(), w.q.begin());
    StageTimer timer(false);
    compute_position_stage(w, timer);
    factor_mass_matrix(w);
    // Joints that can do the same motion leave a pivot of zero, up to rounding: a weight as large as MuJoCo's.
    constexpr double kMost = 1e15;
    for (double& pivot : w.inverse_pivot)
    {
        if (!(pivot > 0 && pivot < kMost)) pivot = kMost;
    }
}

/// Mean of the three translational or rotational diagonal entries at the body's centre of mass.
double body_weight(const Workspace<double>& w, InverseWeight& weight, int body, bool rotational)
{
    const Model& model = *w.tree->model;
    const int last = model.bodies.last_dof[body];
    double sum = 0;
    // A unit force along each axis of the world; the mean makes the weight independent of the axes.
    for (int k = 0; k < 3; ++k)
    {
        // Row k of the body's Jacobian at its centre of mass.
        for (int d = last; d >= 0; d = model.dofs.parent[d])
        {
            const Motion<double>& dof = w.dof[d];
            // At the body's centre of mass, as MuJoCo's body_invweight0 is.
            const Vec3 velocity = rotational ? dof.angular : point_velocity(w, dof, body, w.center[body]);
            weight.add(d, velocity[k]);
        }
        sum += weight.take(last);
    }
    return sum / 3;
}

void compute_dof_weights(Model& model, const Workspace<double>& w, InverseWeight& weight)
{
    // The trace of M over its size: the scale of tolerances in solvers.
    double trace = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        // The diagonal entry stands last in its row of M.
        model.dofs.inertia[d] = w.mass_matrix[model.dofs.row_begin[d + 1] - 1];
        trace += model.dofs.inertia[d];
        // A unit row: the diagonal entry of M^-1.
        weight.add(d, 1);
        model.dofs.inverse_weight[d] = weight.take(d);
    }
    model.mean_inertia = model.v_count() > 0 ? trace / model.v_count() : 1;
    for (const TreeJoint& joint : w.tree->joints)
    {
        // the three axes of a ball, and of either half of a free joint, share their mean
        for (int first = 0; first + 3 <= v_count(joint.type); first += 3)
        {
            double* value = &model.dofs.inverse_weight[joint.v + first];
            value[0] = value[1] = value[2] = (value[0] + value[1] + value[2]) / 3;
        }
    }
}

double row_weight(InverseWeight& weight, const SparsePattern& pattern, std::span<const double> values, int row)
{
    const int begin = pattern.begin[row], end = pattern.begin[row + 1];
    // Of a row with several chains the substitution starts from all of their ends.
    for (int k = begin; k < end; ++k) weight.add(pattern.dof[k], values[k]);
    return weight.take(std::span(pattern.dof).subspan(begin, end - begin));
}

}  // namespace

void compute_constants(Model& model)
{
    const auto dofs = static_cast<std::size_t>(model.v_count());
    const auto tendons = static_cast<std::size_t>(model.tendon_count());
    // Sizes before values: loops below only write.
    model.dofs.inertia.assign(dofs, 0);
    model.dofs.inverse_weight.assign(dofs, 0);
    model.bodies.inverse_weight.assign(static_cast<std::size_t>(model.body_count()), {0, 0});
    model.tendons.length.assign(tendons, 0);
    model.tendons.inverse_weight.assign(tendons, 0);

    // The tree is made of the model as it stands; what is filled in below is not read by it.
    const Tree tree(model);
    Workspace<double> w(tree);
    // M(q0), factored once for all rows.
    place_at(w, model.q0);
    InverseWeight weight(w);
    compute_dof_weights(model, w, weight);
    for (const TreeBody& body : tree.bodies)
    {
        // Means over the three axes: one number each for translation and rotation.
        model.bodies.inverse_weight[body.body] = {body_weight(w, weight, body.body, false),
                                                  body_weight(w, weight, body.body, true)};
    }
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        model.tendons.length[t] = w.tendon_length[t];
        model.tendons.inverse_weight[t] = row_weight(weight, tree.tendon, w.tendon_jacobian, t);
    }
    // springs without a length of their own rest where the joints' springs do
    // Another pose: spring references need not be q0.
    place_at(w, model.spring_q);
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        auto& [lower, upper] = model.tendons.spring_length[t];
        if (lower < 0 && upper < 0) lower = upper = w.tendon_length[t];
    }
}

std::vector<double> compute_actuator_inertias(const Model& model)
{
    const Tree tree(model);
    Workspace<double> w(tree);
    place_at(w, model.q0);
    InverseWeight weight(w);
    std::vector<double> inertias;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        // 1 / (J M^-1 Jᵀ) is the mass that a force along the transmission moves.
        const double inverse = row_weight(weight, tree.moment, w.moment, a);
        inertias.push_back(inverse > 0 ? 1 / inverse : 0);
    }
    return inertias;
}

std::vector<double> compute_actuator_accelerations(const Model& model)
{
    const Tree tree(model);
    Workspace<double> w(tree);
    place_at(w, model.q0);
    std::vector<double> norms, acceleration(w.v.size());
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        std::fill(acceleration.begin(), acceleration.end(), 0.0);
        // A unit of force along the transmission, as joint forces.
        for (int k = tree.moment.begin[a]; k < tree.moment.begin[a + 1]; ++k)
            acceleration[tree.moment.dof[k]] = w.moment[k];
        // Qacc = M^-1 Jᵀ; its norm is what MuJoCo calls acc0.
        solve_in_place<double>(w, acceleration);
        double sum = 0;
        for (const double x : acceleration) sum += x * x;
        norms.push_back(std::sqrt(sum));
    }
    return norms;
}

}  // namespace rattleback
