// Every array of a Model with its name, for tests that spoil them one by one.
#pragma once

#include <rattleback/model.h>

#include <sstream>

namespace rattleback
{

/// visit(name, array) for each array of a Model, among them those that hold structs. Structs are taken apart with
/// structured bindings, so that a field that is forgotten here does not compile.
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
    auto& [name, settings, bodies, joints, dofs, shapes, materials, meshes, hulls, height_fields, sites, equalities,
           tendons, actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v, spring_q,
           mean_inertia, level_begin, level_bodies, act_count, kinematic_count, sensor_value_count, name_index] = model;
    all("",
        "materials meshes height_fields keyframes pairs excluded_bodies tracks q0 initial_q initial_v spring_q "
        "level_begin level_bodies",
        materials, meshes, height_fields, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v, spring_q,
        level_begin, level_bodies);
    {
        auto& [body_name, parent, kind, pose, mass, inertia, inertial_pose, gravity_compensation, joint_begin,
               joints_of_body, v_begin, v_count, last_dof, root, weld, shape_begin, shapes_of_body, kinematic_index,
               track, subtree_mass, inverse_weight] = bodies;
        all("bodies.",
            "name parent kind pose mass inertia inertial_pose gravity_compensation joint_begin joints_of_body v_begin "
            "v_count last_dof root weld shape_begin shapes_of_body kinematic_index track subtree_mass inverse_weight",
            body_name, parent, kind, pose, mass, inertia, inertial_pose, gravity_compensation, joint_begin,
            joints_of_body, v_begin, v_count, last_dof, root, weld, shape_begin, shapes_of_body, kinematic_index, track,
            subtree_mass, inverse_weight);
    }
    {
        auto& [joint_name, type, body, q_begin, v_begin, position, axis, range, margin, limit_softness, stiffness,
               actuator_force_range, by_actuator, break_force, break_torque] = joints;
        all("joints.",
            "name type body q_begin v_begin position axis range margin limit_softness stiffness actuator_force_range "
            "gravity_compensation_by_actuator break_force break_torque",
            joint_name, type, body, q_begin, v_begin, position, axis, range, margin, limit_softness, stiffness,
            actuator_force_range, by_actuator, break_force, break_torque);
    }
    {
        auto& [body, joint, parent, armature, damping, dry_friction, dry_friction_softness, inertia, inverse_weight,
               row_begin, row_column] = dofs;
        all("dofs.",
            "body joint parent armature damping dry_friction dry_friction_softness inertia inverse_weight row_begin "
            "row_column",
            body, joint, parent, armature, damping, dry_friction, dry_friction_softness, inertia, inverse_weight,
            row_begin, row_column);
    }
    {
        auto& [shape_name, type, body, pose, size, asset, mesh_collide, mesh_mass, material, category, mask, margin,
               gap, mass, density, bounding_radius, colour, group, fluid, fluid_coefficients] = shapes;
        all("shapes.",
            "name type body pose size asset mesh_collide mesh_mass material category mask margin gap mass density "
            "bounding_radius colour group fluid fluid_coefficients",
            shape_name, type, body, pose, size, asset, mesh_collide, mesh_mass, material, category, mask, margin, gap,
            mass, density, bounding_radius, colour, group, fluid, fluid_coefficients);
    }
    {
        auto& [site_name, body, pose] = sites;
        all("sites.", "name body pose", site_name, body, pose);
    }
    {
        auto& [equality_name, type, first, second, first_frame, second_frame, torque_scale, polynomial, softness,
               active, break_force, break_torque, cable] = equalities;
        all("equalities.",
            "name type first second first_frame second_frame torque_scale polynomial softness active break_force "
            "break_torque cable",
            equality_name, type, first, second, first_frame, second_frame, torque_scale, polynomial, softness, active,
            break_force, break_torque, cable);
    }
    {
        auto& [tendon_name, type, item_begin, items, range, margin, limit_softness, stiffness, damping, dry_friction,
               armature, dry_friction_softness, spring_length, length, inverse_weight, actuator_force_range] = tendons;
        all("tendons.",
            "name type item_begin items range margin limit_softness stiffness damping dry_friction armature "
            "dry_friction_softness spring_length length inverse_weight actuator_force_range",
            tendon_name, type, item_begin, items, range, margin, limit_softness, stiffness, damping, dry_friction,
            armature, dry_friction_softness, spring_length, length, inverse_weight, actuator_force_range);
    }
    {
        auto& [actuator_name, transmission, target, gear, gain, bias, dynamics, time_constant, act_begin, input_range,
               force_range, act_range, act_early] = actuators;
        all("actuators.",
            "name transmission target gear gain bias dynamics time_constant act_begin input_range force_range "
            "act_range act_early",
            actuator_name, transmission, target, gear, gain, bias, dynamics, time_constant, act_begin, input_range,
            force_range, act_range, act_early);
    }
    {
        auto& [sensor_name, type, joint, body, pose, begin] = sensors;
        all("sensors.", "name type joint body pose begin", sensor_name, type, joint, body, pose, begin);
    }
    {
        auto& [body_index, joint_index, shape_index, site_index, tendon_index, actuator_index, sensor_index,
               keyframe_index] = name_index;
        all("name_index.", "bodies joints shapes sites tendons actuators sensors keyframes", body_index, joint_index,
            shape_index, site_index, tendon_index, actuator_index, sensor_index, keyframe_index);
    }
}

}  // namespace rattleback
