// Builds, makes and steps a scene with every solver.
#include "support/run_scene.h"

namespace rattleback
{

namespace
{

/// Small enough that one scene is quick; what they stop must say so.
Parameters choose_parameters(const SolverInfo& solver)
{
    Parameters parameters;
    for (const ParameterInfo& parameter : solver.parameters)
    {
        if (parameter.name == "max_spheres") parameters["max_spheres"] = 2000;
        if (parameter.name == "across") parameters["across"] = 2;
    }
    return parameters;
}

void require(SceneRun& run, bool holds, const std::string& claim)
{
    if (!holds && run.fault.empty()) run.fault = claim;
}

template <class T>
void require_explained(SceneRun& run, const Result<T>& result, const std::string& what)
{
    require(run, result.ok() == result.errors().empty(), what + ": a value or errors, never both");
    for (const Error& error : result.errors())
        require(run, !error.message.empty(), what + ": an error without a message");
}

void step_with(const SolverInfo& solver, const Parameters& parameters, const std::shared_ptr<const Model>& model,
               int steps, SceneRun& run)
{
    const std::string name(solver.name);
    Result<Simulation> made = Simulation::make(model, {.solver = name, .parameters = parameters});
    require_explained(run, made, name);
    if (!made.ok()) return;
    ++run.made;
    Simulation simulation = std::move(made).value();
    for (int i = 0; i < steps; ++i)
    {
        const std::uint64_t before = hash(simulation.state());
        const StepReport report = simulation.step();
        const bool committed = report.status == StepStatus::ok || report.status == StepStatus::not_converged;
        if (!committed)
        {
            require(run, hash(simulation.state()) == before,
                    name + ": a step that was not committed changed the state");
            require(run, !simulation.explain(report).empty(), name + ": a step that failed has no explanation");
            return;
        }
        ++run.committed;
        const std::vector<Error> errors = validate(*model, simulation.state());
        require(run, errors.empty(), name + ": a committed state is wrong: " + to_text(errors));
    }
}

}  // namespace

SceneRun run_scene(const ModelBuilder& builder, int steps)
{
    SceneRun run;
    Result<Model> built = builder.build();
    require_explained(run, built, "build");
    if (!built.ok()) return run;
    run.built = true;
    const auto model = std::make_shared<const Model>(std::move(built).value());
    for (const SolverInfo* solver : all_solvers())
    {
        step_with(*solver, choose_parameters(*solver), model, steps, run);
    }
    const Result<std::string> text = write_mjcf(*model);
    require_explained(run, text, "write_mjcf");
    if (!text.ok()) return run;
    const Result<Imported> read = parse_mjcf(text.value(), "scene.xml", "/nonexistent");
    require(run, read.ok(), "parse_mjcf refuses what write_mjcf wrote: " + to_text(read.errors()));
    if (read.ok())
        require(run, fingerprint(read.value().model) == fingerprint(*model),
                "a model changed by writing and reading it");
    return run;
}

}  // namespace rattleback
