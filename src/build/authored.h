// Authored: what was said to a ModelBuilder, kept as it was said until build() checks and compiles it.
#pragma once

#include <rattleback/builder.h>

namespace rattleback
{

struct AuthoredJoint
{
    BodyId body;
    JointOptions options;
    /// Free and ball joints: how they start, as the Model keeps it. Empty: at q0, and as the body says.
    std::vector<double> start_q, start_v;
    /// If positive, stiffness = m / first [s^2] and damping = 2 m / second [s], with m the inertia that the joint feels
    /// at q0; infinity: none. MuJoCo's springdamper (t, r) is {t^2 r^2, t}.
    std::array<double, 2> spring_damper{0, 0};
};
struct AuthoredShape
{
    BodyId body;
    Shape shape;
    ShapeOptions options;
};
struct AuthoredSite
{
    BodyId body;
    SiteOptions options;
};
struct AuthoredEquality
{
    EqualityType type = EqualityType::connect;
    int first = -1, second = -1;
    Pose first_frame;
    std::optional<Pose> second_frame;  ///< nothing: where the first frame is at q0
    std::array<double, 5> polynomial{};
    EqualityOptions options;
    Cable cable{};
};
struct AuthoredTendon
{
    TendonType type = TendonType::fixed;
    std::vector<TendonItem> items;
    TendonOptions options;
};
struct AuthoredActuator
{
    ActuatorTarget target;
    ActuatorOptions options;
    bool servo = false;  ///< from add_position_actuator
};
struct AuthoredSensor
{
    SensorType type = SensorType::joint_position;
    SensorTarget target;
    SensorOptions options;
};
struct AuthoredTrack
{
    BodyId body;
    Track track;
};
struct AuthoredPair
{
    ShapeId first, second;
    PairOptions options;
};

/// Elements in the order in which they were added: an element's index is its id.
struct Authored
{
    // Options as the caller gave them, in their own structs; derived numbers exist only in the Model.
    std::string name;
    Settings settings;
    std::vector<BodyOptions> bodies;  ///< the world first
    std::vector<AuthoredJoint> joints;
    std::vector<AuthoredShape> shapes;
    std::vector<AuthoredSite> sites;
    std::vector<MaterialOptions> materials;  ///< the default first
    std::vector<MeshOptions> meshes;
    std::vector<HeightFieldOptions> height_fields;
    std::vector<AuthoredEquality> equalities;
    std::vector<AuthoredTendon> tendons;
    std::vector<AuthoredActuator> actuators;
    std::vector<AuthoredSensor> sensors;
    std::vector<Keyframe> keyframes;
    int loaded_keyframes = 0;  ///< the first of them, which came with a Model: they know its joints alone
    int loaded_joints = 0;     ///< the joints of that Model
    int loaded_actuators = 0;  ///< and its actuators
    std::vector<AuthoredTrack> tracks;
    std::vector<std::pair<BodyId, BodyId>> excludes;
    std::vector<AuthoredPair> pairs;
    LengthRangeOptions length_ranges;
    std::vector<CameraOptions> cameras;
    std::vector<LightOptions> lights;
    std::optional<HeadlightOptions> headlight;
    std::vector<TextureOptions> textures;
    std::vector<VisualMaterialOptions> visual_materials;
    /// Weights at q0 as MuJoCo's compiler finds them (see build/mujoco_weights.h), for models that come from MJCF.
    bool mujoco_weights = false;
    /// Stiffness, damping, armature and dry friction below zero are no slips: of models from MJCF, and of those that
    /// are changed.
    bool accepts_negative = false;
    std::vector<Error> mistakes;  ///< of calls that stand for several elements and could not make them
};

struct ModelBuilder::Impl : Authored
{
};

/// What a builder was told so far, for importers to look up and mend.
Authored& authored_by(ModelBuilder& builder);

}  // namespace rattleback
