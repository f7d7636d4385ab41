// Numbers of a Model: finite, of the right sign, unit where they are rotations or directions.
#include "geometry/polyhedron.h"
#include "model/check_parts.h"
#include "model/validate.h"

namespace rattleback
{

namespace
{

constexpr double kUnitSlack = 1e-3;  // of a length: far beyond rounding, as for State

class NumberChecker
{
public:
    NumberChecker(const Model& model, Checker& checker) : model_(model), checker_(checker) {}

    void check()
    {
        check_settings(model_.settings, checker_);
        check_bodies();
        check_joints();
        check_shapes();
        check_assets();
        check_equalities();
        check_tendons();
        check_control();
        check_states();
    }

private:
    /// test(element) for each element of an array.
    template <class T, class Test>
    void each(const char* array, const std::vector<T>& values, Test test)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            checker_.enter(array, i);
            test(values[i]);
        }
    }
    template <class T>
    void finite(const char* array, const std::vector<T>& values)
    {
        each(array, values, [&](const T& value) { checker_.finite(value, "the value"); });
    }
    void not_negative(const char* array, const std::vector<double>& values)
    {
        each(array, values, [&](double value) { checker_.not_negative(value, "the value"); });
    }
    void bounds(const char* array, const std::vector<double>& values)
    {
        each(array, values, [&](double value) { checker_.bound(value, "the value"); });
    }
    void ranges(const char* array, const std::vector<Range>& values)
    {
        each(array, values, [&](const Range& value) { checker_.range(value, "the range"); });
    }
    void softness(const char* array, const std::vector<Softness>& values)
    {
        each(array, values, [&](const Softness& value) { checker_.softness(value, "the"); });
    }
    void poses(const char* array, const std::vector<Pose>& values)
    {
        each(array, values,
             [&](const Pose& value)
             {
                 checker_.finite(value.position, "the position");
                 unit(norm(value.rotation), "the rotation is not a unit quaternion");
             });
    }
    void unit(double length, const char* message) { checker_.require(std::abs(length - 1) <= kUnitSlack, message); }

    void check_bodies()
    {
        const Bodies& bodies = model_.bodies;
        poses("bodies.pose", bodies.pose);
        not_negative("bodies.mass", bodies.mass);
        each("bodies.inertia", bodies.inertia,
             [&](const Vec3& moments)
             {
                 for (int i = 0; i < 3; ++i) checker_.not_negative(moments[i], "the moment");
             });
        poses("bodies.inertial_pose", bodies.inertial_pose);
        finite("bodies.gravity_compensation", bodies.gravity_compensation);
        not_negative("bodies.subtree_mass", bodies.subtree_mass);
        finite("bodies.inverse_weight", bodies.inverse_weight);

        std::vector<double> carried(bodies.mass.size(), 0);  // by a body and what is rigidly attached to it
        for (std::size_t body = 0; body < bodies.mass.size(); ++body)
            carried[at(bodies.weld[body])] += bodies.mass[body];
        for (std::size_t body = 1; body < bodies.mass.size(); ++body)
        {
            bool armature = true;
            for (int i = 0; i < bodies.v_count[body]; ++i)
                armature = armature && model_.dofs.armature[at(bodies.v_begin[body] + i)] > 0;
            checker_.enter("bodies.mass", body);
            checker_.require(armature || carried[body] > 0, "the body moves but has no mass");
        }
    }

    void check_joints()
    {
        const Joints& joints = model_.joints;
        finite("joints.position", joints.position);
        each("joints.axis", joints.axis, [&](const Vec3& axis) { unit(norm(axis), "the axis is not of unit length"); });
        ranges("joints.range", joints.range);
        not_negative("joints.margin", joints.margin);
        softness("joints.limit_softness", joints.limit_softness);
        not_negative("joints.stiffness", joints.stiffness);
        ranges("joints.actuator_force_range", joints.actuator_force_range);
        bounds("joints.break_force", joints.break_force);
        bounds("joints.break_torque", joints.break_torque);
        const Dofs& dofs = model_.dofs;
        not_negative("dofs.armature", dofs.armature);
        not_negative("dofs.damping", dofs.damping);
        not_negative("dofs.dry_friction", dofs.dry_friction);
        softness("dofs.dry_friction_softness", dofs.dry_friction_softness);
        not_negative("dofs.inertia", dofs.inertia);
        not_negative("dofs.inverse_weight", dofs.inverse_weight);
    }

    void check_shapes()
    {
        const Shapes& shapes = model_.shapes;
        poses("shapes.pose", shapes.pose);
        poses("sites.pose", model_.sites.pose);
        for (std::size_t i = 0; i < shapes.type.size(); ++i)
        {
            checker_.enter("shapes.size", i);
            if (checker_.finite(shapes.size[i], "the size"))
                check_primitive_size(shapes.type[i], shapes.size[i], checker_);
            checker_.enter("shapes.bounding_radius", i);
            if (shapes.type[i] == ShapeType::plane)
                checker_.bound(shapes.bounding_radius[i], "the radius");  // infinite
            else
                checker_.not_negative(shapes.bounding_radius[i], "the radius");
            const bool as_hull = shapes.type[i] == ShapeType::hull ||
                                 (shapes.type[i] == ShapeType::mesh && shapes.mesh_collide[i] == MeshCollide::hull);
            checker_.enter("shapes.asset", i);
            if (as_hull && (shapes.category[i] | shapes.mask[i]) != 0)
                checker_.require(!model_.hulls[at(shapes.asset[i])].vertices.empty(), "its mesh has no hull");
        }
        not_negative("shapes.margin", shapes.margin);
        not_negative("shapes.gap", shapes.gap);
        finite("shapes.mass", shapes.mass);
        not_negative("shapes.density", shapes.density);
        finite("shapes.fluid_coefficients", shapes.fluid_coefficients);
        each("shapes.colour", shapes.colour,
             [&](const std::array<float, 4>& colour)
             {
                 for (const float part : colour) checker_.finite(static_cast<double>(part), "the colour");
             });
        each("pairs", model_.pairs,
             [&](const ShapePair& pair)
             {
                 checker_.not_negative(pair.margin, "the margin");
                 checker_.not_negative(pair.gap, "the gap");
                 checker_.finite(pair.second_friction, "the second friction");
                 checker_.finite(pair.friction_solref, "the friction solref");
             });
    }

    void check_assets()
    {
        each("materials", model_.materials,
             [&](const MaterialOptions& material) { check_material(material, checker_); });
        each("meshes", model_.meshes, [&](const MeshOptions& mesh) { check_mesh(mesh, checker_); });
        each("height_fields", model_.height_fields,
             [&](const HeightFieldOptions& field) { check_height_field(field, checker_); });
    }

    void check_equalities()
    {
        const Equalities& equalities = model_.equalities;
        poses("equalities.first_frame", equalities.first_frame);
        poses("equalities.second_frame", equalities.second_frame);
        not_negative("equalities.torque_scale", equalities.torque_scale);
        finite("equalities.polynomial", equalities.polynomial);
        softness("equalities.softness", equalities.softness);
        bounds("equalities.break_force", equalities.break_force);
        bounds("equalities.break_torque", equalities.break_torque);
        each("equalities.cable", equalities.cable, [&](const Cable& cable) { check_cable(cable, checker_); });
    }

    void check_tendons()
    {
        const Tendons& tendons = model_.tendons;
        each("tendons.items", tendons.items, [&](const TendonItem& item) { checker_.finite(item.value, "the value"); });
        ranges("tendons.range", tendons.range);
        not_negative("tendons.margin", tendons.margin);
        softness("tendons.limit_softness", tendons.limit_softness);
        not_negative("tendons.stiffness", tendons.stiffness);
        not_negative("tendons.damping", tendons.damping);
        not_negative("tendons.dry_friction", tendons.dry_friction);
        not_negative("tendons.armature", tendons.armature);
        softness("tendons.dry_friction_softness", tendons.dry_friction_softness);
        finite("tendons.spring_length", tendons.spring_length);
        finite("tendons.length", tendons.length);
        not_negative("tendons.inverse_weight", tendons.inverse_weight);
        ranges("tendons.actuator_force_range", tendons.actuator_force_range);
    }

    void check_control()
    {
        const Actuators& actuators = model_.actuators;
        finite("actuators.gear", actuators.gear);
        finite("actuators.gain", actuators.gain);
        finite("actuators.bias", actuators.bias);
        each("actuators.time_constant", actuators.time_constant,
             [&](double value) { checker_.positive(value, "the value"); });
        ranges("actuators.input_range", actuators.input_range);
        ranges("actuators.force_range", actuators.force_range);
        ranges("actuators.act_range", actuators.act_range);
        poses("sensors.pose", model_.sensors.pose);
        each("tracks", model_.tracks, [&](const Track& track) { check_track(track, checker_); });
    }

    void check_coordinates(const char* array, const std::vector<double>& q)
    {
        finite(array, q);
        for (std::size_t joint = 0; joint < model_.joints.type.size(); ++joint)
        {
            const JointType type = model_.joints.type[joint];
            if (type != JointType::free && type != JointType::ball) continue;
            const std::size_t begin = at(model_.joints.q_begin[joint] + q_count(type) - 4);
            checker_.enter(array, begin);
            unit(norm(Quat{q[begin], q[begin + 1], q[begin + 2], q[begin + 3]}),
                 "the four numbers from here are not a unit quaternion");
        }
    }

    void check_states()
    {
        check_coordinates("q0", model_.q0);
        check_coordinates("initial_q", model_.initial_q);
        check_coordinates("spring_q", model_.spring_q);
        finite("initial_v", model_.initial_v);
        checker_.enter("mean_inertia");
        checker_.not_negative(model_.mean_inertia, "the value");
        each("keyframes", model_.keyframes,
             [&](const Keyframe& key)
             {
                 checker_.finite(key.time, "time");
                 check_list(key.q, model_.q_count(), "q", checker_);
                 check_list(key.v, model_.v_count(), "v", checker_);
                 check_list(key.act, model_.act_count, "act", checker_);
                 check_list(key.ctrl, model_.actuator_count(), "ctrl", checker_);
                 checker_.require(key.targets.empty() || key.targets.size() == at(model_.kinematic_count),
                                  "targets has another number of poses than there are kinematic bodies");
                 check_poses(key.targets, checker_);
             });
    }

    const Model& model_;
    Checker& checker_;
};

}  // namespace

void check_numbers(const Model& model, Checker& checker) { NumberChecker(model, checker).check(); }

}  // namespace rattleback
