// Batch: many worlds, in groups on threads.
#include <rattleback/batch.h>

#include "engine/rollout.h"

namespace rattleback
{

namespace
{

constexpr int kMaxThreads = 1024;

std::vector<Error> check_counts(const BatchOptions& options)
{
    std::vector<Error> errors;
    if (options.world_count < 1)
    {
        errors.push_back(
            {.where = "world_count", .message = "is " + std::to_string(options.world_count), .hint = "1 or more"});
    }
    if (options.thread_count < 0 || options.thread_count > kMaxThreads)
    {
        errors.push_back({.where = "thread_count",
                          .message = "is " + std::to_string(options.thread_count),
                          .hint = "1 to 1024, or 0 for one per core"});
    }
    return errors;
}

}  // namespace

struct Batch::Impl : Worlds
{
    using Worlds::Worlds;
};

Batch::Batch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

Batch::Impl& Batch::impl() const
{
    RB_CHECK(impl_ != nullptr, "a Batch that was moved from is used");
    return *impl_;
}

Batch::Batch(Model model, const BatchOptions& options) : Batch(make(std::move(model), options).value()) {}

Result<Batch> Batch::make(Model model, const BatchOptions& options)
{
    return make(std::make_shared<const Model>(std::move(model)), options);
}

Result<Batch> Batch::make(std::shared_ptr<const Model> model, const BatchOptions& options)
{
    // Counts are checked beside the setup, so that one call names every mistake.
    std::vector<Error> errors = check_counts(options);
    Result<Setup> setup = make_setup(std::move(model), options.solver, options.dt, options.parameters);
    errors.insert(errors.end(), setup.errors().begin(), setup.errors().end());
    if (!errors.empty()) return errors;
    setup->sensor_noise = options.sensor_noise;
    return Batch(std::make_unique<Impl>(std::move(setup).value(), options.world_count, options.thread_count));
}

void Batch::run_steps(std::int64_t steps) { impl().run_steps(steps); }
void Batch::run_for(double seconds) { run_steps(count_steps(seconds, dt())); }
void Batch::run_for(double seconds, const std::function<void(int world)>& before_step)
{
    run_steps(count_steps(seconds, dt()), before_step);
}
void Batch::run_steps(std::int64_t steps, const std::function<void(int world)>& before_step)
{
    impl().run_steps(steps, before_step);
}
Status Batch::rollout(std::int64_t steps, std::span<const double> controls, const RolloutOptions& options,
                      Rollout& kept)
{
    return run_rollout(impl(), steps, controls, options, kept);
}
void Batch::set_interrupt(std::function<bool()> is_interrupted) { impl().interrupt = std::move(is_interrupted); }
void Batch::set_contact_filter(std::function<bool(int world, ShapeId first, ShapeId second)> may_touch)
{
    impl().contact_filter = std::move(may_touch);
}
Status Batch::set_contact_gains(std::function<ContactGains(int world, const Contact& contact)> gains)
{
    return impl().set_contact_gains(std::move(gains));
}
Result<StepDerivatives> Batch::step_derivatives(int world, const DerivativeOptions& options)
{
    return impl().step_derivatives(world, options);
}
void Batch::forward() { impl().forward(); }
std::span<const StepReport> Batch::reports() const { return impl().reports(); }
const Model& Batch::model() const { return impl().model(); }
std::shared_ptr<const Model> Batch::shared_model() const { return impl().setup().model; }
const SolverInfo& Batch::solver() const { return *impl().setup().info; }
const std::string& Batch::solver_reason() const { return impl().setup().reason; }
const std::vector<Error>& Batch::warnings() const { return impl().warnings(); }
const Parameters& Batch::parameters() const { return impl().setup().parameters; }
State& Batch::state() { return impl().state; }
const State& Batch::state() const { return impl().state; }
Control& Batch::control() { return impl().control; }
const Control& Batch::control() const { return impl().control; }
int Batch::world_count() const { return impl().world_count(); }
int Batch::thread_count() const { return impl().thread_count(); }
double Batch::dt() const { return impl().setup().dt; }
std::span<const double> Batch::accelerations() const { return impl().accelerations(); }
const Contacts& Batch::contacts(int world) const { return impl().contacts(world); }
const ContactForces& Batch::contact_forces(int world) const { return impl().contact_forces(world); }
std::span<const double> Batch::sensors() const { return impl().sensors(); }
std::span<const double> Batch::sensors(int world) const { return impl().sensors(world); }
std::span<const double> Batch::sensor(SensorId id, int world) const { return impl().sensor(id, world); }
bool Batch::is_broken(JointId joint, int world) const { return impl().memory(world).is_broken(joint); }
bool Batch::is_broken(EqualityId equality, int world) const { return impl().memory(world).is_broken(equality); }
Energy Batch::energy(int world) const
{
    return compute_energy(model(), state().world(world), impl().parameters(world));
}
Result<std::span<double>> Batch::vary(WorldParameter parameter) { return impl().vary(parameter); }
Status Batch::apply_parameters() { return impl().apply_parameters(); }
ParameterView Batch::parameters(int world) const
{
    RB_CHECK(world >= 0 && world < world_count(), "parameters: no such world");
    return impl().parameters(world);
}
Momentum Batch::momentum(int world) const
{
    return compute_momentum(model(), state().world(world), impl().parameters(world));
}
void Batch::refresh() { impl().refresh(); }
void Batch::reset() { impl().reset(); }

void Batch::reset(int world) { impl().reset(world); }
void Batch::reset(int world, KeyframeId keyframe) { impl().reset(world, &find_keyframe(model(), keyframe)); }
Status Batch::reset(int world, const State& start, int start_world) { return impl().reset(world, start, start_world); }
Snapshot Batch::snapshot(int world) const { return impl().snapshot(world); }
Status Batch::restore(int world, const Snapshot& snapshot) { return impl().restore(world, snapshot); }

std::string Batch::explain(int world) const
{
    RB_CHECK(world >= 0 && world < world_count(), "no such world");
    return impl().explain(world, reports()[static_cast<std::size_t>(world)]);
}

}  // namespace rattleback
