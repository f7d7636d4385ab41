// The solver `convex`: loads a world, advances it with its constraints, checks, commits.
#include "solvers/convex/convex.h"

#include "solvers/convex/parameters.h"
#include "solvers/convex/world_constraints.h"
#include "solvers/shared/world_io.h"

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
        load_lane(tree_, input, world, 0, workspace_, scratch_);
        constraints_.start(workspace_, memory.carried, memory.collider);
        const bool done = advance(options_.integrator, input.dt, workspace_, scratch_, constraints_, timer,
                                  options_.implicit_damping);
        constraints_.hold(workspace_);
        StepReport report = make_report();
        if (const int bad = done ? find_bad_dof(*tree_.model, workspace_, 0) : constraints_.report().bad_dof; bad >= 0)
        {
            report_bad_dof(*tree_.model, bad, workspace_, 0, report);
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

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& given,
                       const ForwardOutput& output) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        StageTimer timer(input.timings);
        load_lane(tree_, input, world, 0, workspace_, scratch_);
        constraints_.start(workspace_, memory.carried, memory.collider);
        compute_smooth_forces(workspace_, scratch_.motions[0], input.dt, timer);
        constraints_.add_forces(workspace_, input.dt, timer);
        std::copy(workspace_.qacc.begin(), workspace_.qacc.end(), output.acceleration.begin());
        output.contacts.items = constraints_.contacts().items;
        output.forces.items = constraints_.contact_forces();
        StepReport report = make_report();
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

private:
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

    void commit(const WorldView& world, ConvexMemory& memory) const
    {
        commit_lane(tree_, workspace_, scratch_, 0, world);
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
    .solves_forward = true,
    .parameters = make_parameter_table(),
    .ignored = &check_switches,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<ConvexSolver>(model, read_options(model, parameters)); },
};

}  // namespace rattleback::convex
