// Parameters of one run: the solver's defaults, the model's settings, the caller's overrides, all checked.
#include "base/nearest_match.h"

#include <rattleback/solver.h>

#include <algorithm>

namespace rattleback
{

namespace
{

const char* type_name(const ParameterValue& value)
{
    constexpr std::array<const char*, 4> kNames{"bool", "int", "double", "string"};  // the variant's order
    return kNames[value.index()];
}

/// Shortest usual form: 0.001, 1e+20.
std::string to_text(double value)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.6g", value);
    return buffer.data();
}

/// The number of an int or double parameter.
std::optional<double> to_number(const ParameterValue& value)
{
    if (const int* number = std::get_if<int>(&value)) return *number;
    if (const double* number = std::get_if<double>(&value)) return *number;
    return std::nullopt;
}

/// What is wrong with a value for this parameter, if anything.
std::optional<Error> check_value(const ParameterInfo& info, const ParameterValue& value, const std::string& where)
{
    if (value.index() != info.default_value.index())
    {
        return Error{.code = ErrorCode::invalid_value,
                     .where = where,
                     .message = std::string("has type ") + type_name(value),
                     .hint = std::string("expected ") + type_name(info.default_value)};
    }
    const std::string* text = std::get_if<std::string>(&value);
    if (text && !info.choices.empty() &&
        std::find(info.choices.begin(), info.choices.end(), *text) == info.choices.end())
    {
        return Error{.code = ErrorCode::invalid_value,
                     .where = where,
                     .message = "is '" + *text + "'",
                     .hint = make_name_hint(*text, info.choices)};
    }
    const std::optional<double> number = to_number(value);
    if (number && info.range && !(*number >= info.range->first && *number <= info.range->second))
    {
        const std::string unit = info.unit.empty() ? "" : " " + std::string(info.unit);
        return Error{.code = ErrorCode::invalid_value,
                     .where = where,
                     .message = "is " + to_text(*number) + unit,
                     .hint = "allowed: " + to_text(info.range->first) + " to " + to_text(info.range->second) + unit};
    }
    return std::nullopt;
}

/// Writes `given` over `parameters`, and every mistake to `errors`.
void apply(const SolverInfo& info, const Parameters& given, const std::string& source, Parameters& parameters,
           std::vector<Error>& errors)
{
    for (const auto& [name, value] : given)
    {
        const auto known =
            std::find_if(info.parameters.begin(), info.parameters.end(),
                         [&wanted = name](const ParameterInfo& parameter) { return parameter.name == wanted; });
        if (known == info.parameters.end())
        {
            std::vector<std::string_view> names;
            for (const ParameterInfo& parameter : info.parameters) names.push_back(parameter.name);
            errors.push_back({.code = ErrorCode::unknown_name,
                              .where = source,
                              .message = "solver '" + std::string(info.name) + "' has no parameter '" + name + "'",
                              .hint = make_name_hint(name, names)});
            continue;
        }
        ParameterValue converted = value;
        const bool widen = std::holds_alternative<double>(known->default_value) && std::holds_alternative<int>(value);
        if (widen) converted = static_cast<double>(std::get<int>(value));
        if (std::optional<Error> error = check_value(*known, converted, source + ": parameter '" + name + "'"))
        {
            errors.push_back(*std::move(error));
            continue;
        }
        parameters.insert_or_assign(name, std::move(converted));
    }
}

/// Values that the others in force would leave unread.
void check_conditions(const SolverInfo& info, const Parameters& parameters, std::vector<Error>& errors)
{
    for (const ParameterInfo& parameter : info.parameters)
    {
        // Set to its default it says nothing that the solver could miss.
        const auto value = parameters.find(parameter.name);
        if (!parameter.read_where || value->second == parameter.default_value) continue;
        const auto& [name, wanted] = *parameter.read_where;
        const std::string& present = std::get<std::string>(parameters.find(name)->second);
        if (present == wanted) continue;
        errors.push_back(
            {.code = ErrorCode::unsupported,
             .where = "solver '" + std::string(info.name) + "': parameter '" + std::string(parameter.name) + "'",
             .message = "is not read where " + std::string(name) + " = " + present,
             .hint = "leave it out, or set " + std::string(name) + " = " + std::string(wanted)});
    }
}

}  // namespace

Result<Parameters> make_parameters(const SolverInfo& info, const Model& model, const Parameters& overrides)
{
    Parameters parameters;
    for (const ParameterInfo& parameter : info.parameters) parameters.emplace(parameter.name, parameter.default_value);

    std::vector<Error> errors;
    const std::string solver = "solver '" + std::string(info.name) + "'";
    const auto authored = model.settings.solver_parameters.find(info.name);
    if (authored != model.settings.solver_parameters.end())
    {
        apply(info, authored->second, "model settings for " + solver, parameters, errors);
    }
    apply(info, overrides, solver, parameters, errors);
    check_conditions(info, parameters, errors);
    if (!errors.empty()) return errors;
    return parameters;
}

}  // namespace rattleback
