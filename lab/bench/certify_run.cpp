// Steps, records and audits whoever moves a model.
#include "lab/bench/certify_run.h"

#include "lab/accuracy/run.h"
#include "lab/certify/trajectory.h"
#include "lab/peers/body_peer.h"
#include "math/finite.h"

#include <rattleback/simulation.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace rattleback::lab
{

namespace
{

Error describe_failure(const std::string& who, const std::string& what)
{
    return {.code = ErrorCode::invalid_value, .where = who, .message = what, .hint = ""};
}

/// What becomes another thing on the way through MJCF, though MuJoCo would run it.
std::vector<Error> find_changed_for_mujoco(const Model& model)
{
    std::vector<Error> errors;
    const auto refuse = [&](const std::string& what)
    { errors.push_back({.code = ErrorCode::unsupported, .where = "mujoco", .message = what, .hint = ""}); };
    for (int body = 1; body < model.body_count(); ++body)
    {
        const auto b = static_cast<std::size_t>(body);
        if (model.bodies.kind[b] == BodyKind::kinematic) refuse("body '" + model.bodies.name[b] + "' is on a track");
    }
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        const auto s = static_cast<std::size_t>(shape);
        const ShapeType type = model.shapes.type[s];
        const bool exact = type == ShapeType::mesh && model.shapes.mesh_collide[s] == MeshCollide::exact;
        if (exact || type == ShapeType::surface || type == ShapeType::segments || type == ShapeType::points)
            refuse("shape '" + model.shapes.name[s] + "' would collide as its convex hull");
    }
    return errors;
}

Result<Mover> make_mujoco_mover(const std::shared_ptr<const Model>& model)
{
    if (std::vector<Error> changed = find_changed_for_mujoco(*model); !changed.empty()) return changed;
    Result<std::unique_ptr<Peer>> loaded = load_peer(*model, {.dt = model->settings.dt});
    if (!loaded.ok()) return loaded.errors();
    const std::shared_ptr<Peer> peer = std::move(loaded).value();
    std::ranges::copy(model->initial_q, peer->q().begin());
    std::ranges::copy(model->initial_v, peer->v().begin());
    const auto step = [peer, model](State& state) -> Status
    {
        peer->step();
        if (peer->trouble().resets > 0) return describe_failure("mujoco", "put its state back to the start");
        std::ranges::copy(peer->q(), state.q.begin());
        std::ranges::copy(peer->v(), state.v.begin());
        refresh_bodies(*model, state.world());
        return {};
    };
    return Mover{peer->name(), "double", State(*model), step};
}

/// A recording that is gone with its owner, where it has no name of its own.
class RecordingFile
{
public:
    explicit RecordingFile(const std::filesystem::path& wanted) : path(wanted), stays_(!wanted.empty())
    {
        if (!stays_)
            path =
                std::filesystem::temp_directory_path() / ("rattleback-certify-" + std::to_string(::getpid()) + ".rec");
    }
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;
    ~RecordingFile()
    {
        std::error_code ignored;
        if (!stays_) std::filesystem::remove(path, ignored);
    }
    std::filesystem::path path;

private:
    bool stays_;
};

}  // namespace

Result<Mover> make_own_mover(const std::shared_ptr<const Model>& model, const std::string& solver)
{
    Result<Simulation> made = Simulation::make(model, {.solver = solver});
    if (!made.ok()) return made.errors();
    const auto simulation = std::make_shared<Simulation>(std::move(made).value());
    const auto step = [simulation, solver](State& state) -> Status
    {
        const StepReport report = simulation->step();
        if (report.status == StepStatus::diverged || report.status == StepStatus::capacity)
            return describe_failure(solver, simulation->explain(report));
        state = simulation->state();
        return {};
    };
    // As `ipc` warns of a start in touch.
    const auto warns = [](const Error& warning) { return warning.message.find("its sides lie") != std::string::npos; };
    return Mover{solver, find_precision({.name = solver, .solver = solver}), simulation->state(), step,
                 std::ranges::any_of(simulation->warnings(), warns)};
}

Result<Mover> make_peer_mover(const std::shared_ptr<const Model>& model, std::string_view name)
{
    if (name == "mujoco") return make_mujoco_mover(model);
    for (const BodyPeerInfo& info : all_body_peers())
    {
        if (info.name != name) continue;
        Result<std::unique_ptr<BodyPeer>> made = info.make(*model, {.dt = model->settings.dt});
        if (!made.ok()) return made.errors();
        const std::shared_ptr<BodyPeer> peer = std::move(made).value();
        const auto step = [peer, model](State& state) -> Status
        {
            peer->step();
            peer->read(state);
            set_free_coordinates(*model, state);
            return {};
        };
        return Mover{peer->name(), std::string(info.precision), State(*model), step};
    }
    return Error{ErrorCode::unknown_name, "", "there is no peer '" + std::string(name) + "'", ""};
}

std::vector<std::string> list_peer_movers()
{
    std::vector<std::string> names;
    for (const BodyPeerInfo& info : all_body_peers()) names.emplace_back(info.name);
    names.emplace_back("mujoco");
    return names;
}

const AuditFinding* AuditedRun::worst() const
{
    const auto share = [](const AuditFinding& finding)
    { return finding.size > 0 ? finding.deepest / finding.size : 0; };
    const auto worst = std::ranges::max_element(audit.findings, {}, share);
    return worst == audit.findings.end() ? nullptr : &*worst;
}

Result<AuditedRun> run_audited(const std::shared_ptr<const Model>& model, Mover& mover, std::int64_t steps,
                               const std::filesystem::path& path)
{
    const RecordingFile file(path);
    Result<Recorder> opened = Recorder::open(file.path, model, {.solver = mover.name});
    if (!opened.ok()) return opened.errors();
    Recorder recorder = std::move(opened).value();
    const Control control(*model);
    AuditedRun run;
    while (true)
    {
        const Status added = recorder.append({.time = static_cast<double>(run.steps) * model->settings.dt,
                                              .step = run.steps,
                                              .world = mover.state.world(),
                                              .control = control.world()});
        if (!added.ok()) return added.errors();
        if (run.steps == steps) break;
        const Status stepped = mover.step(mover.state);
        if (!stepped.ok())
            run.trouble = stepped.errors().front().message;
        else if (!std::ranges::all_of(mover.state.body_pose, [](const Pose& pose) { return is_finite(pose); }))
            run.trouble = "a body is nowhere: its pose is no number";
        if (!run.trouble.empty()) break;
        ++run.steps;
    }
    if (const Status closed = recorder.close(); !closed.ok()) return closed.errors();
    Result<Recording> recording = load_recording(file.path);
    if (!recording.ok()) return recording.errors();
    Result<AuditReport> report = audit(*recording, {.model = model.get(), .threads = 0});
    if (!report.ok()) return report.errors();
    run.audit = std::move(report).value();
    return run;
}

}  // namespace rattleback::lab
