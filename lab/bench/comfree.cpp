// Bench `comfree`: the experiments of [ComFree], three laws of ours beside `convex` and MuJoCo.
#include "lab/bench/comfree.h"

#include "base/nearest_match.h"

#include <fmt/format.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

struct ComfreeExperiment
{
    std::string_view name;
    Status (*measure)(const ComfreeBed& bed) = nullptr;
};
constexpr ComfreeExperiment kExperiments[] = {
    {"penetration", &measure_penetration},
    {"stability", &measure_stability},
    {"torsion", &measure_torsion},
    {"rolling", &measure_rolling},
    {"critical", &measure_critical_friction},
    {"creep", &measure_slope_creep},
    {"equality", &measure_equality_drift},
    {"condim6", &measure_dimension_six},
    {"contacts", &measure_contact_scaling},
    {"growth", &measure_contact_growth},
    {"throughput", &measure_hand_throughput},
    {"latency", &measure_hand_latency},
    {"gap", &measure_sim_gap},
};

}  // namespace

void ComfreeBed::say(const std::string& what) const
{
    if (options.say) options.say(what);
}

Status ComfreeBed::draw(const Plot& plot, const std::string& name) const
{
    if (options.plots.empty()) return {};
    const std::filesystem::path path = std::filesystem::path(options.plots) / ("comfree_" + name + ".png");
    const Status written = write_plot(plot, path);
    if (written.ok()) note("plot: " + path.string());
    return written;
}

std::string ComfreeGains::name() const { return fmt::format("k {}, d {}", stiffness, damping); }

Contestant make_comfree(const std::string& law, const ComfreeGains& gains, const Parameters& more)
{
    Contestant contestant{.name = law, .solver = "comfree", .parameters = more, .peer = {}};
    contestant.parameters["law"] = law;
    contestant.parameters["stiffness"] = gains.stiffness;
    contestant.parameters["damping"] = gains.damping;
    return contestant;
}

Contestant make_mujoco_contestant() { return {.name = "MuJoCo", .solver = "", .parameters = {}, .peer = {}}; }

std::vector<Contestant> comfree_field(const ComfreeGains& gains)
{
    std::vector<Contestant> field;
    for (const char* law : {"as_coded", "printed", "stable"}) field.push_back(make_comfree(law, gains));
    field.push_back(make_comfree("stable", gains, {{"anchor", true}}));
    field.back().name = "stable, anchor";
    field.push_back({.name = "convex", .solver = "convex", .parameters = {}, .peer = {}});
    field.push_back({.name = "convex, plain", .solver = "convex", .parameters = {{"stick", false}}, .peer = {}});
    field.push_back(make_mujoco_contestant());
    return field;
}

Status measure_comfree(const BenchOptions& options, BenchReport& report)
{
    std::vector<std::string_view> names;
    for (const ComfreeExperiment& experiment : kExperiments) names.push_back(experiment.name);
    const auto wanted = [&](std::string_view name) { return options.scene.empty() || options.scene == name; };
    if (std::ranges::none_of(names, wanted))
        return Error{ErrorCode::unknown_name, "--scene", "there is no experiment '" + options.scene + "'",
                     make_name_hint(options.scene, names)};
    report.notes.push_back(
        "both engines read the same MJCF, integrator euler; MuJoCo with the file's (default) solver");
    const ComfreeBed bed{options, report};
    for (const ComfreeExperiment& experiment : kExperiments)
    {
        if (!wanted(experiment.name)) continue;
        // What cannot run here (a file or MuJoCo is missing) is said; the others go on.
        const Status measured = experiment.measure(bed);
        if (!measured.ok())
            report.notes.push_back(fmt::format("{} not measured: {}", experiment.name, to_text(measured.errors())));
    }
    return {};
}

}  // namespace rattleback::lab
