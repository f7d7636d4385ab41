// Options: what the author of a model says about each element. The tables in src/model/fields name every field once.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model.h>

#include <limits>

namespace rattleback RATTLEBACK_API
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
    SleepPolicy sleep = SleepPolicy::automatic;     ///< of the tree; moving children of the world only
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
    double stiffness = 0;  ///< spring towards spring_reference: force -(k x + a x^2 + b x^3)
    std::array<double, 2> stiffness_polynomial{0, 0};  ///< a, b; ball and free: x is the distance or angle
    double spring_reference = 0;  ///< hinge [rad], slide [m]; ball and free rest at the authored pose
    double spring_yield = 0;      ///< displacement beyond which the spring rests elsewhere from then on; 0: elastic
    double damping = 0;           ///< force -(d v + a v |v| + b v^3)
    std::array<double, 2> damping_polynomial{0, 0};  ///< a, b
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
    // The surface runs while the body stays, as a conveyor belt does or a turntable: friction acts against a velocity
    // that is surface_velocity + surface_spin x (point - origin of the shape). What is normal to a contact has no
    // effect. At first: see Control::surface_velocity.
    Vec3 surface_velocity;                   ///< in the shape's frame [m/s]
    Vec3 surface_spin;                       ///< about the shape's origin, in its frame [rad/s]
    VisualMaterialId visual;                 ///< none: `colour` alone
    std::array<double, 2> plane_size{0, 0};  ///< of planes: half sizes that are seen, see ShapeLook
};

struct SiteOptions
{
    std::string name;
    Vec3 position;
    Quat rotation;
    ShapeType type = ShapeType::sphere;  ///< sphere, capsule, cylinder, box or ellipsoid: a volume for sensors
    Vec3 size{0.005, 0.005, 0.005};      ///< as of shapes [m]
};

struct EqualityOptions
{
    std::string name;
    Softness softness = Rigid{};
    bool active = true;       ///< at first, see Control::equality_active
    double torque_scale = 1;  ///< weld only [m]
    double break_force = kUnbreakable;
    double break_torque = kUnbreakable;
};

struct TendonOptions
{
    std::string name;
    Range range;
    double margin = 0;
    Softness limit_softness = Rigid{};
    double stiffness = 0;                              ///< as of joints
    std::array<double, 2> stiffness_polynomial{0, 0};  ///< as of joints
    double damping = 0;
    std::array<double, 2> damping_polynomial{0, 0};  ///< as of joints
    double dry_friction = 0;
    Softness dry_friction_softness = Rigid{};
    double armature = 0;
    std::array<double, 2> spring_length{-1, -1};  ///< negative: the length where joint springs rest
    double spring_yield = 0;                      ///< as of joints, beyond spring_length [m]
    Range actuator_force_range;
};

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
    bool active = true;      ///< at first, see Control::actuator_active
    bool in_parent = false;  ///< ball and free joints: torque in the parent's axes
    /// If positive, bias[2] becomes -2 ratio sqrt(gain[0] m): 1 is critical for the inertia m that it feels at q0.
    double damping_ratio = 0;
    SiteId reference;         ///< of a site: what its pose is measured from, or the slider of a crank
    double crank_length = 0;  ///< positive: the target site is a crank's pin, joined to the reference by a rod [m]
    ActuatorLaw gain_law = ActuatorLaw::affine, bias_law = ActuatorLaw::affine;
    std::array<double, 10> gain_parameters{}, bias_parameters{}, dynamics_parameters{};  ///< see Actuators
    int inputs = 0;                                                                      ///< see Actuators
    Range length_range;    ///< of the transmission; muscles without one get what they reach, see LengthRangeOptions
    double delay = 0;      ///< [s]
    int sample_count = 0;  ///< a delay needs at least one, and reaches as far as sample_count steps
    Interpolation interpolation = Interpolation::hold;
};

/// A muscle ([MuJoCo], "Muscle actuators"): pulls by curves of force over length and velocity. Lengths are in units of
/// the optimal length, at which the active force is largest.
struct MuscleOptions
{
    std::string name;
    std::array<double, 2> time_constants{0.01, 0.04};  ///< of rise and fall of the activation [s]
    double smoothing = 0;                              ///< width of the change between them, in units of the input
    std::array<double, 2> range{0.75, 1.05};           ///< lengths at the ends of the length range
    double force = -1;                                 ///< peak [N]; negative: `scale` over the acceleration of 1 N
    double scale = 200;
    double lmin = 0.5, lmax = 1.6;  ///< where the active force ends
    double vmax = 1.5;              ///< speed of shortening without force [1/s]
    double fpmax = 1.3;             ///< passive force at lmax, over the peak
    double fvmax = 1.2;             ///< force at fast lengthening, over the peak
    double gear = 1;
    Range length_range;  ///< of the transmission [m, rad]
};

/// How build() finds the lengths that the transmission of a muscle can reach: by pulling and pushing at q0, with limits
/// alone ([MuJoCo], "Length range"). Where an equality is active at first the muscle needs a length range of its own.
struct LengthRangeOptions
{
    bool use_limits = false;   ///< take the range of the joint or tendon where it has one
    double acceleration = 20;  ///< norm of that which the force gives [m/s^2, rad/s^2]
    double max_force = 0;      ///< norm of joint forces [N, N m]; 0: unbounded
    double time_constant = 1;  ///< with which velocities fade [s]
    double dt = 0.01;          ///< [s]
    double duration = 10;      ///< [s]
    double interval = 2;       ///< at the end of it, in which lengths are taken [s]
    double tolerance = 0.05;   ///< largest change of the length there, over the range
};

/// Centre of mass and principal axes of a body.
struct InertialFrame
{
    BodyId body;
};
/// A body and all that it carries.
struct Subtree
{
    BodyId body;
};
/// A frame on a body that looks along its -z axis, y up.
struct CameraFrame
{
    BodyId body;
    Pose pose;
};
/// What a sensor watches: nothing (energies, clock, all contacts), or one of these.
using SensorTarget = std::variant<std::monostate, JointId, BodyId, SiteId, TendonId, ActuatorId, ShapeId, InertialFrame,
                                  Subtree, CameraFrame, CameraId>;

/// A point of a tactile sensor and two directions along its skin, in the frame of the shape; zero: no directions.
using Taxel = std::array<Vec3, 3>;

struct SensorOptions
{
    std::string name;
    /// Frame of reference; the site of inside_site and enclosure; the camera of camera_projection; the other side of
    /// distances and contacts.
    SensorTarget reference = {};
    /// If positive, values stay between -cutoff and cutoff (those that are never negative below it); for distances the
    /// farthest that is looked at, zero included [m].
    double cutoff = 0;
    double noise = 0;  ///< standard deviation, for SimulationOptions::sensor_noise
    int fields = 1;    ///< rangefinder, contact: sum of RayField or ContactField
    int count = 1;     ///< contact: slots; user: numbers; tactile: taxels, by themselves
    std::vector<Taxel> taxels = {};
    SensorReduce reduce = SensorReduce::none;
    std::array<int, 2> resolution{0, 0};    ///< of a camera: width and height [pixels]
    std::array<double, 2> focal{0, 0};      ///< of a camera [pixels]; orthographic [pixels/m]
    std::array<double, 2> principal{0, 0};  ///< where its axis meets the image, from the top left [pixels]
    bool orthographic = false;
    int samples = 0;  ///< that are kept for `delay` and `interval`
    Interpolation interpolation = Interpolation::hold;
    double delay = 0;                      ///< values are those of so long ago [s]
    std::array<double, 2> interval{0, 0};  ///< period of measurement [s], 0: every step; and its phase, -period to 0
};

struct PairOptions
{
    MaterialId material;  ///< none: combined from the shapes
    double margin = 0;
    double gap = 0;
    std::array<double, 2> second_friction{-1, -1};  ///< see ShapePair
    std::array<double, 2> friction_solref{0, 0};    ///< see ShapePair
};

}  // namespace rattleback
