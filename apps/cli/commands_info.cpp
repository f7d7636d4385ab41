// `rattleback info`, `solvers` and `scenes`: what there is.
#include "commands.h"
#include "info_lists.h"
#include "setup.h"
#include "subject.h"
#include "table.h"
#include "terminal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rattleback::cli
{

namespace
{

std::string joints_of(const Model& model, std::size_t body)
{
    std::string text;
    for (int i = model.bodies.joint_begin[body]; i < model.bodies.joint_begin[body + 1]; ++i)
    {
        const auto joint = static_cast<std::size_t>(model.bodies.joints_of_body[static_cast<std::size_t>(i)]);
        text += fmt::format("{}{} '{}'", text.empty() ? "" : ", ", to_string(model.joints.type[joint]),
                            model.joints.name[joint]);
    }
    if (text.empty()) text = to_string(model.bodies.kind[body]);
    return text;
}

/// The tree below `body`, drawn with lines; big families are cut short.
void add_tree(const Model& model, const std::vector<std::vector<std::size_t>>& children, std::size_t body,
              const std::string& indent, Table& table)
{
    constexpr std::size_t kMost = 24;
    const std::vector<std::size_t>& family = children[body];
    for (std::size_t i = 0; i < family.size(); ++i)
    {
        if (i == kMost && family.size() > kMost + 1)
        {
            table.add({fmt::format("{}└ … {} more", indent, family.size() - kMost)});
            return;
        }
        const std::size_t child = family[i];
        const bool last = i + 1 == family.size();
        table.add({indent + (last ? "└ " : "├ ") + model.bodies.name[child],
                   fmt::format("{:.3f}", model.bodies.mass[child]), joints_of(model, child)});
        add_tree(model, children, child, indent + (last ? "  " : "│ "), table);
    }
}

double total_mass(const Model& model)
{
    double sum = 0;
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b) sum += model.bodies.mass[b];
    return sum;
}

nlohmann::json info_json(const lab::Scene& scene, const Model& model)
{
    nlohmann::json bodies = nlohmann::json::array();
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b)
    {
        bodies.push_back({{"name", model.bodies.name[b]},
                          {"parent", model.bodies.name[static_cast<std::size_t>(model.bodies.parent[b])]},
                          {"mass", model.bodies.mass[b]},
                          {"kind", to_string(model.bodies.kind[b])}});
    }
    nlohmann::json features = nlohmann::json::array();
    for (const FeatureUse& use : features_used(model))
    {
        features.push_back({{"feature", to_string(use.feature)}, {"element", use.element}});
    }
    nlohmann::json solvers = nlohmann::json::array();
    for (const SolverInfo* solver : all_solvers())
    {
        nlohmann::json reasons = nlohmann::json::array();
        for (const Error& error : find_refusal(*solver, model)) reasons.push_back(error.text());
        solvers.push_back({{"solver", solver->name}, {"runs", reasons.empty()}, {"reasons", reasons}});
    }
    const Result<SolverChoice> choice = choose_solver(model);
    return {{"scene", scene.name},
            {"summary", scene.summary},
            {"dt", model.settings.dt},
            {"gravity", to_json(model.settings.gravity)},
            {"integrator", to_string(model.settings.integrator)},
            {"counts",
             {{"bodies", model.body_count() - 1},
              {"joints", model.joint_count()},
              {"dof", model.v_count()},
              {"shapes", model.shape_count()},
              {"sites", model.site_count()},
              {"equalities", model.equality_count()},
              {"tendons", model.tendon_count()},
              {"actuators", model.actuator_count()},
              {"keyframes", model.keyframes.size()},
              {"sensors", model.sensor_count()}}},
            {"mass", total_mass(model)},
            {"fingerprint", fmt::format("{:016x}", fingerprint(model))},
            {"bodies", bodies},
            {"keyframes", keyframes_json(model)},
            {"actuators", actuators_json(model)},
            {"sensors", sensors_json(model)},
            {"features", features},
            {"solvers", solvers},
            {"solver", choice.ok() ? std::string(choice->info->name) : ""},
            {"solver_reason", choice.ok() ? choice->reason : to_text(choice.errors())},
            {"ignore", scene.ignore}};
}

void print_sizes(const lab::Scene& scene, const Model& model)
{
    say("{} · {}\n", paint(scene.name, Style::bold), scene.summary);
    say("  {} bodies, {} joints, {} dof, {} shapes, {} actuators, {} sensors, {} equalities, {} tendons\n",
        model.body_count() - 1, model.joint_count(), model.v_count(), model.shape_count(), model.actuator_count(),
        model.sensor_count(), model.equality_count(), model.tendon_count());
    const Vec3& g = model.settings.gravity;
    say("  {:.3f} kg · timestep {:g} ms · gravity ({:g}, {:g}, {:g}) m/s² · integrator {}\n\n", total_mass(model),
        1000 * model.settings.dt, g.x, g.y, g.z, to_string(model.settings.integrator));
}

void print_tree(const Model& model)
{
    std::vector<std::vector<std::size_t>> children(model.bodies.parent.size());
    for (std::size_t b = 1; b < model.bodies.parent.size(); ++b)
    {
        children[static_cast<std::size_t>(model.bodies.parent[b])].push_back(b);
    }
    Table table({{"body"}, {"mass [kg]", Align::right}, {"joints"}});
    table.add({"world"});
    add_tree(model, children, 0, "", table);
    say("{}\n", table.text());
}

void print_features(const Model& model)
{
    Table table({{"feature"}, {"first used by"}});
    for (const FeatureUse& use : features_used(model)) table.add({to_string(use.feature), use.element});
    say("{}\n", table.text());
}

void print_solvers(const lab::Scene& scene, const Model& model)
{
    for (const SolverInfo* solver : all_solvers())
    {
        const std::vector<Error> reasons = find_refusal(*solver, model);
        say("  solver {}: {}\n", solver->name,
            reasons.empty() ? paint("runs it", Style::good) : paint("refuses it", Style::bad));
        for (const Error& error : add_ignore_hint(reasons, *solver, scene)) say("    {}\n", error.text());
    }
    const Result<SolverChoice> choice = choose_solver(model);
    if (choice.ok()) say("\n  rattleback run {} takes {}: {}\n", scene.name, choice->info->name, choice->reason);
}

std::string allowed_text(const ParameterInfo& info)
{
    std::string text = info.range ? fmt::format("{:g} to {:g}", info.range->first, info.range->second) : "";
    for (const std::string_view choice : info.choices)
    {
        if (!choice.empty()) text += (text.empty() ? "" : ", ") + std::string(choice);
    }
    return text;
}

constexpr Feature kLastFeature = Feature::negative_dry_friction;

/// The features that a solver has (or has not), in the order of their list.
std::vector<std::string> list_features(const SolverInfo& solver, bool supported)
{
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(kLastFeature); ++i)
    {
        const auto feature = static_cast<Feature>(i);
        const bool has = std::find(solver.supports.begin(), solver.supports.end(), feature) != solver.supports.end();
        if (has == supported) names.emplace_back(to_string(feature));
    }
    return names;
}

const char* kind_of(const ParameterInfo& info)
{
    constexpr const char* kKinds[] = {"switch", "whole number", "number", "text"};  // as ParameterValue's alternatives
    return kKinds[info.default_value.index()];
}

void print_solver(const SolverInfo& solver, bool alone)
{
    say("{} · {}\n", paint(solver.name, Style::bold), solver.summary);
    say("  coordinates: {}\n  supports: {}\n", to_string(solver.coordinates),
        fmt::join(list_features(solver, true), ", "));
    const std::vector<std::string> lacking = list_features(solver, false);
    if (alone) say("  refuses: {}\n", lacking.empty() ? "nothing" : fmt::format("{}", fmt::join(lacking, ", ")));
    Table table({{"parameter"}, {"default"}, {"unit"}, {"allowed"}, {"what it does"}});
    for (const ParameterInfo& info : solver.parameters)
    {
        const std::string standard = to_text(info.default_value), allowed = allowed_text(info);
        table.add({std::string(info.name), standard.empty() ? "\"\"" : standard, std::string(info.unit),
                   alone && allowed.empty() ? kind_of(info) : allowed, std::string(info.summary)});
    }
    if (!solver.parameters.empty()) say("{}", table.text());
    if (alone && solver.parameters.empty()) say("  no parameters\n");
}

nlohmann::json solver_json(const SolverInfo& solver)
{
    nlohmann::json parameters = nlohmann::json::array();
    for (const ParameterInfo& info : solver.parameters)
    {
        nlohmann::json parameter{{"name", info.name},
                                 {"kind", kind_of(info)},
                                 {"unit", info.unit},
                                 {"default", to_json(info.default_value)},
                                 {"summary", info.summary}};
        if (info.range) parameter["range"] = {info.range->first, info.range->second};
        if (!info.choices.empty()) parameter["choices"] = info.choices;
        parameters.push_back(parameter);
    }
    return {{"name", solver.name},
            {"summary", solver.summary},
            {"coordinates", to_string(solver.coordinates)},
            {"supports", list_features(solver, true)},
            {"refuses", list_features(solver, false)},
            {"parameters", parameters}};
}

}  // namespace

int show_info(const InfoCommand& command)
{
    const Result<Subject> subject = open_subject(command.scene, command.import);
    if (!subject.ok()) return report_errors(subject.errors(), command.json);
    const lab::Scene& scene = *subject.value().scene;
    const Model& model = *subject.value().model;
    print_warnings(subject.value().warnings);
    if (command.json)
    {
        print_json(info_json(scene, model));
        return 0;
    }
    print_sizes(scene, model);
    print_tree(model);
    print_control_lists(model);
    print_features(model);
    print_solvers(scene, model);
    return 0;
}

int list_solvers(const SolversCommand& command)
{
    if (!command.name.empty())
    {
        const Result<const SolverInfo*> solver = find_solver(command.name);
        if (!solver.ok()) return report_errors(solver.errors(), command.json);
        if (command.json)
            print_json(solver_json(*solver.value()));
        else
            print_solver(*solver.value(), true);
        return 0;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const SolverInfo* solver : all_solvers())
    {
        list.push_back(solver_json(*solver));
        if (command.json) continue;
        print_solver(*solver, false);
        say("\n");
    }
    if (command.json) print_json(list);
    return 0;
}

int list_scenes(bool json)
{
    nlohmann::json list = nlohmann::json::array();
    Table table({{"scene"}, {"dof", Align::right}, {"seconds", Align::right}, {"what it is"}});
    for (const lab::Scene& scene : lab::all_scenes())
    {
        const Result<Model> model = scene.build();
        if (!model.ok()) return report_errors(model.errors(), json);
        const int dof = model.value().v_count();
        list.push_back({{"name", scene.name},
                        {"summary", scene.summary},
                        {"duration", scene.duration},
                        {"dof", dof},
                        {"ignore", scene.ignore}});
        table.add({std::string(scene.name), std::to_string(dof), fmt::format("{:g}", scene.duration),
                   std::string(scene.summary)});
    }
    if (json) print_json(list);
    if (!json) say("{}", table.text());
    return 0;
}

}  // namespace rattleback::cli
