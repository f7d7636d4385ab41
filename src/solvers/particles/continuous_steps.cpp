// The parts of a step in which something fast meets something.
#include "solvers/particles/continuous_steps.h"

#include "base/index.h"
#include "dynamics/refresh.h"
#include "solvers/shared/guarded_solver.h"
#include "solvers/shared/kinematic_bodies.h"
#include "solvers/shared/swept_contacts.h"

#include <algorithm>
#include <limits>

namespace rattleback::particles
{

namespace
{

constexpr int kMostParts = 64;  // the last one takes what is left
constexpr double kHop = 0.25;   // of a sphere's radius, in a part in which bodies meet

/// [body] how far it may come in a hop [m]: spheres touch, not shapes.
std::vector<double> find_hops(const Model& model, const ParticleSet& set)
{
    std::vector<double> hops(at(model.body_count()), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < set.spheres.size(); ++i)
    {
        if (set.shape[i] < 0) continue;
        double& hop = hops[at(model.shapes.body[at(set.shape[i])])];
        hop = std::min(hop, kHop * set.spheres[i].radius);
    }
    return hops;
}

class ContinuousSteps final : public Solver
{
public:
    ContinuousSteps(const Model& model, const ParticleSet& set, std::unique_ptr<Solver> plain)
        : tree_(model),
          plain_(std::move(plain)),
          swept_(model),
          contacts_(model),
          hops_(find_hops(model, set)),
          begin_(model),
          motions_(tree_.kinematic_bodies.size()),
          targets_(at(model.kinematic_count))
    {
    }

    std::unique_ptr<Memory> make_memory() const override { return plain_->make_memory(); }

    /// A glance at every body; nearly always none is fast, and the engine calls the plain solver.
    Solver* begin_step(StepInput& input, const ConstWorldView& world, const Memory& /*memory*/) override
    {
        const bool fast = swept_.any_fast(world, input.parameters.find_gravity(*tree_.model), input.dt);
        return fast ? this : plain_.get();
    }

    StepReport step(const StepInput& input, WorldView world, Memory& memory) override
    {
        const Vec3 gravity = input.parameters.find_gravity(*tree_.model);
        if (!swept_.any_fast(world, gravity, input.dt)) return plain_->step(input, world, memory);
        copy_world(world, begin_.world());
        bytes_.clear();
        memory.save(bytes_);
        contacts_.set_filter(input.contact_filter);
        find_kinematic_motions(*tree_.model, tree_.kinematic_bodies, input, world, motions_);
        const StepReport report = run_parts(input, gravity, world, memory);
        if (report.status < StepStatus::diverged) return report;
        // Nothing of a step that diverged is committed.
        copy_world(begin_.world(), world);
        std::span<const std::byte> rest = bytes_;
        memory.load(rest);
        return report;
    }

private:
    StepReport run_parts(const StepInput& input, const Vec3& gravity, const WorldView& world, Memory& memory)
    {
        StepInput part = input;
        part.control.target = targets_;
        StepReport all;
        double done = 0;
        int count = 0;
        for (; done < input.dt && all.status < StepStatus::diverged; ++count)
        {
            const double left = input.dt - done;
            const bool fast = count + 1 < kMostParts && swept_.any_fast(world, gravity, input.dt);
            part.dt = fast ? find_part(gravity, left, world, memory) : left;
            part.time = input.time + done;
            // What is left beyond rounding, or all of it.
            done = left - part.dt > kGrain * input.dt ? done + part.dt : input.dt;
            place_targets(done / input.dt, input.control.target);
            const StepReport report = plain_->step(part, world, memory);
            all = merge(all, report);
            all.contact_count = report.contact_count;
            refresh_bodies(tree_, world);
        }
        all.substeps = count;
        return all;
    }

    /// As far as the first meeting, or a hop where that is nearer.
    double find_part(const Vec3& gravity, double left, const WorldView& world, Memory& memory)
    {
        const auto pairs = contacts_.find_pairs(world, left, memory.collider);
        const double meeting = swept_.find_first_meeting(world, gravity, left, pairs, hops_);
        if (meeting >= left) return left;
        return std::max(meeting, swept_.find_shortest_hop(world, gravity, left, hops_));
    }

    /// Where kinematic bodies are at a fraction of the step.
    void place_targets(double fraction, std::span<const Pose> ends)
    {
        std::copy(ends.begin(), ends.end(), targets_.begin());
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            const int target = tree_.model->bodies.kinematic_index[at(tree_.kinematic_bodies[k])];
            if (target >= 0) targets_[at(target)] = interpolate(motions_[k], fraction);
        }
    }

    static constexpr double kGrain = 1e-9;  ///< of a step: no part is shorter

    Tree tree_;
    std::unique_ptr<Solver> plain_;
    SweptContacts swept_;
    StageContacts contacts_;
    std::vector<double> hops_;  ///< [body]
    State begin_;
    std::vector<std::byte> bytes_;
    std::vector<KinematicMotion> motions_;  ///< of the whole step
    std::vector<Pose> targets_;             ///< of a part
};

}  // namespace

std::unique_ptr<Solver> make_continuous_steps(const Model& model, const ParticleSet& set, std::unique_ptr<Solver> plain)
{
    return std::make_unique<ContinuousSteps>(model, set, std::move(plain));
}

}  // namespace rattleback::particles
