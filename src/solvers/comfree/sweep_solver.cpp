// The law `stable` by sweeps as a solver: one world in one lane, several in packs.
#include "solvers/comfree/sweep_solver.h"

#include "solvers/comfree/sweep_lanes.h"

#include "base/cpu_check.h"

#include <rattleback/derivatives.h>

#include <algorithm>

namespace rattleback::comfree
{

namespace
{

/// Impulses of a fixed number of sweeps have no active set to be linear at.
bool refuse_derivatives(StepDerivatives& derivatives)
{
    derivatives.reason = "comfree has no derivatives of sweeps; method = direct has them";
    return false;
}

/// `One`: the scalar of a world alone; `Many`: of a pack in registers that every processor has.
template <class One, class Many>
class SweepSolver final : public Solver, public PlacesBodies
{
public:
    SweepSolver(const Model& model, const Options& options)
        : tree_(model),
          options_(options),
          most_(at(has_wide_lanes() ? 2 * kLaneCount<Many> : kLaneCount<Many>)),
          single_(tree_, options_)
    {
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ComfreeMemory>(); }

    StepReport step(const StepInput& input, WorldView world, Memory& memory) override
    {
        StepReport report;
        Memory* const memories[] = {&memory};
        // One world is a pack of one lane: the same code, and the same bits as in any lane of four. Of floats it is all
        // lanes of eight.
        // The step itself, phase by phase: SweepLanes::step.
        single_.step({&input, 1}, {&world, 1}, memories, {&report, 1});
        return report;
    }

    void step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                     std::span<Memory* const> memories, std::span<StepReport> reports) override
    {
        // Packs of neighbours, as many worlds as there are lanes.
        for (std::size_t i = 0; i < worlds.size(); i += most_)
        {
            const std::size_t count = std::min(most_, worlds.size() - i);
            // Lanes share the timestep; worlds that do not are stepped one by one.
            const auto fits = [&](const StepInput& input) { return input.dt == inputs[i].dt; };
            const bool uniform = std::all_of(inputs.begin() + i, inputs.begin() + i + count, fits);
            if (count < 2 || !uniform)
            {
                Solver::step_worlds(inputs.subspan(i, count), worlds.subspan(i, count), memories.subspan(i, count),
                                    reports.subspan(i, count));
                continue;
            }
            const int fast = choose_pack(count).step(inputs.subspan(i, count), worlds.subspan(i, count),
                                                     memories.subspan(i, count), reports.subspan(i, count));
            for (std::size_t k = 0; k < count && fast != 0; ++k)
                if ((fast >> k) % 2 != 0) reports[i + k] = step(inputs[i + k], worlds[i + k], *memories[i + k]);
        }
    }

    bool place_bodies(WorldView world) override { return single_.place_bodies(world); }
    bool find_derivatives(const StepInput& /*input*/, const ConstWorldView& /*world*/, Memory& /*memory*/,
                          const DerivativeOptions& /*options*/, StepDerivatives& derivatives) override
    {
        return refuse_derivatives(derivatives);
    }

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& memory,
                       const ForwardOutput& output) override
    {
        return single_.forward(input, world, memory, output);
    }

private:
    /// The narrowest that holds so many worlds. Made when first needed: a Simulation never does.
    SweepPack& choose_pack(std::size_t count)
    {
        const bool wide = count > at(kLaneCount<Many>);
        std::unique_ptr<SweepPack>& pack = wide ? wide_pack_ : pack_;
        if (pack) return *pack;
        if (wide)
            pack = make_wide_pack(tree_, options_);
        else
            pack = std::make_unique<SweepLanes<Many>>(tree_, options_);
        return *pack;
    }

    Tree tree_;
    Options options_;
    std::size_t most_;  ///< worlds in a pack
    SweepLanes<One> single_;
    std::unique_ptr<SweepPack> pack_, wide_pack_;
};

/// Many free bodies: their contacts fill the lanes, so that worlds are stepped one by one.
class CrowdSolver final : public Solver, public PlacesBodies
{
public:
    CrowdSolver(const Model& model, const Options& options) : tree_(model), options_(options), world_(tree_, options_)
    {
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ComfreeMemory>(); }

    StepReport step(const StepInput& input, WorldView world, Memory& memory) override
    {
        StepReport report;
        Memory* const memories[] = {&memory};
        // The step itself, phase by phase: SweepLanes::step.
        world_.step({&input, 1}, {&world, 1}, memories, {&report, 1});
        return report;
    }

    bool place_bodies(WorldView world) override { return world_.place_bodies(world); }
    bool find_derivatives(const StepInput& /*input*/, const ConstWorldView& /*world*/, Memory& /*memory*/,
                          const DerivativeOptions& /*options*/, StepDerivatives& derivatives) override
    {
        return refuse_derivatives(derivatives);
    }

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& memory,
                       const ForwardOutput& output) override
    {
        return world_.forward(input, world, memory, output);
    }

private:
    Tree tree_;
    Options options_;
    SweepLanes<double, CrowdLaw> world_;
};

}  // namespace

std::unique_ptr<Solver> make_sweep_solver(const Model& model, const Options& options)
{
    if (!options.single_precision && CrowdLaw::serves(Tree(model), options))
        return std::make_unique<CrowdSolver>(model, options);
    if (options.single_precision) return std::make_unique<SweepSolver<Pack8, Pack8>>(model, options);
    return std::make_unique<SweepSolver<double, Pack4>>(model, options);
}

}  // namespace rattleback::comfree
