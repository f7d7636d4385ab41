// Derivatives of a step: the solver's own, or central differences of steps from states nearby.
#include "dynamics/integrate.h"
#include "dynamics/refresh.h"
#include "engine/world_arrays.h"
#include "engine/worlds.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace rattleback
{

/// One world that is stepped again and again from the same place, or from nearby.
struct Worlds::Probe
{
    const Model& model;
    const Tree& tree;
    Solver& solver;
    StepInput input;
    const State& start;  ///< with the world in question
    int world = 0;
    std::vector<std::byte> memory = {};  ///< as the world has it; empty: each step starts anew
    State state = State(model);          ///< before and after the step
    std::vector<double> inputs = {};     ///< of the actuators
    double stiffness = 0, damping = 0;
    std::unique_ptr<Memory> scratch = solver.make_memory();

    /// A step from where `change` has put the state and the inputs.
    template <class Change>
    StepReport step(const Change& change)
    {
        copy_world(start, world, state, 0);
        scratch->reset();
        std::span<const std::byte> bytes = memory;
        if (!bytes.empty()) scratch->load(bytes);
        const WorldView view = state.world();
        change(view);
        refresh_bodies(model, view);
        return solver.step(input, view, *scratch);
    }
    /// Coordinates along one dof.
    void displace(const WorldView& view, int dof, double by) const
    {
        std::vector<double> rate(view.v.size());
        rate[at(dof)] = 1;
        advance_positions<double>(tree, rate, by, view.q);
    }
};

namespace
{

/// (q, v, act) of `after` less `before` over `interval`, as turns about body axes where q has quaternions.
void subtract_states(const Tree& tree, const ConstWorldView& after, const ConstWorldView& before, double interval,
                     std::vector<double>& rate)
{
    rate.clear();
    rate.resize(2 * after.v.size() + after.act.size());
    for (const TreeJoint& joint : tree.joints)
    {
        int q = joint.q, v = joint.v;
        const bool turns = joint.type == JointType::ball || joint.type == JointType::free;
        for (int k = 0; k < (joint.type == JointType::free ? 3 : turns ? 0 : 1); ++k, ++q, ++v)
            rate[at(v)] = after.q[at(q)] - before.q[at(q)];
        if (!turns) continue;
        const auto read = [&](const ConstWorldView& view)
        { return Quat{view.q[at(q)], view.q[at(q + 1)], view.q[at(q + 2)], view.q[at(q + 3)]}; };
        const Quat turn = conjugate(read(before)) * read(after);
        const double sign = turn.w < 0 ? -2 : 2;
        for (int k = 0; k < 3; ++k) rate[at(v + k)] = sign * Vec3{turn.x, turn.y, turn.z}[k];
    }
    for (std::size_t i = 0; i < after.v.size(); ++i) rate[after.v.size() + i] = after.v[i] - before.v[i];
    for (std::size_t i = 0; i < after.act.size(); ++i) rate[2 * after.v.size() + i] = after.act[i] - before.act[i];
    for (double& x : rate) x /= interval;
}

bool was_committed(const StepReport& report)
{
    return report.status == StepStatus::ok || report.status == StepStatus::not_converged;
}

}  // namespace

Status Worlds::set_contact_gains(ContactGainsFunction::Function gains)
{
    if (gains && (!groups_.front().solver->takes_contact_gains() || batch_solver_))
        return Error{.code = ErrorCode::unsupported,
                     .where = "solver '" + std::string(setup_.info->name) + "'",
                     .message = "does not read stiffness and damping contact by contact",
                     .hint = "'comfree' does, with method = direct"};
    contact_gains = std::move(gains);
    return {};
}

Result<StepDerivatives> Worlds::step_derivatives(int world, const DerivativeOptions& options)
{
    check_world(world);
    check_sizes();
    check_switches(world);
    if (!(options.interval > 0) || !std::isfinite(options.interval))
        return Error{.where = "step_derivatives", .message = "the interval must be finite and positive"};
    StepDerivatives derivatives;
    const Status differences = find_differences(world, options, derivatives);
    if (!differences.ok()) return differences.errors();
    return derivatives;
}

/// Columns of differences: steps with an input a little greater and a little smaller, beside the step itself.
struct Worlds::Columns
{
    Probe& probe;
    const Tree& tree;
    const State& after;  ///< the step itself
    StepDerivatives& derivatives;
    const std::function<void(const StepReport&)>& fail;
    std::vector<double> upper = {}, lower = {}, half_upper = {}, half_lower = {};

    /// Rate from the step itself to that with the input `by` greater.
    template <class Change>
    void find_rate(const Change& change, double by, std::vector<double>& rate)
    {
        const StepReport report = probe.step([&](const WorldView& view) { change(view, by); });
        if (!was_committed(report)) fail(report);
        subtract_states(tree, probe.state.world(), after.world(), by, rate);
    }

    /// Central where both sides agree, and at a kink, where each has a rate of its own; where the map jumps within the
    /// interval on one side, or has its kink inside of it, that of the other.
    template <class Change>
    void fill(DenseMatrix& matrix, int column, double upwards, double downwards, const Change& change)
    {
        constexpr double kAgree = 1e-3, kSmooth = 0.02;  ///< of the larger rate
        constexpr int kIntervals = 4;                    ///< each an eighth of the last
        bool above = false, below = false;
        for (int i = 0; i < kIntervals && !above && !below; ++i)
        {
            const double shrink = i == 0 ? 1 : 1.0 / (1 << (3 * i)), up = shrink * upwards, down = shrink * downwards;
            find_rate(change, up, upper);
            // Parameters that must not be negative have no other side at zero.
            if (!(down > 0))
            {
                above = true;
                break;
            }
            find_rate(change, -down, lower);
            above = below = agree(upper, lower, kAgree);
            if (above) break;
            find_rate(change, 0.5 * up, half_upper);
            find_rate(change, -0.5 * down, half_lower);
            // A side is smooth if half the way has the same rate but for curvature: that of a jump would double, or
            // vanish.
            above = agree(upper, half_upper, kSmooth);
            below = agree(lower, half_lower, kSmooth);
        }
        if (above != below) ++derivatives.one_sided;
        if (!above && !below)
        {
            ++derivatives.jumping;
            above = find_largest(upper) <= find_largest(lower);
            below = !above;
        }
        for (int row = 0; row < matrix.rows; ++row)
            matrix(row, column) = (above ? upper[at(row)] : 0) + (below ? lower[at(row)] : 0);
        for (int row = 0; row < matrix.rows && above && below; ++row) matrix(row, column) *= 0.5;
    }

    static double find_largest(const std::vector<double>& rate)
    {
        double largest = 0;
        for (const double x : rate) largest = std::max(largest, std::abs(x));
        return largest;
    }
    static double find_distance(const std::vector<double>& a, const std::vector<double>& b)
    {
        double apart = 0;
        for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]));
        return apart;
    }
    static bool agree(const std::vector<double>& a, const std::vector<double>& b, double tolerance)
    {
        return find_distance(a, b) <= tolerance * std::max({find_largest(a), find_largest(b), 1e-3});
    }
};

/// The step itself; then the solver's own matrices, or those of steps on both sides of every input.
Status Worlds::find_differences(int world, const DerivativeOptions& options, StepDerivatives& derivatives)
{
    Solver& solver = *groups_.front().solver;
    Probe probe{model(), tree_, solver, make_input(world), state, world};
    // Particles are where the bodies were: they begin anew.
    if (setup_.info->coordinates != Coordinates::particles) memories_[at(world)]->save(probe.memory);
    derivatives.report = probe.step([](const WorldView&) {});
    if (!was_committed(derivatives.report))
        return Error{.where = "step_derivatives", .message = "the step fails: " + explain(world, derivatives.report)};
    const StepInput input = probe.input;
    // What the solver knows is the whole step.
    const bool divided = derivatives.report.substeps > 1;
    if (options.differences)
        derivatives.reason = "differences were asked for";
    else if (divided)
        derivatives.reason = "the step is taken in parts, which only differences see";
    else if (solver.find_derivatives(input, state.world(world), *memories_[at(world)], options, derivatives))
        return {};
    if (derivatives.reason.empty())
        derivatives.reason = "solver '" + std::string(setup_.info->name) + "' has none in closed form";
    derivatives.analytic = false;
    const int v = model().v_count(), acts = model().act_count, count = 2 * v + acts;
    State after(model());
    copy_world(probe.state, 0, after, 0);
    Status status;
    const std::function<void(const StepReport&)> fail = [&](const StepReport& report)
    {
        if (!status.ok()) return;
        status = Error{.where = "step_derivatives", .message = "a step nearby fails: " + explain(world, report)};
    };
    Columns columns{probe, tree_, after, derivatives, fail};
    const auto fill = [&](auto&&... arguments) { columns.fill(arguments...); };
    const double h = options.interval;
    derivatives.by_state = DenseMatrix(count, count);
    for (int i = 0; i < v; ++i)
    {
        fill(derivatives.by_state, i, h, h, [&](const WorldView& view, double by) { probe.displace(view, i, by); });
        fill(derivatives.by_state, v + i, h, h, [&](const WorldView& view, double by) { view.v[at(i)] += by; });
    }
    for (int i = 0; i < acts; ++i)
        fill(derivatives.by_state, 2 * v + i, h, h, [&](const WorldView& view, double by) { view.act[at(i)] += by; });
    derivatives.by_control = DenseMatrix(count, model().actuator_count());
    for (int i = 0; i < model().actuator_count(); ++i)
        fill(derivatives.by_control, i, h, h,
             [&](const WorldView&, double by)
             {
                 probe.inputs.assign(input.control.input.begin(), input.control.input.end());
                 probe.inputs[at(i)] += by;
                 probe.input.control.input = probe.inputs;
             });
    probe.input = input;
    const auto& known = setup_.info->world_parameters;
    const bool gains = std::find(known.begin(), known.end(), WorldParameter::stiffness) != known.end();
    derivatives.by_stiffness = derivatives.by_damping = DenseMatrix(count, gains ? 1 : 0);
    const auto vary_gain = [&](DenseMatrix& matrix, const char* name, std::span<const double> own,
                               std::span<const double> ParameterView::* place, double& number)
    {
        const double usual = own.empty() ? std::get<double>(setup_.parameters.at(name)) : own[0];
        fill(matrix, 0, h, std::min(h, usual),
             [&](const WorldView&, double by)
             {
                 number = usual + by;
                 probe.input.parameters.*place = {&number, 1};
             });
        probe.input = input;
    };
    if (gains)
    {
        vary_gain(derivatives.by_stiffness, "stiffness", input.parameters.stiffness, &ParameterView::stiffness,
                  probe.stiffness);
        vary_gain(derivatives.by_damping, "damping", input.parameters.damping, &ParameterView::damping, probe.damping);
    }
    if (derivatives.one_sided > 0)
        derivatives.reason += "; " + std::to_string(derivatives.one_sided) +
                              " columns are of one side, as the step is not smooth on the other";
    if (derivatives.jumping > 0)
        derivatives.reason += "; " + std::to_string(derivatives.jumping) +
                              " columns are no derivatives, as the step is smooth on neither side";
    return status;
}

}  // namespace rattleback
