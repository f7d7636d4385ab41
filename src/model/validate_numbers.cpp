// Numbers of a Model: finite, of the right sign, unit where they are rotations or directions; frames of sensors.
#include "geometry/polyhedron.h"
#include "model/check_parts.h"
#include "model/fields/check_value.h"
#include "model/fields/tables.h"
#include "model/sensor_rules.h"
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
        check_tables();
        check_masses();
        check_sizes_of_shapes();
        check_lists();
        check_states();
        // A frame that is no number is named above, where it stands.
        if (checker_.count() == 0) check_sensor_frames();
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
    /// What a value of an array is called.
    template <class T>
    static const char* word_of(const T&)
    {
        if (std::is_same_v<T, Range>) return "the range";
        return std::is_same_v<T, Softness> ? "the" : "the value";
    }
    void check_item(const Pose& value, Check)
    {
        checker_.finite(value.position, "the position");
        unit(norm(value.rotation), "the rotation is not a unit quaternion");
    }
    template <class T>
    void check_item(const T& value, Check check)
    {
        if constexpr (requires { check_value(value, check, "", checker_); })
            check_value(value, check, word_of(value), checker_);
    }
    /// All arrays of the tables, each as its row says.
    void check_tables()
    {
        each_table(model_,
                   [&](const char* table_name, const auto& table, std::size_t, const char*)
                   {
                       each_array(table,
                                  [&](const auto& row, const auto& array)
                                  {
                                      if (row.check == Check::elsewhere) return;
                                      const std::string name = std::string(table_name) + "." + row.name;
                                      each(name.c_str(), array,
                                           [&](const auto& value) { check_item(value, row.check); });
                                  });
                   });
    }
    void unit(double length, const char* message) { checker_.require(std::abs(length - 1) <= kUnitSlack, message); }

    void check_masses()
    {
        const Bodies& bodies = model_.bodies;
        // Welded bodies move as one: their masses count together.
        std::vector<double> carried(bodies.mass.size(), 0);  // by a body and what is rigidly attached to it
        for (std::size_t body = 0; body < bodies.mass.size(); ++body)
            carried[at(bodies.weld[body])] += bodies.mass[body];
        for (std::size_t body = 1; body < bodies.mass.size(); ++body)
        {
            bool armature = true;
            // Armature alone keeps the diagonal of M positive.
            for (int i = 0; i < bodies.v_count[body]; ++i)
                armature = armature && model_.dofs.armature[at(bodies.v_begin[body] + i)] > 0;
            checker_.enter("bodies.mass", body);
            checker_.require(armature || carried[body] > 0, "the body moves but has no mass");
        }
    }

    void check_sizes_of_shapes()
    {
        const Shapes& shapes = model_.shapes;
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
            // A mesh that can collide as a hull must have one; others may do without.
            if (as_hull && (shapes.category[i] | shapes.mask[i]) != 0)
                checker_.require(!model_.hulls[at(shapes.asset[i])].vertices.empty(), "its mesh has no hull");
        }
    }

    void check_lists()
    {
        each("joints.axis", model_.joints.axis,
             [&](const Vec3& axis) { unit(norm(axis), "the axis is not of unit length"); });
        each("equalities.cable", model_.equalities.cable, [&](const Cable& cable) { check_cable(cable, checker_); });
        each("tendons.items", model_.tendons.items,
             [&](const TendonItem& item) { checker_.finite(item.value, "the value"); });
        each("tracks", model_.tracks, [&](const Track& track) { check_track(track, checker_); });
        each("pairs", model_.pairs,
             [&](const ShapePair& pair)
             {
                 checker_.finite(pair.margin, "the margin");
                 checker_.finite(pair.gap, "the gap");
                 checker_.finite(pair.second_friction, "the second friction");
                 checker_.finite(pair.friction_solref, "the friction solref");
             });
        each("materials", model_.materials,
             [&](const MaterialOptions& material) { check_material(material, checker_); });
        each("meshes", model_.meshes, [&](const MeshOptions& mesh) { check_mesh(mesh, checker_); });
        each("height_fields", model_.height_fields,
             [&](const HeightFieldOptions& field) { check_height_field(field, checker_); });
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

    /// Sensors keep copies of the frames that they watch and of those that they refer to.
    void check_sensor_frames()
    {
        const Sensors& s = model_.sensors;
        const auto same = [&](const char* array, std::size_t i, SensorObject object, int target, const Pose& pose)
        {
            checker_.enter(array, i);
            checker_.require(pose == find_sensor_frame(model_, object, target, pose).second,
                             "does not follow from the target");
        };
        for (std::size_t i = 0; i < s.taxels.size(); ++i)
        {
            checker_.enter("sensors.taxels", i);
            for (const Vec3& part : s.taxels[i]) checker_.finite(part, "taxel");
        }
        for (std::size_t i = 0; i < s.type.size(); ++i)
        {
            same("sensors.pose", i, s.object[i], s.target[i], s.pose[i]);
            same("sensors.reference_pose", i, s.reference[i], s.reference_target[i], s.reference_pose[i]);
        }
    }

    const Model& model_;
    Checker& checker_;
};

}  // namespace

void check_numbers(const Model& model, Checker& checker) { NumberChecker(model, checker).check(); }

}  // namespace rattleback
