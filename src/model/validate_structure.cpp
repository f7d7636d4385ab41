// Indices of a Model, and the arrays that follow from its tree.
#include "model/check_parts.h"
#include "model/sensor_rules.h"
#include "model/tree.h"
#include "model/validate.h"

#include <algorithm>

namespace rattleback
{

namespace
{

class StructureChecker
{
public:
    StructureChecker(const Model& model, Checker& checker) : model_(model), checker_(checker) {}

    void check()
    {
        check_kinds();
        check_tree();
        check_shapes();
        check_pairs();
        check_constraints();
        check_control();
        check_sensors();
        check_names();
    }

private:
    bool index(int value, int lowest, int count)
    {
        return (value >= lowest && value < count) ||
               checker_.fail("is " + std::to_string(value) + ", which is not in " + std::to_string(lowest) + " .. " +
                             std::to_string(count - 1));
    }
    /// Every element is an index from `lowest` on, below `count`.
    bool indices(const char* array, const std::vector<int>& values, int lowest, int count)
    {
        bool good = true;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            if (values[i] >= lowest && values[i] < count) continue;
            checker_.enter(array, i);
            good = index(values[i], lowest, count);
        }
        return good;
    }
    /// Every element is one of an enumeration's, the last of which is given.
    template <class Enum>
    bool kinds(const char* array, const std::vector<Enum>& values, Enum last)
    {
        bool good = true;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            const int value = static_cast<int>(values[i]);
            if (value >= 0 && value <= static_cast<int>(last)) continue;
            checker_.enter(array, i);
            good = index(value, 0, static_cast<int>(last) + 1);
        }
        return good;
    }
    /// Starts with zero, never falls, ends with `total`.
    bool offsets(const char* array, const std::vector<int>& begin, std::size_t total)
    {
        checker_.enter(array);
        const bool good = !begin.empty() && begin.front() == 0 && begin.back() >= 0 && at(begin.back()) == total &&
                          std::is_sorted(begin.begin(), begin.end());
        return checker_.require(good, "does not lead from 0 to the end of its list in order");
    }
    /// The first element that differs from what follows from the tree.
    template <class T>
    void same(const char* array, const std::vector<T>& found, const std::vector<T>& wanted)
    {
        const auto [a, b] = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
        if (a == found.end() && b == wanted.end()) return;
        checker_.enter(array, static_cast<std::size_t>(a - found.begin()));
        checker_.fail("does not follow from the tree of bodies and joints", "build the model anew");
    }

    void check_kinds()
    {
        kinds("bodies.kind", model_.bodies.kind, BodyKind::kinematic);
        kinds("joints.type", model_.joints.type, JointType::fixed);
        kinds("shapes.type", model_.shapes.type, ShapeType::surface);
        kinds("shapes.mesh_collide", model_.shapes.mesh_collide, MeshCollide::exact);
        kinds("bodies.sleep", model_.bodies.sleep, SleepPolicy::init);
        kinds("shapes.mesh_mass", model_.shapes.mesh_mass, MeshMass::shell);
        kinds("equalities.type", model_.equalities.type, EqualityType::cable);
        kinds("tendons.type", model_.tendons.type, TendonType::spatial);
        kinds("actuators.transmission", model_.actuators.transmission, TransmissionType::body);
        kinds("actuators.dynamics", model_.actuators.dynamics, ActuatorDynamics::dc_motor);
        kinds("actuators.gain_law", model_.actuators.gain_law, ActuatorLaw::input);
        kinds("actuators.bias_law", model_.actuators.bias_law, ActuatorLaw::input);
        kinds("actuators.interpolation", model_.actuators.interpolation, Interpolation::cubic);
        kinds("sensors.type", model_.sensors.type, SensorType::tactile);
        kinds("sensors.object", model_.sensors.object, SensorObject::view);
        kinds("sensors.reference", model_.sensors.reference, SensorObject::view);
        kinds("sensors.reduce", model_.sensors.reduce, SensorReduce::net);
        kinds("sensors.interpolation", model_.sensors.interpolation, Interpolation::cubic);
        kinds("sites.type", model_.sites.type, ShapeType::ellipsoid);
    }

    void check_tree()
    {
        const Bodies& bodies = model_.bodies;
        bool good = true;
        for (std::size_t i = 0; i < bodies.parent.size(); ++i)
        {
            checker_.enter("bodies.parent", i);
            // Parents have smaller numbers than their children: loops rely on it.
            good = (i == 0 ? index(bodies.parent[0], -1, 0) : index(bodies.parent[i], 0, static_cast<int>(i))) && good;
        }
        good = indices("joints.body", model_.joints.body, 1, model_.body_count()) && good;
        good = offsets("bodies.joint_begin", bodies.joint_begin, bodies.joints_of_body.size()) && good;
        good = indices("bodies.joints_of_body", bodies.joints_of_body, 0, model_.joint_count()) && good;
        indices("bodies.track", bodies.track, -1, static_cast<int>(model_.tracks.size()));
        if (!good) return;
        // Every joint stands once, with its own body.
        std::vector<char> seen(model_.joints.type.size(), 0);
        for (std::size_t body = 0; body < bodies.parent.size(); ++body)
        {
            for (std::size_t i = at(bodies.joint_begin[body]); i < at(bodies.joint_begin[body + 1]); ++i)
            {
                const std::size_t joint = at(bodies.joints_of_body[i]);
                checker_.enter("bodies.joints_of_body", i);
                good = checker_.require(model_.joints.body[joint] == static_cast<int>(body) && seen[joint] == 0,
                                        "is not a joint of its body, or stands twice") &&
                       good;
                seen[joint] = 1;
            }
        }
        for (std::size_t body = 0; body < bodies.parent.size(); ++body)
        {
            if (bodies.kind[body] != BodyKind::kinematic) continue;
            checker_.enter("bodies.kind", body);
            checker_.require(bodies.parent[body] == 0 && bodies.joint_begin[body] == bodies.joint_begin[body + 1],
                             "a kinematic body is a child of the world, without joints");
        }
        // Everything that derive_tree makes must be what it makes now: solvers trust these arrays without a look.
        if (good) compare_with_tree();
    }

    void compare_with_tree()
    {
        // Derived anew from the least that determines it, and compared.
        Model derived;
        derived.bodies.parent = model_.bodies.parent;
        derived.bodies.kind = model_.bodies.kind;
        derived.bodies.joint_begin = model_.bodies.joint_begin;
        derived.bodies.joints_of_body = model_.bodies.joints_of_body;
        derived.joints.type = model_.joints.type;
        derived.joints.body = model_.joints.body;
        derive_tree(derived);
        same("bodies.v_begin", model_.bodies.v_begin, derived.bodies.v_begin);
        same("bodies.v_count", model_.bodies.v_count, derived.bodies.v_count);
        same("bodies.last_dof", model_.bodies.last_dof, derived.bodies.last_dof);
        same("bodies.root", model_.bodies.root, derived.bodies.root);
        same("bodies.weld", model_.bodies.weld, derived.bodies.weld);
        same("joints.q_begin", model_.joints.q_begin, derived.joints.q_begin);
        same("joints.v_begin", model_.joints.v_begin, derived.joints.v_begin);
        same("dofs.body", model_.dofs.body, derived.dofs.body);
        same("dofs.joint", model_.dofs.joint, derived.dofs.joint);
        same("dofs.parent", model_.dofs.parent, derived.dofs.parent);
        same("dofs.row_begin", model_.dofs.row_begin, derived.dofs.row_begin);
        same("dofs.row_column", model_.dofs.row_column, derived.dofs.row_column);
        same("level_begin", model_.level_begin, derived.level_begin);
        same("level_bodies", model_.level_bodies, derived.level_bodies);
        std::vector<int> kinematic;
        int count = 0;
        for (const BodyKind kind : model_.bodies.kind) kinematic.push_back(kind == BodyKind::kinematic ? count++ : -1);
        same("bodies.kinematic_index", model_.bodies.kinematic_index, kinematic);
        checker_.enter("kinematic_count");
        checker_.require(model_.kinematic_count == count, "is not the number of kinematic bodies");
    }

    void check_shapes()
    {
        const Shapes& shapes = model_.shapes;
        const bool good = indices("shapes.body", shapes.body, 0, model_.body_count());
        indices("shapes.material", shapes.material, 0, static_cast<int>(model_.materials.size()));
        indices("sites.body", model_.sites.body, 0, model_.body_count());
        for (std::size_t i = 0; i < shapes.type.size(); ++i)
        {
            const ShapeType type = shapes.type[i];
            checker_.enter("shapes.asset", i);
            if (type == ShapeType::height_field)
                index(shapes.asset[i], 0, static_cast<int>(model_.height_fields.size()));
            else if (type >= ShapeType::hull)
                index(shapes.asset[i], 0, static_cast<int>(model_.meshes.size()));
            else
                index(shapes.asset[i], -1, 0);
        }
        if (!good) return;
        Model derived;
        derived.bodies.parent = model_.bodies.parent;
        derived.shapes.body = shapes.body;
        derive_shapes_of_body(derived);
        same("bodies.shape_begin", model_.bodies.shape_begin, derived.bodies.shape_begin);
        same("bodies.shapes_of_body", model_.bodies.shapes_of_body, derived.bodies.shapes_of_body);
    }

    void check_pairs()
    {
        for (std::size_t i = 0; i < model_.pairs.size(); ++i)
        {
            const ShapePair& pair = model_.pairs[i];
            checker_.enter("pairs", i);
            index(pair.first, 0, model_.shape_count());
            index(pair.second, 0, model_.shape_count());
            index(pair.material, -1, static_cast<int>(model_.materials.size()));
            checker_.require(pair.first != pair.second, "is of one shape with itself");
        }
        for (std::size_t i = 0; i < model_.excluded_bodies.size(); ++i)
        {
            checker_.enter("excluded_bodies", i);
            index(model_.excluded_bodies[i].first, 0, model_.body_count());
            index(model_.excluded_bodies[i].second, 0, model_.body_count());
        }
        checker_.enter("excluded_bodies");
        checker_.require(std::is_sorted(model_.excluded_bodies.begin(), model_.excluded_bodies.end()), "is not sorted");
    }

    bool scalar_joint(int joint)
    {
        if (!index(joint, 0, model_.joint_count())) return false;
        const JointType type = model_.joints.type[at(joint)];
        return checker_.require(type == JointType::hinge || type == JointType::slide,
                                "names a joint that is neither hinge nor slide");
    }

    void check_constraints()
    {
        const Equalities& equalities = model_.equalities;
        for (std::size_t i = 0; i < equalities.type.size(); ++i)
        {
            const int first = equalities.first[i], second = equalities.second[i];
            const EqualityType type = equalities.type[i];
            const bool joints = type == EqualityType::joint, tendons = type == EqualityType::tendon;
            const int count = tendons ? model_.tendon_count() : model_.body_count();
            checker_.enter("equalities.first", i);
            joints ? scalar_joint(first) : index(first, 0, count);
            checker_.enter("equalities.second", i);
            if (joints && second != -1)
                scalar_joint(second);
            else if (!joints)
                index(second, tendons ? -1 : 0, count);
        }
        const Tendons& tendons = model_.tendons;
        if (tendons.type.empty() || !offsets("tendons.item_begin", tendons.item_begin, tendons.items.size())) return;
        for (std::size_t i = 0; i < tendons.type.size(); ++i)
        {
            const auto items =
                std::span(tendons.items)
                    .subspan(at(tendons.item_begin[i]), at(tendons.item_begin[i + 1] - tendons.item_begin[i]));
            checker_.enter("tendons.items of tendon", i);
            if (tendons.type[i] == TendonType::spatial)
                check_path(items, tendons.armature[i], model_.site_count(), model_.shapes.type, checker_);
            else
            {
                for (const TendonItem& item : items) scalar_joint(item.joint);
            }
        }
    }

    /// `acts`: what actuators have in State::act; shifts of springs that yield follow.
    void check_yields(int& acts)
    {
        const auto check = [&](double yield, int begin, int count)
        {
            checker_.require(begin == (yield > 0 ? acts : -1), "does not follow from spring_yield");
            if (yield > 0) acts += count;
        };
        const Joints& joints = model_.joints;
        for (std::size_t j = 0; j < joints.type.size(); ++j)
        {
            checker_.enter("joints.plastic_begin", j);
            check(joints.spring_yield[j], joints.plastic_begin[j], v_count(joints.type[j]));
        }
        for (std::size_t t = 0; t < model_.tendons.type.size(); ++t)
        {
            checker_.enter("tendons.plastic_begin", t);
            check(model_.tendons.spring_yield[t], model_.tendons.plastic_begin[t], 2);
        }
    }

    /// `acts`: activations so far; what delayed actuators remember follows them.
    void check_laws(int acts)
    {
        const Actuators& actuators = model_.actuators;
        const std::size_t count = actuators.target.size();
        const auto is_muscle = [](ActuatorLaw law) { return law == ActuatorLaw::muscle; };
        for (std::size_t i = 0; i < count; ++i)
        {
            checker_.enter("actuators.history_begin", i);
            const bool delayed =
                actuators.delay[i] > 0 && actuators.sample_count[i] > 0 && actuators.sample_count[i] <= 100'000;
            checker_.require(actuators.history_begin[i] == (delayed ? acts : -1), "does not follow from the delays");
            if (delayed) acts += 2 * actuators.sample_count[i];
            checker_.enter("actuators.length_range", i);
            if (is_muscle(actuators.gain_law[i]) || is_muscle(actuators.bias_law[i]))
                checker_.require(actuators.length_range[i].limited, "a muscle needs one");
            checker_.enter("actuators.gain_law", i);
            const bool turns = actuators.gain_law[i] == ActuatorLaw::orientation && actuators.inputs[i] > 0;
            checker_.require(!turns || (i + 2 < count && actuators.gain_law[i + 1] == ActuatorLaw::orientation &&
                                        actuators.gain_law[i + 2] == ActuatorLaw::orientation),
                             "an orientation needs three actuators");
        }
        check_yields(acts);
        checker_.enter("act_count");
        checker_.require(model_.act_count == acts, "is not the number of activations, remembered inputs and shifts");
    }

    void check_control()
    {
        const Actuators& actuators = model_.actuators;
        int acts = 0;
        for (std::size_t i = 0; i < actuators.target.size(); ++i)
        {
            const TransmissionType type = actuators.transmission[i];
            const bool on_joint = type == TransmissionType::joint || type == TransmissionType::joint_in_parent;
            checker_.enter("actuators.target", i);
            const bool exists = index(actuators.target[i], 0,
                                      on_joint                           ? model_.joint_count()
                                      : type == TransmissionType::tendon ? model_.tendon_count()
                                      : type == TransmissionType::body   ? model_.body_count()
                                                                         : model_.site_count());
            if (exists && on_joint)
                checker_.require(model_.joints.type[at(actuators.target[i])] != JointType::fixed, "is a fixed joint");
            checker_.enter("actuators.act_size", i);
            const int size = actuators.act_size[i];
            const bool several =
                actuators.dynamics[i] == ActuatorDynamics::pid || actuators.dynamics[i] == ActuatorDynamics::dc_motor;
            const bool fits =
                several ? size >= 0 && size <= 5 : size == (actuators.dynamics[i] == ActuatorDynamics::none ? 0 : 1);
            checker_.require(fits, "does not follow from actuators.dynamics");
            checker_.enter("actuators.act_begin", i);
            checker_.require(!fits || actuators.act_begin[i] == (size > 0 ? acts : -1),
                             "does not follow from actuators.act_size");
            acts += fits ? size : 0;
            checker_.enter("actuators.inputs", i);
            checker_.require(actuators.inputs[i] >= 0 && actuators.inputs[i] < 16, "is no set of inputs");
            checker_.enter("actuators.sample_count", i);
            checker_.require(actuators.sample_count[i] >= 0 && actuators.sample_count[i] <= 100'000,
                             "is out of bounds");
            checker_.enter("actuators.reference", i);
            if (index(actuators.reference[i], -1, model_.site_count()))
                checker_.require(type != TransmissionType::slider_crank || actuators.reference[i] >= 0,
                                 "is missing for a slider");
        }
        check_laws(acts);
    }

    /// One end of a sensor, and the body that follows from it.
    void check_sensor_end(std::size_t i, bool reference)
    {
        const Sensors& s = model_.sensors;
        const SensorRule rule = find_sensor_rule(s.type[i]);
        const SensorObject object = (reference ? s.reference : s.object)[i];
        const int target = (reference ? s.reference_target : s.target)[i];
        if (static_cast<unsigned>(object) > static_cast<unsigned>(SensorObject::view)) return;  // was said
        checker_.enter(reference ? "sensors.reference" : "sensors.object", i);
        const bool allowed = checker_.require((bit_of(object) & (reference ? rule.references : rule.objects)) != 0,
                                              "is not for sensors of this type");
        checker_.enter(reference ? "sensors.reference_target" : "sensors.target", i);
        if (object == SensorObject::none)
        {
            checker_.require(target == -1, "is an index of nothing");
        }
        else if (!index(target, 0, count_objects(model_, object)) || !allowed)
            return;
        if (object == SensorObject::joint)
            checker_.require(may_watch(s.type[i], model_.joints.type[at(target)]), "is a joint of another type");
        const int body = find_sensor_frame(model_, object, target, Pose{}).first;
        checker_.enter(reference ? "sensors.reference_body" : "sensors.body", i);
        checker_.require((reference ? s.reference_body : s.body)[i] == body, "does not follow from the target");
    }

    void check_sensors()
    {
        const Sensors& s = model_.sensors;
        std::int64_t values = 0;
        for (std::size_t i = 0; i < s.type.size(); ++i)
        {
            check_sensor_end(i, false);
            check_sensor_end(i, true);
            checker_.enter("sensors.fields", i);
            checker_.require(s.fields[i] > 0 && (s.fields[i] & ~all_sensor_fields(s.type[i])) == 0,
                             "has bits that this type does not have");
            checker_.enter("sensors.count", i);
            checker_.require(s.count[i] > 0 && s.count[i] <= kMostSensorSlots, "is out of range");
            checker_.enter("sensors.resolution", i);
            const bool pixels = checker_.require(s.resolution[i][0] >= 0 && s.resolution[i][1] >= 0, "is negative");
            checker_.enter("sensors.orthographic", i);
            checker_.require(s.orthographic[i] == 0 || s.orthographic[i] == 1, "is neither 0 nor 1");
            checker_.enter("sensors.samples", i);
            checker_.require(s.samples[i] >= 0 && s.samples[i] <= kMostSensorSlots &&
                                 s.samples[i] * (std::int64_t{1} + s.size[i]) <= kMostSampleNumbers,
                             "is out of range");
            checker_.enter("sensors.size", i);
            const std::int64_t size =
                pixels ? find_sensor_size(s.type[i], s.object[i], s.fields[i], s.count[i], s.resolution[i]) : 0;
            checker_.require(s.size[i] == size && size <= kMostSensorValues, "does not follow from the options");
            checker_.enter("sensors.begin", i);
            checker_.require(s.begin[i] == values, "does not follow from the sensors before");
            values += size;
        }
        checker_.enter("sensor_value_count");
        checker_.require(model_.sensor_value_count == values, "is not the number of values that the sensors have");
    }

    void check_names()
    {
        const auto& [bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes] = model_.name_index;
        indices("name_index.bodies", bodies, 0, model_.body_count());
        indices("name_index.joints", joints, 0, model_.joint_count());
        indices("name_index.shapes", shapes, 0, model_.shape_count());
        indices("name_index.sites", sites, 0, model_.site_count());
        indices("name_index.tendons", tendons, 0, model_.tendon_count());
        indices("name_index.actuators", actuators, 0, model_.actuator_count());
        indices("name_index.sensors", sensors, 0, model_.sensor_count());
        indices("name_index.keyframes", keyframes, 0, static_cast<int>(model_.keyframes.size()));
    }

    const Model& model_;
    Checker& checker_;
};

}  // namespace

void check_structure(const Model& model, Checker& checker) { StructureChecker(model, checker).check(); }

}  // namespace rattleback
