// Every array of a Model with its name, for tests that spoil them one by one.
#pragma once

#include <rattleback/model.h>

#include "model/fields/tables.h"

#include <sstream>

namespace rattleback
{

/// visit(name, array) for each array of a Model, among them those that hold structs.
template <class Visit>
void visit_arrays(Model& model, Visit visit)
{
    const auto all = [&](const std::string& prefix, const char* names, auto&... arrays)
    {
        std::istringstream words(names);
        const auto one = [&](auto& array)
        {
            std::string word;
            words >> word;
            visit(prefix + word, array);
        };
        (one(arrays), ...);
    };
    auto& [name, settings, bodies, joints, dofs, shapes, materials, meshes, hulls, height_fields, surfaces, sites,
           equalities, tendons, actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v,
           spring_q, mean_inertia, level_begin, level_bodies, appearance, act_count, kinematic_count,
           sensor_value_count, name_index] = model;
    all("",
        "materials meshes height_fields keyframes pairs excluded_bodies tracks q0 initial_q initial_v spring_q "
        "level_begin level_bodies",
        materials, meshes, height_fields, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v, spring_q,
        level_begin, level_bodies);
    each_table(model,
               [&](const char* table_name, auto& table, std::size_t, const char*)
               {
                   each_array(table, [&](const auto& row, auto& array)
                              { visit(std::string(table_name) + "." + row.name, array); });
               });
    {
        auto& [body_index, joint_index, shape_index, site_index, tendon_index, actuator_index, sensor_index,
               keyframe_index] = name_index;
        all("name_index.", "bodies joints shapes sites tendons actuators sensors keyframes", body_index, joint_index,
            shape_index, site_index, tendon_index, actuator_index, sensor_index, keyframe_index);
    }
}

}  // namespace rattleback
