// DualStep: one step in dual numbers at the active set of its law, for exact derivatives.
#pragma once

#include "solvers/comfree/closed_form.h"
#include "solvers/comfree/implicit_law.h"
#include "solvers/comfree/row_motion.h"

#include "solvers/shared/dual_stepper.h"

#include "math/dense_lu.h"

#include <rattleback/derivatives.h>

#include <functional>
#include <string_view>

namespace rattleback::comfree
{

/// The step whose derivatives are wanted, up to its impulses.
struct BaseStep
{
    const Workspace<double>& w;  ///< at the begin of the step, with its smooth acceleration
    StageView stage;
    std::span<const double> impulse;  ///< [row]
    std::span<const double> change;   ///< [dof] M^-1 Jᵀ impulse
    std::span<const double> start_q;  ///< at the begin of the step; in `w` they are where the integrator has moved them
    const ActiveSet* active;          ///< of `stable`; null: a closed form
    double lead = 0.5;                ///< part of a step by which velocity products lead the rows
    /// Rates of the rows by input number i (of q, then of v) into `motion`; false or empty: the rows stand.
    std::function<bool(int input, RowMotion& motion)> find_motion;
};

/// Inputs are numbered: coordinates, velocities, activations, controls, stiffness, damping.
class DualStep
{
public:
    DualStep(const Tree& tree, const Options& options, const StepperOptions& stepping);

    /// What is in the way: the system at the active set is singular, or overlaps are let go; empty: nothing.
    std::string_view run(const BaseStep& base, StepDerivatives& derivatives);

private:
    using Number = DualPack;

    void seed(const BaseStep& base, int first);
    void find_turns();
    void move_rows(const BaseStep& base, int first);
    void predict_rows(const BaseStep& base);
    void find_change(const BaseStep& base);
    void integrate(const BaseStep& base);
    void write(int first, StepDerivatives& derivatives);

    // dual_stable.cpp: the law `stable` at its active set
    bool factor_active(const BaseStep& base);
    void add_pair(const ConstraintRows& rows, int left, int right, double scale, std::vector<double>& matrix) const;
    void find_answers(const BaseStep& base);
    void find_forces(const BaseStep& base, std::span<const Number> velocity);
    void solve_active(const BaseStep& base);
    void find_push(const BaseStep& base);
    bool list_pushed(const BaseStep& base);
    void subtract_system(const BaseStep& base, std::span<const Number> x, std::span<Number> y) const;
    Number find_rest(const BaseStep& base, int row) const;
    void scale_push(const BaseStep& base);
    StageOf<Number> stage(const BaseStep& base) const;

    const Tree& tree_;
    const Options& options_;
    int dofs_, inputs_;
    DualStepper stepper_;
    Workspace<Number> workspace_;
    ClosedForm<Number> closed_form_;
    RowMotion motion_;
    std::vector<Number> turn_;  ///< [dof] rates of q as velocities: of quaternions, turns about body axes
    std::vector<Number> value_, position_, velocity_, force_;  ///< J; [row] residual, u_s, impulse
    std::vector<Number> row_velocity_, product_;               ///< [row] u after contact; velocity products
    std::vector<Number> change_, push_, rest_, joint_force_;   ///< [dof]
    GainsOf<Number> gains_;
    // stable
    std::vector<Answer<Number>> answers_;  ///< [row]
    DenseLu active_lu_, push_lu_;
    std::vector<char> pushed_;  ///< [row] an overlap of which something is left
    bool pushes_ = false;
    bool pulls_ = false;  ///< some overlap would hold a push back: it is let go, which is not differentiated
    std::vector<Push<Number>> islands_;
};

}  // namespace rattleback::comfree
