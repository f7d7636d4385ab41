// The laws `printed` and `as_coded`: impulses in closed form from the predicted velocity alone ([ComFree] Eqs. 2 to
// 13).
#pragma once

#include "solvers/comfree/parameters.h"
#include "solvers/comfree/row_products.h"

#include <optional>

namespace rattleback::comfree
{

class ClosedForm
{
public:
    explicit ClosedForm(const Options& options)
        : options_(&options), facets_(options.facets), impedance_(static_cast<std::size_t>(facets_.count(6)) + 1)
    {
    }

    /// [row] Impulses along the rows of the stage.
    void find_impulses(const StageView& stage, std::span<double> impulse);

private:
    double find_row_impulse(const StageView& stage, int row);
    void find_contact_impulses(const StageView& stage, const RowCone& cone, double* impulse);
    void find_facet_impedances(const StageView& stage, const RowCone& cone);
    void find_exact_impedances(const StageView& stage, const RowCone& cone);
    double find_trace(const StageView& stage, const RowCone& cone);
    std::optional<FacetImpedance> find_own_impedance(const Softness& softness, int count, double dt) const;
    void find_delassus(const StageView& stage, int row, int count);
    double curve_ratio(const Softness& softness, double gap) const;
    FacetImpedance scale(double ratio, double weight, double dt) const;

    const Options* options_;
    FacetSet facets_;
    std::vector<FacetImpedance> impedance_;  ///< [facet] of the present contact
    std::vector<double> column_;             ///< [dof] M^-1 of a row
    std::array<double, 36> delassus_{};      ///< J M^-1 Jᵀ of the present rows, [6][6]
};

}  // namespace rattleback::comfree
