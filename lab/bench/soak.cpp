// Bench `soak`: hours of simulated time; what drifts, and whether memory grows.
#include "lab/bench/bench.h"
#include "lab/bench/soak_table.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kSoakers[] = {"convex", "comfree", kAnchored, "avbd"};
constexpr double kQuickHours = 0.02;
constexpr double kSaveEvery = 60;  // [s] on the wall

SimulationOptions find_options(const Soak& soak)
{
    if (soak.solver != kAnchored) return {.solver = soak.solver, .dt = soak.dt()};
    return {.solver = "comfree", .dt = soak.dt(), .parameters = {{"anchor", true}}};
}

std::string_view find_solver_name(std::string_view solver) { return solver == kAnchored ? "comfree" : solver; }

nlohmann::json to_json(const SoakAccount& a)
{
    return {{"seconds", a.seconds},
            {"cpu", a.cpu},
            {"looks", a.looks},
            {"steps", a.steps},
            {"unsettled", a.unsettled},
            {"divided", a.divided},
            {"removed", a.removed},
            {"diverged", a.diverged},
            {"scale", a.scale},
            {"energy", {a.first_energy, a.last_energy, a.highest_energy, a.lowest_energy}},
            {"memory", a.memory},
            {"memory_growth", a.memory_growth},
            {"height", {a.first_height, a.last_height, a.highest_height, a.lowest_height}}};
}

SoakAccount to_account(const nlohmann::json& j)
{
    const auto &energy = j.at("energy"), &height = j.at("height");
    return {.seconds = j.at("seconds"),
            .cpu = j.at("cpu"),
            .looks = j.at("looks"),
            .steps = j.at("steps"),
            .unsettled = j.at("unsettled"),
            .divided = j.at("divided"),
            .removed = j.at("removed"),
            .diverged = j.at("diverged"),
            .scale = j.at("scale"),
            .first_energy = energy.at(0),
            .last_energy = energy.at(1),
            .highest_energy = energy.at(2),
            .lowest_energy = energy.at(3),
            .first_height = height.at(0),
            .last_height = height.at(1),
            .highest_height = height.at(2),
            .lowest_height = height.at(3),
            .memory = j.at("memory"),
            .memory_growth = j.at("memory_growth")};
}

Result<SoakAccount> read_account(const std::filesystem::path& path)
{
    std::ifstream file(path);
    if (!file) return SoakAccount{};
    try
    {
        return to_account(nlohmann::json::parse(file));
    }
    catch (const nlohmann::json::exception&)
    {
        return Error{ErrorCode::invalid_value, path.string(), "is no account of bench soak",
                     "remove it, or give another --keep"};
    }
}

/// Files NAME.json and NAME.snapshot of the folder. Both by rename, the account last: it never knows more than the
/// snapshot.
Status keep_run(const std::filesystem::path& folder, const Soak& soak, const Simulation& simulation,
                const SoakAccount& account)
{
    if (folder.empty()) return {};
    const std::filesystem::path path = folder / soak.name();
    if (const Status saved = save(simulation.snapshot(), path.string() + ".snapshot"); !saved.ok()) return saved;
    const std::string part = path.string() + ".json.part";
    std::ofstream file(part);
    file << to_json(account).dump(1) << "\n";
    file.close();
    std::error_code fault;
    std::filesystem::rename(part, path.string() + ".json", fault);
    if (file && !fault) return {};
    return Error{ErrorCode::io, part, "cannot be written", ""};
}

/// As far as `seconds`, or as the time on the wall goes; the account of all parts together.
Result<SoakAccount> go_on(const Soak& soak, double seconds, const std::filesystem::path& folder, double deadline)
{
    Result<SoakAccount> kept = folder.empty() ? SoakAccount{} : read_account(folder / (soak.name() + ".json"));
    if (!kept.ok()) return kept;
    SoakAccount account = kept.value();
    if (account.diverged || account.seconds >= seconds - 1e-6 || wall_seconds() > deadline) return account;
    Result<Model> model = soak.scene->build();
    if (!model.ok()) return model.errors();
    Result<Simulation> made = Simulation::make(std::move(model).value(), find_options(soak));
    if (!made.ok()) return made.errors();
    Simulation& simulation = made.value();
    if (account.steps > 0)
    {
        const Result<Snapshot> snapshot = load_snapshot(folder / (soak.name() + ".snapshot"));
        if (!snapshot.ok()) return snapshot.errors();
        if (const Status restored = simulation.restore(snapshot.value()); !restored.ok()) return restored.errors();
    }
    Status saved;
    double last = wall_seconds();
    const auto stop = [&]
    {
        const double now = wall_seconds();
        if (now - last > kSaveEvery)
        {
            saved = keep_run(folder, soak, simulation, account);
            last = now;
        }
        return now > deadline || !saved.ok();
    };
    run_soak(*soak.scene, seconds, stop, simulation, account);
    if (saved.ok()) saved = keep_run(folder, soak, simulation, account);
    if (!saved.ok()) return saved.errors();
    return account;
}

Result<std::vector<Soak>> choose_soaks(const BenchOptions& options)
{
    std::vector<const SoakScene*> scenes;
    for (const SoakScene& scene : soak_scenes()) scenes.push_back(&scene);
    if (!options.scene.empty())
    {
        const Result<const SoakScene*> found = find_soak_scene(options.scene);
        if (!found.ok()) return found.errors();
        scenes = {found.value()};
    }
    std::vector<std::string> solvers(std::begin(kSoakers), std::end(kSoakers));
    if (options.solver != "all")
    {
        solvers.clear();
        std::string rest = options.solver + ",";
        for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1))
        {
            solvers.push_back(rest.substr(0, comma));
            const Result<const SolverInfo*> found = find_solver(std::string(find_solver_name(solvers.back())));
            if (!found.ok()) return found.errors();
        }
    }
    std::vector<Soak> soaks;
    for (const SoakScene* scene : scenes)
        for (const std::string& solver : solvers)
        {
            // Solvers of free bodies alone leave out scenes that were not asked for by name, and anchors those in which
            // nothing could creep.
            const std::vector<Feature>& features = find_solver(std::string(find_solver_name(solver))).value()->supports;
            const bool jointed = std::find(features.begin(), features.end(), Feature::hinge_joint) != features.end();
            const bool sticks = scene->name == "arm" || solver != kAnchored;
            if (!options.scene.empty() || ((jointed || scene->free_bodies) && sticks)) soaks.push_back({scene, solver});
        }
    return soaks;
}

/// The table as a page for the docs, beside what is kept.
Status keep_page(const std::filesystem::path& folder, const BenchTable& table, const BenchReport& report)
{
    if (folder.empty()) return {};
    std::ofstream file(folder / "table.md");
    file << make_soak_page(table, report);
    file.close();
    if (file) return {};
    return Error{ErrorCode::io, (folder / "table.md").string(), "cannot be written", ""};
}

}  // namespace

Status measure_soak(const BenchOptions& options, BenchReport& report)
{
    const Result<std::vector<Soak>> soaks = choose_soaks(options);
    if (!soaks.ok()) return soaks.errors();
    const double hours = options.quick ? kQuickHours : options.hours;
    const std::filesystem::path folder = options.keep;
    std::error_code fault;
    if (!folder.empty()) std::filesystem::create_directories(folder, fault);
    if (fault) return Error{ErrorCode::io, "--keep", "cannot make the folder " + options.keep, fault.message()};
    report.notes.push_back(fmt::format(
        "{} simulated hours of each; energy and height every {} s from {} s on, against the first look; energies over "
        "that of a fall by one metre (chain: of its swing); looks at the resident set of this process",
        short_number(hours), kSoakPeriod, kSoakSettled));
    for (const SoakScene& scene : soak_scenes())
        report.notes.push_back(fmt::format("{}: {}", scene.name, scene.summary));
    BenchTable table = make_soak_table();
    const double deadline =
        options.minutes > 0 ? wall_seconds() + 60 * options.minutes : std::numeric_limits<double>::infinity();
    for (const Soak& soak : soaks.value())
    {
        if (options.say) options.say(soak.name());
        const Result<SoakAccount> account = go_on(soak, 3600 * hours, folder, deadline);
        if (!account.ok()) return account.errors();
        report_soak(soak, account.value(), table, report);
    }
    const Status written = options.scene.empty() ? keep_page(folder, table, report) : Status{};
    report.tables.push_back(std::move(table));
    return written;
}

}  // namespace rattleback::lab
