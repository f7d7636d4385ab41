// The solver `ipc`: one step in the order of the method.
#include "solvers/ipc/ipc.h"

#include "base/index.h"
#include "solvers/ipc/balance.h"
#include "solvers/ipc/memory.h"
#include "solvers/ipc/motors.h"
#include "solvers/ipc/newton.h"
#include "solvers/ipc/start_words.h"
#include "solvers/ipc/turning_arms.h"
#include "solvers/ipc/write_back.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/kinematic_bodies.h"
#include "solvers/shared/stage_seconds.h"

#include "math/rotation.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Rigid bodies whose surfaces never pass through each other: each step minimises an incremental potential with a
/// barrier, along paths that are certified to be free ([RigidIPC]; README).
class IpcSolver final : public Solver
{
public:
    IpcSolver(const Model& model, const Settings& settings, std::shared_ptr<const Layout> layout)
        : model_(model),
          scheme_(settings.scheme),
          anchors_friction_(settings.anchor),
          deviations_(settings.deviations),
          shared_(std::move(layout)),
          insets_(model, settings, shared_),
          layout_(&insets_.layout()),
          newton_(model, *layout_, settings),
          motors_(model, layout_->joints),
          balance_(model, *layout_),
          restitution_(model, *layout_),
          sleep_(model, *layout_, settings),
          writer_(*layout_),
          motions_(layout_->kinematic_bodies.size()),
          velocities_(layout_->groups.size())
    {
    }

    std::unique_ptr<Memory> make_memory() const override
    {
        auto memory = std::make_unique<IpcMemory>(shared_, restitution_.is_on(), sleep_.is_on(), anchors_friction_);
        const std::size_t room = find_contact_room(*layout_);
        memory->contacts.items.reserve(room);
        memory->contact_forces.items.reserve(room);
        if (anchors_friction_) memory->anchors.reserve(room);
        if (restitution_.is_on()) memory->impacts.reserve(room);
        return memory;
    }

    StepReport step(const StepInput& given_input, WorldView world, Memory& given) override
    {
        auto& memory = static_cast<IpcMemory&>(given);
        newton_.begin_timing(given_input.timings);
        // Where inertia, forces and tracks lead (Eqs. 9 and 11).
        StepInput input = given_input;
        find_kinematic_motions(model_, layout_->kinematic_bodies, input, world, motions_);
        motors_.find(model_, input, world, motions_);
        input.control.joint_force = motors_.joint_force();
        load_bodies(model_, *layout_, input, world, motions_, bodies_);
        const double step =
            set_targets(scheme_, *layout_, input.dt, input.parameters.find_gravity(model_), memory.history, bodies_);
        if (const int bad = find_bad_target(); bad >= 0) return refuse(bad);
        if (!are_finite(motors_.act()) || !are_finite(motors_.joint_force())) return {.status = StepStatus::diverged};
        newton_.put_to_sleep(sleep_.begin(world, bodies_, input.parameters.find_gravity(model_),
                                          input.parameters.friction, memory.sleep));
        // What can come near what within the step; nothing may touch to begin with.
        newton_.set_filter(input.contact_filter);
        newton_.joints().begin(model_, input, world, bodies_, motors_.drives(), memory.multipliers);
        newton_.set_anchors(memory.anchors);
        StepReport report;
        if (!begin_apart(input, step, world, memory, report)) return report;
        const double balance = begin_barriers(memory.is_checked == 0, input);
        // The minimum of inertia, barrier and friction (Eq. 12).
        NewtonReport solved = newton_.minimise(bodies_);
        newton_.snap(bodies_);
        // The path from state to state is what is promised: where it is not free, the minimum is looked for again with
        // the barrier on the way, and if that fails, the step ends before.
        const bool is_certified = !deviations_.path || certify_path(solved);
        newton_.refresh(bodies_);
        const bool is_whole = solved.converged && is_certified;
        balance_.find_clusters(newton_, bodies_, is_whole);
        // Who was stopped on the way to no minimum is led on by its momentum.
        if (!is_whole && deviations_.energy) catch_up();
        // Velocities that the integrator finds in the new places, and what impacts that end now give back.
        find_velocities(input.dt, step);
        if (const int bad = find_bad_group(*layout_, newton_.placements(), velocities_); bad >= 0) return refuse(bad);
        finish_velocities(input, is_whole, memory);
        if (memory.is_checked == 0) memory.stiffness = memory.rest_stiffness = balance;
        const bool is_on_track = newton_.is_on_track(bodies_);
        commit(world, memory, solved.least_distance, input.dt, is_whole && is_on_track);
        report_seconds(newton_.timer(), report);
        report.iterations = solved.iterations;
        report.residual = solved.residual;
        report.contact_count = memory.contacts.count();
        if (!is_whole || !is_on_track) report.status = StepStatus::not_converged;
        return report;
    }

private:
    /// False where the step ends before what was found.
    bool certify_path(NewtonReport& solved)
    {
        bool is_certified = newton_.certify(bodies_);
        if (!is_certified && deviations_.way) is_certified = newton_.minimise_on_way(bodies_, solved);
        if (!is_certified && !deviations_.way) newton_.end_apart(bodies_);
        if (is_certified) is_certified = newton_.leave_gaps(bodies_, solved);
        return is_certified;
    }

    /// What every body may be under: gravity, and what drives along coordinates give [m/s^2].
    double find_acceleration(const StepInput& input) const
    {
        return std::max(norm(input.parameters.find_gravity(model_)), newton_.potential().joints().find_acceleration());
    }

    int find_bad_target() const
    {
        for (std::size_t g = 0; g < bodies_.size(); ++g)
        {
            const Body& body = bodies_[g];
            if (!is_sound_body({body.target.center, body.target.rotation}, body.free)) return static_cast<int>(g);
        }
        return -1;
    }

    StepReport refuse(int group) const
    {
        StepReport report;
        const Body& body = bodies_[at(group)];
        report_bad_body(layout_->groups[at(group)].body, body.target.center, body.free, report);
        return report;
    }

    /// Candidates, with the surfaces of this world. Where a state that this solver did not make touches or overlaps a
    /// little, its surfaces move inwards; where it overlaps more, false, and the report names the two.
    bool begin_apart(const StepInput& input, double step, const ConstWorldView& world, IpcMemory& memory,
                     StepReport& report)
    {
        insets_.wear(memory.insets);
        const auto begin = [&]
        {
            newton_.begin(bodies_, input.dt, step, find_acceleration(input), memory.stiffness,
                          input.parameters.friction);
        };
        begin();
        // What lies under bodies asleep is not checked.
        if (!memory.sleep.any_sleeps() &&
            insets_.release(newton_.potential().candidates(), newton_.placements(), memory.insets))
        {
            insets_.wear(memory.insets);
            begin();
        }
        // A state that no step has made may have less room than rounding leaves, and edges through faces far from any
        // vertex.
        const bool is_written = memory.is_checked == 0;
        int first = -1, second = -1;
        if (newton_.is_free(is_written, is_written, first, second)) return true;
        std::vector<OwnInset> wider = memory.insets;
        const std::vector<DeepOverlap> deep = insets_.widen(newton_.placements(), input.contact_filter, wider);
        begin();
        if (deep.empty() && newton_.is_free(false, true, first, second))
        {
            memory.insets = std::move(wider);
            return true;
        }
        insets_.wear(memory.insets);
        if (!deep.empty())
        {
            first = deep.front().first;
            second = deep.front().second;
        }
        report.status = StepStatus::diverged;
        report.culprit_shapes = std::minmax(ShapeId{first}, ShapeId{second});
        const auto [low, high] = report.culprit_shapes;
        const int body = model_.shapes.body[at(high.index)];
        report.culprit_body = BodyId{body > 0 ? body : model_.shapes.body[at(low.index)]};
        report.culprit_depth = find_depth(model_, world, first, second);
        return false;
    }

    /// Before anything moves: energies; first the stiffness that balances where a run begins, and what it is scaled by.
    double begin_barriers(bool is_first, const StepInput& input)
    {
        const double balance = is_first && deviations_.stiffness ? newton_.balance_start(bodies_) : 1;
        if (!deviations_.stiffness) newton_.set_plain_stiffness(bodies_);
        newton_.refresh(bodies_);
        balance_.begin(newton_, bodies_, input.parameters.find_gravity(model_), input.dt);
        return balance;
    }

    void catch_up()
    {
        newton_.catch_up(bodies_, balance_.find_lags(newton_, bodies_));
        newton_.refresh(bodies_);
    }

    void find_velocities(double dt, double step)
    {
        if (scheme_ != Scheme::euler) past_.resize(bodies_.size());
        for (std::size_t g = 0; g < bodies_.size(); ++g)
        {
            const Group& group = layout_->groups[g];
            const Placement& now = newton_.placements()[g];
            velocities_[g] = {};
            if (group.dynamic)
                velocities_[g] = scheme_ == Scheme::euler
                                     ? find_velocity(group, bodies_[g], now, dt)
                                     : find_scheme_velocity(scheme_, group, bodies_[g], now, dt, step, past_[g]);
            if (group.kinematic)
                velocities_[g] = {(1 / dt) * (now.center - bodies_[g].start.center),
                                  (1 / dt) * logarithm(now.rotation * conjugate(bodies_[g].start.rotation))};
        }
    }

    void finish_velocities(const StepInput& input, bool is_whole, IpcMemory& memory)
    {
        if (scheme_ == Scheme::euler && deviations_.arms)
            take_turning_arms(newton_, bodies_, input.dt, arms_, velocities_);
        if (deviations_.energy && (scheme_ == Scheme::euler || !is_whole))
            balance_.finish(newton_, bodies_, scheme_ == Scheme::euler, velocities_);
        if (restitution_.is_on())
            restitution_.finish(newton_.potential(), bodies_, newton_.placements(), input.dt,
                                input.parameters.find_gravity(model_), memory.impacts, memory.impact_energy,
                                velocities_);
        // Who has been slow for long enough stops, and is left alone from the next step on.
        sleep_.settle(newton_, is_whole, velocities_, memory.sleep);
    }

    void commit(const WorldView& world, IpcMemory& memory, double least_distance, double dt, bool is_whole)
    {
        write_bodies(model_, *layout_, newton_.placements(), velocities_, newton_.sleepers(), world);
        sleep_.store(world, memory.sleep);
        newton_.joints().write(newton_.placements(), velocities_, world);
        // Joints that a step cut short has left open say nothing about the forces that they bear.
        if (is_whole) newton_.joints().store(newton_.placements(), memory.multipliers);
        if (asks_forces_)
            newton_.joints().write_forces(model_, newton_.placements(), memory.multipliers, memory.constraint_forces);
        writer_.write(model_, *layout_, newton_.potential(), bodies_, newton_.placements(), newton_.sleepers(), memory);
        std::copy(motors_.act().begin(), motors_.act().end(), world.act.begin());
        if (anchors_friction_)
            newton_.potential().store_anchors(bodies_, newton_.placements(), newton_.sleepers(), memory.anchors);
        memory.is_checked = 1;
        memory.history.past = past_;
        memory.history.dt = dt;
        // The barrier hardens while gaps become small against d̂, and softens again when they are not. By a tenth a step
        // unless they are very small: what it is harder by pushes (doubled each step, it threw up an arch that stands
        // by 6 cm), but in hard impacts it must be quick. A narrow gap that stays is one that somebody built.
        constexpr double kSmall = 0.01, kVerySmall = 1e-3, kLeast = 1.1, kMost = 2, kHardest = 1e8, kFalls = 0.99;
        const double gap = (least_distance - newton_.separation()) / layout_->reach;
        const bool falls = gap < kFalls * memory.least_gap;
        if (!deviations_.stiffness)
        {
            // [IPC]: doubled where a gap of 1e-9 of the scene has fallen.
            const double small = layout_->plain.small_gap / layout_->reach;
            if (gap < small && memory.least_gap < small && gap < memory.least_gap) memory.stiffness *= 2;
            memory.stiffness = std::min(memory.stiffness, kHardest);
            memory.least_gap = gap;
            return;
        }
        if (is_whole) memory.least_gap = gap;
        if (gap < kSmall && falls && is_whole)
        {
            // What barriers store then was lost in this step: no energy comes from a change of their stiffness.
            const double growth =
                std::min(std::clamp(kVerySmall / gap, kLeast, kMost), balance_.find_hardening_limit());
            memory.stiffness = std::min(growth * memory.stiffness, kHardest);
        }
        // Gaps of a step that has found no balance ask for nothing, and a barrier that it was too hard for was hardened
        // in vain. Sleepers will wake up to what they fell asleep with.
        if ((gap > 0.2 || !is_whole) && !memory.sleep.any_sleeps())
            memory.stiffness = std::max(0.5 * memory.stiffness, memory.rest_stiffness);
    }

    const Model& model_;
    Scheme scheme_;
    bool anchors_friction_;
    Deviations deviations_;
    std::shared_ptr<const Layout> shared_;
    OwnInsets insets_;
    const Layout* layout_;  ///< with the surfaces of the world that is stepped
    Newton newton_;
    Motors motors_;
    Balance balance_;
    Restitution restitution_;
    Sleep sleep_;
    bool asks_forces_ = asks_constraint_forces(model_);
    ContactWriter writer_;
    std::vector<KinematicMotion> motions_;
    std::vector<Body> bodies_;
    std::vector<TurningArms> arms_;     ///< [group] scratch
    std::vector<Past> past_;            ///< [group] of this step, for the next; empty where nobody looks back
    std::vector<Velocity> velocities_;  ///< [group] of the centres, after the step
};

/// Notes more pairs of Layout::mounted, from the candidates of `newton`, which has begun at the start; false if there
/// are none.
bool add_mounted(const Model& model, const Newton& newton, Layout& layout)
{
    const std::size_t before = layout.mounted.size();
    const auto find_group = [&](int shape) -> const Group&
    { return layout.groups[at(layout.group_of_body[at(model.shapes.body[at(shape)])])]; };
    const auto note = [&](int first, int second)
    {
        const Group &a = find_group(first), &b = find_group(second);
        if (is_driven_pair(a, b)) layout.mounted.emplace_back(std::min(first, second), std::max(first, second));
    };
    const Candidates& candidates = newton.potential().candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        // A round hole of flats is now wider, now narrower around what turns in it.
        const std::span<const Candidate> items = candidates.candidates(set);
        if (!items.empty() && items.front().distance < 2 * layout.reach + newton.separation())
            note(candidates.first_shape(set), candidates.second_shape(set));
    }
    int first = -1, second = -1;
    if (layout.mounted.size() == before && candidates.find_crossing(first, second)) note(first, second);
    std::sort(layout.mounted.begin(), layout.mounted.end());
    return layout.mounted.size() > before;
}

/// Candidates of a state in which nothing moves.
void begin_at_start(const Model& model, const Layout& layout, const State& state, Newton& newton)
{
    const Control control(model);
    StepInput input;
    input.control = control.world();
    input.dt = model.settings.dt;
    std::vector<KinematicMotion> motions(layout.kinematic_bodies.size());
    std::vector<Body> bodies;
    find_kinematic_motions(model, layout.kinematic_bodies, input, state.world(), motions);
    load_bodies(model, layout, input, state.world(), motions, bodies);
    for (Body& body : bodies) body.target = body.start;
    newton.begin(bodies, input.dt, input.dt, 0, 1, {});
}

/// What a state takes for nothing to touch in it.
struct StartLook
{
    std::vector<OwnInset> insets;
    std::vector<DeepOverlap> deep;
};

/// After begin_at_start().
StartLook look_at_start(const Model& model, const Settings& settings, const std::shared_ptr<const Layout>& shared,
                        const State& state, const Newton& newton)
{
    StartLook look;
    int first = -1, second = -1;
    if (newton.is_free(true, true, first, second)) return look;
    OwnInsets insets(model, settings, shared);
    look.deep = insets.widen(newton.placements(), {}, look.insets);
    if (!look.deep.empty()) return look;
    Newton again(model, insets.layout(), settings);
    begin_at_start(model, insets.layout(), state, again);
    if (!again.is_free(false, true, first, second)) look.deep.push_back({first, second, 0});
    return look;
}

void place_at_keyframe(const Model& model, const Keyframe& keyframe, State& state)
{
    // What it does not set is as at the start.
    state = State(model);
    if (keyframe.q.size() == state.q.size()) state.q = keyframe.q;
    for (std::size_t b = 0; b < state.body_pose.size() && !keyframe.targets.empty(); ++b)
    {
        if (const int row = model.bodies.kinematic_index[b]; row >= 0) state.body_pose[b] = keyframe.targets[at(row)];
    }
    refresh_bodies(model, state.world());
}

/// Surfaces and trees, shared by all threads. Refuses a model that starts with bodies deep in each other.
Result<std::shared_ptr<const void>> prepare(const Model& model, const Parameters& parameters)
{
    const Result<Deviations> deviations = read_method(std::get<std::string>(parameters.find("method")->second));
    if (!deviations.ok()) return deviations.errors();
    const Settings settings(parameters);
    if (settings.corners % 4 != 0)
        return Error{.where = "parameter 'corners'", .message = "is not a multiple of 4", .hint = "for example 24"};
    Result<std::shared_ptr<const Layout>> layout = build_layout(model, settings);
    if (!layout.ok()) return layout.errors();
    // Their effective steps weigh forces along coordinates otherwise than joints do.
    if (settings.scheme > Scheme::printed && !layout.value()->joints.empty())
        return Error{.where = "parameter 'integrator'",
                     .message = "'bdf2' and 'newmark' do not take joints",
                     .hint = "use 'euler'"};
    const auto shared = std::make_shared<Layout>(*layout.value());
    Newton newton(model, *shared, settings);
    State state(model);
    begin_at_start(model, *shared, state, newton);
    while (!shared->kinematic_bodies.empty() && add_mounted(model, newton, *shared))
        begin_at_start(model, *shared, state, newton);
    StartLook start = look_at_start(model, settings, shared, state, newton);
    if (!start.deep.empty()) return describe_overlaps(model, state.world(), start.deep);
    shared->start_warnings = describe_insets(model, *shared, start.insets, "the start");
    // Runs may begin at keyframes, too.
    constexpr std::size_t kMostKeyframes = 16;
    for (std::size_t k = 0; k < std::min(kMostKeyframes, model.keyframes.size()); ++k)
    {
        const std::string name = "keyframe '" + model.keyframes[k].name + "'";
        place_at_keyframe(model, model.keyframes[k], state);
        begin_at_start(model, *shared, state, newton);
        start = look_at_start(model, settings, shared, state, newton);
        const std::vector<Error> warnings = start.deep.empty()
                                                ? describe_insets(model, *shared, start.insets, name)
                                                : describe_refused_keyframe(model, state.world(), start.deep, name);
        shared->start_warnings.insert(shared->start_warnings.end(), warnings.begin(), warnings.end());
    }
    return std::shared_ptr<const void>(std::shared_ptr<const Layout>(shared));
}

}  // namespace

const SolverInfo kInfo = {
    .name = "ipc",
    .summary = "intersection-free rigid bodies (rigid-IPC): a barrier, and every path certified",
    .coordinates = Coordinates::bodies,
    .supports = {Feature::free_joint, Feature::ball_joint, Feature::hinge_joint, Feature::slide_joint,
                 Feature::several_joints_per_body, Feature::kinematic_body, Feature::gravity_compensation,
                 Feature::contact, Feature::limits, Feature::springs, Feature::damping, Feature::armature,
                 Feature::dry_friction, Feature::equality, Feature::actuator, Feature::restitution},
    .finds_own_contacts = true,
    .world_parameters = {WorldParameter::gravity, WorldParameter::friction, WorldParameter::gain},
    .parameters = make_parameter_table(),
    .prepare = &prepare,
    .make_prepared = [](const Model& model, const Parameters& parameters,
                        const std::shared_ptr<const void>& prepared) -> std::unique_ptr<Solver>
    {
        return std::make_unique<IpcSolver>(model, Settings(parameters),
                                           std::static_pointer_cast<const Layout>(prepared));
    },
};

}  // namespace rattleback::ipc
