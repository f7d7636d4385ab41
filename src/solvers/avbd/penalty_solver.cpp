// The solver of mode `penalty`, in the order of [VBD-R], "The Complete Per-Step Algorithm".
#include "solvers/avbd/penalty_solver.h"

#include "solvers/avbd/penalty.h"
#include "solvers/avbd/phases.h"

namespace rattleback::avbd
{

namespace
{

/// This mode reads its rows as they are.
struct NoRecords
{
    void resize(std::size_t /*row_count*/) {}
    void load_records(const Settings& /*settings*/, const std::vector<ContactRow>& /*rows*/, Piece /*range*/,
                      const BlockWork& /*work*/)
    {
    }
};

/// Every body is a block, nothing sleeps, all of an error counts at once.
class PenaltySolver final : public Solver
{
public:
    PenaltySolver(const Model& model, const Settings& settings)
        // fraction 1: alpha = 0, [VBD-R] has no regularisation of old errors
        : state_(model, settings, false, 1), sweep_(state_.layout)
    {
    }

    std::unique_ptr<Memory> make_memory() const override
    {
        return std::make_unique<AvbdMemory>(state_.model_layout, true);
    }

    StepReport step(const StepInput& input, WorldView world, Memory& base_memory) override
    {
        auto& memory = static_cast<AvbdMemory&>(base_memory);
        StageTimer timer(input.timings);
        // x_t, v_t, external forces; contacts at x_t; their rows with k of the last step
        load_world(input, world, memory, state_);
        detect_contacts(input, world, memory, state_);
        timer.mark(static_cast<int>(Stage::collide));
        build_contact_rows(memory, state_, records_);
        build_swept_rows(input.dt, state_, records_);
        colour_blocks(state_.layout, state_.rows.manifolds, state_.colouring);
        sweep_.choose_all(state_.colouring);
        for (int substep = 0; substep < state_.settings.substeps; ++substep)
        {
            // Initialization: x* as target and first guess, k <- clamp(gamma k), contacts by body
            start_substep(substep, world, state_, records_);
            predict_motion(substep, FirstGuess::target, state_);
            gather_contacts(state_.layout, state_.settings, state_.rows.rows, state_.rows.manifolds, sweep_.single(),
                            state_.work);
            timer.mark(static_cast<int>(Stage::rows));
            start_penalties(state_.layout, state_.settings, state_.pool, state_.rows.rows, state_.work);
            // VBD iterations: bodies colour by colour, then the penalties
            for (int iteration = 1; iteration <= state_.settings.iterations; ++iteration)
            {
                solve_bodies(state_.layout, state_.settings, state_.colouring, sweep_, state_.rows.rows, state_.pool,
                             state_.work);
                // Loads belong to the penalties with which the last sweep ran, before they grow once more.
                if (iteration == state_.settings.iterations)
                    record_loads(state_.layout, state_.settings, state_.pool, state_.rows.rows, state_.work);
                ramp_penalties(state_.layout, state_.settings, state_.pool, state_.rows.rows, state_.work);
            }
            // Finalization: v = (x - x_t) / h
            finish_velocities(state_);
            finish_substep(state_);
            timer.mark(static_cast<int>(Stage::solve));
        }
        StepReport report = make_report(state_);
        if (find_divergence(state_, report)) return report;  // nothing was written
        write_world(world, state_, report);
        store_memory(world, memory, state_);
        finish_report(timer, report);
        return report;
    }

private:
    StepState state_;
    NoRecords records_;
    BlockSweep sweep_;  ///< every body by itself
};

}  // namespace

std::unique_ptr<Solver> make_penalty_solver(const Model& model, const Settings& settings)
{
    return std::make_unique<PenaltySolver>(model, settings);
}

}  // namespace rattleback::avbd
