// Parameters of worlds: made from the Model's, checked, and put into force.
#include "engine/parameter_store.h"

#include "build/mujoco_weights.h"
#include "dynamics/constants.h"
#include "engine/world_arrays.h"

#include <algorithm>
#include <cmath>
#include <optional>

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
    if (parameter == WorldParameter::mass) return model.bodies.mass;
    // k and d are the solver's: see vary().
    if (parameter == WorldParameter::stiffness || parameter == WorldParameter::damping) return {0};
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
    if (parameter == WorldParameter::gravity || count_items(model, parameter) == 1)
        return to_string(parameter) + in_world;
    if (parameter == WorldParameter::friction)
        return "friction of shape '" + model.shapes.name[at(item)] + "'" + in_world;
    if (parameter == WorldParameter::mass) return "mass of body '" + model.bodies.name[at(item)] + "'" + in_world;
    return "gain of actuator '" + model.actuators.name[at(item / 6)] + "'" + in_world;
}

/// What is wrong with a number; empty: nothing. `usual` is the Model's.
std::string judge(WorldParameter parameter, int item, double value, double usual)
{
    if (!std::isfinite(value)) return "is not finite";
    if (value < 0 && parameter != WorldParameter::gravity && parameter != WorldParameter::gain)
        return "is negative: " + std::to_string(value);
    // Whether a body has mass decides about joints and patterns, for all worlds at once.
    if (parameter == WorldParameter::mass && (value == 0) != (usual == 0))
        return usual == 0 ? "is not zero, and the model's is" : "is zero, and the model's is not";
    // Whether forces depend on velocity decides which matrix the integrators factor, for all worlds at once.
    if (parameter == WorldParameter::gain && item % 3 == 2 && (value == 0) != (usual == 0))
        return usual == 0 ? "depends on velocity, and the model's does not"
                          : "does not depend on velocity, and the model's does";
    return {};
}

/// What follows from the masses of a model at q0.
void derive(Model& model, bool mujoco_weights)
{
    compute_constants(model);
    if (mujoco_weights) apply_mujoco_weights(model);
}

// Inverse weights follow from M(q0) by one of two rules; any others were set by hand.
bool has_weights_of(const Model& model, bool mujoco_weights)
{
    // Recomputed from the model itself: equal bits say which rule made them.
    Model again = model;
    derive(again, mujoco_weights);
    return again.bodies.inverse_weight == model.bodies.inverse_weight &&
           again.dofs.inverse_weight == model.dofs.inverse_weight;
}

/// Numbers of one world in ParameterStore::derived_, and where the parts of it begin.
struct DerivedLayout
{
    explicit DerivedLayout(const Model& model)
        : weights(3 * model.body_count()),
          inertias(weights + 2 * model.body_count()),
          dof_weights(inertias + model.v_count()),
          tendon_weights(dof_weights + model.v_count()),
          count(tendon_weights + model.tendon_count())
    {
    }
    int weights, inertias, dof_weights, tendon_weights, count;
};

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
    if (parameter == WorldParameter::mass)
    {
        // Forces of the medium are constants of a shape and its inertia box, prepared once for all worlds.
        const Medium& medium = setup.model->settings.medium;
        if (medium.density > 0 || medium.viscosity > 0)
            return Error{.code = ErrorCode::unsupported,
                         .where = "mass world by world",
                         .message = "the model has a medium, whose forces follow from the bodies' inertia"};
        mujoco_weights_ = !has_weights_of(*setup.model, false);
        if (mujoco_weights_ && !has_weights_of(*setup.model, true))
            return Error{.code = ErrorCode::unsupported,
                         .where = "mass world by world",
                         .message = "inverse weights of the model were changed by hand"};
    }
    std::vector<double>& list = written_[at(parameter)];
    std::vector<double> defaults = find_defaults(*setup.model, parameter);
    if (parameter == WorldParameter::stiffness || parameter == WorldParameter::damping)
        defaults = {std::get<double>(setup.parameters.at(to_string(parameter)))};
    if (list.empty())
    {
        // The Model's numbers in every world to begin with; nothing changes until a caller writes and applies.
        for (int world = 0; world < world_count; ++world) list.insert(list.end(), defaults.begin(), defaults.end());
        in_force_[at(parameter)] = list;
        if (parameter == WorldParameter::mass) start_masses(*setup.model, world_count);
    }
    return std::span(list);
}

/// All worlds begin with what the Model has.
void ParameterStore::start_masses(const Model& model, int world_count)
{
    const int count = DerivedLayout(model).count;
    derived_.resize(product(world_count, count));
    Model variant = model;
    derive_masses(model, 0, variant);
    for (int world = 1; world < world_count; ++world)
        std::copy_n(derived_.begin(), count, slice(derived_, world, count).begin());
}

void ParameterStore::apply(const Model& model, std::span<const int> worlds, ThreadPool& pool)
{
    // Constants that follow from masses are costly: only of worlds whose masses are others now.
    std::vector<int> heavier;
    for (const int world : worlds)
    {
        for (int p = 0; p < kWorldParameterCount; ++p)
        {
            if (written_[at(p)].empty()) continue;
            const int count = count_items(model, static_cast<WorldParameter>(p));
            const std::span<const double> written = slice(written_[at(p)], world, count);
            const std::span<double> in_force = slice(in_force_[at(p)], world, count);
            const bool same = std::equal(written.begin(), written.end(), in_force.begin());
            if (!same && static_cast<WorldParameter>(p) == WorldParameter::mass) heavier.push_back(world);
            std::copy(written.begin(), written.end(), in_force.begin());
        }
    }
    if (heavier.empty()) return;
    std::vector<std::optional<Model>> variants(at(pool.worker_count()));
    pool.run(static_cast<int>(heavier.size()),
             [&](int task, int worker)
             {
                 std::optional<Model>& variant = variants[at(worker)];
                 if (!variant) variant = model;
                 derive_masses(model, heavier[at(task)], *variant);
             });
}

/// As the builder finds them: moments of inertia in proportion to the mass, and what follows from M(q0). `variant` is a
/// copy of the Model, whose masses are changed.
void ParameterStore::derive_masses(const Model& model, int world, Model& variant)
{
    const std::span<const double> mass = slice(in_force_[at(WorldParameter::mass)], world, model.body_count());
    for (std::size_t b = 0; b < mass.size(); ++b)
    {
        variant.bodies.mass[b] = mass[b];
        variant.bodies.inertia[b] = model.bodies.inertia[b];
        if (mass[b] != model.bodies.mass[b])
            variant.bodies.inertia[b] = (mass[b] / model.bodies.mass[b]) * model.bodies.inertia[b];
    }
    derive(variant, mujoco_weights_);
    auto to = slice(derived_, world, DerivedLayout(model).count).begin();
    for (const Vec3& moments : variant.bodies.inertia)
    {
        for (int k = 0; k < 3; ++k) *to++ = moments[k];
    }
    for (const auto& weight : variant.bodies.inverse_weight) to = std::copy(weight.begin(), weight.end(), to);
    for (const auto* list : {&variant.dofs.inertia, &variant.dofs.inverse_weight, &variant.tendons.inverse_weight})
        to = std::copy(list->begin(), list->end(), to);
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
        const std::span<const double> written = slice(written_[at(p)], world, count);
        const std::span<const double> in_force = slice(in_force_[at(p)], world, count);
        if (!std::equal(written.begin(), written.end(), in_force.begin(), in_force.end())) return true;
    }
    return false;
}

ParameterView ParameterStore::find_view(const Model& model, int world) const
{
    // An empty view says that the Model's own numbers hold.
    const auto find = [&](WorldParameter parameter) -> std::span<const double>
    {
        const std::vector<double>& list = in_force_[at(parameter)];
        if (list.empty()) return {};
        return slice(list, world, count_items(model, parameter));
    };
    MassView mass{.mass = find(WorldParameter::mass)};
    if (!mass.mass.empty())
    {
        const DerivedLayout begin(model);
        const std::span<const double> all = slice(derived_, world, begin.count);
        const auto part = [&](int from, int to) { return all.subspan(at(from), at(to - from)); };
        mass.moments = part(0, begin.weights);
        mass.body_weight = part(begin.weights, begin.inertias);
        mass.dof_inertia = part(begin.inertias, begin.dof_weights);
        mass.dof_weight = part(begin.dof_weights, begin.tendon_weights);
        mass.tendon_weight = part(begin.tendon_weights, begin.count);
    }
    return {.gravity = find(WorldParameter::gravity),
            .friction = find(WorldParameter::friction),
            .mass = mass,
            .gain = find(WorldParameter::gain),
            .stiffness = find(WorldParameter::stiffness),
            .damping = find(WorldParameter::damping)};
}

}  // namespace rattleback
