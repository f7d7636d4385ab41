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

Batch::Parts& Batch::parts() const
{
    RB_CHECK(parts_ != nullptr, "a Batch that was moved from is used");
    return *parts_;
}

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

void Batch::run_steps(std::int64_t steps) { parts().run_steps(steps); }
std::span<const StepReport> Batch::reports() const { return parts().reports(); }
const Model& Batch::model() const { return parts().model(); }
const SolverInfo& Batch::solver() const { return *parts().setup().info; }
const std::string& Batch::solver_reason() const { return parts().setup().reason; }
const std::vector<Error>& Batch::warnings() const { return parts().warnings(); }
State& Batch::state() { return parts().state; }
const State& Batch::state() const { return parts().state; }
Control& Batch::control() { return parts().control; }
int Batch::world_count() const { return parts().world_count(); }
int Batch::thread_count() const { return parts().thread_count(); }
double Batch::dt() const { return parts().setup().dt; }
std::span<const double> Batch::sensors() const { return parts().sensors(); }
void Batch::refresh() { parts().refresh(); }
void Batch::reset() { parts().reset(); }

void Batch::reset(int world)
{
    RB_CHECK(world >= 0 && world < world_count(), "no such world");
    parts().reset(world);
}

void Batch::reset(int world, KeyframeId keyframe)
{
    RB_CHECK(world >= 0 && world < world_count(), "no such world");
    RB_CHECK(keyframe.index >= 0 && keyframe.index < static_cast<int>(model().keyframes.size()), "no such keyframe");
    parts().reset(world, &model().keyframes[static_cast<std::size_t>(keyframe.index)]);
}

}  // namespace rattleback
