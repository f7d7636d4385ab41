// Two boxes, one on the other, with sensors and a keyframe: a small scene that every solver runs.
#pragma once

#include <rattleback/batch.h>

namespace rattleback
{

/// They touch from the first step on, so that what a solver remembers of contacts matters.
inline std::shared_ptr<const Model> make_two_boxes()
{
    ModelBuilder builder;
    builder.add_ground();
    for (const double height : {0.0999, 0.2997})
    {
        const BodyId box = builder.add_body({.position = {0.02 * height, 0, height}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    }
    builder.add_sensor(SensorType::touch, BodyId{1});
    builder.add_sensor(SensorType::accelerometer, BodyId{2});
    Keyframe lifted{.name = "lifted", .time = 2, .q = builder.build()->initial_q};
    lifted.q[2] += 1e-5;
    lifted.q[9] += 2e-5;
    builder.add_keyframe(lifted);
    return std::make_shared<const Model>(builder.build().value());
}

/// What makes each solver run the boxes, some without contacts.
inline Parameters find_parameters(const SolverInfo& solver)
{
    if (solver.name == "smooth") return {{"ignore", std::string("contact")}};
    if (solver.name == "avbd") return {{"recycling", true}};
    if (solver.name == "ipc") return {{"inset", 5e-4}};  // the boxes start a little in each other
    return {};
}

inline Simulation make_simulation(const std::shared_ptr<const Model>& model, const SolverInfo& info)
{
    return Simulation::make(model, {.solver = std::string(info.name), .parameters = find_parameters(info)}).value();
}

inline Batch make_batch(const std::shared_ptr<const Model>& model, const SolverInfo& info, int world_count)
{
    return Batch::make(model, {.solver = std::string(info.name),
                               .parameters = find_parameters(info),
                               .world_count = world_count,
                               .thread_count = 2})
        .value();
}

/// World w slides in its own way.
inline void push(State& state, int world, int number)
{
    const WorldView view = state.world(world);
    view.v[0] = 0.1 * number;
    view.v[7] = -0.05 * number;
}

}  // namespace rattleback
