// A step in dual numbers: seeds, the smooth motion, rows, impulses, the state after it.
#include "solvers/comfree/dual_step.h"

#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback::comfree
{

DualStep::DualStep(const Tree& tree, const Options& options, const StepperOptions& stepping)
    : tree_(tree),
      options_(options),
      dofs_(tree.model->v_count()),
      inputs_(2 * dofs_ + tree.model->act_count + tree.model->actuator_count() + 2),
      stepper_(stepping),
      workspace_(tree),
      closed_form_(options)
{
    // Scratch of all directions: runs of derivatives allocate nothing but their matrices.
    for (auto* list : {&change_, &push_, &rest_, &joint_force_, &turn_}) list->resize(at(dofs_));
}

std::string_view DualStep::run(const BaseStep& base, StepDerivatives& derivatives)
{
    // (q, v, act) -> (q+, v+, act+): rotations count as turns about body axes, so that matrices have 2 nv + na rows.
    const int states = 2 * dofs_ + tree_.model->act_count;
    derivatives.by_state = DenseMatrix(states, states);
    derivatives.by_control = DenseMatrix(states, tree_.model->actuator_count());
    derivatives.by_stiffness = derivatives.by_damping = DenseMatrix(states, 1);
    // With `stable` the matrix of the active rows is the same for all directions: factored once.
    pulls_ = false;
    if (base.active != nullptr && !factor_active(base)) return "a singular system at the rows that act";
    for (int first = 0; first < inputs_; first += kDualDirections)
    {
        // Eq. 2: the prediction where the integrator looks, exact in M, forces and what is implicit in them.
        seed(base, first);
        stepper_.move(workspace_, base.stage.dt);
        find_turns();
        stepper_.find_acceleration(workspace_, base.stage.dt);
        // Eqs. 6 to 9 at the facets that act, or the answers of the rows that do.
        move_rows(base, first);
        predict_rows(base);
        find_change(base);
        integrate(base);
        write(first, derivatives);
    }
    return pulls_ ? "overlaps that are let go, or held, while deeper ones are left" : "";
}

/// The values of the base, and rate 1 of input first + i in direction i.
void DualStep::seed(const BaseStep& base, int first)
{
    Workspace<Number>& d = workspace_;
    // Values first, with rates of zero.
    copy_inputs(tree_, base.w, d);
    std::copy(base.start_q.begin(), base.start_q.end(), d.q.begin());
    gains_ = {base.stage.gains.stiffness, base.stage.gains.damping};
    std::vector<double> rate(d.q.size());
    const int acts = tree_.model->act_count, controls = tree_.model->actuator_count();
    for (int i = 0; i < kDualDirections && first + i < inputs_; ++i)
    {
        // Which of the inputs it is: q, v, act, controls, k, d, one after the other.
        int input = first + i;
        if (input < dofs_)
        {
            seed_direction(*tree_.model, input, base.start_q, rate);
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
    // The rate of a residual is its row. Friction has none.
    for (std::size_t r = 0; r < count; ++r)
        for (int k = rows.begin[r]; k < rows.begin[r + 1] && rows.kind[r] != RowKind::dry_friction; ++k)
            position_[r] += Number(rows.value[k]) * turn_[at(rows.column[k])];
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
                // Of J v what J does; v itself comes through J (predict_rows).
                double rate = motion_.velocity[r];
                for (int k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
                    if (rows.column[k] == input - dofs_) rate -= rows.value[k];
                if (input < dofs_ || stepper_.is_midpoint()) set_rate(velocity_[r], i, rate);
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
    const StageOf<Number> now = stage(base);
    for (std::size_t i = 0; i < change_.size(); ++i) d.qacc[i] += change_[i] / Number(dt);
    std::fill(joint_force_.begin(), joint_force_.end(), Number(0.0));
    for (int row = 0; row < now.rows.count(); ++row)
        add_stage_row<Number>(now, row, force_[at(row)] / Number(dt), joint_force_);
    // The lift w moves poses alone: no velocity comes of it.
    if (pushes_) find_push(base);
    stepper_.integrate(d, dt, joint_force_);
    if (pushes_) advance_positions<Number>(*d.tree, push_, dt, d.q);
}

/// Rates of q as velocities: of quaternions 2 (q* q'), its vector part.
void DualStep::find_turns()
{
    const Workspace<Number>& d = workspace_;
    std::fill(turn_.begin(), turn_.end(), Number(0.0));
    for (int i = 0; i < kDualDirections; ++i)
    {
        const auto copy = [&](int v, int q) { set_rate(turn_[at(v)], i, rate_of(d.q[q], i)); };
        for (const TreeJoint& joint : d.tree->joints)
        {
            int q = joint.q, v = joint.v;
            if (joint.type == JointType::hinge || joint.type == JointType::slide) copy(v, q);
            if (joint.type == JointType::free)
                for (int k = 0; k < 3; ++k) copy(v++, q++);
            if (joint.type != JointType::ball && joint.type != JointType::free) continue;
            const auto number = [&](int k) { return value_of(d.q[q + k]); };
            const auto rate = [&](int k) { return rate_of(d.q[q + k], i); };
            const Quat turn =
                conjugate(Quat{number(0), number(1), number(2), number(3)}) * Quat{rate(0), rate(1), rate(2), rate(3)};
            for (int k = 0; k < 3; ++k) set_rate(turn_[at(v + k)], i, 2 * Vec3{turn.x, turn.y, turn.z}[k]);
        }
    }
}

/// Rates of q (as turns about body axes), v and act into the columns of the matrices.
void DualStep::write(int first, StepDerivatives& derivatives)
{
    const Workspace<Number>& d = workspace_;
    const int states = derivatives.by_state.rows, controls = derivatives.by_control.columns;
    find_turns();
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
        for (int k = 0; k < dofs_; ++k) put(k, rate_of(turn_[at(k)], i));
        // Velocities and activations are plain numbers.
        for (int k = 0; k < dofs_; ++k) put(dofs_ + k, rate_of(d.v[k], i));
        for (int k = 0; k < tree_.model->act_count; ++k) put(2 * dofs_ + k, rate_of(d.act[k], i));
    }
}

}  // namespace rattleback::comfree
