// Steps a scene in one of our solvers or in MuJoCo.
#include "lab/bench/scene_run.h"

#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/import.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace rattleback::lab
{

Result<BenchScene> BenchScene::read(const std::filesystem::path& path)
{
    Result<Imported> imported = load_mjcf(path);
    if (!imported.ok()) return imported.errors();
    BenchScene scene;
    scene.model_ = std::make_shared<const Model>(std::move(imported).value().model);
    scene.path_ = std::make_shared<const std::string>(path.string());
    return scene;
}

Result<BenchScene> BenchScene::parse(const std::string& mjcf)
{
    std::string path = (std::filesystem::temp_directory_path() / "rattleback-XXXXXX.xml").string();
    const int descriptor = mkstemps(path.data(), 4);
    if (descriptor < 0) return Error{ErrorCode::io, path, "cannot be written", ""};
    close(descriptor);
    std::ofstream(path) << mjcf;
    const std::shared_ptr<const std::string> owner(new std::string(path),
                                                   [](const std::string* file)
                                                   {
                                                       std::error_code ignored;
                                                       std::filesystem::remove(*file, ignored);
                                                       delete file;
                                                   });
    Result<BenchScene> scene = read(path);
    if (!scene.ok()) return scene;
    scene->path_ = owner;
    return scene;
}

Result<SceneRun> SceneRun::make(const BenchScene& scene, const Contestant& contestant, double dt, bool timings)
{
    SceneRun run;
    run.model_ = scene.model();
    run.bodies_ = State(*run.model_);
    if (!contestant.solver.empty())
    {
        Result<Simulation> made = Simulation::make(
            run.model_,
            {.solver = contestant.solver, .dt = dt, .parameters = contestant.parameters, .timings = timings});
        if (!made.ok()) return made.errors();
        run.ours_ = std::move(made).value();
        return run;
    }
    Result<std::unique_ptr<Peer>> found = find_mujoco();
    if (!found.ok()) return found.errors();
    run.theirs_ = std::move(found).value();
    PeerOptions options = contestant.peer;
    options.dt = dt;
    const Result<int> loaded = run.theirs_->load(scene.path(), options);
    if (!loaded.ok()) return loaded.errors();
    return run;
}

bool SceneRun::step(int count)
{
    if (theirs_)
    {
        theirs_->step(count);
        return theirs_->trouble().resets == 0;
    }
    const StepReport report = ours_->run_steps(count);
    contact_seconds_ =
        report.seconds[static_cast<std::size_t>(Stage::rows)] + report.seconds[static_cast<std::size_t>(Stage::solve)];
    const StepStatus status = report.status;
    return status == StepStatus::ok || status == StepStatus::not_converged;
}

void SceneRun::reset()
{
    if (ours_) return ours_->reset();
    theirs_->reset();
    std::ranges::copy(model_->initial_q, theirs_->q().begin());
    std::ranges::copy(model_->initial_v, theirs_->v().begin());
}

std::span<double> SceneRun::q() { return ours_ ? std::span(ours_->state().q) : theirs_->q(); }
std::span<double> SceneRun::v() { return ours_ ? std::span(ours_->state().v) : theirs_->v(); }
std::span<double> SceneRun::input() { return ours_ ? std::span(ours_->control().input) : theirs_->input(); }

void SceneRun::place()
{
    if (ours_) ours_->refresh();
}

double SceneRun::dt() const { return ours_ ? ours_->dt() : theirs_->dt(); }

const State& SceneRun::find_bodies()
{
    std::ranges::copy(q(), bodies_.q.begin());
    std::ranges::copy(v(), bodies_.v.begin());
    refresh_bodies(*model_, bodies_.world());
    return bodies_;
}

Energy SceneRun::find_energy() { return compute_energy(*model_, find_bodies().world()); }

void SceneRun::read_depths(std::vector<double>& depths)
{
    if (theirs_)
    {
        const std::optional<ConstraintQuality> quality = theirs_->last_quality();
        if (quality) depths.insert(depths.end(), quality->depth.begin(), quality->depth.end());
        return;
    }
    for (const Contact& contact : ours_->contacts().items)
    {
        if (contact.distance < contact.margin) depths.push_back(std::max(0.0, -contact.distance));
    }
}

Spread find_spread(std::span<const double> values)
{
    Spread spread;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) spread.mean += value / n;
    for (const double value : values) spread.deviation += (value - spread.mean) * (value - spread.mean) / n;
    spread.deviation = std::sqrt(spread.deviation);
    return spread;
}

}  // namespace rattleback::lab
