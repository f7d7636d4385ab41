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
          set_(set),
          plain_(std::move(plain)),
          whole_memory_(plain_->make_memory()),
          swept_(model),
          contacts_(model),
          hops_(find_hops(model, set)),
          near_(set.groups.size()),
          begin_(model),
          whole_(model),
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
        find_near(input.dt, world, memory);
        StepReport report = run_parts(input, gravity, world, memory);
        if (report.substeps > 1 && report.status < StepStatus::diverged)
            report = keep_others_whole(input, report, world);
        if (report.status < StepStatus::diverged) return report;
        // Nothing of a step that diverged is committed.
        copy_world(begin_.world(), world);
        std::span<const std::byte> rest = bytes_;
        memory.load(rest);
        return report;
    }

private:
    /// The groups that fast bodies may come near in the step, and all that those may touch.
    void find_near(double dt, const WorldView& world, Memory& memory)
    {
        const auto group_of = [&](int body) { return set_.group_of_body[at(body)]; };
        std::fill(near_.begin(), near_.end(), char{0});
        for (int body = 1; body < tree_.model->body_count(); ++body)
            if (group_of(body) >= 0 && swept_.is_fast(body)) near_[at(group_of(body))] = 1;
        const auto pairs = contacts_.find_pairs(world, dt, memory.collider);
        // From neighbour to neighbour, until there are no more.
        for (bool grown = true; grown;)
        {
            grown = false;
            for (const PairCandidate& pair : pairs)
            {
                const int first = group_of(tree_.model->shapes.body[at(pair.first)]);
                const int second = group_of(tree_.model->shapes.body[at(pair.second)]);
                if (first < 0 || second < 0 || near_[at(first)] == near_[at(second)]) continue;
                near_[at(first)] = near_[at(second)] = 1;
                grown = true;
            }
        }
    }

    /// All others take the step in one, as they would without the fast ones: what overlaps are left between them would
    /// be taken out in a hop, and be a speed of dx / h (Eq. 1 and 2) with its short h.
    StepReport keep_others_whole(const StepInput& input, const StepReport& parts, const WorldView& world)
    {
        if (std::find(near_.begin(), near_.end(), char{0}) == near_.end()) return parts;
        copy_world(begin_.world(), whole_.world());
        std::span<const std::byte> rest = bytes_;
        whole_memory_->load(rest);
        const StepReport whole = plain_->step(input, whole_.world(), *whole_memory_);
        for (std::size_t g = 0; g < near_.size(); ++g)
        {
            if (near_[g] != 0) continue;
            // Their particles follow in the next step, as those of any body that was placed.
            const RigidGroup& group = set_.groups[g];
            std::copy_n(whole_.q.begin() + group.q_begin, 7, world.q.begin() + group.q_begin);
            std::copy_n(whole_.v.begin() + group.v_begin, 6, world.v.begin() + group.v_begin);
        }
        refresh_bodies(tree_, world);
        StepReport all = merge(parts, whole);
        all.contact_count = parts.contact_count;
        all.substeps = parts.substeps;
        return all;
    }

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
            part.contact_dt = input.dt;
            part.dt = fast ? find_part(gravity, left, world, memory) : left;
            part.time = input.time + done;
            // What is left beyond rounding, or all of it.
            done = left - part.dt > kGrain * input.dt ? done + part.dt : input.dt;
            place_targets(*tree_.model, tree_.kinematic_bodies, motions_, done / input.dt, input.control.target,
                          targets_);
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

    static constexpr double kGrain = 1e-9;  ///< of a step: no part is shorter

    Tree tree_;
    const ParticleSet& set_;
    std::unique_ptr<Solver> plain_;
    std::unique_ptr<Memory> whole_memory_;
    SweptContacts swept_;
    StageContacts contacts_;
    std::vector<double> hops_;  ///< [body]
    std::vector<char> near_;    ///< [group] 1: takes the step in parts
    State begin_, whole_;
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
