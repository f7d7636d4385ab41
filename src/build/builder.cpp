// ModelBuilder: notes down what is added; nothing is judged before build().
#include <rattleback/builder.h>

#include "build/build.h"

namespace rattleback
{

namespace
{

template <class Id, class T>
Id append(std::vector<T>& items, T item)
{
    items.push_back(std::move(item));
    return Id{static_cast<int>(items.size()) - 1};
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name) : impl_(std::make_unique<Impl>())
{
    impl_->name = std::move(name);
    // Element 0 of bodies and materials is always there: the world and the default.
    impl_->bodies.push_back({.name = "world", .parent = BodyId{}, .kind = BodyKind::fixed});
    impl_->materials.emplace_back();
}
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

ModelBuilder::Impl& ModelBuilder::impl() const
{
    RB_CHECK(impl_ != nullptr, "a ModelBuilder that was moved from is used");
    return *impl_;
}

Settings& ModelBuilder::settings() { return impl().settings; }

BodyId ModelBuilder::add_body(const BodyOptions& options) { return append<BodyId>(impl().bodies, options); }

JointId ModelBuilder::add_joint(BodyId body, const JointOptions& options)
{
    return append<JointId>(impl().joints, {.body = body, .options = options});
}

ShapeId ModelBuilder::add_shape(BodyId body, const Shape& shape, const ShapeOptions& options)
{
    return append<ShapeId>(impl().shapes, {body, shape, options});
}

ShapeId ModelBuilder::add_ground(const ShapeOptions& options) { return add_shape(kWorld, Plane{}, options); }

SiteId ModelBuilder::add_site(BodyId body, const SiteOptions& options)
{
    return append<SiteId>(impl().sites, {body, options});
}

MaterialId ModelBuilder::add_material(const MaterialOptions& options)
{
    return append<MaterialId>(impl().materials, options);
}

MeshId ModelBuilder::add_mesh(MeshOptions options) { return append<MeshId>(impl().meshes, std::move(options)); }

HeightFieldId ModelBuilder::add_height_field(HeightFieldOptions options)
{
    return append<HeightFieldId>(impl().height_fields, std::move(options));
}

CameraId ModelBuilder::add_camera(const CameraOptions& options) { return append<CameraId>(impl().cameras, options); }

LightId ModelBuilder::add_light(const LightOptions& options) { return append<LightId>(impl().lights, options); }

TextureId ModelBuilder::add_texture(TextureOptions options)
{
    return append<TextureId>(impl().textures, std::move(options));
}

VisualMaterialId ModelBuilder::add_visual_material(const VisualMaterialOptions& options)
{
    return append<VisualMaterialId>(impl().visual_materials, options);
}

void ModelBuilder::set_headlight(const HeadlightOptions& options) { impl().headlight = options; }

EqualityId ModelBuilder::add_connect(BodyId first, BodyId second, const Vec3& anchor, const EqualityOptions& options)
{
    return append<EqualityId>(
        impl().equalities,
        {EqualityType::connect, first.index, second.index, {.position = anchor}, std::nullopt, {}, options});
}

EqualityId ModelBuilder::add_connect_points(BodyId first, const Vec3& first_point, BodyId second,
                                            const Vec3& second_point, const EqualityOptions& options)
{
    return append<EqualityId>(impl().equalities, {EqualityType::connect,
                                                  first.index,
                                                  second.index,
                                                  {.position = first_point},
                                                  Pose{.position = second_point},
                                                  {},
                                                  options});
}

EqualityId ModelBuilder::add_weld(BodyId first, BodyId second, const EqualityOptions& options)
{
    return append<EqualityId>(impl().equalities,
                              {EqualityType::weld, first.index, second.index, {}, std::nullopt, {}, options});
}

EqualityId ModelBuilder::add_weld_frames(BodyId first, const Pose& first_frame, BodyId second, const Pose& second_frame,
                                         const EqualityOptions& options)
{
    return append<EqualityId>(impl().equalities,
                              {EqualityType::weld, first.index, second.index, first_frame, second_frame, {}, options});
}

EqualityId ModelBuilder::add_cable(BodyId first, BodyId second, const CableOptions& options)
{
    return append<EqualityId>(impl().equalities, {.type = EqualityType::cable,
                                                  .first = first.index,
                                                  .second = second.index,
                                                  .first_frame = options.first_frame,
                                                  .second_frame = options.second_frame,
                                                  .options = {.name = options.name,
                                                              .active = options.active,
                                                              .break_force = options.break_force,
                                                              .break_torque = options.break_torque},
                                                  .cable = options.cable});
}

EqualityId ModelBuilder::add_joint_coupling(JointId first, JointId second, const std::array<double, 5>& polynomial,
                                            const EqualityOptions& options)
{
    return append<EqualityId>(impl().equalities,
                              {EqualityType::joint, first.index, second.index, {}, {}, polynomial, options});
}

EqualityId ModelBuilder::add_tendon_coupling(TendonId first, TendonId second, const std::array<double, 5>& polynomial,
                                             const EqualityOptions& options)
{
    return append<EqualityId>(impl().equalities,
                              {EqualityType::tendon, first.index, second.index, {}, {}, polynomial, options});
}

TendonId ModelBuilder::add_fixed_tendon(const std::vector<std::pair<JointId, double>>& joints,
                                        const TendonOptions& options)
{
    std::vector<TendonItem> items;
    for (const auto& [joint, coefficient] : joints) items.push_back({.joint = joint.index, .value = coefficient});
    return append<TendonId>(impl().tendons, {TendonType::fixed, std::move(items), options});
}

TendonId ModelBuilder::add_spatial_tendon(const std::vector<PathItem>& path, const TendonOptions& options)
{
    std::vector<TendonItem> items;
    for (const PathItem& item : path)
    {
        // A stop that is neither site nor shape is a pulley, and divides what follows.
        const bool pulley = !item.site.valid() && !item.shape.valid();
        items.push_back({.site = item.site.index,
                         .value = pulley ? item.divisor : 0,
                         .shape = item.shape.index,
                         .side_site = item.side_site.index});
    }
    return append<TendonId>(impl().tendons, {TendonType::spatial, std::move(items), options});
}

ActuatorId ModelBuilder::add_actuator(ActuatorTarget target, const ActuatorOptions& options)
{
    return append<ActuatorId>(impl().actuators, {target, options});
}

ActuatorId ModelBuilder::add_motor(ActuatorTarget target, const ActuatorOptions& options)
{
    ActuatorOptions motor = options;
    // A motor is the identity: force = input.
    motor.gain = {1, 0, 0};
    motor.bias = {0, 0, 0};
    motor.dynamics = ActuatorDynamics::none;
    motor.gain_law = motor.bias_law = ActuatorLaw::affine;
    return add_actuator(target, motor);
}

ActuatorId ModelBuilder::add_position_actuator(ActuatorTarget target, const PositionActuatorOptions& options)
{
    // force = k (input - length) - d velocity, as gain and bias of an affine actuator.
    const ActuatorOptions servo{.name = options.name,
                                .gear = options.gear,
                                .gain = {options.stiffness, 0, 0},
                                .bias = {0, -options.stiffness, -options.damping},
                                .input_range = options.input_range,
                                .force_range = options.force_range,
                                .damping_ratio = options.damping_ratio};
    return append<ActuatorId>(impl().actuators, {target, servo, true});
}

ActuatorId ModelBuilder::add_velocity_actuator(ActuatorTarget target, const VelocityActuatorOptions& options)
{
    return add_actuator(target, {.name = options.name,
                                 .gear = options.gear,
                                 .gain = {options.gain, 0, 0},
                                 .bias = {0, 0, -options.gain},
                                 .input_range = options.input_range,
                                 .force_range = options.force_range});
}

ActuatorId ModelBuilder::add_muscle(ActuatorTarget target, const MuscleOptions& options)
{
    const std::array<double, 10> law{options.range[0], options.range[1], options.force, options.scale, options.lmin,
                                     options.lmax,     options.vmax,     options.fpmax, options.fvmax};
    const auto [rise, fall] = options.time_constants;
    return add_actuator(target, {.name = options.name,
                                 .gear = {options.gear, 0, 0, 0, 0, 0},
                                 .dynamics = ActuatorDynamics::muscle,
                                 .gain_law = ActuatorLaw::muscle,
                                 .bias_law = ActuatorLaw::muscle,
                                 .gain_parameters = law,
                                 .bias_parameters = law,
                                 .dynamics_parameters = {rise, fall, options.smoothing},
                                 .length_range = options.length_range});
}

LengthRangeOptions& ModelBuilder::length_ranges() { return impl().length_ranges; }

SensorId ModelBuilder::add_sensor(SensorType type, const SensorTarget& target, const SensorOptions& options)
{
    const SensorId id = append<SensorId>(impl().sensors, {type, target, options});
    if (type == SensorType::tactile) impl().sensors.back().options.count = static_cast<int>(options.taxels.size());
    return id;
}

KeyframeId ModelBuilder::add_keyframe(Keyframe keyframe)
{
    return append<KeyframeId>(impl().keyframes, std::move(keyframe));
}

void ModelBuilder::add_track(BodyId body, Track track) { impl().tracks.push_back({body, std::move(track)}); }

void ModelBuilder::exclude(BodyId first, BodyId second) { impl().excludes.emplace_back(first, second); }

void ModelBuilder::add_pair(ShapeId first, ShapeId second, const PairOptions& options)
{
    impl().pairs.push_back({first, second, options});
}

Result<Model> ModelBuilder::build() const { return rattleback::build(impl()); }

Authored& authored_by(ModelBuilder& builder) { return builder.impl(); }

}  // namespace rattleback
