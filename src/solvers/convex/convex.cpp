// The solver `convex`: loads a world, advances it with its constraints, checks, commits.
#include "solvers/convex/convex.h"

#include "solvers/convex/parameters.h"
#include "solvers/convex/world_constraints.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/integrators.h"

#include "base/bytes.h"

#include <cmath>

namespace rattleback::convex
{

namespace
{

/// Contacts and forces as every Memory, and what the method carries on.
struct ConvexMemory final : Memory
{
    void reset() override
    {
        Memory::reset();
        carried.warm.clear();
        carried.anchors.clear();
        carried.rest = {};
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, carried.warm);
        append(bytes, carried.anchors);
        append(bytes, carried.rest.island);
        append(bytes, carried.rest.quiet);
        append(bytes, carried.rest.q);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        Rest& rest = carried.rest;
        const bool complete = Memory::load(bytes) && read(bytes, carried.warm) && read(bytes, carried.anchors) &&
                              read(bytes, rest.island) && read(bytes, rest.quiet) && read(bytes, rest.q) && fits();
        if (!complete) reset();
        return complete;
    }

    /// Sizes are those of the model.
    bool fits() const
    {
        const Rest& rest = carried.rest;
        return (carried.warm.empty() || carried.warm.size() == dof_count) &&
               (rest.q.empty() || rest.q.size() == q_count) && rest.quiet.size() == rest.island.size() &&
               rest.island.size() <= dof_count;
    }

    Carried carried;
    std::size_t dof_count = 0, q_count = 0;
};

class ConvexSolver final : public Solver
{
public:
    ConvexSolver(const Model& model, const Options& options)
        : tree_(model), options_(options), workspace_(tree_), scratch_(tree_), constraints_(model, options)
    {
    }

    std::unique_ptr<Memory> make_memory() const override
    {
        auto memory = std::make_unique<ConvexMemory>();
        memory->dof_count = workspace_.v.size();
        memory->q_count = workspace_.q.size();
        return memory;
    }

    StepReport step(const StepInput& input, WorldView world, Memory& given) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        StageTimer timer(input.timings);
        load(input, world);
        constraints_.start(workspace_, memory.carried, memory.collider);
        const bool done = advance(options_.integrator, input.dt, workspace_, scratch_, constraints_, timer,
                                  options_.implicit_damping);
        constraints_.hold(workspace_);
        StepReport report = make_report();
        if (const int bad = done ? find_bad_dof() : constraints_.report().bad_dof; bad >= 0)
        {
            report_bad_dof(*tree_.model, bad, at(bad) < workspace_.v.size() ? workspace_.v[at(bad)] : 0, report);
        }
        else
        {
            constraints_.finish(workspace_, input.dt, memory.carried);
            commit(world, memory);
        }
        timer.mark(static_cast<int>(Stage::integrate));
        for (int k = 0; k < kStageCount; ++k) report.seconds[k] = timer.seconds(k);
        return report;
    }

private:
    void load(const StepInput& input, const WorldView& world)
    {
        load_world(workspace_, 0, world, input.control);
        std::vector<KinematicMotion>& motions = scratch_.motions[0];
        for (std::size_t k = 0; k < motions.size(); ++k)
        {
            motions[k] = find_kinematic_motion(*tree_.model, tree_.kinematic_bodies[k], world, input.control,
                                               input.time, input.dt);
        }
    }

    StepReport make_report() const
    {
        const SolveReport& solve = constraints_.report();
        StepReport report{.iterations = solve.iterations, .residual = solve.residual};
        if (!solve.converged) report.status = StepStatus::not_converged;
        report.contact_count = constraints_.contacts().count();
        for (const Contact& contact : constraints_.contacts().items)
        {
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        }
        return report;
    }

    /// First dof whose velocity or position is not finite or absurd; -1: none.
    int find_bad_dof() const
    {
        double sum = 0;  // zero times a number is zero unless it is infinite or NaN
        double fastest = 0;
        for (const double x : workspace_.v)
        {
            sum += 0 * x;
            fastest = std::max(fastest, std::abs(x));
        }
        for (const double x : workspace_.q) sum += 0 * x;
        for (const double x : workspace_.act) sum += 0 * x;
        if (sum == 0 && is_sound_speed(fastest)) return -1;
        const auto bad =
            std::find_if(workspace_.v.begin(), workspace_.v.end(), [](double x) { return !is_sound_speed(x); });
        return bad == workspace_.v.end() ? 0 : static_cast<int>(bad - workspace_.v.begin());
    }

    void commit(const WorldView& world, ConvexMemory& memory) const
    {
        std::copy(workspace_.q.begin(), workspace_.q.end(), world.q.begin());
        std::copy(workspace_.v.begin(), workspace_.v.end(), world.v.begin());
        std::copy(workspace_.act.begin(), workspace_.act.end(), world.act.begin());
        for (std::size_t k = 0; k < scratch_.motions[0].size(); ++k)
        {
            world.body_pose[tree_.kinematic_bodies[k]] = scratch_.motions[0][k].end;
            world.body_velocity[tree_.kinematic_bodies[k]] = scratch_.motions[0][k].end_velocity;
        }
        const std::vector<Contact>& contacts = constraints_.contacts().items;
        memory.contacts.items.assign(contacts.begin(), contacts.end());
        memory.contact_forces.items = constraints_.contact_forces();
    }

    Tree tree_;
    Options options_;
    Workspace<double> workspace_;
    IntegratorScratch<double> scratch_;
    WorldConstraints constraints_;
};

}  // namespace

const SolverInfo kInfo = {
    .name = "convex",
    .summary = "accurate articulated bodies: MuJoCo's soft convex contact, with friction that holds",
    .coordinates = Coordinates::joints,
    .supports = {Feature::free_joint, Feature::ball_joint, Feature::hinge_joint, Feature::slide_joint,
                 Feature::several_joints_per_body, Feature::kinematic_body, Feature::gravity_compensation,
                 Feature::contact, Feature::spinning_friction, Feature::rolling_friction, Feature::limits,
                 Feature::springs, Feature::damping, Feature::armature, Feature::dry_friction, Feature::equality,
                 Feature::tendon, Feature::actuator, Feature::medium},
    .parameters = make_parameter_table(),
    .ignored = &check_switches,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<ConvexSolver>(model, read_options(model, parameters)); },
};

}  // namespace rattleback::convex
