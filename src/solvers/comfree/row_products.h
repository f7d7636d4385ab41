// Products with single rows of J, and what a law sees of a stage of a step.
#pragma once

#include "solvers/comfree/parameters.h"

#include "dynamics/impedance.h"

namespace rattleback::comfree
{

/// A stage of a step: where a law finds its impulses. T = double, or DualPack for derivatives.
template <class T>
struct StageOf
{
    const Workspace<T>& w;  ///< position and velocity stages done, with the factor of `mass`
    const Contacts& contacts;
    const ConstraintRows& rows;   ///< along the axes of contacts
    std::span<const T> velocity;  ///< [row] u_s = J v_smooth: rates of the residuals without constraints
    double dt = 0;                ///< [s]
    std::span<const T> value = {}, position = {};  ///< J and residuals in the pattern of the rows
    GainsOf<T> gains = {};                         ///< of all rows
    std::span<const Gains> contact_gains = {};     ///< [contact] in place of these; empty: none
    std::span<const T> mass = {};                  ///< M, or what the integrator has in its place

    GainsOf<T> find_gains(int contact) const
    {
        if (contact_gains.empty() || contact < 0) return gains;
        const Gains& own = contact_gains[static_cast<std::size_t>(contact)];
        return {T(own.stiffness), T(own.damping)};
    }
    /// The greatest part of an overlap that some row takes back in a step.
    T largest_share() const
    {
        T share = gains.push_share(dt);
        for (const Gains& own : contact_gains) share = maximum(share, T(own.push_share(dt)));
        return share;
    }
};
using StageView = StageOf<double>;

/// J x and x += Jᵀ f of one row of a stage.
template <class T>
T multiply_stage_row(const StageOf<T>& stage, int row, std::span<const T> x)
{
    T sum = T(0.0);
    for (int k = stage.rows.begin[row]; k < stage.rows.begin[row + 1]; ++k)
        sum += stage.value[k] * x[stage.rows.column[k]];
    return sum;
}
template <class T>
void add_stage_row(const StageOf<T>& stage, int row, const T& f, std::span<T> x)
{
    for (int k = stage.rows.begin[row]; k < stage.rows.begin[row + 1]; ++k)
        x[stage.rows.column[k]] += stage.value[k] * f;
}

/// J x of one row.
inline double multiply_row(const ConstraintRows& rows, int row, std::span<const double> x)
{
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * x[rows.column[k]];
    return sum;
}

/// x += Jᵀ f of one row.
inline void add_row(const ConstraintRows& rows, int row, double f, std::span<double> x)
{
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) x[rows.column[k]] += rows.value[k] * f;
}

/// Inverse weights at q0 of the two bodies of a contact together.
template <class T>
struct PairWeight
{
    T linear{}, angular{};
};

/// A body whose translations (or rotations) weigh nothing, because no joint moves it so, has those of the other part:
/// nothing but for rounding, a lever of less than a micrometre.
template <class T>
PairWeight<T> find_pair_weight(const WorkspaceView<T>& w, int first_body, int second_body)
{
    constexpr double kEmpty = 1e-14;
    PairWeight<T> sum;
    for (const int body : {first_body, second_body})
    {
        const T linear = w.body_weight[2 * body], angular = w.body_weight[2 * body + 1];
        sum.linear += select(linear > T(kEmpty) * angular, linear, angular);
        sum.angular += select(angular > T(kEmpty) * linear, angular, linear);
    }
    return sum;
}
inline PairWeight<double> find_pair_weight(const Workspace<double>& w, const Contact& contact)
{
    return find_pair_weight<double>(w, contact.first_body.index, contact.second_body.index);
}

/// The softness of a row that is not a contact's.
const Softness& find_softness(const Model& model, const ConstraintRows& rows, int row);

}  // namespace rattleback::comfree
