// Parameters of worlds: made from the Model's, checked, and put into force.
#include "engine/parameter_store.h"

#include "engine/world_arrays.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

bool reads(const SolverInfo& info, WorldParameter parameter)
{
    return std::find(info.world_parameters.begin(), info.world_parameters.end(), parameter) !=
           info.world_parameters.end();
}

/// The Model's numbers, as one world has them.
std::vector<double> find_defaults(const Model& model, WorldParameter parameter)
{
    const Vec3& gravity = model.settings.gravity;
    if (parameter == WorldParameter::gravity) return {gravity.x, gravity.y, gravity.z};
    std::vector<double> items;
    if (parameter == WorldParameter::friction)
    {
        for (const int material : model.shapes.material) items.push_back(model.materials[at(material)].friction);
        return items;
    }
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        items.insert(items.end(), model.actuators.gain[at(a)].begin(), model.actuators.gain[at(a)].end());
        items.insert(items.end(), model.actuators.bias[at(a)].begin(), model.actuators.bias[at(a)].end());
    }
    return items;
}

/// What an item of a parameter belongs to: "gravity of world 3", "friction of shape 'box' in world 3".
std::string name_item(const Model& model, WorldParameter parameter, int world, int item)
{
    const std::string in_world = " in world " + std::to_string(world);
    if (parameter == WorldParameter::gravity) return "gravity" + in_world;
    if (parameter == WorldParameter::friction)
        return "friction of shape '" + model.shapes.name[at(item)] + "'" + in_world;
    return "gain of actuator '" + model.actuators.name[at(item / 6)] + "'" + in_world;
}

/// What is wrong with a number; empty: nothing. `usual` is the Model's.
std::string judge(WorldParameter parameter, int item, double value, double usual)
{
    if (!std::isfinite(value)) return "is not finite";
    if (parameter == WorldParameter::friction && value < 0) return "is negative: " + std::to_string(value);
    // Whether forces depend on velocity decides which matrix the integrators factor, for all worlds at once.
    if (parameter == WorldParameter::gain && item % 3 == 2 && (value == 0) != (usual == 0))
        return usual == 0 ? "depends on velocity, and the model's does not"
                          : "does not depend on velocity, and the model's does";
    return {};
}

}  // namespace

Result<std::span<double>> ParameterStore::vary(const Setup& setup, int world_count, WorldParameter parameter)
{
    if (!reads(*setup.info, parameter))
    {
        std::string others;
        for (const SolverInfo* info : all_solvers())
        {
            if (reads(*info, parameter)) others += (others.empty() ? "" : ", ") + std::string(info->name);
        }
        return Error{.code = ErrorCode::unsupported,
                     .where = "solver '" + std::string(setup.info->name) + "'",
                     .message = std::string("does not read ") + to_string(parameter) + " world by world",
                     .hint = "solvers that do: " + others};
    }
    std::vector<double>& list = written_[at(parameter)];
    const std::vector<double> defaults = find_defaults(*setup.model, parameter);
    if (list.empty())
    {
        for (int world = 0; world < world_count; ++world) list.insert(list.end(), defaults.begin(), defaults.end());
        in_force_[at(parameter)] = list;
    }
    return std::span(list);
}

std::vector<Error> ParameterStore::find_mistakes(const Model& model, int world_count) const
{
    std::vector<Error> errors;
    for (int p = 0; p < kWorldParameterCount; ++p)
    {
        const auto parameter = static_cast<WorldParameter>(p);
        if (written_[at(p)].empty()) continue;
        const std::vector<double> defaults = find_defaults(model, parameter);
        for (int world = 0; world < world_count; ++world)
        {
            const std::span<const double> items = slice(written_[at(p)], world, static_cast<int>(defaults.size()));
            for (std::size_t i = 0; i < items.size(); ++i)
            {
                const auto item = static_cast<int>(i);
                const std::string mistake = judge(parameter, item, items[i], defaults[i]);
                if (!mistake.empty())
                    errors.push_back({.where = name_item(model, parameter, world, item), .message = mistake});
            }
        }
    }
    return errors;
}

bool ParameterStore::is_changed(const Model& model, int world) const
{
    for (int p = 0; p < kWorldParameterCount; ++p)
    {
        if (written_[at(p)].empty()) continue;
        const int count = count_items(model, static_cast<WorldParameter>(p));
        if (!std::ranges::equal(slice(written_[at(p)], world, count), slice(in_force_[at(p)], world, count)))
            return true;
    }
    return false;
}

ParameterView ParameterStore::find_view(const Model& model, int world) const
{
    const auto find = [&](WorldParameter parameter) -> std::span<const double>
    {
        const std::vector<double>& list = in_force_[at(parameter)];
        if (list.empty()) return {};
        return slice(list, world, count_items(model, parameter));
    };
    return {.gravity = find(WorldParameter::gravity),
            .friction = find(WorldParameter::friction),
            .gain = find(WorldParameter::gain)};
}

}  // namespace rattleback
