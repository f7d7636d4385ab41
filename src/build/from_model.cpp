// From a Model to what one would author to get it again, family by family.
#include "base/bits.h"
#include "base/index.h"
#include "build/build.h"
#include "build/sensors.h"
#include "model/fields/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace rattleback
{

namespace
{

/// Would a builder take these moments as an explicit inertia?
bool is_proper(const Vec3& moments)
{
    std::array<double, 3> sorted{moments.x, moments.y, moments.z};
    std::sort(sorted.begin(), sorted.end());
    return sorted[0] > 0 && sorted[0] + sorted[1] >= sorted[2] * (1 - 1e-9);
}

void author_bodies(const Model& model, Authored& authored)
{
    const Bodies& bodies = model.bodies;
    authored.bodies.push_back({.name = bodies.name[0], .parent = BodyId{}, .kind = BodyKind::fixed});
    for (std::size_t i = 1; i < bodies.name.size(); ++i)
    {
        BodyOptions options{.name = bodies.name[i],
                            .parent = BodyId{bodies.parent[i]},
                            .position = bodies.pose[i].position,
                            .rotation = bodies.pose[i].rotation};
        copy_fields<BodyRows>(bodies, i, options);
        // Without a proper inertia it follows from the shapes, as it did the first time.
        // A model's own moments may be improper by rounding; shapes then give them anew.
        if (bodies.mass[i] > 0 && is_proper(bodies.inertia[i]))
            options.inertia = Inertia{.mass = bodies.mass[i],
                                      .position = bodies.inertial_pose[i].position,
                                      .rotation = bodies.inertial_pose[i].rotation,
                                      .diagonal = bodies.inertia[i]};
        authored.bodies.push_back(options);
    }
}

/// How a joint without a single number as its coordinate starts, where it is not at q0 and at rest.
void author_start(const Model& model, std::size_t i, AuthoredJoint& joint)
{
    const JointType type = model.joints.type[i];
    const auto copy = [](const std::vector<double>& from, int begin, int count)
    { return std::vector(from.begin() + begin, from.begin() + begin + count); };
    const std::vector<double> rest = copy(model.q0, model.joints.q_begin[i], q_count(type));
    joint.start_q = copy(model.initial_q, model.joints.q_begin[i], q_count(type));
    joint.start_v = copy(model.initial_v, model.joints.v_begin[i], v_count(type));
    if (std::equal(rest.begin(), rest.end(), joint.start_q.begin(), same_bits<double>)) joint.start_q.clear();
    // Minus zero would come back as zero: such a velocity is written down.
    const auto moves = [](double x) { return x != 0 || std::signbit(x); };
    if (std::none_of(joint.start_v.begin(), joint.start_v.end(), moves)) joint.start_v.clear();
}

void author_joints(const Model& model, Authored& authored)
{
    const Joints& joints = model.joints;
    for (std::size_t i = 0; i < joints.name.size(); ++i)
    {
        AuthoredJoint joint{.body = BodyId{joints.body[i]}, .options = {.name = joints.name[i]}};
        JointOptions& options = joint.options;
        copy_fields<JointRows>(joints, i, options);
        const std::size_t q = at(joints.q_begin[i]), v = at(joints.v_begin[i]);
        if (v_count(options.type) > 0) copy_fields<JointRows>(model.dofs, v, options);
        if (options.type == JointType::hinge || options.type == JointType::slide)
        {
            options.reference = model.q0[q];
            options.spring_reference = model.spring_q[q];
            options.initial_velocity = model.initial_v[v];
            if (!same_bits(model.initial_q[q], model.q0[q])) options.initial_position = model.initial_q[q];
        }
        else
            author_start(model, i, joint);
        authored.joints.push_back(std::move(joint));
    }
}

void author_shapes(const Model& model, Authored& authored)
{
    const Shapes& shapes = model.shapes;
    authored.materials = model.materials;
    authored.meshes = model.meshes;
    authored.height_fields = model.height_fields;
    for (std::size_t i = 0; i < shapes.name.size(); ++i)
    {
        ShapeOptions options{.name = shapes.name[i],
                             .position = shapes.pose[i].position,
                             .rotation = shapes.pose[i].rotation,
                             .material = MaterialId{shapes.material[i]}};
        copy_fields<ShapeRows>(shapes, i, options);
        const ShapeRow row{shapes.type[i], shapes.size[i], shapes.asset[i], shapes.mesh_collide[i],
                           shapes.mesh_mass[i]};
        if (shapes.fluid[i]) options.fluid = shapes.fluid_coefficients[i];
        authored.shapes.push_back({BodyId{shapes.body[i]}, from_row(row), options});
    }
    for (std::size_t i = 0; i < model.sites.name.size(); ++i)
    {
        const Pose& pose = model.sites.pose[i];
        SiteOptions options{.name = model.sites.name[i], .position = pose.position, .rotation = pose.rotation};
        copy_fields<SiteRows>(model.sites, i, options);
        authored.sites.push_back({BodyId{model.sites.body[i]}, options});
    }
    for (const auto& [first, second] : model.excluded_bodies)
        authored.excludes.emplace_back(BodyId{first}, BodyId{second});
    for (const ShapePair& pair : model.pairs)
        authored.pairs.push_back({ShapeId{pair.first},
                                  ShapeId{pair.second},
                                  {.material = MaterialId{pair.material},
                                   .margin = pair.margin,
                                   .gap = pair.gap,
                                   .second_friction = pair.second_friction,
                                   .friction_solref = pair.friction_solref}});
}

void author_equalities(const Model& model, Authored& authored)
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
        equality.options.name = equalities.name[i];
        copy_fields<EqualityRows>(equalities, i, equality.options);
        equality.cable = equalities.cable[i];
        authored.equalities.push_back(equality);
    }
}

void author_tendons(const Model& model, Authored& authored)
{
    const Tendons& tendons = model.tendons;
    for (std::size_t i = 0; i < tendons.name.size(); ++i)
    {
        const auto begin = tendons.items.begin();
        AuthoredTendon tendon{tendons.type[i],
                              {begin + tendons.item_begin[i], begin + tendons.item_begin[i + 1]},
                              {.name = tendons.name[i]}};
        copy_fields<TendonRows>(tendons, i, tendon.options);
        authored.tendons.push_back(std::move(tendon));
    }
}

void author_actuators(const Model& model, Authored& authored)
{
    const Actuators& actuators = model.actuators;
    for (std::size_t i = 0; i < actuators.name.size(); ++i)
    {
        const TransmissionType transmission = actuators.transmission[i];
        ActuatorTarget target = JointId{actuators.target[i]};
        if (transmission == TransmissionType::tendon) target = TendonId{actuators.target[i]};
        if (transmission == TransmissionType::site || transmission == TransmissionType::slider_crank)
            target = SiteId{actuators.target[i]};
        if (transmission == TransmissionType::body) target = BodyId{actuators.target[i]};
        ActuatorOptions options{.name = actuators.name[i],
                                .in_parent = transmission == TransmissionType::joint_in_parent};
        copy_fields<ActuatorRows>(actuators, i, options);
        options.reference.index = actuators.reference[i];
        authored.actuators.push_back({target, options});
    }
}

void author_rest(const Model& model, Authored& authored)
{
    for (std::size_t i = 0; i < model.sensors.name.size(); ++i) authored.sensors.push_back(author_sensor(model, i));
    authored.keyframes = model.keyframes;
    for (std::size_t i = 0; i < model.tracks.size(); ++i)
    {
        const auto found = std::find(model.bodies.track.begin(), model.bodies.track.end(), static_cast<int>(i));
        authored.tracks.push_back({BodyId{static_cast<int>(found - model.bodies.track.begin())}, model.tracks[i]});
    }
}

void author_appearance(const Model& model, Authored& authored)
{
    const Appearance& appearance = model.appearance;
    authored.cameras = appearance.cameras;
    authored.lights = appearance.lights;
    authored.headlight = appearance.headlight;
    authored.textures = appearance.textures;
    authored.visual_materials = appearance.materials;
    for (std::size_t i = 0; i < appearance.shapes.size(); ++i)
    {
        authored.shapes[i].options.visual = appearance.shapes[i].material;
        authored.shapes[i].options.plane_size = appearance.shapes[i].plane_size;
    }
}

}  // namespace

Authored make_authored(const Model& model)
{
    Authored authored;
    authored.name = model.name;
    authored.settings = model.settings;
    author_bodies(model, authored);
    author_joints(model, authored);
    author_shapes(model, authored);
    author_equalities(model, authored);
    author_tendons(model, authored);
    author_actuators(model, authored);
    author_rest(model, authored);
    author_appearance(model, authored);
    // A Model does not say whose weights it has: those that give it again.
    authored.mujoco_weights = true;
    const Result<Model> again = build(authored);
    authored.mujoco_weights = again && fingerprint(again.value()) == fingerprint(model);
    return authored;
}

ModelBuilder ModelBuilder::from(const Model& model)
{
    ModelBuilder builder(model.name);
    std::vector<Error> mistakes = validate(model);
    if (!mistakes.empty())
    {
        builder.impl().mistakes = std::move(mistakes);
        return builder;
    }
    static_cast<Authored&>(builder.impl()) = make_authored(model);
    builder.impl().loaded_keyframes = static_cast<int>(model.keyframes.size());
    builder.impl().accepts_negative = true;
    builder.impl().loaded_joints = model.joint_count();
    builder.impl().loaded_actuators = model.actuator_count();
    return builder;
}

}  // namespace rattleback
