// Batch::rollout: many steps of every world with inputs for each, and what is kept of them.
#include "engine/rollout.h"

#include "engine/world_arrays.h"

#include <algorithm>

namespace rattleback
{

namespace
{

std::vector<Error> find_wrong_sizes(const Worlds& worlds, std::int64_t steps, std::span<const double> controls,
                                    const RolloutOptions& options)
{
    std::vector<Error> errors;
    const auto complain = [&](const char* where, const std::string& message, const std::string& hint)
    { errors.push_back({ErrorCode::invalid_value, where, message, hint}); };
    if (steps < 0) complain("steps", "is " + std::to_string(steps), "0 or more");
    if (options.every < 1) complain("every", "is " + std::to_string(options.every), "1 or more");
    const auto wanted = product(worlds.world_count(), worlds.control.actuator_count) *
                        static_cast<std::size_t>(std::max<std::int64_t>(steps, 0));
    if (!controls.empty() && controls.size() != wanted)
        complain("controls", "has " + std::to_string(controls.size()) + " numbers",
                 "[world][step][actuator_count] makes " + std::to_string(wanted) + "; empty: inputs stay");
    return errors;
}

/// A run while it goes on: where inputs come from and where numbers go.
struct RolloutRun
{
    Worlds& worlds;
    std::int64_t steps;
    std::span<const double> controls;
    const RolloutOptions& options;
    Rollout& kept;
    std::vector<std::int64_t> first_step = worlds.state.step;

    /// Steps that a world has done.
    std::int64_t done(int world) const { return worlds.state.step[at(world)] - first_step[at(world)]; }

    /// Writes the present numbers of a world as moment `m`.
    void keep(int world, std::int64_t m)
    {
        const auto put = [&](std::span<const double> values, std::vector<double>& target)
        {
            const std::size_t moment = at(world) * at(kept.moment_count) + static_cast<std::size_t>(m);
            if (!target.empty())
                std::copy(values.begin(), values.end(), target.begin() + std::ptrdiff_t(moment * values.size()));
        };
        const ConstWorldView view = worlds.state.world(world);
        put(view.q, kept.q);
        put(view.v, kept.v);
        put(view.act, kept.act);
        put(worlds.sensors(world), kept.sensors);
    }

    /// Before step h of a world: what the step before left, and the inputs of this one.
    void prepare(int world)
    {
        const std::int64_t h = done(world);
        if (h > 0 && h % options.every == 0) keep(world, h / options.every - 1);
        if (controls.empty()) return;
        const std::size_t width = at(worlds.control.actuator_count);
        const std::size_t place = (at(world) * static_cast<std::size_t>(steps) + static_cast<std::size_t>(h)) * width;
        const std::span<const double> inputs = controls.subspan(place, width);
        std::copy(inputs.begin(), inputs.end(), worlds.control.input.begin() + std::ptrdiff_t(at(world) * width));
    }
};

}  // namespace

Status run_rollout(Worlds& worlds, std::int64_t steps, std::span<const double> controls, const RolloutOptions& options,
                   Rollout& kept)
{
    std::vector<Error> errors = find_wrong_sizes(worlds, steps, controls, options);
    if (!errors.empty()) return errors;
    // Room for all moments; what is not asked for stays empty.
    kept.moment_count = static_cast<int>(steps / options.every);
    const auto reserve = [&](bool wanted, int count, std::vector<double>& numbers)
    { numbers.assign(wanted ? product(worlds.world_count(), count) * at(kept.moment_count) : 0, 0); };
    const Model& model = worlds.model();
    reserve(options.states, model.q_count(), kept.q);
    reserve(options.states, model.v_count(), kept.v);
    reserve(options.states, model.act_count, kept.act);
    reserve(options.sensors, model.sensor_value_count, kept.sensors);
    // Sensors are read where they are kept; q, v and act are up to date after every step.
    RolloutRun run{worlds, steps, controls, options, kept};
    worlds.run_steps(steps, [&](int world) { run.prepare(world); }, options.sensors ? options.every : 0);
    // The last moment, and all that a world did not reach.
    for (int world = 0; world < worlds.world_count(); ++world)
    {
        for (std::int64_t m = std::max<std::int64_t>(0, std::min(run.done(world), steps - 1)) / options.every;
             m < kept.moment_count; ++m)
            run.keep(world, m);
    }
    return {};
}

}  // namespace rattleback
