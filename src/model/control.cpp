// Control: sizes from the model, and the view of one world.
#include <rattleback/control.h>

namespace rattleback
{

Control::Control(const Model& model, int worlds)
    : world_count(worlds),
      actuator_count(model.actuator_count()),
      v_count(model.v_count()),
      body_count(model.body_count()),
      kinematic_count(model.kinematic_count),
      equality_count(model.equality_count()),
      shape_count(model.shape_count())
{
    RB_CHECK(worlds >= 0, "a control with a negative number of worlds");
    const auto size = [&](int count) { return static_cast<std::size_t>(worlds) * static_cast<std::size_t>(count); };
    input.resize(size(actuator_count));
    joint_force.resize(size(v_count));
    body_wrench.resize(size(body_count));
    target.resize(size(kinematic_count));
    // Kinematic bodies begin with a target where they stand, so that nothing moves until somebody says so.
    for (std::size_t body = 0; body < model.bodies.kinematic_index.size(); ++body)
    {
        const int index = model.bodies.kinematic_index[body];
        if (index < 0) continue;
        for (int world = 0; world < worlds; ++world)
        {
            const std::size_t begin = static_cast<std::size_t>(world) * static_cast<std::size_t>(kinematic_count);
            target[begin + static_cast<std::size_t>(index)] = model.bodies.pose[body];
        }
    }
    actuator_active.reserve(size(actuator_count));
    equality_active.reserve(size(equality_count));
    surface_velocity.reserve(size(shape_count));
    for (int world = 0; world < worlds; ++world)
    {
        actuator_active.insert(actuator_active.end(), model.actuators.active.begin(), model.actuators.active.end());
        equality_active.insert(equality_active.end(), model.equalities.active.begin(), model.equalities.active.end());
        for (std::size_t shape = 0; shape < model.shapes.surface_velocity.size(); ++shape)
            surface_velocity.push_back({model.shapes.surface_velocity[shape], model.shapes.surface_spin[shape]});
    }
}

ControlView Control::world(int index) const
{
    RB_CHECK(index >= 0 && index < world_count,
             "world " + std::to_string(index) + " of a control with " + std::to_string(world_count));
    const auto slice = [&]<class T>(const std::vector<T>& items, int count)
    {
        const std::size_t begin = static_cast<std::size_t>(index) * static_cast<std::size_t>(count);
        RB_CHECK(items.size() >= begin + static_cast<std::size_t>(count),
                 "a control array is shorter than world_count times its row");
        return std::span<const T>(items).subspan(begin, static_cast<std::size_t>(count));
    };
    return {slice(input, actuator_count),           slice(joint_force, v_count),
            slice(body_wrench, body_count),         slice(target, kinematic_count),
            slice(actuator_active, actuator_count), slice(equality_active, equality_count),
            slice(surface_velocity, shape_count)};
}

}  // namespace rattleback
