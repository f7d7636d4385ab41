// `rattleback run`: one scene with one solver, in one world or many.
#include "commands.h"
#include "drive.h"
#include "lab/measure/figure.h"
#include "lab/measure/measure.h"
#include "motion.h"
#include "progress.h"
#include "setup.h"
#include "subject.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>

namespace rattleback::cli
{

namespace
{

/// Everything that a run needs, checked.
struct Prepared
{
    std::shared_ptr<const lab::Scene> scene;  ///< or what stands for it where a model file is run
    const SolverInfo* solver = nullptr;
    std::string solver_reason;  ///< why that one; empty: it was named
    std::shared_ptr<const Model> model;
    Parameters parameters;  ///< as set on the command line
    std::string precision = "double";
    Drive drive;
    std::vector<Feature> ignored;  ///< that these parameters leave out
    double dt = 0;
    std::int64_t steps = 0;
};

bool failed(const StepReport& report)
{
    return report.status == StepStatus::diverged || report.status == StepStatus::capacity;
}

/// Steps that found no answer: a run of which none converged, or that stood still without converging.
bool is_stuck(const StepReport& report, std::int64_t steps)
{
    return report.frozen_steps > 0 || (steps > 0 && report.unconverged_steps >= steps);
}

bool went_well(const StepReport& report, std::int64_t steps) { return !failed(report) && !is_stuck(report, steps); }

int find_exit_code(const StepReport& report, std::int64_t steps)
{
    if (failed(report)) return 1;
    return is_stuck(report, steps) ? 3 : 0;
}

Style find_style(const StepReport& report, std::int64_t steps)
{
    return went_well(report, steps) ? Style::good : Style::bad;
}

void print_unconverged(const StepReport& report, std::int64_t steps)
{
    if (report.unconverged_steps == 0) return;
    const bool none = report.unconverged_steps >= steps;
    std::string text = fmt::format("{} of {} steps did not converge", report.unconverged_steps, steps);
    if (none)
        text = fmt::format("none of the {} steps converged: what came out is not the motion of this scene", steps);
    if (report.frozen_steps > 0) text += fmt::format("; {} of them moved nothing", report.frozen_steps);
    say("  {}\n", is_stuck(report, steps) ? paint(text, Style::bad) : text);
}

Error invalid(std::string where, std::string message)
{
    return {.code = ErrorCode::invalid_value, .where = std::move(where), .message = std::move(message)};
}

Result<Prepared> prepare(const RunCommand& command)
{
    Prepared prepared;
    const Result<Subject> subject = open_subject(command.scene, command.import);
    std::vector<Error> errors = subject.errors();
    if (command.solver != "auto")
    {
        const Result<const SolverInfo*> named = find_solver(command.solver);
        errors.insert(errors.end(), named.errors().begin(), named.errors().end());
    }
    if (!errors.empty()) return errors;
    prepared.scene = subject.value().scene;
    prepared.model = subject.value().model;
    print_warnings(subject.value().warnings);

    const Result<ChosenSolver> chosen = resolve_solver(command.solver, *prepared.model, command.settings);
    if (!chosen.ok()) return chosen.errors();
    prepared.solver = chosen->choice.info;
    prepared.solver_reason = chosen->choice.reason;
    prepared.parameters = chosen->parameters;
    const Result<Parameters> all = make_parameters(*prepared.solver, *prepared.model, prepared.parameters);
    if (!all.ok()) return all.errors();
    if (const auto found = all.value().find("precision"); found != all.value().end())
        prepared.precision = to_text(found->second);
    if (prepared.solver->ignored)
    {
        const auto ignored = prepared.solver->ignored(all.value());
        if (!ignored.ok()) return ignored.errors();
        prepared.ignored = ignored.value();
    }

    prepared.dt = command.dt.value_or(prepared.model->settings.dt);
    if (!(prepared.dt > 0 && prepared.dt <= 1e3)) return invalid("--dt", "must be positive and at most 1000 s");
    if (command.worlds < 1 || command.worlds > 1'000'000) return invalid("--worlds", "must be 1 to 1000000");
    if (command.threads < 0 || command.threads > 1024) return invalid("--threads", "must be 0 to 1024");
    if (command.worlds > 1 && !(command.save.empty() && command.from.empty()))
    {
        return invalid("--worlds", "snapshots are of one world");
    }
    if (command.worlds > 1 && !command.record.empty()) return invalid("--worlds", "recordings are of one world");
    if (command.stride < 1) return invalid("--stride", "must be at least 1");
    if (command.record.empty() && (command.stride != 1 || command.record_contacts))
        return invalid("--record", "--stride and --contacts belong to a recording: where to?");
    const Result<std::int64_t> steps = count_steps(command, prepared.scene->duration, prepared.dt);
    if (!steps.ok()) return steps.errors();
    prepared.steps = steps.value();
    const Result<Drive> drive = Drive::make(prepared.model, command, prepared.dt);
    if (!drive.ok()) return drive.errors();
    prepared.drive = drive.value();
    return prepared;
}

nlohmann::json head_json(const RunCommand& command, const Prepared& prepared)
{
    nlohmann::json json = {{"scene", prepared.scene->name},
                           {"solver", prepared.solver->name},
                           {"solver_reason", prepared.solver_reason},
                           {"parameters", to_json(prepared.parameters)},
                           {"dt", prepared.dt},
                           {"precision", prepared.precision}};
    if (!command.key.empty()) json["key"] = prepared.drive.key_name();
    if (!command.control.empty()) json["control"] = command.control;
    if (command.noise) json.update({{"noise", *command.noise}, {"seed", command.seed.value_or(0)}});
    return json;
}

/// Contacts of one world at the end of a run; nothing where they are of several worlds.
using LastContacts = std::optional<std::size_t>;

void print_effort(const Effort& effort, LastContacts last)
{
    say("contacts: {}{:.3g} in a step, deepest penetration {:.3g} mm; iterations: {:.3g} in a step\n",
        last ? fmt::format("{} at the end, ", *last) : "", effort.mean_contacts(), 1000 * effort.deepest_penetration,
        effort.mean_iterations());
}

nlohmann::json effort_json(const Effort& effort, LastContacts last)
{
    nlohmann::json json = {{"contacts", {{"mean", effort.mean_contacts()}}},
                           {"deepest_penetration", effort.deepest_penetration},
                           {"iterations", {{"mean", effort.mean_iterations()}, {"total", effort.iterations}}}};
    if (last) json["contacts"]["last"] = *last;
    return json;
}

void print_head(const RunCommand& command, const Prepared& prepared)
{
    say("{} · solver {} · {} dof · {} steps of {:g} ms\n", paint(prepared.scene->name, Style::bold),
        prepared.solver->name, prepared.model->v_count(), prepared.steps, 1000 * prepared.dt);
    if (!prepared.solver_reason.empty()) say("  solver {}: {}\n", prepared.solver->name, prepared.solver_reason);
    for (const auto& [name, value] : prepared.parameters) say("  {} = {}\n", name, to_text(value));
    if (!command.key.empty()) say("  from keyframe {}\n", prepared.drive.key_name());
    if (!command.control.empty()) say("  inputs from {}\n", command.control);
    if (command.noise) say("  inputs with noise {:g}, seed {}\n", *command.noise, command.seed.value_or(0));
}

void print_result(const Simulation& simulation, const Motion& motion)
{
    const bool bad = failed(motion.report);
    say("{}: {} steps, {:.3f} s simulated in {:.3g} s of CPU time: {} x real time, {}steps/s\n",
        paint(to_string(motion.report.status), find_style(motion.report, motion.steps)), motion.steps, motion.simulated,
        motion.cpu_seconds, lab::short_number(motion.real_time_factor()),
        rate_text(motion.cpu_seconds > 0 ? static_cast<double>(motion.steps) / motion.cpu_seconds : 0));
    if (bad) say("  stopped at step {}: nothing of it was kept\n", simulation.state().step[0] + 1);
    print_unconverged(motion.report, motion.steps);
    if (const std::string why = simulation.explain(motion.report); !why.empty()) say("  {}\n", why);
    const lab::Conserved& conserved = motion.conserved;
    say("drift: energy {}, linear momentum {}, angular momentum {}", drift_text(motion.drift.energy, conserved.energy),
        drift_text(motion.drift.linear, conserved.linear), drift_text(motion.drift.angular, conserved.angular));
    if (norm(conserved.axis) > 0)
        say(" about ({:g}, {:g}, {:g})", conserved.axis.x, conserved.axis.y, conserved.axis.z);
    if (!conserved.energy || !conserved.linear)
        say("  (-: not kept in this scene: {})", conserved.linear
                                                     ? "contacts, dampers, limits or drives take energy"
                                                     : "what it touches, hangs on or falls towards changes it");
    say("\n");
    print_effort(motion.effort, simulation.contacts().items.size());
    say("state {:016x}\n", hash(simulation.state()));
}

nlohmann::json result_json(const RunCommand& command, const Prepared& prepared, const Simulation& simulation,
                           const Motion& motion)
{
    nlohmann::json json = head_json(command, prepared);
    json["ok"] = went_well(motion.report, motion.steps);
    json["status"] = to_string(motion.report.status);
    json["explanation"] = simulation.explain(motion.report);
    json["steps"] = motion.steps;
    json["unconverged_steps"] = motion.report.unconverged_steps;
    json["frozen_steps"] = motion.report.frozen_steps;
    json["time"] = simulation.time();
    json["cpu_seconds"] = motion.cpu_seconds;
    json["real_time_factor"] = motion.real_time_factor();
    json["energy"] = {{"first", motion.first_energy.total()},
                      {"last", motion.last_energy.total()},
                      {"drift", motion.drift.energy},
                      {"conserved", motion.conserved.energy}};
    json["linear_momentum"] = {{"first", to_json(motion.first_momentum.linear)},
                               {"last", to_json(motion.last_momentum.linear)},
                               {"drift", motion.drift.linear},
                               {"conserved", motion.conserved.linear}};
    json["angular_momentum"] = {{"first", to_json(motion.first_momentum.angular)},
                                {"last", to_json(motion.last_momentum.angular)},
                                {"drift", motion.drift.angular},
                                {"conserved", motion.conserved.angular}};
    json.update(effort_json(motion.effort, simulation.contacts().items.size()));
    json["q"] = simulation.state().q;
    json["v"] = simulation.state().v;
    json["hash"] = fmt::format("{:016x}", hash(simulation.state()));
    return json;
}

int run_one_world(const RunCommand& command, const Prepared& prepared)
{
    Result<Simulation> made = Simulation::make(prepared.model, {.solver = std::string(prepared.solver->name),
                                                                .dt = prepared.dt,
                                                                .parameters = prepared.parameters,
                                                                .timings = !command.record.empty()});
    if (!made.ok())
        return report_errors(add_ignore_hint(made.errors(), *prepared.solver, *prepared.scene), command.json);
    Simulation simulation = std::move(made).value();
    print_warnings(simulation.warnings());
    if (!command.from.empty())
    {
        const Result<Snapshot> snapshot = load_snapshot(command.from);
        if (!snapshot.ok()) return report_errors(snapshot.errors(), command.json);
        const Status restored = simulation.restore(snapshot.value());
        if (!restored.ok()) return report_errors(restored.errors(), command.json);
    }
    prepared.drive.start(simulation);

    std::optional<Recorder> recorder;
    if (!command.record.empty())
    {
        Result<Recorder> opened = make_recorder(simulation, command.record, {.contacts = command.record_contacts});
        if (!opened.ok()) return report_errors(opened.errors(), command.json);
        recorder = std::move(opened).value();
    }

    if (!command.json) print_head(command, prepared);
    std::function<void(Simulation&)> drive;
    if (prepared.drive.is_active()) drive = [&](Simulation& driven) { prepared.drive.apply(driven); };
    const bool draw = command.draw && !command.json && prepared.steps >= 10;
    const Motion motion = run_motion(simulation, prepared.ignored,
                                     {.label = std::string(prepared.scene->name),
                                      .steps = prepared.steps,
                                      .look_count = command.watch ? 1000 : 1,
                                      .sketch_count = draw ? 4 : 0,
                                      .sketch_span = 0,
                                      .print = !command.json,
                                      .quiet = command.json,
                                      .drive = drive,
                                      .recorder = recorder ? &*recorder : nullptr,
                                      .record_every = command.stride});
    if (!motion.record_errors.empty())
    {
        std::vector<Error> errors = motion.record_errors;
        // What the run has reached is kept where that was asked for.
        if (!command.save.empty())
        {
            const Status saved = save(simulation.snapshot(), command.save);
            errors.insert(errors.end(), saved.errors().begin(), saved.errors().end());
        }
        return report_errors(errors, command.json);
    }
    if (recorder)
    {
        const Status closed = recorder->close();
        if (!closed.ok()) return report_errors(closed.errors(), command.json);
    }
    if (command.json)
    {
        nlohmann::json json = result_json(command, prepared, simulation, motion);
        if (recorder) json["recording"] = {{"file", command.record}, {"frames", recorder->frame_count()}};
        print_json(json);
    }
    else
    {
        if (draw && !failed(motion.report)) say("\n{}\n", draw_text(motion.sketches, 8));
        print_result(simulation, motion);
        if (recorder) say("recorded {} frames in {}\n", recorder->frame_count(), command.record);
    }
    if (!command.save.empty())
    {
        const Status saved = save(simulation.snapshot(), command.save);
        if (!saved.ok()) return report_errors(saved.errors(), false);
    }
    return find_exit_code(motion.report, motion.steps);
}

int run_many_worlds(const RunCommand& command, const Prepared& prepared)
{
    Result<Batch> made = Batch::make(prepared.model, {.solver = std::string(prepared.solver->name),
                                                      .dt = prepared.dt,
                                                      .parameters = prepared.parameters,
                                                      .world_count = command.worlds,
                                                      .thread_count = command.threads});
    if (!made.ok())
        return report_errors(add_ignore_hint(made.errors(), *prepared.solver, *prepared.scene), command.json);
    Batch batch = std::move(made).value();
    print_warnings(batch.warnings());
    if (!command.json)
    {
        print_head(command, prepared);
        say("  {} worlds on {} threads\n", batch.world_count(), batch.thread_count());
    }

    Progress progress(std::string(prepared.scene->name), prepared.steps, command.json);
    const double begin = lab::wall_seconds();
    const bool driven = prepared.drive.is_active();
    const std::int64_t chunk = driven ? 1 : std::max<std::int64_t>(1, prepared.steps / 100);
    StepReport report;
    Effort effort;
    prepared.drive.start(batch);
    for (std::int64_t done = 0; done < prepared.steps && !failed(report); done += chunk)
    {
        if (driven) prepared.drive.apply(batch);
        batch.run_steps(std::min(chunk, prepared.steps - done));
        for (const StepReport& world : batch.reports())
        {
            report = merge(report, world);
            effort.add(world);
        }
        progress.update(done + chunk);
    }
    const double elapsed = lab::wall_seconds() - begin;
    progress.clear();

    std::int64_t steps = 0;
    for (const std::int64_t taken : batch.state().step) steps += taken;
    effort.steps = steps;
    const double rate = elapsed > 0 ? static_cast<double>(steps) / elapsed : 0;
    if (command.json)
    {
        nlohmann::json json = head_json(command, prepared);
        json.update(effort_json(effort, std::nullopt));
        json.update({{"ok", went_well(report, steps)},
                     {"status", to_string(report.status)},
                     {"unconverged_steps", report.unconverged_steps},
                     {"frozen_steps", report.frozen_steps},
                     {"worlds", batch.world_count()},
                     {"threads", batch.thread_count()},
                     {"steps", steps},
                     {"wall_seconds", elapsed},
                     {"steps_per_second", rate},
                     {"hash", fmt::format("{:016x}", hash(batch.state()))}});
        print_json(json);
    }
    else
    {
        say("{}: {} steps of all worlds in {:.3g} s: {}steps/s\n",
            paint(to_string(report.status), find_style(report, steps)), steps, elapsed, rate_text(rate));
        print_unconverged(report, steps);
        print_effort(effort, std::nullopt);
        say("state {:016x}\n", hash(batch.state()));
    }
    return find_exit_code(report, steps);
}

}  // namespace

int run(const RunCommand& command)
{
    // A limit on the size of files is an error of the write that meets it, with its place, and no end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    const Result<Prepared> prepared = prepare(command);
    if (!prepared.ok()) return report_errors(prepared.errors(), command.json);
    return command.worlds == 1 ? run_one_world(command, prepared.value()) : run_many_worlds(command, prepared.value());
}

}  // namespace rattleback::cli
