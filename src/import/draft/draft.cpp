// From a Model to the calls that make it, family by family.
#include "import/draft/draft.h"

#include "build/check.h"
#include "build/compile.h"
#include "import/mjcf/constants.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace rattleback
{

namespace
{

/// Equal to the bit: zeros of either sign are two values.
template <class T>
bool same(const T& a, const T& b)
{
    using Words = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
    return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
}

/// Would a builder take these moments as an explicit inertia?
bool is_proper(const Vec3& moments)
{
    std::array<double, 3> sorted{moments.x, moments.y, moments.z};
    std::sort(sorted.begin(), sorted.end());
    return sorted[0] > 0 && sorted[0] + sorted[1] >= sorted[2] * (1 - 1e-9);
}

void draft_bodies(const Model& model, Draft& draft)
{
    const Bodies& bodies = model.bodies;
    draft.parts.bodies.push_back({.name = bodies.name[0], .parent = BodyId{}, .kind = BodyKind::fixed});
    for (std::size_t i = 1; i < bodies.name.size(); ++i)
    {
        BodyOptions options{.name = bodies.name[i],
                            .parent = BodyId{bodies.parent[i]},
                            .position = bodies.pose[i].position,
                            .rotation = bodies.pose[i].rotation,
                            .kind = bodies.kind[i],
                            .gravity_compensation = bodies.gravity_compensation[i]};
        // Without a proper inertia it follows from the shapes, as it did the first time.
        if (bodies.mass[i] > 0 && is_proper(bodies.inertia[i]))
            options.inertia = Inertia{.mass = bodies.mass[i],
                                      .position = bodies.inertial_pose[i].position,
                                      .rotation = bodies.inertial_pose[i].rotation,
                                      .diagonal = bodies.inertia[i]};
        draft.parts.bodies.push_back(options);
    }
}

void draft_joints(const Model& model, Draft& draft)
{
    const Joints& joints = model.joints;
    for (std::size_t i = 0; i < joints.name.size(); ++i)
    {
        JointOptions options{.name = joints.name[i],
                             .type = joints.type[i],
                             .axis = joints.axis[i],
                             .position = joints.position[i],
                             .range = joints.range[i],
                             .margin = joints.margin[i],
                             .limit_softness = joints.limit_softness[i],
                             .stiffness = joints.stiffness[i],
                             .actuator_force_range = joints.actuator_force_range[i],
                             .gravity_compensation_by_actuator = joints.gravity_compensation_by_actuator[i] != 0,
                             .break_force = joints.break_force[i],
                             .break_torque = joints.break_torque[i]};
        const std::size_t q = at(joints.q_begin[i]), v = at(joints.v_begin[i]);
        if (v_count(options.type) > 0)
        {
            options.damping = model.dofs.damping[v];
            options.armature = model.dofs.armature[v];
            options.dry_friction = model.dofs.dry_friction[v];
            options.dry_friction_softness = model.dofs.dry_friction_softness[v];
        }
        if (options.type == JointType::hinge || options.type == JointType::slide)
        {
            options.reference = model.q0[q];
            options.spring_reference = model.spring_q[q];
            options.initial_velocity = model.initial_v[v];
            if (!same(model.initial_q[q], model.q0[q])) options.initial_position = model.initial_q[q];
        }
        else
        {
            JointStart start;
            const auto copy = [](const std::vector<double>& from, std::size_t begin, int count)
            {
                return std::vector(from.begin() + static_cast<long>(begin),
                                   from.begin() + static_cast<long>(begin) + count);
            };
            const auto moves = [](double x) { return x != 0 || std::signbit(x); };
            const std::vector<double> rest = copy(model.q0, q, q_count(options.type));
            start.q = copy(model.initial_q, q, q_count(options.type));
            start.v = copy(model.initial_v, v, v_count(options.type));
            if (std::equal(rest.begin(), rest.end(), start.q.begin(), same<double>)) start.q.clear();
            if (std::none_of(start.v.begin(), start.v.end(), moves)) start.v.clear();
            if (!start.q.empty() || !start.v.empty()) draft.starts[static_cast<int>(i)] = start;
        }
        draft.parts.joints.push_back({BodyId{joints.body[i]}, options});
    }
}

Shape make_shape(const Shapes& shapes, std::size_t i)
{
    const Vec3& size = shapes.size[i];
    const MeshId mesh{shapes.asset[i]};
    switch (shapes.type[i])
    {
        case ShapeType::plane:
            return Plane{};
        case ShapeType::sphere:
            return Sphere{size.x};
        case ShapeType::capsule:
            return Capsule{size.x, size.y};
        case ShapeType::box:
            return Box{size};
        case ShapeType::cylinder:
            return Cylinder{size.x, size.y};
        case ShapeType::ellipsoid:
            return Ellipsoid{size};
        case ShapeType::hull:
            return Hull{mesh};
        case ShapeType::mesh:
            return Mesh{mesh, shapes.mesh_collide[i], shapes.mesh_mass[i]};
        case ShapeType::height_field:
            return HeightField{HeightFieldId{shapes.asset[i]}};
        case ShapeType::points:
            return Points{mesh};
        case ShapeType::segments:
            return Segments{mesh};
        case ShapeType::surface:
            return Surface{mesh};
    }
    return Plane{};
}

void draft_shapes(const Model& model, Draft& draft)
{
    const Shapes& shapes = model.shapes;
    draft.parts.materials = model.materials;
    draft.parts.meshes = model.meshes;
    draft.parts.height_fields = model.height_fields;
    for (std::size_t i = 0; i < shapes.name.size(); ++i)
    {
        ShapeOptions options{.name = shapes.name[i],
                             .position = shapes.pose[i].position,
                             .rotation = shapes.pose[i].rotation,
                             .material = MaterialId{shapes.material[i]},
                             .density = shapes.density[i],
                             .mass = shapes.mass[i],
                             .category = shapes.category[i],
                             .mask = shapes.mask[i],
                             .margin = shapes.margin[i],
                             .gap = shapes.gap[i],
                             .colour = shapes.colour[i],
                             .group = shapes.group[i]};
        if (shapes.fluid[i]) options.fluid = shapes.fluid_coefficients[i];
        draft.parts.shapes.push_back({BodyId{shapes.body[i]}, make_shape(shapes, i), options});
    }
    for (std::size_t i = 0; i < model.sites.name.size(); ++i)
    {
        const Pose& pose = model.sites.pose[i];
        draft.parts.sites.push_back(
            {BodyId{model.sites.body[i]},
             {.name = model.sites.name[i], .position = pose.position, .rotation = pose.rotation}});
    }
    for (const auto& [first, second] : model.excluded_bodies)
        draft.parts.excludes.emplace_back(BodyId{first}, BodyId{second});
    for (const ShapePair& pair : model.pairs)
        draft.parts.pairs.push_back({ShapeId{pair.first},
                                     ShapeId{pair.second},
                                     {.material = MaterialId{pair.material},
                                      .margin = pair.margin,
                                      .gap = pair.gap,
                                      .second_friction = pair.second_friction,
                                      .friction_solref = pair.friction_solref}});
}

void draft_equalities(const Model& model, Draft& draft)
{
    const Equalities& equalities = model.equalities;
    for (std::size_t i = 0; i < equalities.name.size(); ++i)
    {
        AuthoredEquality equality{
            .type = equalities.type[i], .first = equalities.first[i], .second = equalities.second[i]};
        if (equality.type == EqualityType::connect || equality.type == EqualityType::weld ||
            equality.type == EqualityType::cable)
        {
            equality.first_frame = equalities.first_frame[i];
            equality.second_frame = equalities.second_frame[i];
        }
        equality.polynomial = equalities.polynomial[i];
        equality.options = {.name = equalities.name[i],
                            .softness = equalities.softness[i],
                            .active = equalities.active[i] != 0,
                            .torque_scale = equalities.torque_scale[i],
                            .break_force = equalities.break_force[i],
                            .break_torque = equalities.break_torque[i]};
        equality.cable = equalities.cable[i];
        draft.parts.equalities.push_back(equality);
    }
}

void draft_tendons(const Model& model, Draft& draft)
{
    const Tendons& tendons = model.tendons;
    for (std::size_t i = 0; i < tendons.name.size(); ++i)
    {
        const auto begin = tendons.items.begin();
        draft.parts.tendons.push_back({tendons.type[i],
                                       {begin + tendons.item_begin[i], begin + tendons.item_begin[i + 1]},
                                       {.name = tendons.name[i],
                                        .range = tendons.range[i],
                                        .margin = tendons.margin[i],
                                        .limit_softness = tendons.limit_softness[i],
                                        .stiffness = tendons.stiffness[i],
                                        .damping = tendons.damping[i],
                                        .dry_friction = tendons.dry_friction[i],
                                        .dry_friction_softness = tendons.dry_friction_softness[i],
                                        .armature = tendons.armature[i],
                                        .spring_length = tendons.spring_length[i],
                                        .actuator_force_range = tendons.actuator_force_range[i]}});
    }
}

void draft_actuators(const Model& model, Draft& draft)
{
    const Actuators& actuators = model.actuators;
    for (std::size_t i = 0; i < actuators.name.size(); ++i)
    {
        const TransmissionType transmission = actuators.transmission[i];
        ActuatorTarget target = JointId{actuators.target[i]};
        if (transmission == TransmissionType::tendon) target = TendonId{actuators.target[i]};
        if (transmission == TransmissionType::site) target = SiteId{actuators.target[i]};
        draft.parts.actuators.push_back({target,
                                         {.name = actuators.name[i],
                                          .gear = actuators.gear[i],
                                          .gain = actuators.gain[i],
                                          .bias = actuators.bias[i],
                                          .dynamics = actuators.dynamics[i],
                                          .time_constant = actuators.time_constant[i],
                                          .input_range = actuators.input_range[i],
                                          .force_range = actuators.force_range[i],
                                          .act_range = actuators.act_range[i],
                                          .act_early = actuators.act_early[i] != 0,
                                          .in_parent = transmission == TransmissionType::joint_in_parent}});
    }
}

/// A sensor keeps body and pose; the site that it was put on has the same.
SensorTarget find_watched(const Model& model, std::size_t sensor)
{
    const Sensors& sensors = model.sensors;
    if (sensors.joint[sensor] >= 0) return JointId{sensors.joint[sensor]};
    if (!same(sensors.pose[sensor], Pose{}))
    {
        for (std::size_t i = 0; i < model.sites.body.size(); ++i)
        {
            if (model.sites.body[i] == sensors.body[sensor] && same(model.sites.pose[i], sensors.pose[sensor]))
                return SiteId{static_cast<int>(i)};
        }
    }
    return BodyId{sensors.body[sensor]};
}

void draft_rest(const Model& model, Draft& draft)
{
    for (std::size_t i = 0; i < model.sensors.name.size(); ++i)
        draft.parts.sensors.push_back({model.sensors.type[i], find_watched(model, i), model.sensors.name[i]});
    draft.parts.keyframes = model.keyframes;
    for (std::size_t i = 0; i < model.tracks.size(); ++i)
    {
        const auto found = std::find(model.bodies.track.begin(), model.bodies.track.end(), static_cast<int>(i));
        draft.parts.tracks.push_back({BodyId{static_cast<int>(found - model.bodies.track.begin())}, model.tracks[i]});
    }
}

void check_starts(const Draft& draft, std::vector<Error>& errors)
{
    const auto finite = [](const std::vector<double>& list)
    { return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); }); };
    for (const auto& [joint, start] : draft.starts)
    {
        const JointOptions& options = draft.parts.joints[at(joint)].options;
        const auto q = at(q_count(options.type)), v = at(v_count(options.type));
        bool good = (start.q.empty() || start.q.size() == q) && (start.v.empty() || start.v.size() == v);
        good = good && (options.type == JointType::free || options.type == JointType::ball);
        if (good && finite(start.q) && finite(start.v)) continue;
        errors.push_back({ErrorCode::invalid_value, "joint '" + options.name + "'", "its start makes no sense", ""});
    }
}

}  // namespace

Draft make_draft(const Model& model)
{
    Draft draft;
    draft.parts.name = model.name;
    draft.parts.settings = model.settings;
    draft_bodies(model, draft);
    draft_joints(model, draft);
    draft_shapes(model, draft);
    draft_equalities(model, draft);
    draft_tendons(model, draft);
    draft_actuators(model, draft);
    draft_rest(model, draft);
    const Result<Model> again = build(draft);
    draft.mujoco_constants = again && fingerprint(again.value()) == fingerprint(model);
    return draft;
}

Result<Model> build(const Draft& draft)
{
    const Names names = make_names(draft.parts);
    const Layout layout = find_layout(draft.parts);
    std::vector<BodyMass> masses;
    std::vector<Polyhedron> hulls;
    std::vector<Error> errors = check(draft.parts, names, layout, masses, hulls);
    check_starts(draft, errors);
    if (!errors.empty()) return errors;
    Model model = compile(draft.parts, names, layout, masses, std::move(hulls));
    for (const auto& [joint, start] : draft.starts)
    {
        std::copy(start.q.begin(), start.q.end(), model.initial_q.begin() + model.joints.q_begin[at(joint)]);
        std::copy(start.v.begin(), start.v.end(), model.initial_v.begin() + model.joints.v_begin[at(joint)]);
    }
    if (draft.mujoco_constants) mjcf::match_constants(model);
    return model;
}

}  // namespace rattleback
