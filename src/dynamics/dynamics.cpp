// Dynamics: one workspace in doubles for values, one in dual packs for derivatives.
#include <rattleback/dynamics.h>

#include "base/index.h"
#include "dynamics/bias.h"
#include "dynamics/dual_stages.h"
#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/tendons.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Derivatives are exact: the loops of the dynamics run once more in dual numbers, four dofs at a time and in each
// direction for q and v together. tau = M(q) a + c(q, v) is differentiated at fixed a; forward derivatives follow from
// M da = - dtau.

std::shared_ptr<const Model> check_model(std::shared_ptr<const Model> model)
{
    // Constructed from anything that validates; everything after trusts it.
    // Programming errors end here with a message; nothing below checks again.
    RB_CHECK(model != nullptr, "Dynamics: no model");
    const std::vector<Error> errors = validate(*model);
    RB_CHECK(errors.empty(), "Dynamics: " + to_text(errors));
    return model;
}

}  // namespace

DenseMatrix::DenseMatrix(int row_count, int column_count)
    : rows(row_count), columns(column_count), values(at(row_count) * at(column_count))
{
}
double& DenseMatrix::operator()(int row, int column) { return values[at(row) * at(columns) + at(column)]; }
double DenseMatrix::operator()(int row, int column) const { return values[at(row) * at(columns) + at(column)]; }

struct Dynamics::Impl
{
    explicit Impl(std::shared_ptr<const Model> given)
        : model(check_model(std::move(given))), tree(*model), w(tree), no_control(*model)
    {
    }

    std::shared_ptr<const Model> model;
    Tree tree;
    Workspace<double> w;
    Control no_control;
    std::vector<KinematicMotion> bases;         ///< of kinematic bodies, at rest in their motion
    std::unique_ptr<Workspace<DualPack>> dual;  ///< made when derivatives are first asked for

    int count() const { return model->v_count(); }
    void check_size(std::span<const double> x) const
    {
        RB_CHECK(x.size() == at(count()), "Dynamics: an array has not the length v_count");
    }

    void check_body(BodyId body) const
    {
        RB_CHECK(body.index >= 0 && body.index < model->body_count(), "Dynamics: no such body");
    }

    /// Calls visit(body, mass) for a body and all that it carries; the sum of the masses.
    template <class Visit>
    double visit_subtree(BodyId subtree, const Visit& visit) const
    {
        check_body(subtree);
        // Parents stand before their children: one pass finds the subtree.
        std::vector<char> inside(at(model->body_count()));
        double sum = 0;
        for (int b = subtree.index; b < model->body_count(); ++b)
        {
            // A body is inside when its parent is.
            inside[at(b)] = b == subtree.index || inside[at(model->bodies.parent[at(b)])] != 0;
            if (inside[at(b)] == 0) continue;
            // Masses may be a world's own.
            visit(b, w.mass[at(b)]);
            sum += w.mass[at(b)];
        }
        return sum;
    }

    void load(const State& state, const Control* control, int world, const ParameterView& parameters = {})
    {
        // Sizes first: a state of another model would be read past its end.
        RB_CHECK(world >= 0 && world < state.world_count, "Dynamics: no such world");
        RB_CHECK(state.q_count == model->q_count() && state.v_count == count() && state.act_count == model->act_count &&
                     state.body_count == model->body_count(),
                 "Dynamics: the state is not one of this model");
        RB_CHECK(!control || (control->world_count > world && control->v_count == count() &&
                              control->actuator_count == model->actuator_count()),
                 "Dynamics: the control is not one of this model");
        load_world(w, 0, state.world(world), control ? control->world(world) : no_control.world());
        // Parameters of the last call must not linger.
        take_model_parameters<double>(w);
        load_parameters<double>(w, 0, parameters);
        bases.clear();
        for (const int index : tree.kinematic_bodies)
        {
            const BodyId body{index};
            // At rest in its motion: begin and end agree, and the base has a velocity but no acceleration.
            bases.push_back({state.pose(body, world), state.pose(body, world), state.velocity(body, world),
                             state.velocity(body, world)});
        }
        place_kinematic_bodies<double>(w, 0, bases, 0, 1);
    }

    /// Position and velocity stages, and the factor of M.
    void evaluate()
    {
        // All quantities of the present state, as the accessors hand them out.
        StageTimer timer(false);
        compute_position_stage(w, timer);
        // The step enters only where actuators look ahead with their activations (dt of the settings).
        compute_velocity_stage(w, model->settings.dt, timer);
        factor_mass_matrix(w);
    }

    /// The workspace in dual numbers at the same values, all derivatives zero but those of the given dofs: lane k has
    /// the derivative by q (rate 0) and by v (rate 1) of dof first + k.
    Workspace<DualPack>& seed(int first)
    {
        if (!dual) dual = std::make_unique<Workspace<DualPack>>(tree);
        // Values without derivatives; all rates are zero until they are seeded.
        Workspace<DualPack>& d = *dual;
        copy_inputs(tree, w, d);
        std::vector<double> rate(w.q.size());
        // Four directions at once, one in each lane.
        for (int k = 0; k < kLaneCount<Pack4> && first + k < count(); ++k)
        {
            seed_direction(*model, first + k, w.q, rate);
            // Rate 0 is the derivative by q, rate 1 that by v: both directions in one evaluation.
            for (std::size_t i = 0; i < w.q.size(); ++i) set_lane(d.q[i].rate[0], k, rate[i]);
            set_lane(d.v[at(first + k)].rate[1], k, 1);
        }
        return d;
    }
};

Dynamics::Dynamics(std::shared_ptr<const Model> model) : impl_(std::make_unique<Impl>(std::move(model)))
{
    update(State(*impl_->model));
}
Dynamics::Dynamics(Model model) : Dynamics(std::make_shared<const Model>(std::move(model))) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

const Model& Dynamics::model() const { return *impl_->model; }

void Dynamics::update(const State& state, const Control& control, int world)
{
    impl_->load(state, &control, world);
    impl_->evaluate();
}
void Dynamics::update(const State& state, const Control& control, int world, const ParameterView& parameters)
{
    impl_->load(state, &control, world, parameters);
    impl_->evaluate();
}
void Dynamics::update(const State& state, int world)
{
    impl_->load(state, nullptr, world);
    impl_->evaluate();
}

DenseMatrix Dynamics::mass_matrix() const
{
    // M is kept as its lower triangle in the pattern of the trees; zeros are between branches.
    DenseMatrix dense(impl_->count(), impl_->count());
    const Dofs& dofs = impl_->model->dofs;
    for (int i = 0; i < impl_->count(); ++i)
    {
        // The mirror image fills the upper triangle.
        for (int k = dofs.row_begin[at(i)]; k < dofs.row_begin[at(i) + 1]; ++k)
            dense(i, dofs.row_column[at(k)]) = dense(dofs.row_column[at(k)], i) = impl_->w.mass_matrix[at(k)];
    }
    return dense;
}
std::span<const double> Dynamics::bias() const { return impl_->w.bias; }
std::span<const double> Dynamics::passive() const { return impl_->w.passive; }
std::span<const double> Dynamics::actuation() const { return impl_->w.actuation; }
std::span<const double> Dynamics::applied() const { return impl_->w.applied; }
std::span<const double> Dynamics::tendon_length() const { return impl_->w.tendon_length; }
std::span<const double> Dynamics::actuator_length() const { return impl_->w.actuator_length; }

DenseMatrix Dynamics::point_jacobian(BodyId body, const Vec3& point) const
{
    impl_->check_body(body);
    DenseMatrix linear(3, impl_->count()), angular(3, impl_->count());
    // Both Jacobians come at once; one is dropped.
    compute_jacobian<double>(impl_->w, body.index, point, linear.values, angular.values);
    return linear;
}
DenseMatrix Dynamics::rotation_jacobian(BodyId body) const
{
    impl_->check_body(body);
    DenseMatrix linear(3, impl_->count()), angular(3, impl_->count());
    // Its angular part does not depend on the point.
    compute_jacobian<double>(impl_->w, body.index, {}, linear.values, angular.values);
    return angular;
}

DenseMatrix Dynamics::center_of_mass_jacobian(BodyId subtree) const
{
    DenseMatrix mean(3, impl_->count()), linear(3, impl_->count()), angular(3, impl_->count());
    // J_c = sum of m_b J_b / M, with J_b at the centre of mass of each body.
    const double total = impl_->visit_subtree(subtree,
                                              [&](int b, double mass)
                                              {
                                                  compute_jacobian<double>(impl_->w, b, impl_->w.center[at(b)],
                                                                           linear.values, angular.values);
                                                  for (std::size_t i = 0; i < mean.values.size(); ++i)
                                                      mean.values[i] += mass * linear.values[i];
                                              });
    for (double& value : mean.values) value = total > 0 ? value / total : 0;
    return mean;
}

Vec3 Dynamics::center_of_mass(BodyId subtree) const
{
    Vec3 moment;
    const double total =
        impl_->visit_subtree(subtree, [&](int b, double mass) { moment += mass * impl_->w.center[at(b)]; });
    // Without mass: the frame's origin.
    return total > 0 ? 1 / total * moment : impl_->w.position[at(subtree.index)];
}

Momentum Dynamics::momentum() const
{
    const Workspace<double>& w = impl_->w;
    Momentum sum;
    for (const TreeBody& body : impl_->tree.bodies)
    {
        // The spatial momentum is about the reference point of the tree: moved to the world's origin.
        // m v and I w of each body, as one spatial vector.
        // H = I v, about the tree's reference point (Featherstone 2008, ch. 2).
        const Force<double> momentum = w.inertia[at(body.body)] * w.velocity[at(body.body)];
        sum.linear += momentum.force;
        sum.angular += momentum.torque + cross(w.center[at(body.root)], momentum.force);
    }
    return sum;
}

std::vector<double> Dynamics::solve(std::span<const double> x) const
{
    impl_->check_size(x);
    // x is solved with the factor that update() made.
    // L and D belong to M(q) of the last update.
    std::vector<double> solution(x.begin(), x.end());
    solve_in_place<double>(impl_->w, solution);
    return solution;
}

std::vector<double> Dynamics::forward(std::span<const double> force) const
{
    impl_->check_size(force);
    std::vector<double> rest(force.begin(), force.end());
    // Featherstone 2008, ch. 6.1: M a = tau - c.
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= impl_->w.bias[i];
    solve_in_place<double>(impl_->w, rest);
    return rest;
}

std::vector<double> Dynamics::inverse(std::span<const double> acceleration) const
{
    impl_->check_size(acceleration);
    std::vector<double> force(acceleration.size());
    // tau = M a + c: with M at hand the product is cheaper than another pass of Newton-Euler.
    multiply_symmetric<double>(*impl_->model, impl_->w.mass_matrix, acceleration, force);
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += impl_->w.bias[i];
    return force;
}

DynamicsDerivatives Dynamics::inverse_derivatives(std::span<const double> acceleration) const
{
    impl_->check_size(acceleration);
    const int count = impl_->count();
    DynamicsDerivatives derivatives{DenseMatrix(count, count), DenseMatrix(count, count), mass_matrix()};
    const std::vector<DualPack> a(acceleration.begin(), acceleration.end());
    std::vector<DualPack> force(at(count));
    // Forward mode: the position and velocity stages once more per four dofs, in dual numbers.
    for (int first = 0; first < count; first += kLaneCount<Pack4>)
    {
        Workspace<DualPack>& d = impl_->seed(first);
        // Position stage in dual numbers: dM/dq comes with it.
        compute_poses(d);
        compute_dof_motions(d);
        compute_tendons(d);
        compute_mass_matrix(d);
        // Velocity stage: dc/dq and dc/dv.
        compute_velocities(d);
        compute_bias(d);
        // d(M a) at constant a; the derivative of c comes with compute_bias.
        multiply_symmetric<DualPack>(*impl_->model, d.mass_matrix, a, force);
        for (int k = 0; k < kLaneCount<Pack4> && first + k < count; ++k)
        {
            for (int i = 0; i < count; ++i)
            {
                const DualPack& bias = d.bias[at(i)];
                derivatives.by_q(i, first + k) = lane(force[at(i)].rate[0], k) + lane(bias.rate[0], k);
                derivatives.by_v(i, first + k) = lane(force[at(i)].rate[1], k) + lane(bias.rate[1], k);
            }
        }
    }
    return derivatives;
}

DynamicsDerivatives Dynamics::forward_derivatives(std::span<const double> force) const
{
    // M a + bias = force along every direction: M a' = force' − (M a + bias)' at constant a.
    // a at this force, then the derivatives of the force that a needs.
    const int count = impl_->count();
    DynamicsDerivatives derivatives = inverse_derivatives(forward(force));
    std::vector<double> column(at(count));
    const auto solve_columns = [&](DenseMatrix& matrix, double sign)
    {
        // One column of the right-hand side at a time: M is factored already.
        for (int c = 0; c < count; ++c)
        {
            // In place: M^-1 times each column.
            for (int r = 0; r < count; ++r) column[at(r)] = sign * matrix(r, c);
            solve_in_place<double>(impl_->w, column);
            for (int r = 0; r < count; ++r) matrix(r, c) = column[at(r)];
        }
    };
    // da/dq = - M^-1 dtau/dq, da/dv = - M^-1 dtau/dv, da/dtau = M^-1.
    solve_columns(derivatives.by_q, -1);
    solve_columns(derivatives.by_v, -1);
    std::fill(derivatives.by_input.values.begin(), derivatives.by_input.values.end(), 0.0);
    for (int i = 0; i < count; ++i) derivatives.by_input(i, i) = 1;
    solve_columns(derivatives.by_input, 1);
    return derivatives;
}

}  // namespace rattleback
