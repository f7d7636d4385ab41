// A step in dual numbers: seeds, the smooth motion, rows, impulses, the state after it.
#include "solvers/comfree/dual_step.h"

#include "solvers/shared/dual_acceleration.h"

#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback::comfree
{

DualStep::DualStep(const Tree& tree, const Options& options)
    : tree_(tree),
      options_(options),
      dofs_(tree.model->v_count()),
      inputs_(2 * dofs_ + tree.model->act_count + tree.model->actuator_count() + 2),
      workspace_(tree),
      closed_form_(options)
{
    // Scratch of all directions: runs of derivatives allocate nothing but their matrices.
    for (auto* list : {&change_, &push_, &rest_}) list->resize(at(dofs_));
}

bool DualStep::run(const BaseStep& base, StepDerivatives& derivatives)
{
    // (q, v, act) -> (q+, v+, act+): rotations count as turns about body axes, so that matrices have 2 nv + na rows.
    const int states = 2 * dofs_ + tree_.model->act_count;
    derivatives.by_state = DenseMatrix(states, states);
    derivatives.by_control = DenseMatrix(states, tree_.model->actuator_count());
    derivatives.by_stiffness = derivatives.by_damping = DenseMatrix(states, 1);
    // With `stable` the matrix of the active rows is the same for all directions: factored once.
    pulls_ = false;
    if (base.active != nullptr && !factor_active(base)) return false;
    for (int first = 0; first < inputs_; first += kDualDirections)
    {
        // Eq. 2: the prediction, exact in M, forces and what is implicit in them.
        seed(base, first);
        compute_dual_stages(workspace_, base.stage.dt);
        find_dual_acceleration(workspace_, base.stepper, base.stage.dt, system_);
        // Eqs. 6 to 9 at the facets that act, or the answers of the rows that do.
        move_rows(base, first);
        predict_rows(base);
        find_change(base);
        integrate(base);
        write(first, derivatives);
    }
    return !pulls_;
}

/// The values of the base, and rate 1 of input first + i in direction i.
void DualStep::seed(const BaseStep& base, int first)
{
    Workspace<Number>& d = workspace_;
    // Values first, with rates of zero.
    copy_inputs(tree_, base.w, d);
    gains_ = {base.stage.gains.stiffness, base.stage.gains.damping};
    std::vector<double> rate(d.q.size());
    const int acts = tree_.model->act_count, controls = tree_.model->actuator_count();
    for (int i = 0; i < kDualDirections && first + i < inputs_; ++i)
    {
        // Which of the inputs it is: q, v, act, controls, k, d, one after the other.
        int input = first + i;
        if (input < dofs_)
        {
            seed_direction(*tree_.model, input, base.w.q, rate);
            for (std::size_t k = 0; k < rate.size(); ++k) set_rate(d.q[k], i, rate[k]);
        }
        else if ((input -= dofs_) < dofs_)
            set_rate(d.v[input], i, 1);
        else if ((input -= dofs_) < acts)
            set_rate(d.act[input], i, 1);
        else if ((input -= acts) < controls)
            set_rate(d.input[input], i, 1);
        else
            set_rate(input == controls ? gains_.stiffness : gains_.damping, i, 1);
    }
}

/// J, residuals and velocity products: standing, with gaps that follow J, or as the geometry moves.
void DualStep::move_rows(const BaseStep& base, int first)
{
    const ConstraintRows& rows = base.stage.rows;
    const auto count = at(rows.count());
    // Rows as they stand: rates of zero until something moves them.
    const auto begin = rows.value.begin();
    value_.assign(begin, begin + rows.begin[count]);
    position_.assign(rows.position.begin(), rows.position.end());
    velocity_.assign(rows.velocity.begin(), rows.velocity.end());
    product_.assign(rows.product.begin(), rows.product.end());
    for (int i = 0; i < kDualDirections && first + i < 2 * dofs_; ++i)
    {
        const int input = first + i;
        // Moving contacts: rates from differences of rows (row_motion.h).
        if (base.find_motion && base.find_motion(input, motion_))
        {
            for (std::size_t k = 0; k < value_.size(); ++k) set_rate(value_[k], i, motion_.value[k]);
            for (std::size_t r = 0; r < count; ++r)
            {
                set_rate(position_[r], i, motion_.position[r]);
                set_rate(product_[r], i, motion_.product[r]);
                if (input < dofs_) set_rate(velocity_[r], i, motion_.velocity[r]);
            }
        }
        else if (input < dofs_)
        {
            // The rate of a residual is its row. Friction has none.
            for (std::size_t r = 0; r < count; ++r)
            {
                const bool rubs = rows.kind[r] == RowKind::dry_friction;
                for (int k = rows.begin[r]; k < rows.begin[r + 1] && !rubs; ++k)
                    if (rows.column[k] == input) set_rate(position_[r], i, rows.value[k]);
            }
        }
    }
    // Of a contact's rows the first alone has a residual.
    for (const RowCone& cone : rows.cones)
        for (int r = cone.row + 1; r < cone.row + cone.dimension; ++r) position_[at(r)] = Number(rows.position[at(r)]);
}

/// u_s = J v_smooth of all rows, as the solver predicts it.
void DualStep::predict_rows(const BaseStep& base)
{
    const ConstraintRows& rows = base.stage.rows;
    const double dt = base.stage.dt;
    for (int row = 0; row < rows.count(); ++row)
    {
        // rows.velocity is J v and more: the rate of v comes through J.
        Number smooth = Number(0.0);
        for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k)
        {
            const int dof = rows.column[k];
            Number rate = workspace_.v[dof];
            rate.value = Pack4(0.0);
            velocity_[at(row)] += value_[at(k)] * rate;
            smooth += value_[at(k)] * workspace_.qacc[dof];
        }
        // u_s = J v + dt (J a_s + lead dJ/dt v), as in ComfreeSolver::predict_rows.
        const bool turns = options_.law != Law::as_coded || row >= rows.ends.equality;
        velocity_[at(row)] += Number(dt) * (smooth + Number(turns ? base.lead : 0) * product_[at(row)]);
    }
}

StageOf<DualPack> DualStep::stage(const BaseStep& base) const
{
    const StageView& s = base.stage;
    return {workspace_, s.contacts, s.rows, velocity_, s.dt, value_, position_, gains_, s.contact_gains};
}

/// change = M^-1 Jᵀf.
void DualStep::find_change(const BaseStep& base)
{
    const int count = base.stage.rows.count();
    force_.assign(at(count), Number(0.0));
    std::fill(change_.begin(), change_.end(), Number(0.0));
    // `stable`: the implicit function of the active set; else the formulas of the facets themselves.
    if (base.active != nullptr) return solve_active(base);
    const StageOf<Number> now = stage(base);
    closed_form_.find_impulses(now, force_);
    for (int row = 0; row < count; ++row) add_stage_row<Number>(now, row, force_[at(row)], change_);
    solve_in_place<Number>(workspace_, change_);
}

/// v+ = v_s + change (Eq. 9), q+ = q (+) h v+, and the poses' own way out of overlaps.
void DualStep::integrate(const BaseStep& base)
{
    Workspace<Number>& d = workspace_;
    const double dt = base.stage.dt;
    for (std::size_t i = 0; i < change_.size(); ++i)
    {
        d.qacc[i] += change_[i] / Number(dt);
        d.v[i] += Number(dt) * d.qacc[i];
    }
    // The lift w moves poses alone: velocities are done.
    if (pushes_) find_push(base);
    advance_dual(d, dt);
    if (pushes_) advance_positions<Number>(*d.tree, push_, dt, d.q);
}

/// Rates of q (as turns about body axes), v and act into the columns of the matrices.
void DualStep::write(int first, StepDerivatives& derivatives) const
{
    const Workspace<Number>& d = workspace_;
    const int states = derivatives.by_state.rows, controls = derivatives.by_control.columns;
    for (int i = 0; i < kDualDirections && first + i < inputs_; ++i)
    {
        // Inputs stand in the order state, control, stiffness, damping.
        const int input = first + i, control = input - states, gain = control - controls;
        const auto put = [&](int row, double rate)
        {
            if (input < states)
                derivatives.by_state(row, input) = rate;
            else if (control < controls)
                derivatives.by_control(row, control) = rate;
            else
                (gain == 0 ? derivatives.by_stiffness : derivatives.by_damping)(row, 0) = rate;
        };
        for (const TreeJoint& joint : d.tree->joints)
        {
            int q = joint.q, v = joint.v;
            if (joint.type == JointType::hinge || joint.type == JointType::slide) put(v, rate_of(d.q[q], i));
            if (joint.type == JointType::free)
                for (int k = 0; k < 3; ++k) put(v++, rate_of(d.q[q++], i));
            if (joint.type != JointType::ball && joint.type != JointType::free) continue;
            // dq of a quaternion as a turn: 2 (q* dq), its vector part.
            const auto number = [&](int k) { return value_of(d.q[q + k]); };
            const auto rate = [&](int k) { return rate_of(d.q[q + k], i); };
            const Quat turn =
                conjugate(Quat{number(0), number(1), number(2), number(3)}) * Quat{rate(0), rate(1), rate(2), rate(3)};
            put(v, 2 * turn.x);
            put(v + 1, 2 * turn.y);
            put(v + 2, 2 * turn.z);
        }
        // Velocities and activations are plain numbers.
        for (int k = 0; k < dofs_; ++k) put(dofs_ + k, rate_of(d.v[k], i));
        for (int k = 0; k < tree_.model->act_count; ++k) put(2 * dofs_ + k, rate_of(d.act[k], i));
    }
}

}  // namespace rattleback::comfree
