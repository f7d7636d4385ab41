// Whole steps, and parts of steps where these fail.
#include "solvers/shared/guarded_solver.h"

#include "base/index.h"
#include "solvers/shared/energy_guard.h"
#include "solvers/shared/kinematic_bodies.h"
#include "solvers/shared/places_bodies.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kMostLevels = 2;  // 16 parts

bool is_committed(const StepReport& report)
{
    return report.status == StepStatus::ok || report.status == StepStatus::not_converged;
}

class GuardedSolver final : public Solver, public PlacesBodies
{
public:
    GuardedSolver(const Model& model, bool owns_bodies, std::unique_ptr<Solver> plain,
                  std::function<std::unique_ptr<Solver>()> make_fine)
        : tree_(model),
          owns_bodies_(owns_bodies),
          plain_(std::move(plain)),
          places_(dynamic_cast<PlacesBodies*>(plain_.get())),
          make_fine_(std::move(make_fine)),
          begin_(model),
          part_begin_(model),
          motions_(tree_.kinematic_bodies.size()),
          targets_(at(model.kinematic_count))
    {
        guards_.push_back(std::make_unique<EnergyGuard>(tree_, owns_bodies));
    }

    std::unique_ptr<Memory> make_memory() const override { return plain_->make_memory(); }
    bool takes_contact_gains() const override { return plain_->takes_contact_gains(); }
    bool place_bodies(WorldView world) override { return places_ != nullptr && places_->place_bodies(world); }
    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& memory,
                       const ForwardOutput& output) override
    {
        return plain_->forward(input, world, memory, output);
    }
    bool find_derivatives(const StepInput& input, const ConstWorldView& world, Memory& memory,
                          const DerivativeOptions& options, StepDerivatives& derivatives) override
    {
        return plain_->find_derivatives(input, world, memory, options, derivatives);
    }

    /// A world in trouble takes no whole step first.
    Solver* begin_step(StepInput& input, const ConstWorldView& world, const Memory& memory) override
    {
        // The guard looks at the engine's own numbers until end_step.
        whole_ = input;
        guards_.front()->begin(whole_, world, memory.energy);
        input.judge = guards_.front().get();
        return memory.energy.level == 0 ? plain_.get() : nullptr;
    }

    void end_step(const StepInput& input, const WorldView& world, Memory& memory, StepReport& report) override
    {
        EnergyGuard& guard = *guards_.front();
        const bool was_whole = memory.energy.level == 0;
        if (was_whole && is_done(report, guard, world, memory)) return;
        report = step_in_parts(input, guard, world, memory, report);
    }

    StepReport step(const StepInput& input, WorldView world, Memory& memory) override
    {
        StepInput judged = input;
        StepReport report;
        if (Solver* solver = begin_step(judged, world, memory)) report = solver->step(judged, world, memory);
        end_step(input, world, memory, report);
        return report;
    }

    void step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                     std::span<Memory* const> memories, std::span<StepReport> reports) override
    {
        // Worlds that are stepped in parts go one by one, and their neighbours with them: bits are the same either way.
        const auto divided = [](const Memory* memory) { return memory->energy.level > 0; };
        if (std::any_of(memories.begin(), memories.end(), divided))
            return Solver::step_worlds(inputs, worlds, memories, reports);
        while (guards_.size() < worlds.size()) guards_.push_back(std::make_unique<EnergyGuard>(tree_, owns_bodies_));
        judged_.assign(inputs.begin(), inputs.end());
        for (std::size_t i = 0; i < worlds.size(); ++i)
        {
            guards_[i]->begin(inputs[i], worlds[i], memories[i]->energy);
            judged_[i].judge = guards_[i].get();
        }
        plain_->step_worlds(judged_, worlds, memories, reports);
        for (std::size_t i = 0; i < worlds.size(); ++i)
        {
            if (is_done(reports[i], *guards_[i], worlds[i], *memories[i])) continue;
            reports[i] = step_in_parts(inputs[i], *guards_[i], worlds[i], *memories[i], reports[i]);
        }
    }

private:
    /// Whether the plain step stands, or cannot be helped.
    static bool is_done(const StepReport& report, const EnergyGuard& guard, const ConstWorldView& world, Memory& memory)
    {
        if (report.status == StepStatus::capacity) return true;
        if (!is_committed(report) || guard.refused()) return false;
        guard.finish(world, memory.energy);
        return true;
    }

    /// The step in 4 parts, and in 16 where these are refused. Nothing of `world` and `memory` has been changed yet.
    StepReport step_in_parts(const StepInput& input, EnergyGuard& guard, const WorldView& world, Memory& memory,
                             const StepReport& plain)
    {
        if (!fine_) fine_ = make_fine_();
        EnergyLedger ledger = memory.energy;
        keep(world, memory, begin_, begin_bytes_);
        guard.move_start(begin_.world());
        find_kinematic_motions(*tree_.model, tree_.kinematic_bodies, input, world, motions_);
        int open_level = 0;
        for (int level = std::clamp(ledger.level, 1, kMostLevels); level <= kMostLevels; ++level)
        {
            const PartsReport parts = run_level(input, guard, level, world, memory, ledger);
            const bool accepted = is_committed(parts.report) && !guard.refused();
            // Joints that part in four parts may hold in sixteen. Where these have to be slowed down, four that only
            // left a joint open are taken once more, with the same bits.
            const bool last = level == kMostLevels;
            const bool open = owns_bodies_ && parts.report.status != StepStatus::ok;
            if (accepted && (last ? !parts.slowed || open_level == 0 : !open))
                return finish(guard, world, memory, ledger, parts.report);
            if (accepted && !last) open_level = level;
            put_back(begin_, begin_bytes_, world, memory);
            if (last && open_level == 0) return plain.status == StepStatus::diverged ? plain : parts.report;
        }
        const PartsReport parts = run_level(input, guard, open_level, world, memory, ledger);
        return finish(guard, world, memory, ledger, parts.report);
    }

    struct PartsReport
    {
        StepReport report;
        bool slowed = false;  ///< by more than a trim
    };

    /// The step in 4 or 16 parts; `ledger`: the next one in fewer, or in as many where even the finest were slowed
    /// down.
    PartsReport run_level(const StepInput& input, EnergyGuard& guard, int level, const WorldView& world, Memory& memory,
                          EnergyLedger& ledger)
    {
        const PartsReport parts = run_parts(input, guard, 1 << (2 * level), level == kMostLevels, world, memory);
        ledger.level = parts.slowed ? level : level - 1;
        return parts;
    }

    StepReport finish(const EnergyGuard& guard, const WorldView& world, Memory& memory, EnergyLedger ledger,
                      const StepReport& report) const
    {
        memory.energy = ledger;
        guard.finish(world, memory.energy);
        return report;
    }

    /// All parts, or as many as are committed. Those of the last resort are slowed down one by one, the others judged
    /// by their end.
    PartsReport run_parts(const StepInput& input, EnergyGuard& guard, int count, bool last_resort,
                          const WorldView& world, Memory& memory)
    {
        StepInput part = input;
        part.dt = input.dt / count;
        part.contact_dt = input.dt;
        part.control.target = targets_;
        PartsReport all;
        double removed = 0;
        for (int k = 0; k < count; ++k)
        {
            part.time = input.time + k * part.dt;
            const double fraction = static_cast<double>(k + 1) / count;
            place_targets(*tree_.model, tree_.kinematic_bodies, motions_, fraction, input.control.target, targets_);
            copy_world(world, part_begin_.world());
            StepReport report = fine_->step(part, world, memory);
            const bool held = last_resort && report.status == StepStatus::diverged && guard.is_sound_at_rest(world);
            if (held)
            {
                removed += hold(report, guard, fraction, world, memory);
                report.status = StepStatus::not_converged;
                all.slowed = true;
            }
            const int contacts = report.contact_count;
            all.report = merge(all.report, report);
            all.report.contact_count = contacts;
            if (held) continue;
            if (!is_committed(report)) break;
            copy_world(world, guard.candidate());
            guard.keep_momenta(part_begin_.world(), part.dt, memory.contacts.items);
            if (last_resort || k + 1 == count)
            {
                const State& begin = last_resort ? part_begin_ : begin_;
                removed += guard.judge_part(begin.world(), fraction * input.dt, memory.contacts.items, last_resort);
                all.slowed = all.slowed || guard.slowed();
            }
            copy_world(guard.candidate(), world);
        }
        all.report.substeps = count;
        all.report.removed_energy += removed;
        if (all.slowed && is_committed(all.report)) all.report.status = StepStatus::not_converged;
        return all;
    }

    /// A part whose problem has no answer in numbers: the group at fault goes on rigidly from where the part began, the
    /// others are where they were, kinematic bodies go on. The energy that this took [J].
    double hold(const StepReport& failed, EnergyGuard& guard, double fraction, const WorldView& world,
                const Memory& memory)
    {
        const double removed = guard.hold(part_begin_.world(), failed.culprit_body, memory.contacts.items);
        copy_world(guard.candidate(), world);
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            world.body_pose[at(tree_.kinematic_bodies[k])] = interpolate(motions_[k], fraction);
            world.body_velocity[at(tree_.kinematic_bodies[k])] = motions_[k].end_velocity;
        }
        return removed;
    }

    static void keep(const ConstWorldView& world, const Memory& memory, State& state, std::vector<std::byte>& bytes)
    {
        copy_world(world, state.world());
        bytes.clear();
        memory.save(bytes);
    }
    static void put_back(const State& state, const std::vector<std::byte>& bytes, const WorldView& world,
                         Memory& memory)
    {
        copy_world(state.world(), world);
        std::span<const std::byte> rest = bytes;
        memory.load(rest);
    }

    Tree tree_;
    bool owns_bodies_;
    std::unique_ptr<Solver> plain_, fine_;
    PlacesBodies* places_;  ///< of plain_; null: it does not
    std::function<std::unique_ptr<Solver>()> make_fine_;
    std::vector<std::unique_ptr<EnergyGuard>> guards_;  ///< [lane]
    std::vector<StepInput> judged_;                     ///< [lane]
    StepInput whole_;                                   ///< of the step between begin_step and end_step
    State begin_, part_begin_;
    std::vector<std::byte> begin_bytes_;
    std::vector<KinematicMotion> motions_;  ///< of the whole step
    std::vector<Pose> targets_;             ///< of a part
};

}  // namespace

std::unique_ptr<Solver> make_guarded_solver(const Model& model, bool owns_bodies, std::unique_ptr<Solver> plain,
                                            std::function<std::unique_ptr<Solver>()> make_fine)
{
    return std::make_unique<GuardedSolver>(model, owns_bodies, std::move(plain), std::move(make_fine));
}

}  // namespace rattleback
