// ModelBuilder: says what is there, then checks all of it and makes a Model.
#pragma once

#include <rattleback/api.h>
#include <rattleback/error.h>
#include <rattleback/model.h>
#include <rattleback/options.h>

#include <memory>

namespace rattleback RATTLEBACK_API
{

struct CableOptions
{
    std::string name;
    Pose first_frame;                                 ///< in the first body's frame; z runs along the cable
    std::optional<Pose> second_frame = std::nullopt;  ///< nothing: where the first frame is at q0
    Cable cable;
    bool active = true;
    double break_force = kUnbreakable;
    double break_torque = kUnbreakable;
};

/// A straight elastic rod of circular section, as a chain of capsules that cable joints tie.
struct RodOptions
{
    std::string name = "rod";  ///< segments and joints are called "rod 0", "rod 1", ...
    Vec3 start, end{0, 0, 1};  ///< world [m]
    int segments = 10;
    double radius = 0.01;                                ///< [m]
    double density = 1000;                               ///< of the straight cylinder from start to end [kg/m^3]
    double young = 1e7;                                  ///< E [Pa]: stretch E A / l and bend E I / l
    std::optional<double> shear_modulus = std::nullopt;  ///< G [Pa]: twist G J / l; nothing: E / 3 (incompressible)
    double damping_time = 0;                             ///< damping over stiffness [s]
    BodyId first_body, second_body;                      ///< that the ends are clamped to; none: free ends
    MaterialId material;
    bool collide = true;  ///< neighbours never touch each other
};
struct Rod
{
    std::vector<BodyId> segments;    ///< from start to end, z along the rod, origin in the middle
    std::vector<EqualityId> joints;  ///< from start to end
};

/// What an actuator pulls on; a body: adhesion at its contacts.
using ActuatorTarget = std::variant<JointId, TendonId, SiteId, BodyId>;

/// A servo: force = stiffness * (input - length) - damping * velocity.
struct PositionActuatorOptions
{
    std::string name;
    double stiffness = 1;  ///< [N/m] or [N m/rad]
    double damping = 0;
    double damping_ratio = 0;  ///< if positive, replaces damping: 1 is critical for the inertia at q0
    std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
    Range input_range;
    Range force_range;
};

/// force = gain * (input - velocity).
struct VelocityActuatorOptions
{
    std::string name;
    double gain = 1;  ///< [N s/m] or [N m s/rad]
    std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
    Range input_range;
    Range force_range;
};

struct RATTLEBACK_LOCAL Authored;  // what a builder was told; of the library's own

/// Collects the parts of a model. Ids are valid at once; mistakes are found by build(), all of them.
class ModelBuilder
{
public:
    explicit ModelBuilder(std::string name = "model");
    /// Everything of a Model, to be added to: names, ids and order of what is there stay, and without additions build()
    /// gives the same Model (fingerprint). Masses stay as they are: shapes added to a body that has a mass weigh
    /// nothing. Keyframes get the initial values of joints, actuators and kinematic bodies that are added. What is
    /// wrong with a Model that was changed by hand is said by build().
    static ModelBuilder from(const Model& model);
    ~ModelBuilder();
    ModelBuilder(ModelBuilder&&) noexcept;
    ModelBuilder& operator=(ModelBuilder&&) noexcept;

    /// dt, gravity, integrator and solver parameters of the model.
    Settings& settings();

    /// Under the world a dynamic body without joints floats freely; under another parent it is rigidly attached.
    BodyId add_body(const BodyOptions& options = {});
    JointId add_joint(BodyId body, const JointOptions& options = {});
    ShapeId add_shape(BodyId body, const Shape& shape, const ShapeOptions& options = {});
    /// A plane through the origin, normal +z, on the world.
    ShapeId add_ground(const ShapeOptions& options = {});
    SiteId add_site(BodyId body, const SiteOptions& options = {});
    MaterialId add_material(const MaterialOptions& options);
    MeshId add_mesh(MeshOptions options);
    HeightFieldId add_height_field(HeightFieldOptions options);

    // For the eye alone; ShapeOptions::visual puts a visual material on a shape.
    CameraId add_camera(const CameraOptions& options);
    LightId add_light(const LightOptions& options);
    TextureId add_texture(TextureOptions options);
    VisualMaterialId add_visual_material(const VisualMaterialOptions& options);
    void set_headlight(const HeadlightOptions& options);

    /// The bodies' points at `anchor` (in the first body's frame) stay together.
    EqualityId add_connect(BodyId first, BodyId second, const Vec3& anchor, const EqualityOptions& options = {});
    /// A point of the first body and one of the second, each in its body's frame, come together.
    EqualityId add_connect_points(BodyId first, const Vec3& first_point, BodyId second, const Vec3& second_point,
                                  const EqualityOptions& options = {});
    /// The bodies keep the relative pose they have at q0.
    EqualityId add_weld(BodyId first, BodyId second, const EqualityOptions& options = {});
    /// As add_weld, with `second_frame` (in the second body) meeting `first_frame` (in the first).
    EqualityId add_weld_frames(BodyId first, const Pose& first_frame, BodyId second, const Pose& second_frame,
                               const EqualityOptions& options = {});
    /// The frames are tied by springs of their own for stretch, shear, bend and twist.
    EqualityId add_cable(BodyId first, BodyId second, const CableOptions& options = {});
    /// Segments and cable joints of a rod. A joint stands for the length between the middles of its segments; the ones
    /// at clamped ends for half a segment, so that the rod as a whole has length over E A, and bends as E I says.
    Rod add_rod(const RodOptions& options = {});
    /// q1 - q1_0 = p0 + p1 d + p2 d^2 + p3 d^3 + p4 d^4 with d = q2 - q2_0; without a second joint d = 0.
    EqualityId add_joint_coupling(JointId first, JointId second, const std::array<double, 5>& polynomial,
                                  const EqualityOptions& options = {});
    EqualityId add_tendon_coupling(TendonId first, TendonId second, const std::array<double, 5>& polynomial,
                                   const EqualityOptions& options = {});

    /// length = sum of coefficient * q over hinges and slides.
    TendonId add_fixed_tendon(const std::vector<std::pair<JointId, double>>& joints, const TendonOptions& options = {});
    /// One stop of a spatial tendon: a site to pass through, a shape to wrap around, or a pulley when neither is valid.
    struct PathItem
    {
        SiteId site;
        double divisor = 1;  ///< pulleys only: divides the lengths of the branch that follows
        ShapeId shape;       ///< a sphere or a cylinder (taken as endless) between two sites
        /// With a shape: the path goes round it the way that first site, this one, second site do (seen from its
        /// centre); nearer to the centre than the radius: it goes through the shape. Not valid: the shorter way round.
        SiteId side_site;
    };
    TendonId add_spatial_tendon(const std::vector<PathItem>& path, const TendonOptions& options = {});

    ActuatorId add_actuator(ActuatorTarget target, const ActuatorOptions& options = {});
    /// force = input.
    ActuatorId add_motor(ActuatorTarget target, const ActuatorOptions& options = {});
    ActuatorId add_position_actuator(ActuatorTarget target, const PositionActuatorOptions& options = {});
    ActuatorId add_velocity_actuator(ActuatorTarget target, const VelocityActuatorOptions& options = {});
    ActuatorId add_muscle(ActuatorTarget target, const MuscleOptions& options = {});
    /// For muscles without a length range.
    LengthRangeOptions& length_ranges();
    /// Makes an actuator of any law a motor, force = input, so that a controller of the caller's can take its place.
    /// Name, id, target and gear stay: on a joint, torque = gear * input, as the servo's was gear * force. The input is
    /// limited as the force was; without a force range, as gain times the input was, if that was all its law; otherwise
    /// not. Bounds of the joint or tendon on its actuators stay. Gain, bias and activation go. In keyframes the input
    /// becomes the same force where the law was gain * input, and zero otherwise.
    void make_motor(ActuatorId actuator);
    /// The same for every actuator that was added so far.
    void make_motors();

    SensorId add_sensor(SensorType type, const SensorTarget& target, const SensorOptions& options = {});
    /// The same with a name alone.
    template <class Name>
        requires std::is_convertible_v<const Name&, std::string_view>
    SensorId add_sensor(SensorType type, const SensorTarget& target, const Name& name)
    {
        return add_sensor(type, target, SensorOptions{.name = std::string(std::string_view(name))});
    }
    KeyframeId add_keyframe(Keyframe keyframe);
    void add_track(BodyId body, Track track);

    /// Shapes of these two bodies never collide.
    void exclude(BodyId first, BodyId second);
    /// These two shapes collide whatever the filters say.
    void add_pair(ShapeId first, ShapeId second, const PairOptions& options = {});

    /// The Model, or every mistake at once, each with the element's name. The builder is left as it was.
    Result<Model> build() const;

private:
    RATTLEBACK_LOCAL friend Authored& authored_by(ModelBuilder& builder);
    struct Impl;
    Impl& impl() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Impl> impl_;
};

/// A warning for each mesh whose shape can touch something, collides as its convex hull (as meshes do unless their
/// `collide` says exact) and is notably smaller than that: the largest gains by name. Importers say this by themselves.
std::vector<Error> find_hull_warnings(const Model& model);

}  // namespace rattleback
