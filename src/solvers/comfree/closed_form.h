// The laws `printed` and `as_coded`: impulses in closed form from the predicted velocity alone ([ComFree] Eqs. 2 to
// 13).
#pragma once

#include "solvers/comfree/answers.h"
#include "solvers/comfree/row_products.h"

#include <optional>

namespace rattleback::comfree
{

/// T = double, or DualPack for derivatives at the facets and rows that act.
template <class T>
class ClosedForm
{
public:
    explicit ClosedForm(const Options& options)
        : options_(&options), facets_(options.facets), impedance_(static_cast<std::size_t>(facets_.count(6)) + 1)
    {
    }

    /// [row] Impulses along the rows of the stage.
    void find_impulses(const StageOf<T>& stage, std::span<T> impulse);

private:
    T find_row_impulse(const StageOf<T>& stage, int row);
    void find_contact_impulses(const StageOf<T>& stage, const RowCone& cone, T* impulse);
    void find_facet_impedances(const StageOf<T>& stage, const RowCone& cone);
    void find_exact_impedances(const StageOf<T>& stage, const RowCone& cone);
    T find_trace(const StageOf<T>& stage, const RowCone& cone);
    std::optional<FacetImpedanceOf<T>> find_own_impedance(const Softness& softness, int count, double dt) const;
    void find_path(const StageOf<T>& stage, int row);
    void find_delassus(const StageOf<T>& stage, int row, int count);
    T curve_ratio(const Softness& softness, const T& gap) const;
    static FacetImpedanceOf<T> scale(const GainsOf<T>& gains, const T& ratio, const T& weight, double dt);

    const Options* options_;
    FacetSet facets_;
    std::vector<FacetImpedanceOf<T>> impedance_;  ///< [facet] of the present contact
    std::vector<int> path_;                       ///< dofs of the present row and their ancestors
    std::vector<T> column_;                       ///< [dof] M^-1 of a row, on its path
    std::array<T, 36> delassus_{};                ///< J M^-1 Jᵀ of the present rows, [6][6]
};

}  // namespace rattleback::comfree
