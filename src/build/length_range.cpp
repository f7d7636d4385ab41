// Length ranges by simulation: an actuator pulls, then pushes, while nothing but limits and equalities resists
// ([MuJoCo], "Length range").
#include "build/length_range.h"

#include "base/index.h"
#include "build/tie_rows.h"
#include "dynamics/constants.h"
#include "dynamics/forces.h"
#include "dynamics/impedance.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rattleback
{

namespace
{

constexpr double kMostSteps = 1.5e8;  // of all muscles, times the parts that a step looks at: some ten seconds

bool is_muscle(const Actuators& actuators, std::size_t a)
{
    return actuators.gain_law[a] == ActuatorLaw::muscle || actuators.bias_law[a] == ActuatorLaw::muscle;
}

/// Nothing but inertia: no gravity, springs, dampers, medium and actuators.
Model without_forces(Model model)
{
    model.settings.gravity = {};
    model.settings.medium = {};
    for (auto* list : {&model.joints.stiffness, &model.dofs.damping, &model.tendons.stiffness, &model.tendons.damping,
                       &model.bodies.gravity_compensation})
        std::fill(list->begin(), list->end(), 0.0);
    for (auto* list : {&model.joints.stiffness_polynomial, &model.dofs.damping_polynomial,
                       &model.tendons.stiffness_polynomial, &model.tendons.damping_polynomial})
        std::fill(list->begin(), list->end(), std::array<double, 2>{});
    return model;
}

/// The simulation: velocities fade, one actuator accelerates the model as much as the options say.
class Reach
{
public:
    Reach(const Model& model, const LengthRangeOptions& options)
        : model_(without_forces(model)),
          options_(options),
          begin_(model.tendons.item_begin),
          items_(model.tendons.items)
    {
        find_held();
    }

    /// Least and largest length in the last interval, pulled (side -1) or pushed (1) by the actuator.
    std::array<double, 2> find_lengths(int actuator, double side)
    {
        prepare(actuator);
        const double parts = count_parts(actuator);
        std::copy(model_.q0.begin(), model_.q0.end(), work_->q.begin());
        std::fill(work_->v.begin(), work_->v.end(), 0.0);
        std::array<double, 2> lengths{1, -1};
        for (double time = 0; time < options_.duration && !is_exhausted();)
        {
            steps_left_ -= parts;
            const double length = step(actuator, side);
            // What a step leaves as it was every later step leaves so, too.
            const bool rests = std::equal(before_q_.begin(), before_q_.end(), work_->q.begin()) &&
                               std::equal(before_v_.begin(), before_v_.end(), work_->v.begin());
            time += options_.dt;
            if (!rests && !(time > options_.duration - options_.interval)) continue;
            const bool first = lengths[0] > lengths[1];
            lengths = {first ? length : std::min(lengths[0], length), first ? length : std::max(lengths[1], length)};
            if (rests) break;
        }
        return lengths;
    }

    /// True when steps or limits took more work than anybody waits for: what is found from then on means nothing.
    bool is_exhausted() const { return work_left_ < 0 || steps_left_ < 0; }

private:
    /// What a step with this actuator looks at: bodies, dofs, and what its tendons are made of. Other actuators and
    /// tendons without a path are passed over.
    double count_parts(int actuator) const
    {
        constexpr double kPassedOver = 0.1;
        const int own = find_own_tendon(actuator);
        return 1.0 + model_.v_count() + model_.body_count() +
               kPassedOver * (model_.actuator_count() + model_.tendon_count()) + held_items_ +
               (own >= 0 && held_[at(own)] == 0 ? begin_[at(own + 1)] - begin_[at(own)] : 0);
    }

    /// The tendon that an actuator pulls; -1: none.
    int find_own_tendon(int actuator) const
    {
        const Actuators& actuators = model_.actuators;
        const bool pulls = actuators.transmission[at(actuator)] == TransmissionType::tendon;
        return pulls ? actuators.target[at(actuator)] : -1;
    }
    /// Tendons that move or hold something whoever acts; without springs and dampers the others do not.
    void find_held()
    {
        const Equalities& equalities = model_.equalities;
        const Tendons& tendons = model_.tendons;
        for (std::size_t t = 0; t < tendons.type.size(); ++t)
            held_.push_back(tendons.range[t].limited || tendons.armature[t] != 0 ? 1 : 0);
        for (std::size_t e = 0; e < equalities.type.size(); ++e)
        {
            if (equalities.type[e] != EqualityType::tendon) continue;
            for (const int tendon : {equalities.first[e], equalities.second[e]})
            {
                if (tendon >= 0) held_[at(tendon)] = 1;
            }
        }
        for (std::size_t t = 0; t < held_.size(); ++t) held_items_ += held_[t] != 0 ? begin_[t + 1] - begin_[t] : 0;
    }
    /// The model with the paths of those tendons and the actuator's own.
    void prepare(int actuator)
    {
        if (actuator == prepared_) return;
        prepared_ = actuator;
        Tendons& tendons = model_.tendons;
        tendons.items.clear();
        for (int t = 0; t < model_.tendon_count(); ++t)
        {
            if (held_[at(t)] != 0 || t == find_own_tendon(actuator))
                tendons.items.insert(tendons.items.end(), items_.begin() + begin_[at(t)],
                                     items_.begin() + begin_[at(t + 1)]);
            tendons.item_begin[at(t + 1)] = static_cast<int>(tendons.items.size());
        }
        work_.reset();
        tree_store_.emplace(model_);
        work_.emplace(*tree_store_);
        force_.assign(work_->v.size(), 0.0);
        work_->has_off = true;
        std::fill(work_->actuator_on.begin(), work_->actuator_on.end(), 0.0);
    }

    /// One step of semi-implicit Euler; the actuator's length at its begin.
    double step(int actuator, double side)
    {
        before_q_.assign(work_->q.begin(), work_->q.end());
        before_v_.assign(work_->v.begin(), work_->v.end());
        const double fade = exponential(-options_.dt / std::max(0.01, options_.time_constant));
        for (double& v : work_->v) v *= fade;
        StageTimer timer(false);
        compute_position_stage(*work_, timer);
        compute_velocity_stage(*work_, options_.dt, timer);
        factor_mass_matrix(*work_);
        push(actuator, side);
        std::copy(work_->total.begin(), work_->total.end(), work_->qacc.begin());
        solve_in_place<double>(*work_, work_->qacc);
        resist();
        for (std::size_t d = 0; d < work_->v.size(); ++d) work_->v[d] += options_.dt * work_->qacc[d];
        advance_positions<double>(*tree_store_, work_->v, options_.dt, work_->q);
        return work_->actuator_length[at(actuator)];
    }

    /// Adds the force along the actuator's moment arms that alone would give the acceleration of the options.
    void push(int actuator, double side)
    {
        const auto norm_of = [](const std::vector<double>& x)
        {
            double sum = 0;
            for (const double value : x) sum += value * value;
            return std::max(1e-15, std::sqrt(sum));
        };
        const SparsePattern& pattern = tree_store_->moment;
        std::fill(force_.begin(), force_.end(), 0.0);
        for (int k = pattern.begin[actuator]; k < pattern.begin[actuator + 1]; ++k)
            force_[at(pattern.dof[k])] = work_->moment[at(k)];
        std::vector<double> acceleration = force_;
        solve_in_place<double>(*work_, acceleration);
        double scale = options_.acceleration / norm_of(acceleration);
        if (options_.max_force > 0) scale = std::min(scale, options_.max_force / norm_of(force_));
        for (std::size_t d = 0; d < force_.size(); ++d) work_->total[d] += side * scale * force_[d];
    }

    /// Limits of joints and tendons: a row for each bound that is passed, as the solvers build them ([MuJoCo] eq:aref).
    void add_row(std::vector<double> jacobian, double distance, double margin, double weight, const Softness& softness)
    {
        if (!(distance < margin)) return;
        const RowResponse response = respond(softness, distance - margin, options_.dt, true);
        double velocity = 0;
        for (std::size_t d = 0; d < jacobian.size(); ++d) velocity += jacobian[d] * work_->v[d];
        rows_.push_back({std::move(jacobian), -response.damping * velocity - response.stiffness * (distance - margin),
                         regulariser(response, weight)});
    }
    void add_joint_rows(std::size_t j)
    {
        const Joints& joints = model_.joints;
        const Range& range = joints.range[j];
        const std::size_t dof = at(joints.v_begin[j]);
        const double* q = &work_->q[at(joints.q_begin[j])];
        if (joints.type[j] == JointType::ball)
        {
            std::vector<double> jacobian(work_->v.size());
            const Vec3 turn = logarithm(normalized(Quat{q[0], q[1], q[2], q[3]}));
            const double angle = norm(turn);
            const Vec3 axis = angle < kTinyRow ? Vec3{1, 0, 0} : (1 / angle) * turn;
            for (std::size_t k = 0; k < 3; ++k) jacobian[dof + k] = -axis[static_cast<int>(k)];
            return add_row(jacobian, std::max(range.lower, range.upper) - angle, joints.margin[j],
                           model_.dofs.inverse_weight[dof], joints.limit_softness[j]);
        }
        for (const double side : {-1.0, 1.0})
        {
            // Most bounds are far away: no row is made for them.
            const double distance = side * ((side < 0 ? range.lower : range.upper) - q[0]);
            if (!(distance < joints.margin[j])) continue;
            std::vector<double> jacobian(work_->v.size());
            jacobian[dof] = -side;
            add_row(std::move(jacobian), distance, joints.margin[j], model_.dofs.inverse_weight[dof],
                    joints.limit_softness[j]);
        }
    }
    void add_tendon_rows(std::size_t t)
    {
        const Tendons& tendons = model_.tendons;
        const Range& range = tendons.range[t];
        for (const double side : {-1.0, 1.0})
        {
            std::vector<double> jacobian(work_->v.size());
            for (int k = tree_store_->tendon.begin[t]; k < tree_store_->tendon.begin[t + 1]; ++k)
                jacobian[at(tree_store_->tendon.dof[at(k)])] = -side * work_->tendon_jacobian[at(k)];
            add_row(jacobian, side * ((side < 0 ? range.lower : range.upper) - work_->tendon_length[t]),
                    tendons.margin[t], tendons.inverse_weight[t], tendons.limit_softness[t]);
        }
    }

    /// matrix f + free = 0 for the first `ties` rows; of the others the same with f >= 0 and >= 0, complementary.
    void solve_rows(std::size_t ties, std::vector<double>& matrix, std::vector<double>& free,
                    std::vector<double>& force)
    {
        constexpr int kSweeps = 10'000;
        const std::size_t count = free.size();
        // Equalities are eliminated: what is left of the matrix is that of the limits.
        for (std::size_t p = 0; p < ties; ++p)
        {
            for (std::size_t i = p + 1; i < count; ++i)
            {
                const double part = matrix[i * count + p] / matrix[p * count + p];
                for (std::size_t k = p; k < count; ++k) matrix[i * count + k] -= part * matrix[p * count + k];
                free[i] -= part * free[p];
            }
        }
        for (int sweep = 0; sweep < kSweeps && !is_exhausted(); ++sweep)
        {
            work_left_ -= static_cast<double>(count) * static_cast<double>(count);
            double change = 0, size = 0;
            for (std::size_t i = ties; i < count; ++i)
            {
                double residual = free[i];
                for (std::size_t k = ties; k < count; ++k) residual += matrix[i * count + k] * force[k];
                const double next = std::max(0.0, force[i] - residual / matrix[i * count + i]);
                change = std::max(change, std::abs(next - force[i]));
                size = std::max(size, std::abs(next));
                force[i] = next;
            }
            if (change <= 1e-15 * size) break;
        }
        for (std::size_t p = ties; p-- > 0;)
        {
            double sum = free[p];
            for (std::size_t k = p + 1; k < count; ++k) sum += matrix[p * count + k] * force[k];
            force[p] = -sum / matrix[p * count + p];
        }
    }

    /// Adds the accelerations by limits and equalities: (J M^-1 Jᵀ + R) f + J a - a_ref = 0, of limits with f >= 0 and
    /// >= 0, complementary, by Gauss-Seidel to the last digits; rows are few.
    void resist()
    {
        rows_.clear();
        add_tie_rows(*work_, options_.dt, rows_);
        const std::size_t ties = rows_.size();
        for (std::size_t j = 0; j < model_.joints.type.size(); ++j)
        {
            const JointType type = model_.joints.type[j];
            const bool bounded = type == JointType::hinge || type == JointType::slide || type == JointType::ball;
            if (bounded && model_.joints.range[j].limited) add_joint_rows(j);
        }
        for (std::size_t t = 0; t < model_.tendons.type.size(); ++t)
        {
            if (model_.tendons.range[t].limited) add_tendon_rows(t);
        }
        const std::size_t count = rows_.size();
        const double square = static_cast<double>(count) * static_cast<double>(count);
        work_left_ -= square * static_cast<double>(work_->v.size() + ties);
        if (is_exhausted()) return;
        std::vector<std::vector<double>> response;  // M^-1 Jᵀ
        for (const ReachRow& row : rows_)
        {
            response.push_back(row.jacobian);
            solve_in_place<double>(*work_, response.back());
        }
        const auto product = [](const std::vector<double>& x, const auto& y)
        {
            double sum = 0;
            for (std::size_t d = 0; d < x.size(); ++d) sum += x[d] * y[d];
            return sum;
        };
        std::vector<double> force(count, 0.0), matrix(count * count), free(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            free[i] = product(rows_[i].jacobian, work_->qacc) - rows_[i].reference;
            for (std::size_t k = 0; k < count; ++k) matrix[i * count + k] = product(rows_[i].jacobian, response[k]);
            matrix[i * count + i] += rows_[i].regulariser;
        }
        solve_rows(ties, matrix, free, force);
        for (std::size_t i = 0; i < count; ++i)
        {
            for (std::size_t d = 0; d < work_->qacc.size(); ++d) work_->qacc[d] += force[i] * response[i][d];
        }
    }

    Model model_;
    LengthRangeOptions options_;
    std::vector<int> begin_;         ///< of all tendons, as Tendons::item_begin
    std::vector<TendonItem> items_;  ///< likewise
    std::vector<char> held_;         ///< see find_held
    double held_items_ = 0;          ///< of those tendons
    int prepared_ = -1;              ///< the actuator that tree and workspace are for
    std::optional<Tree> tree_store_;
    std::optional<Workspace<double>> work_;
    std::vector<double> before_q_, before_v_, force_;
    std::vector<ReachRow> rows_;
    double steps_left_ = kMostSteps;
    double work_left_ = 1e11;  ///< products of numbers that all limits together may still take
};

/// The range of the actuator's joint or tendon, if it has one.
Range find_limits(const Model& model, std::size_t a)
{
    const std::size_t target = at(model.actuators.target[a]);
    const TransmissionType type = model.actuators.transmission[a];
    if (type == TransmissionType::tendon) return model.tendons.range[target];
    if (type == TransmissionType::joint || type == TransmissionType::joint_in_parent) return model.joints.range[target];
    return {};
}

/// Why a length range could not be found; empty: it could.
std::string find_range(const LengthRangeOptions& options, Reach& reach, std::size_t a, Range& range)
{
    const auto pulled = reach.find_lengths(static_cast<int>(a), -1),
               pushed = reach.find_lengths(static_cast<int>(a), 1);
    if (reach.is_exhausted())
        return "the muscle's length range was not found: the search takes too many steps in so large a model";
    range = {true, pulled[0], pushed[1]};
    const double size = range.upper - range.lower;
    if (!(size > 0) || !std::isfinite(size)) return "the muscle's length range is empty";
    const double unrest = std::max(pulled[1] - pulled[0], pushed[1] - pushed[0]);
    if (unrest > options.tolerance * size) return "the muscle's length range was not found: its length does not settle";
    return "";
}

}  // namespace

std::vector<Error> resolve_muscles(const LengthRangeOptions& options, Model& model)
{
    Actuators& actuators = model.actuators;
    const std::size_t count = actuators.target.size();
    std::vector<std::size_t> muscles;
    for (std::size_t a = 0; a < count; ++a)
    {
        if (is_muscle(actuators, a)) muscles.push_back(a);
    }
    if (muscles.empty()) return {};
    std::vector<Error> errors;
    const auto fail = [&](std::size_t a, std::string message)
    {
        errors.push_back({.where = "actuator '" + actuators.name[a] + "'",
                          .message = std::move(message),
                          .hint = "give it a length range, limits to what moves it, or a larger tolerance (tolrange)"});
    };
    // Peak forces: given, or as much as accelerates the model by the scale.
    const std::vector<double> accelerations = compute_actuator_accelerations(model);
    const auto resolve = [&](std::size_t a, ActuatorLaw law, std::array<double, 10>& p, std::array<double, 3>& numbers)
    {
        if (law != ActuatorLaw::muscle) return;
        if (p[2] < 0) p[2] = p[3] / std::max(1e-15, accelerations[a]);
        numbers = {p[2], 0, 0};
    };
    // Limits that count as the range need no simulation.
    for (const std::size_t a : muscles)
    {
        const Range limits = find_limits(model, a);
        if (options.use_limits && limits.limited && !actuators.length_range[a].limited)
            actuators.length_range[a] = limits;
    }
    const bool sound = options.dt > 0 && options.duration / options.dt <= 1e6 && options.interval > 0;
    std::optional<Reach> reach;
    for (const std::size_t a : muscles)
    {
        resolve(a, actuators.gain_law[a], actuators.gain_parameters[a], actuators.gain[a]);
        resolve(a, actuators.bias_law[a], actuators.bias_parameters[a], actuators.bias[a]);
        if (actuators.length_range[a].limited) continue;
        if (!sound)
            fail(a, "the options for length ranges ask for more than a million steps, or none");
        else
        {
            if (!reach) reach.emplace(model, options);
            const std::string problem = find_range(options, *reach, a, actuators.length_range[a]);
            if (!problem.empty()) fail(a, problem);
        }
    }
    return errors;
}

}  // namespace rattleback
