// ModelBuilder: says what is there, then checks all of it and makes a Model.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>

#include <limits>
#include <memory>

namespace rattleback
{

inline constexpr double kUnbreakable = std::numeric_limits<double>::infinity();

/// Mass properties of a body, given explicitly.
struct Inertia
{
    double mass = 0;  ///< [kg], positive
    Vec3 position;    ///< centre of mass in the body frame [m]
    Quat rotation;    ///< of the axes in which `diagonal` and `products` are written
    Vec3 diagonal;    ///< Ixx, Iyy, Izz [kg m^2]
    Vec3 products;    ///< Ixy, Ixz, Iyz [kg m^2]
};

struct BodyOptions
{
    std::string name;  ///< empty: "body N"
    BodyId parent = kWorld;
    Vec3 position;  ///< in the parent frame [m]
    Quat rotation;  ///< in the parent frame; normalised
    BodyKind kind = BodyKind::dynamic;
    std::optional<Inertia> inertia = std::nullopt;  ///< nothing: from the shapes
    double gravity_compensation = 0;                ///< 1: weightless
    Vec3 linear_velocity;   ///< initial, of the body frame's origin, world axes [m/s]; bodies with a free joint only
    Vec3 angular_velocity;  ///< initial, world axes [rad/s]; bodies with a free joint only
};

struct JointOptions
{
    std::string name;  ///< empty: "joint N"
    JointType type = JointType::hinge;
    Vec3 axis{0, 0, 1};                                     ///< hinge, slide: in the body frame, any length but zero
    Vec3 position;                                          ///< anchor in the body frame [m]
    double reference = 0;                                   ///< q at the body's authored pose (hinge [rad], slide [m])
    std::optional<double> initial_position = std::nullopt;  ///< hinge [rad], slide [m]; nothing: the reference
    double initial_velocity = 0;                            ///< hinge [rad/s], slide [m/s]
    Range range;
    double margin = 0;
    Softness limit_softness = Rigid{};
    double stiffness = 0;         ///< spring towards spring_reference
    double spring_reference = 0;  ///< hinge [rad], slide [m]; ball and free rest at the authored pose
    double damping = 0;
    double armature = 0;
    double dry_friction = 0;
    Softness dry_friction_softness = Rigid{};
    Range actuator_force_range;
    bool gravity_compensation_by_actuator = false;
    double break_force = kUnbreakable;   ///< [N]
    double break_torque = kUnbreakable;  ///< [N m]
};

struct ShapeOptions
{
    std::string name;  ///< empty: "shape N"
    Vec3 position;     ///< in the body frame [m]
    Quat rotation;
    MaterialId material;    ///< none: the default material
    double density = 1000;  ///< [kg/m^3]; shells [kg/m^2], segments [kg/m]
    double mass = -1;       ///< [kg]; negative: from density
    std::uint32_t category = 1;
    std::uint32_t mask = 1;
    double margin = 0;
    double gap = 0;
    std::array<float, 4> colour{0.6F, 0.65F, 0.7F, 1};
    int group = 0;
    std::optional<std::array<double, 5>> fluid =
        std::nullopt;  ///< see Shapes::fluid_coefficients; nothing: by the body
};

struct SiteOptions
{
    std::string name;
    Vec3 position;
    Quat rotation;
};

struct EqualityOptions
{
    std::string name;
    Softness softness = Rigid{};
    bool active = true;
    double torque_scale = 1;  ///< weld only [m]
    double break_force = kUnbreakable;
    double break_torque = kUnbreakable;
};

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

struct TendonOptions
{
    std::string name;
    Range range;
    double margin = 0;
    Softness limit_softness = Rigid{};
    double stiffness = 0;
    double damping = 0;
    double dry_friction = 0;
    Softness dry_friction_softness = Rigid{};
    double armature = 0;
    std::array<double, 2> spring_length{-1, -1};  ///< negative: the length where joint springs rest
    Range actuator_force_range;
};

/// What an actuator pulls on.
using ActuatorTarget = std::variant<JointId, TendonId, SiteId>;

struct ActuatorOptions
{
    std::string name;
    std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
    std::array<double, 3> gain{1, 0, 0};
    std::array<double, 3> bias{0, 0, 0};
    ActuatorDynamics dynamics = ActuatorDynamics::none;
    double time_constant = 1;
    Range input_range;
    Range force_range;
    Range act_range;
    bool act_early = false;
    bool in_parent = false;  ///< ball and free joints: torque in the parent's axes
    /// If positive, bias[2] becomes -2 ratio sqrt(gain[0] m): 1 is critical for the inertia m that it feels at q0.
    double damping_ratio = 0;
};

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

/// What a sensor watches: a joint, or a frame (body or site).
using SensorTarget = std::variant<JointId, BodyId, SiteId>;

struct PairOptions
{
    MaterialId material;  ///< none: combined from the shapes
    double margin = 0;
    double gap = 0;
    std::array<double, 2> second_friction{-1, -1};  ///< see ShapePair
    std::array<double, 2> friction_solref{0, 0};    ///< see ShapePair
};

/// Collects the parts of a model. Ids are valid at once; mistakes are found by build(), all of them.
class ModelBuilder
{
public:
    explicit ModelBuilder(std::string name = "model");
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

    SensorId add_sensor(SensorType type, SensorTarget target, std::string name = {});
    KeyframeId add_keyframe(Keyframe keyframe);
    void add_track(BodyId body, Track track);

    /// Shapes of these two bodies never collide.
    void exclude(BodyId first, BodyId second);
    /// These two shapes collide whatever the filters say.
    void add_pair(ShapeId first, ShapeId second, const PairOptions& options = {});

    /// The Model, or every mistake at once, each with the element's name. The builder is left as it was.
    Result<Model> build() const;

private:
    struct Impl;
    Impl& impl() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Impl> impl_;
};

/// A warning for each mesh whose shape can touch something, collides as its convex hull (as meshes do unless their
/// `collide` says exact) and is notably smaller than that: the largest gains by name. Importers say this by themselves.
std::vector<Error> find_hull_warnings(const Model& model);

}  // namespace rattleback
