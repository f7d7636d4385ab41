// What stands in the objects of a document, for writing and for reading alike.
#pragma once

#include "build/body_mass.h"
#include "import/document/numbers.h"
#include "model/fields/tables.h"

namespace rattleback
{

/// Elements that have a name.
enum class Kind
{
    bodies,
    joints,
    shapes,
    sites,
    materials,
    meshes,
    height_fields,
    equalities,
    tendons,
    actuators,
    sensors,
    keyframes,
    cameras,
    lights,
    textures,
    visual_materials,
};
inline constexpr std::array<const char*, 16> kKinds{
    "bodies",  "joints",    "shapes",  "sites",     "materials", "meshes", "height_fields", "equalities",
    "tendons", "actuators", "sensors", "keyframes", "cameras",   "lights", "textures",      "visual_materials"};

/// An authored shape as one row: type, sizes, and the asset by name.
struct ShapeEntry
{
    BodyId body;
    ShapeRow row;
    ShapeOptions options;
};

// visit(name, value) for plain fields, visit.refer(name, kind, index) for references to named elements.

/// The fields of options that have rows.
template <class Rows, class Visit, class Options>
void describe_options(Visit& visit, Options& options)
{
    visit_options<Rows>([&](const auto& row) { visit(row.name, options.*row.option); });
}

template <class Visit>
void describe(Visit& visit, Inertia& x)
{
    visit("mass", x.mass);
    visit("position", x.position);
    visit("rotation", x.rotation);
    visit("diagonal", x.diagonal);
    visit("products", x.products);
}

template <class Visit>
void describe(Visit& visit, Medium& x)
{
    visit("density", x.density);
    visit("viscosity", x.viscosity);
    visit("wind", x.wind);
}

template <class Visit>
void describe(Visit& visit, Settings& x)
{
    visit("dt", x.dt);
    visit("gravity", x.gravity);
    visit("integrator", x.integrator);
    visit("solver", x.solver);
    visit("solver_parameters", x.solver_parameters);
    visit("medium", x.medium);
    visit("magnetic_field", x.magnetic_field);
    visit("filter_parents", x.filter_parents);
    visit("second_friction", x.second_friction);
}

template <class Visit>
void describe(Visit& visit, BodyOptions& x)
{
    visit.refer("parent", Kind::bodies, x.parent.index);
    describe_options<BodyRows>(visit, x);
}

template <class Visit>
void describe(Visit& visit, AuthoredJoint& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    describe_options<JointRows>(visit, x.options);
    visit("start_q", x.start_q);
    visit("start_v", x.start_v);
    visit("spring_damper", x.spring_damper);
}

template <class Visit>
void describe(Visit& visit, ShapeEntry& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    visit("type", x.row.type);
    visit("size", x.row.size);
    visit.refer("asset", x.row.type == ShapeType::height_field ? Kind::height_fields : Kind::meshes, x.row.asset);
    visit("mesh_collide", x.row.mesh_collide);
    visit("mesh_mass", x.row.mesh_mass);
    visit.refer("material", Kind::materials, x.options.material.index);
    describe_options<ShapeRows>(visit, x.options);
    visit.refer("visual", Kind::visual_materials, x.options.visual.index);
    visit("plane_size", x.options.plane_size);
}

template <class Visit>
void describe(Visit& visit, AuthoredSite& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    describe_options<SiteRows>(visit, x.options);
}

template <class Visit>
void describe(Visit& visit, MaterialOptions& x)
{
    describe_options<MaterialRows>(visit, x);
}

template <class Visit>
void describe(Visit& visit, MeshOptions& x)
{
    visit("vertices", x.vertices);
    visit("triangles", x.triangles);
    visit("edges", x.edges);
    visit("texcoords", x.texcoords);
}

template <class Visit>
void describe(Visit& visit, HeightFieldOptions& x)
{
    visit("rows", x.rows);
    visit("columns", x.columns);
    visit("half_x", x.half_x);
    visit("half_y", x.half_y);
    visit("base", x.base);
    visit("heights", x.heights);
}

template <class Visit>
void describe(Visit& visit, AuthoredEquality& x)
{
    visit("type", x.type);
    const bool bodies =
        x.type == EqualityType::connect || x.type == EqualityType::weld || x.type == EqualityType::cable;
    const Kind kind = bodies ? Kind::bodies : x.type == EqualityType::joint ? Kind::joints : Kind::tendons;
    visit.refer("first", kind, x.first);
    visit.refer("second", kind, x.second);
    visit("first_frame", x.first_frame);
    visit("second_frame", x.second_frame);
    visit("polynomial", x.polynomial);
    describe_options<EqualityRows>(visit, x.options);
    visit("cable", x.cable);
}

template <class Visit>
void describe(Visit& visit, TendonItem& x)
{
    visit.refer("joint", Kind::joints, x.joint);
    visit.refer("site", Kind::sites, x.site);
    visit("value", x.value);
    visit.refer("shape", Kind::shapes, x.shape);
    visit.refer("side_site", Kind::sites, x.side_site);
}

template <class Visit>
void describe(Visit& visit, AuthoredTendon& x)
{
    visit("type", x.type);
    visit("items", x.items);
    describe_options<TendonRows>(visit, x.options);
}

template <class Visit>
void describe(Visit& visit, AuthoredActuator& x)
{
    visit.choose(x.target);
    visit.refer("reference", Kind::sites, x.options.reference.index);
    describe_options<ActuatorRows>(visit, x.options);
}

template <class Visit>
void describe(Visit& visit, AuthoredSensor& x)
{
    visit("type", x.type);
    visit.choose(x.target);
    visit("reference", x.options.reference);
    describe_options<SensorRows>(visit, x.options);
    visit("taxels", x.options.taxels);
}

/// One field, named after what it refers to; cameras have a pose beside.
template <class Visit>
void describe(Visit& visit, SensorTarget& x)
{
    visit.choose(x);
}

template <class Visit>
void describe(Visit& visit, Keyframe& x)
{
    visit("time", x.time);
    visit("q", x.q);
    visit("v", x.v);
    visit("act", x.act);
    visit("ctrl", x.ctrl);
    visit("targets", x.targets);
}

template <class Visit>
void describe(Visit& visit, AuthoredPair& x)
{
    visit.refer("first", Kind::shapes, x.first.index);
    visit.refer("second", Kind::shapes, x.second.index);
    visit.refer("material", Kind::materials, x.options.material.index);
    describe_options<PairRows>(visit, x.options);
}

template <class Visit>
void describe(Visit& visit, std::pair<BodyId, BodyId>& x)
{
    visit.refer("first", Kind::bodies, x.first.index);
    visit.refer("second", Kind::bodies, x.second.index);
}

template <class Visit>
void describe(Visit& visit, AuthoredTrack& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    visit("times", x.track.times);
    visit("poses", x.track.poses);
}

template <class Visit>
void describe(Visit& visit, CameraOptions& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    visit("position", x.position);
    visit("rotation", x.rotation);
    visit("mode", x.mode);
    visit.refer("target", Kind::bodies, x.target.index);
    visit("orthographic", x.orthographic);
    visit("field_of_view", x.field_of_view);
    visit("eye_distance", x.eye_distance);
    visit("resolution", x.resolution);
    visit("sensor_size", x.sensor_size);
    visit("focal", x.focal);
    visit("principal", x.principal);
}

template <class Visit>
void describe(Visit& visit, LightOptions& x)
{
    visit.refer("body", Kind::bodies, x.body.index);
    visit("position", x.position);
    visit("direction", x.direction);
    visit("mode", x.mode);
    visit.refer("target", Kind::bodies, x.target.index);
    visit("type", x.type);
    visit("active", x.active);
    visit("cast_shadow", x.cast_shadow);
    visit("ambient", x.ambient);
    visit("diffuse", x.diffuse);
    visit("specular", x.specular);
    visit("attenuation", x.attenuation);
    visit("cutoff", x.cutoff);
    visit("exponent", x.exponent);
    visit("softness", x.softness);
    visit("bulb_radius", x.bulb_radius);
    visit("intensity", x.intensity);
    visit("range", x.range);
}

template <class Visit>
void describe(Visit& visit, HeadlightOptions& x)
{
    visit("active", x.active);
    visit("ambient", x.ambient);
    visit("diffuse", x.diffuse);
    visit("specular", x.specular);
}

template <class Visit>
void describe(Visit& visit, TextureOptions& x)
{
    visit("type", x.type);
    visit("pattern", x.pattern);
    visit("first", x.first);
    visit("second", x.second);
    visit("mark", x.mark);
    visit("mark_colour", x.mark_colour);
    visit("random", x.random);
    visit("width", x.width);
    visit("height", x.height);
    visit("png", x.png);
    visit("grid_size", x.grid_size);
    visit("grid_layout", x.grid_layout);
    visit("horizontal_flip", x.horizontal_flip);
    visit("vertical_flip", x.vertical_flip);
}

template <class Visit>
void describe(Visit& visit, VisualMaterialOptions& x)
{
    visit.refer("texture", Kind::textures, x.texture.index);
    visit("repeat", x.repeat);
    visit("uniform", x.uniform);
    visit("emission", x.emission);
    visit("specular", x.specular);
    visit("shininess", x.shininess);
    visit("reflectance", x.reflectance);
    visit("metallic", x.metallic);
    visit("roughness", x.roughness);
    visit("colour", x.colour);
}

// Words of enumerations.

template <class E>
std::vector<std::pair<E, std::string>> list_words(std::initializer_list<E> values)
{
    std::vector<std::pair<E, std::string>> words;
    for (const E value : values) words.emplace_back(value, to_string(value));
    return words;
}
inline auto words_of(BodyKind) { return list_words({BodyKind::dynamic, BodyKind::fixed, BodyKind::kinematic}); }
inline auto words_of(JointType)
{
    return list_words({JointType::free, JointType::ball, JointType::slide, JointType::hinge, JointType::fixed});
}
inline auto words_of(Integrator)
{
    return list_words({Integrator::euler, Integrator::implicitfast, Integrator::rk4, Integrator::lie_rk4,
                       Integrator::midpoint, Integrator::implicit, Integrator::discrete});
}
inline auto words_of(SleepPolicy)
{
    return list_words({SleepPolicy::automatic, SleepPolicy::never, SleepPolicy::allowed, SleepPolicy::init});
}
inline auto words_of(EqualityType)
{
    return list_words(
        {EqualityType::connect, EqualityType::weld, EqualityType::joint, EqualityType::tendon, EqualityType::cable});
}
inline auto words_of(TendonType) { return list_words({TendonType::fixed, TendonType::spatial}); }
inline auto words_of(ActuatorDynamics)
{
    return list_words({ActuatorDynamics::none, ActuatorDynamics::integrator, ActuatorDynamics::filter,
                       ActuatorDynamics::filter_exact, ActuatorDynamics::muscle, ActuatorDynamics::pid,
                       ActuatorDynamics::dc_motor});
}
inline auto words_of(ActuatorLaw)
{
    return list_words({ActuatorLaw::affine, ActuatorLaw::muscle, ActuatorLaw::pid, ActuatorLaw::dc_motor,
                       ActuatorLaw::orientation, ActuatorLaw::input});
}
inline auto words_of(Interpolation)
{
    return list_words({Interpolation::hold, Interpolation::linear, Interpolation::cubic});
}
inline auto words_of(SensorType)
{
    std::vector<std::pair<SensorType, std::string>> words;
    for (int i = 0; i < kSensorTypeCount; ++i)
        words.emplace_back(static_cast<SensorType>(i), to_string(static_cast<SensorType>(i)));
    return words;
}
inline auto words_of(SensorReduce)
{
    return list_words({SensorReduce::none, SensorReduce::nearest, SensorReduce::strongest, SensorReduce::net});
}
inline auto words_of(FollowMode)
{
    return list_words({FollowMode::fixed, FollowMode::track, FollowMode::track_com, FollowMode::target_body,
                       FollowMode::target_body_com});
}
inline auto words_of(LightType) { return list_words({LightType::spot, LightType::directional, LightType::point}); }
inline auto words_of(TextureType) { return list_words({TextureType::flat, TextureType::cube, TextureType::skybox}); }
inline auto words_of(TexturePattern)
{
    return list_words({TexturePattern::none, TexturePattern::gradient, TexturePattern::checker, TexturePattern::flat});
}
inline auto words_of(TextureMark)
{
    return list_words({TextureMark::none, TextureMark::edge, TextureMark::cross, TextureMark::random});
}
inline auto words_of(ShapeType)
{
    std::vector<std::pair<ShapeType, std::string>> words;
    for (int i = 0; i < kShapeTypeCount; ++i)
        words.emplace_back(static_cast<ShapeType>(i), to_string(static_cast<ShapeType>(i)));
    return words;
}
inline auto words_of(MeshCollide)
{
    return std::vector<std::pair<MeshCollide, std::string>>{{MeshCollide::hull, "hull"}, {MeshCollide::exact, "exact"}};
}
inline auto words_of(MeshMass)
{
    return std::vector<std::pair<MeshMass, std::string>>{{MeshMass::exact, "exact"},
                                                         {MeshMass::legacy, "legacy"},
                                                         {MeshMass::convex, "convex"},
                                                         {MeshMass::shell, "shell"}};
}

}  // namespace rattleback
