// Batch: many worlds, in groups on threads.
#include <rattleback/batch.h>

#include "engine/worlds.h"

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

struct Batch::Parts : Worlds
{
    using Worlds::Worlds;
};

Batch::Batch(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

Batch::Batch(Model model, const BatchOptions& options) : Batch(make(std::move(model), options).value()) {}

Result<Batch> Batch::make(Model model, const BatchOptions& options)
{
    return make(std::make_shared<const Model>(std::move(model)), options);
}

Result<Batch> Batch::make(std::shared_ptr<const Model> model, const BatchOptions& options)
{
    std::vector<Error> errors = check_counts(options);
    Result<Setup> setup = make_setup(std::move(model), options.solver, options.dt, options.parameters);
    errors.insert(errors.end(), setup.errors().begin(), setup.errors().end());
    if (!errors.empty()) return errors;
    return Batch(std::make_unique<Parts>(std::move(setup).value(), options.world_count, options.thread_count));
}

void Batch::run_steps(std::int64_t steps) { parts_->run_steps(steps); }
std::span<const StepReport> Batch::reports() const { return parts_->reports(); }
const Model& Batch::model() const { return parts_->model(); }
const SolverInfo& Batch::solver() const { return *parts_->setup().info; }
const std::string& Batch::solver_reason() const { return parts_->setup().reason; }
const std::vector<Error>& Batch::warnings() const { return parts_->warnings(); }
State& Batch::state() { return parts_->state; }
const State& Batch::state() const { return parts_->state; }
Control& Batch::control() { return parts_->control; }
int Batch::world_count() const { return parts_->world_count(); }
int Batch::thread_count() const { return parts_->thread_count(); }
double Batch::dt() const { return parts_->setup().dt; }
std::span<const double> Batch::sensors() const { return parts_->sensors(); }
void Batch::refresh() { parts_->refresh(); }
void Batch::reset() { parts_->reset(); }

void Batch::reset(int world)
{
    RB_CHECK(world >= 0 && world < world_count(), "no such world");
    parts_->reset(world);
}

void Batch::reset(int world, KeyframeId keyframe)
{
    RB_CHECK(world >= 0 && world < world_count(), "no such world");
    RB_CHECK(keyframe.index >= 0 && keyframe.index < static_cast<int>(model().keyframes.size()), "no such keyframe");
    parts_->reset(world, &model().keyframes[static_cast<std::size_t>(keyframe.index)]);
}

}  // namespace rattleback
