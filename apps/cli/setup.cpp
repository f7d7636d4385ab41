// Parameters, steps and the watched point of a run.
#include "setup.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace rattleback::cli
{

namespace
{

Error setting_error(std::string_view name, std::string message, std::string hint = {})
{
    return {.code = ErrorCode::invalid_value,
            .where = fmt::format("--set {}", name),
            .message = std::move(message),
            .hint = std::move(hint)};
}

template <class T>
std::optional<T> parse_number(std::string_view text)
{
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Result<ParameterValue> parse_value(const ParameterInfo& info, std::string_view text)
{
    if (std::holds_alternative<std::string>(info.default_value)) return ParameterValue(std::string(text));
    if (std::holds_alternative<bool>(info.default_value))
    {
        if (text == "true" || text == "on" || text == "1") return ParameterValue(true);
        if (text == "false" || text == "off" || text == "0") return ParameterValue(false);
        return setting_error(info.name, fmt::format("'{}' is neither true nor false", text));
    }
    if (std::holds_alternative<int>(info.default_value))
    {
        const auto value = parse_number<int>(text);
        if (!value) return setting_error(info.name, fmt::format("'{}' is not a whole number", text));
        return ParameterValue(*value);
    }
    const auto value = parse_number<double>(text);
    if (!value) return setting_error(info.name, fmt::format("'{}' is not a number", text));
    return ParameterValue(*value);
}

const ParameterInfo* find_parameter(const SolverInfo& solver, std::string_view name)
{
    for (const ParameterInfo& info : solver.parameters)
    {
        if (info.name == name) return &info;
    }
    return nullptr;
}

}  // namespace

Result<Parameters> parse_settings(std::span<const SolverInfo* const> solvers, const std::vector<std::string>& settings)
{
    Parameters parameters;
    std::vector<Error> errors;
    for (const std::string& setting : settings)
    {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            errors.push_back(
                setting_error(setting, "a setting is written name=value", "for example --set integrator=rk4"));
            continue;
        }
        const std::string name = setting.substr(0, equals);
        const std::string text = setting.substr(equals + 1);
        const ParameterInfo* info = nullptr;
        for (const SolverInfo* solver : solvers) info = info != nullptr ? info : find_parameter(*solver, name);
        if (info == nullptr)
        {
            parameters[name] = text;  // the solver's own check names the nearest match
            continue;
        }
        const Result<ParameterValue> value = parse_value(*info, text);
        if (value.ok())
        {
            parameters[name] = value.value();
        }
        else
        {
            errors.insert(errors.end(), value.errors().begin(), value.errors().end());
        }
    }
    if (!errors.empty()) return errors;
    return parameters;
}

Result<ChosenSolver> resolve_solver(const std::string& name, const Model& model,
                                    const std::vector<std::string>& settings)
{
    if (name == "auto")
    {
        const Result<Parameters> parameters = parse_settings(all_solvers(), settings);
        if (!parameters.ok()) return parameters.errors();
        Result<SolverChoice> choice = choose_solver(model, *parameters);
        if (!choice.ok()) return choice.errors();
        return ChosenSolver{std::move(choice).value(), *parameters};
    }
    const Result<const SolverInfo*> info = find_solver(name);
    if (!info.ok()) return info.errors();
    const Result<Parameters> parameters = parse_settings({&*info, 1}, settings);
    if (!parameters.ok()) return parameters.errors();
    return ChosenSolver{{*info, ""}, *parameters};
}

Result<std::int64_t> count_steps(const RunCommand& command, double duration, double dt)
{
    constexpr double kMost = 1e12;  // half a year of a million steps each second
    const auto mistake = [](std::string where, std::string message)
    { return Error{.code = ErrorCode::invalid_value, .where = std::move(where), .message = std::move(message)}; };

    if (command.steps)
    {
        if (*command.steps < 0) return mistake("--steps", "must not be negative");
        if (static_cast<double>(*command.steps) > kMost) return mistake("--steps", "must not exceed 1e12");
        return *command.steps;
    }
    const double seconds = command.seconds.value_or(duration);
    if (!std::isfinite(seconds) || seconds < 0) return mistake("--seconds", "must be finite and not negative");
    if (seconds / dt > kMost) return mistake("--seconds", "makes more than 1e12 steps");
    return std::llround(seconds / dt);
}

bool takes(const SolverInfo& solver, std::string_view parameter)
{
    return find_parameter(solver, parameter) != nullptr;
}

std::vector<Error> add_ignore_hint(std::vector<Error> errors, const SolverInfo& solver, const lab::Scene& scene)
{
    if (scene.ignore.empty() || !takes(solver, "ignore")) return errors;
    bool refused = false;
    for (Error& error : errors)
    {
        if (error.code != ErrorCode::unsupported) continue;
        refused = true;
        const std::size_t other = error.hint.find("solver '");  // one that runs it
        // the rest speaks of C++; here the words of the command line follow once
        error.hint = other == std::string::npos ? "" : error.hint.substr(other);
    }
    if (refused)
    {
        errors.push_back({.code = ErrorCode::unsupported,
                          .where = "",
                          .message = fmt::format("to run it without them: --set \"ignore={}\"", scene.ignore)});
    }
    return errors;
}

Vec3 Watched::position(const State& state) const
{
    const Pose& pose = state.body_pose[static_cast<std::size_t>(body)];
    return pose.position + rotate(pose.rotation, offset);
}

Watched find_watched(const Model& model)
{
    for (const char* name : {"tip", "tool", "end"})
    {
        const auto site = model.find_site(name);
        if (!site) continue;
        const auto i = static_cast<std::size_t>(site->index);
        return {name, model.sites.body[i], model.sites.pose[i].position};
    }
    int body = model.body_count() - 1;
    for (std::size_t j = 0; j < model.joints.type.size(); ++j)
    {
        if (model.joints.type[j] != JointType::free) continue;
        body = model.joints.body[j];
        break;
    }
    return {model.bodies.name[static_cast<std::size_t>(body)], body, {}};
}

std::string to_text(const ParameterValue& value)
{
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<int>(&value)) return fmt::format("{}", *whole);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
    return std::get<std::string>(value);
}

nlohmann::json to_json(const ParameterValue& value)
{
    return std::visit([](const auto& held) { return nlohmann::json(held); }, value);
}

nlohmann::json to_json(const Parameters& parameters)
{
    nlohmann::json json = nlohmann::json::object();
    for (const auto& [name, value] : parameters) json[name] = to_json(value);
    return json;
}

nlohmann::json to_json(const Vec3& vector) { return {vector.x, vector.y, vector.z}; }

}  // namespace rattleback::cli
