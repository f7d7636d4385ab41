// validate(Model): sizes of arrays first, then indices, then numbers.
#include "model/validate.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Arrays that must have `count` elements, as many as `reference` has (or follow from it).
class SizeChecker
{
public:
    SizeChecker(Checker& checker, std::size_t count, std::string reference)
        : checker_(checker), count_(count), reference_(std::move(reference))
    {
    }

    template <class T>
    void check(const char* array, const T& items, std::size_t extra = 0) const
    {
        if (items.size() == count_ + extra) return;
        checker_.enter(array);
        checker_.fail("has " + std::to_string(items.size()) + " elements instead of " + std::to_string(count_ + extra) +
                      ", which follows from " + reference_);
    }

private:
    Checker& checker_;
    std::size_t count_;
    std::string reference_;
};

void check_bodies(const Model& model, Checker& checker)
{
    const auto& [name, parent, kind, pose, mass, inertia, inertial_pose, gravity_compensation, joint_begin,
                 joints_of_body, v_begin, v_count, last_dof, root, weld, shape_begin, shapes_of_body, kinematic_index,
                 track, subtree_mass, inverse_weight] = model.bodies;
    const SizeChecker size(checker, parent.size(), "bodies.parent");
    size.check("bodies.name", name);
    size.check("bodies.kind", kind);
    size.check("bodies.pose", pose);
    size.check("bodies.mass", mass);
    size.check("bodies.inertia", inertia);
    size.check("bodies.inertial_pose", inertial_pose);
    size.check("bodies.gravity_compensation", gravity_compensation);
    size.check("bodies.joint_begin", joint_begin, 1);
    size.check("bodies.v_begin", v_begin);
    size.check("bodies.v_count", v_count);
    size.check("bodies.last_dof", last_dof);
    size.check("bodies.root", root);
    size.check("bodies.weld", weld);
    size.check("bodies.shape_begin", shape_begin, 1);
    size.check("bodies.kinematic_index", kinematic_index);
    size.check("bodies.track", track);
    size.check("bodies.subtree_mass", subtree_mass);
    size.check("bodies.inverse_weight", inverse_weight);
    size.check("level_bodies", model.level_bodies);
    SizeChecker(checker, model.joints.type.size(), "joints.type").check("bodies.joints_of_body", joints_of_body);
    SizeChecker(checker, model.shapes.type.size(), "shapes.type").check("bodies.shapes_of_body", shapes_of_body);
}

void check_joints(const Joints& joints, Checker& checker)
{
    const auto& [name, type, body, q_begin, v_begin, position, axis, range, margin, limit_softness, stiffness,
                 actuator_force_range, gravity_compensation_by_actuator, break_force, break_torque] = joints;
    const SizeChecker size(checker, type.size(), "joints.type");
    size.check("joints.name", name);
    size.check("joints.body", body);
    size.check("joints.q_begin", q_begin);
    size.check("joints.v_begin", v_begin);
    size.check("joints.position", position);
    size.check("joints.axis", axis);
    size.check("joints.range", range);
    size.check("joints.margin", margin);
    size.check("joints.limit_softness", limit_softness);
    size.check("joints.stiffness", stiffness);
    size.check("joints.actuator_force_range", actuator_force_range);
    size.check("joints.gravity_compensation_by_actuator", gravity_compensation_by_actuator);
    size.check("joints.break_force", break_force);
    size.check("joints.break_torque", break_torque);
}

void check_dofs(const Dofs& dofs, std::size_t v_total, Checker& checker)
{
    const auto& [body, joint, parent, armature, damping, dry_friction, dry_friction_softness, inertia, inverse_weight,
                 row_begin, row_column] = dofs;
    const SizeChecker size(checker, v_total, "joints.type");
    size.check("dofs.body", body);
    size.check("dofs.joint", joint);
    size.check("dofs.parent", parent);
    size.check("dofs.armature", armature);
    size.check("dofs.damping", damping);
    size.check("dofs.dry_friction", dry_friction);
    size.check("dofs.dry_friction_softness", dry_friction_softness);
    size.check("dofs.inertia", inertia);
    size.check("dofs.inverse_weight", inverse_weight);
    size.check("dofs.row_begin", row_begin, 1);
    if (!row_begin.empty())
    {
        const auto entries = static_cast<std::size_t>(std::max(0, row_begin.back()));
        SizeChecker(checker, entries, "dofs.row_begin").check("dofs.row_column", row_column);
    }
}

void check_shapes(const Shapes& shapes, Checker& checker)
{
    const auto& [name, type, body, pose, shape_size, asset, mesh_collide, mesh_mass, material, category, mask, margin,
                 gap, mass, density, bounding_radius, colour, group, fluid, fluid_coefficients] = shapes;
    const SizeChecker size(checker, type.size(), "shapes.type");
    size.check("shapes.name", name);
    size.check("shapes.body", body);
    size.check("shapes.pose", pose);
    size.check("shapes.size", shape_size);
    size.check("shapes.asset", asset);
    size.check("shapes.mesh_collide", mesh_collide);
    size.check("shapes.mesh_mass", mesh_mass);
    size.check("shapes.material", material);
    size.check("shapes.category", category);
    size.check("shapes.mask", mask);
    size.check("shapes.margin", margin);
    size.check("shapes.gap", gap);
    size.check("shapes.mass", mass);
    size.check("shapes.density", density);
    size.check("shapes.bounding_radius", bounding_radius);
    size.check("shapes.colour", colour);
    size.check("shapes.group", group);
    size.check("shapes.fluid", fluid);
    size.check("shapes.fluid_coefficients", fluid_coefficients);
}

void check_equalities(const Equalities& equalities, Checker& checker)
{
    const auto& [name, type, first, second, first_frame, second_frame, torque_scale, polynomial, softness, active,
                 break_force, break_torque, cable] = equalities;
    const SizeChecker size(checker, type.size(), "equalities.type");
    size.check("equalities.name", name);
    size.check("equalities.first", first);
    size.check("equalities.second", second);
    size.check("equalities.first_frame", first_frame);
    size.check("equalities.second_frame", second_frame);
    size.check("equalities.torque_scale", torque_scale);
    size.check("equalities.polynomial", polynomial);
    size.check("equalities.softness", softness);
    size.check("equalities.active", active);
    size.check("equalities.break_force", break_force);
    size.check("equalities.break_torque", break_torque);
    size.check("equalities.cable", cable);
}

void check_tendons(const Tendons& tendons, Checker& checker)
{
    const auto& [name, type, item_begin, items, range, margin, limit_softness, stiffness, damping, dry_friction,
                 armature, dry_friction_softness, spring_length, length, inverse_weight, actuator_force_range] =
        tendons;
    const SizeChecker size(checker, type.size(), "tendons.type");
    size.check("tendons.name", name);
    // built without tendons it holds the one zero; a Model made by hand may leave it empty
    if (!type.empty() || item_begin.size() > 1) size.check("tendons.item_begin", item_begin, 1);
    size.check("tendons.range", range);
    size.check("tendons.margin", margin);
    size.check("tendons.limit_softness", limit_softness);
    size.check("tendons.stiffness", stiffness);
    size.check("tendons.damping", damping);
    size.check("tendons.dry_friction", dry_friction);
    size.check("tendons.armature", armature);
    size.check("tendons.dry_friction_softness", dry_friction_softness);
    size.check("tendons.spring_length", spring_length);
    size.check("tendons.length", length);
    size.check("tendons.inverse_weight", inverse_weight);
    size.check("tendons.actuator_force_range", actuator_force_range);
    const int end = item_begin.empty() ? 0 : std::max(0, item_begin.back());
    SizeChecker(checker, static_cast<std::size_t>(end), "tendons.item_begin").check("tendons.items", items);
}

void check_actuators(const Actuators& actuators, Checker& checker)
{
    const auto& [name, transmission, target, gear, gain, bias, dynamics, time_constant, act_begin, input_range,
                 force_range, act_range, act_early] = actuators;
    const SizeChecker size(checker, target.size(), "actuators.target");
    size.check("actuators.name", name);
    size.check("actuators.transmission", transmission);
    size.check("actuators.gear", gear);
    size.check("actuators.gain", gain);
    size.check("actuators.bias", bias);
    size.check("actuators.dynamics", dynamics);
    size.check("actuators.time_constant", time_constant);
    size.check("actuators.act_begin", act_begin);
    size.check("actuators.input_range", input_range);
    size.check("actuators.force_range", force_range);
    size.check("actuators.act_range", act_range);
    size.check("actuators.act_early", act_early);
}

void check_sites_and_sensors(const Model& model, Checker& checker)
{
    const auto& [site_name, site_body, site_pose] = model.sites;
    const SizeChecker site(checker, site_body.size(), "sites.body");
    site.check("sites.name", site_name);
    site.check("sites.pose", site_pose);
    const auto& [name, type, joint, body, pose, begin] = model.sensors;
    const SizeChecker sensor(checker, type.size(), "sensors.type");
    sensor.check("sensors.name", name);
    sensor.check("sensors.joint", joint);
    sensor.check("sensors.body", body);
    sensor.check("sensors.pose", pose);
    sensor.check("sensors.begin", begin);
}

void check_name_index(const Model& model, Checker& checker)
{
    const auto& [bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes] = model.name_index;
    const auto check = [&](const char* array, const std::vector<int>& order, std::size_t count, const char* of)
    { SizeChecker(checker, count, of).check(array, order); };
    check("name_index.bodies", bodies, model.bodies.parent.size(), "bodies.parent");
    check("name_index.joints", joints, model.joints.type.size(), "joints.type");
    check("name_index.shapes", shapes, model.shapes.type.size(), "shapes.type");
    check("name_index.sites", sites, model.sites.body.size(), "sites.body");
    check("name_index.tendons", tendons, model.tendons.type.size(), "tendons.type");
    check("name_index.actuators", actuators, model.actuators.target.size(), "actuators.target");
    check("name_index.sensors", sensors, model.sensors.type.size(), "sensors.type");
    check("name_index.keyframes", keyframes, model.keyframes.size(), "keyframes");
}

}  // namespace

void check_sizes(const Model& model, Checker& checker)
{
    checker.enter("bodies.parent");
    checker.require(!model.bodies.parent.empty(), "is empty", "body 0 is the world");
    checker.enter("materials");
    checker.require(!model.materials.empty(), "is empty", "material 0 is the default");
    checker.enter("level_begin");
    checker.require(!model.level_begin.empty(), "is empty");
    std::size_t q_total = 0, v_total = 0;
    for (const JointType type : model.joints.type)
    {
        q_total += static_cast<std::size_t>(q_count(type));
        v_total += static_cast<std::size_t>(v_count(type));
    }
    check_bodies(model, checker);
    check_joints(model.joints, checker);
    check_dofs(model.dofs, v_total, checker);
    const SizeChecker q_size(checker, q_total, "joints.type"), v_size(checker, v_total, "joints.type");
    q_size.check("q0", model.q0);
    q_size.check("initial_q", model.initial_q);
    q_size.check("spring_q", model.spring_q);
    v_size.check("initial_v", model.initial_v);
    check_shapes(model.shapes, checker);
    SizeChecker(checker, model.meshes.size(), "meshes").check("hulls", model.hulls);
    check_equalities(model.equalities, checker);
    check_tendons(model.tendons, checker);
    check_actuators(model.actuators, checker);
    check_sites_and_sensors(model, checker);
    check_name_index(model, checker);
}

std::vector<Error> validate(const Model& model)
{
    Checker checker;
    check_sizes(model, checker);
    if (checker.count() == 0) check_structure(model, checker);
    if (checker.count() == 0) check_numbers(model, checker);
    return checker.take();
}

}  // namespace rattleback
