// Simulation: one world, stepped and read.
#include <rattleback/simulation.h>

#include "engine/worlds.h"

namespace rattleback
{

struct Simulation::Impl : Worlds
{
    using Worlds::Worlds;
};

Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Impl& Simulation::impl() const
{
    RB_CHECK(impl_ != nullptr, "a Simulation that was moved from is used");
    return *impl_;
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
    checked.sensor_noise = options.sensor_noise;
    return Simulation(std::make_unique<Impl>(std::move(checked), 1, 1));
}

StepReport Simulation::step()
{
    // One world on the caller's thread: no pool, no packing.
    impl().run_group(0, 1, 1);
    return impl().reports()[0];
}

StepReport Simulation::run_steps(std::int64_t steps)
{
    impl().run_group(0, 1, steps);
    return impl().reports()[0];
}

StepReport Simulation::run_for(double seconds) { return run_steps(count_steps(seconds, dt())); }

StepReport Simulation::run_steps(std::int64_t steps, const std::function<void()>& before_step)
{
    impl().run_group(0, 1, steps, [&](int) { before_step(); });
    return impl().reports()[0];
}

StepReport Simulation::run_for(double seconds, const std::function<void()>& before_step)
{
    return run_steps(count_steps(seconds, dt()), before_step);
}

void Simulation::set_contact_filter(std::function<bool(ShapeId first, ShapeId second)> may_touch)
{
    impl().contact_filter = nullptr;
    if (may_touch)
        impl().contact_filter = [filter = std::move(may_touch)](int, ShapeId a, ShapeId b) { return filter(a, b); };
}

Status Simulation::set_contact_gains(std::function<ContactGains(const Contact& contact)> gains)
{
    if (!gains) return impl().set_contact_gains(nullptr);
    return impl().set_contact_gains([own = std::move(gains)](int, const Contact& contact) { return own(contact); });
}

Result<StepDerivatives> Simulation::step_derivatives(const DerivativeOptions& options)
{
    return impl().step_derivatives(0, options);
}

StepReport Simulation::forward()
{
    impl().forward();
    return impl().reports()[0];
}

std::string Simulation::explain(const StepReport& report) const { return impl().explain(0, report); }

const Model& Simulation::model() const { return impl().model(); }
std::shared_ptr<const Model> Simulation::shared_model() const { return impl().setup().model; }
const SolverInfo& Simulation::solver() const { return *impl().setup().info; }
const std::string& Simulation::solver_reason() const { return impl().setup().reason; }
const std::vector<Error>& Simulation::warnings() const { return impl().warnings(); }
const Parameters& Simulation::parameters() const { return impl().setup().parameters; }
double Simulation::dt() const { return impl().setup().dt; }
State& Simulation::state() { return impl().state; }
const State& Simulation::state() const { return impl().state; }
Control& Simulation::control() { return impl().control; }
const Control& Simulation::control() const { return impl().control; }
std::span<const double> Simulation::acceleration() const { return impl().accelerations(); }
const Contacts& Simulation::contacts() const { return impl().contacts(0); }
const ContactForces& Simulation::contact_forces() const { return impl().contact_forces(0); }
std::span<const double> Simulation::sensors() const { return impl().sensors(); }
std::span<const double> Simulation::sensor(SensorId id) const { return impl().sensor(id, 0); }

void Simulation::refresh() { impl().refresh(); }
void Simulation::reset() { impl().reset(); }

void Simulation::reset(KeyframeId keyframe) { impl().reset(0, &find_keyframe(model(), keyframe)); }
Status Simulation::reset(const State& start) { return impl().reset(0, start, 0); }

bool Simulation::is_broken(JointId joint) const { return impl().memory(0).is_broken(joint); }
bool Simulation::is_broken(EqualityId equality) const { return impl().memory(0).is_broken(equality); }
Energy Simulation::energy() const { return compute_energy(model(), impl().state.world(0)); }
Momentum Simulation::momentum() const { return compute_momentum(model(), impl().state.world(0)); }

Snapshot Simulation::snapshot() const { return impl().snapshot(0); }
Status Simulation::restore(const Snapshot& snapshot) { return impl().restore(0, snapshot); }

}  // namespace rattleback
