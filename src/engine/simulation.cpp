// Simulation: one world, stepped and read.
#include <rattleback/simulation.h>

#include "engine/worlds.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

struct Simulation::Parts : Worlds
{
    using Worlds::Worlds;
};

Simulation::Simulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Parts& Simulation::parts() const
{
    RB_CHECK(parts_ != nullptr, "a Simulation that was moved from is used");
    return *parts_;
}

Simulation::Simulation(Model model, const SimulationOptions& options)
    : Simulation(make(std::move(model), options).value())
{
}

Result<Simulation> Simulation::make(Model model, const SimulationOptions& options)
{
    return make(std::make_shared<const Model>(std::move(model)), options);
}

Result<Simulation> Simulation::make(std::shared_ptr<const Model> model, const SimulationOptions& options)
{
    Result<Setup> setup = make_setup(std::move(model), options.solver, options.dt, options.parameters);
    if (!setup.ok()) return setup.errors();
    Setup checked = std::move(setup).value();
    checked.timings = options.timings;
    return Simulation(std::make_unique<Parts>(std::move(checked), 1, 1));
}

StepReport Simulation::step() { return run_steps(1); }

StepReport Simulation::run_steps(std::int64_t steps)
{
    parts().run_steps(steps);
    return parts().reports()[0];
}

StepReport Simulation::run_for(double seconds)
{
    RB_CHECK(std::isfinite(seconds) && seconds >= 0, "run_for: the time must be finite and not negative");
    const double steps = std::round(seconds / dt());
    RB_CHECK(steps < 9e18, "run_for: more steps than can be counted");
    return run_steps(static_cast<std::int64_t>(steps));
}

const Model& Simulation::model() const { return parts().model(); }
std::shared_ptr<const Model> Simulation::shared_model() const { return parts().setup().model; }
const SolverInfo& Simulation::solver() const { return *parts().setup().info; }
const std::string& Simulation::solver_reason() const { return parts().setup().reason; }
const std::vector<Error>& Simulation::warnings() const { return parts().warnings(); }
const Parameters& Simulation::parameters() const { return parts().setup().parameters; }
double Simulation::dt() const { return parts().setup().dt; }
State& Simulation::state() { return parts().state; }
const State& Simulation::state() const { return parts().state; }
Control& Simulation::control() { return parts().control; }
const Control& Simulation::control() const { return parts().control; }
const Contacts& Simulation::contacts() const { return parts().memory(0).contacts; }
const ContactForces& Simulation::contact_forces() const { return parts().memory(0).contact_forces; }
std::span<const double> Simulation::sensors() const { return parts().sensors(); }

std::span<const double> Simulation::sensor(SensorId id) const
{
    RB_CHECK(id.index >= 0 && id.index < model().sensor_count(), "no such sensor");
    const auto index = static_cast<std::size_t>(id.index);
    return sensors().subspan(static_cast<std::size_t>(model().sensors.begin[index]),
                             static_cast<std::size_t>(sensor_size(model().sensors.type[index])));
}

void Simulation::refresh() { parts().refresh(); }
void Simulation::reset() { parts().reset(); }

void Simulation::reset(KeyframeId keyframe)
{
    RB_CHECK(keyframe.index >= 0 && keyframe.index < static_cast<int>(model().keyframes.size()), "no such keyframe");
    parts().reset(0, &model().keyframes[static_cast<std::size_t>(keyframe.index)]);
}

Energy Simulation::energy() const { return compute_energy(model(), parts().state.world(0)); }
Momentum Simulation::momentum() const { return compute_momentum(model(), parts().state.world(0)); }

Snapshot Simulation::snapshot() const
{
    return {.model = fingerprint(model()),
            .solver = std::string(solver().name),
            .dt = dt(),
            .state = state(),
            .control = control(),
            .memories = {parts().save_memory(0)}};
}

namespace
{

Error misfit(const std::string& message, const std::string& hint = {})
{
    return {.code = ErrorCode::invalid_value, .where = "snapshot", .message = message, .hint = hint};
}

/// Whether the arrays of a control have the sizes of one for `model`.
bool fits(const Control& control, const Model& model)
{
    const Control expected(model, 1);
    return control.world_count == 1 && control.actuator_count == expected.actuator_count &&
           control.v_count == expected.v_count && control.body_count == expected.body_count &&
           control.kinematic_count == expected.kinematic_count && control.input.size() == expected.input.size() &&
           control.joint_force.size() == expected.joint_force.size() &&
           control.body_wrench.size() == expected.body_wrench.size() && control.target.size() == expected.target.size();
}

}  // namespace

Result<bool> Simulation::restore(const Snapshot& snapshot)
{
    std::vector<Error> errors;
    if (snapshot.model != fingerprint(model())) errors.push_back(misfit("belongs to another model"));
    if (snapshot.solver != solver().name)
    {
        errors.push_back(
            misfit("was made with solver '" + snapshot.solver + "'", "this is '" + std::string(solver().name) + "'"));
    }
    if (snapshot.dt != dt())
    {
        errors.push_back(misfit("was made with dt = " + std::to_string(snapshot.dt) + " s",
                                "this is " + std::to_string(dt()) + " s"));
    }
    if (snapshot.state.world_count != 1) errors.push_back(misfit("holds several worlds"));
    if (!errors.empty()) return errors;

    errors = validate(model(), snapshot.state);
    if (!fits(snapshot.control, model()))
        errors.push_back(misfit("the sizes of its inputs are not those of the model"));
    if (!errors.empty()) return errors;
    if (!parts().restore(snapshot.state, snapshot.control, snapshot.memories))
    {
        return misfit("the solver's memory does not fit");
    }
    return true;
}

}  // namespace rattleback
