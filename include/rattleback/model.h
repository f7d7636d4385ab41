// Model: what is simulated, as constant flat arrays. Made by ModelBuilder or an importer, never changed afterwards.
#pragma once

#include <rattleback/api.h>
#include <rattleback/cable.h>
#include <rattleback/error.h>
#include <rattleback/ids.h>
#include <rattleback/kinds.h>
#include <rattleback/math.h>
#include <rattleback/shapes.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// A closed interval that may be switched off.
struct Range
{
    bool limited = false;
    double lower = 0;
    double upper = 0;

    friend bool operator==(const Range&, const Range&) = default;
};

/// Value of a solver parameter.
using ParameterValue = std::variant<bool, int, double, std::string>;
using Parameters = std::map<std::string, ParameterValue, std::less<>>;

/// The fluid around the bodies; without density and viscosity there is none.
struct Medium
{
    double density = 0;    ///< [kg/m^3]
    double viscosity = 0;  ///< [Pa s]
    Vec3 wind;             ///< velocity of the fluid [m/s]

    friend bool operator==(const Medium&, const Medium&) = default;
};

/// What the author of a model asks of a run; SimulationOptions override it.
struct Settings
{
    double dt = 0.002;          ///< timestep [s]
    Vec3 gravity{0, 0, -9.81};  ///< [m/s^2]
    Integrator integrator = Integrator::midpoint;
    std::string solver;  ///< name of the solver that "auto" takes; empty: whichever fits, see choose_solver
    std::map<std::string, Parameters, std::less<>> solver_parameters;  ///< by solver name
    Medium medium;
};

/// Bodies, [body_count]. Body 0 is the world; a parent comes before its children.
struct Bodies
{
    std::vector<std::string> name;
    std::vector<int> parent;  ///< -1 for the world
    std::vector<BodyKind> kind;
    std::vector<Pose> pose;                    ///< body frame in the parent frame, joints at their reference
    std::vector<double> mass;                  ///< [kg]
    std::vector<Vec3> inertia;                 ///< principal moments [kg m^2]
    std::vector<Pose> inertial_pose;           ///< centre of mass and principal axes in the body frame
    std::vector<double> gravity_compensation;  ///< fraction of the weight that is held up
    std::vector<int> joint_begin;              ///< [body_count + 1] into joints_of_body
    std::vector<int> joints_of_body;           ///< [joint_count], each body's joints in the order they act
    std::vector<int> v_begin, v_count;         ///< degrees of freedom of the body's own joints, contiguous
    std::vector<int> last_dof;                 ///< last dof that moves this body: its own or an ancestor's; -1: none
    std::vector<int> root;             ///< topmost ancestor (or itself) with dofs; 0: nothing moves it by joints
    std::vector<int> weld;             ///< the ancestor (or itself) with joints that it is rigidly attached to
    std::vector<int> shape_begin;      ///< [body_count + 1] into shapes_of_body
    std::vector<int> shapes_of_body;   ///< [shape_count]
    std::vector<int> kinematic_index;  ///< row in Control::targets; -1: not kinematic
    std::vector<int> track;            ///< index into Model::tracks; -1: none
    std::vector<double> subtree_mass;  ///< [kg]
    std::vector<std::array<double, 2>> inverse_weight;  ///< MuJoCo's body_invweight0 [1/kg, 1/(kg m^2)]
};

/// Joints, [joint_count], in the order added; automatic free joints last. q and v are laid out body by body.
struct Joints
{
    std::vector<std::string> name;
    std::vector<JointType> type;
    std::vector<int> body;
    std::vector<int> q_begin, v_begin;
    std::vector<Vec3> position;  ///< anchor in the body frame [m]
    std::vector<Vec3> axis;      ///< unit, in the body frame
    std::vector<Range> range;    ///< [rad] or [m]; ball: upper is the largest angle
    std::vector<double> margin;  ///< distance at which the limit becomes active
    std::vector<Softness> limit_softness;
    std::vector<double> stiffness;                      ///< [N/m] or [N m/rad]
    std::vector<Range> actuator_force_range;            ///< bound on the sum of actuator forces [N] or [N m]
    std::vector<int> gravity_compensation_by_actuator;  ///< 1: compensation counts as actuator force
    std::vector<double> break_force, break_torque;      ///< infinite: unbreakable
};

/// Degrees of freedom, [v_count].
struct Dofs
{
    std::vector<int> body, joint;
    std::vector<int> parent;           ///< previous dof on the path to the root; -1: none
    std::vector<double> armature;      ///< added to the diagonal of M [kg] or [kg m^2]
    std::vector<double> damping;       ///< [N s/m] or [N m s/rad]
    std::vector<double> dry_friction;  ///< largest friction force [N] or [N m]
    std::vector<Softness> dry_friction_softness;
    std::vector<double> inertia;         ///< diagonal of M at q0
    std::vector<double> inverse_weight;  ///< MuJoCo's dof_invweight0

    // The lower triangle of M in rows: row i holds the columns of i's ancestors in increasing order, then i itself.
    std::vector<int> row_begin;  ///< [v_count + 1] into row_column
    std::vector<int> row_column;
};

/// Shapes, [shape_count].
struct Shapes
{
    std::vector<std::string> name;
    std::vector<ShapeType> type;
    std::vector<int> body;
    std::vector<Pose> pose;  ///< in the body frame
    std::vector<Vec3> size;  ///< sphere r; capsule, cylinder r, half length; box, ellipsoid half sizes
    std::vector<int> asset;  ///< mesh or height field; -1: none
    std::vector<MeshCollide> mesh_collide;
    std::vector<MeshMass> mesh_mass;
    std::vector<int> material;
    std::vector<std::uint32_t> category, mask;  ///< collide if (category1 & mask2) or (category2 & mask1)
    std::vector<double> margin, gap;            ///< contacts exist below margin + gap, act below margin [m]
    std::vector<double> mass;                   ///< as authored; negative: from density
    std::vector<double> density;
    std::vector<double> bounding_radius;       ///< about the shape's origin [m]; infinite for planes
    std::vector<std::array<float, 4>> colour;  ///< red, green, blue, opacity
    std::vector<int> group;                    ///< for display
    std::vector<int> fluid;                    ///< 1: the medium acts on this shape's ellipsoid, not on its body's box
    std::vector<std::array<double, 5>>
        fluid_coefficients;                            ///< blunt and slender drag, angular drag, Kutta, Magnus lift
    std::vector<Vec3> surface_velocity, surface_spin;  ///< [m/s], [rad/s], see ShapeOptions
};

/// A frame on a body, [site_count].
struct Sites
{
    std::vector<std::string> name;
    std::vector<int> body;
    std::vector<Pose> pose;  ///< in the body frame
};

/// Equality constraints, [equality_count].
struct Equalities
{
    std::vector<std::string> name;
    std::vector<EqualityType> type;
    std::vector<int> first, second;               ///< bodies, joints or tendons; second -1: a constant (not for bodies)
    std::vector<Pose> first_frame, second_frame;  ///< connect, weld, cable: the frames that meet, in the bodies' frames
    std::vector<double> torque_scale;             ///< weld: weight of rotation against translation [m]
    std::vector<std::array<double, 5>> polynomial;
    std::vector<Softness> softness;
    std::vector<int> active;  ///< at first, see Control::equality_active
    std::vector<double> break_force, break_torque;
    std::vector<Cable> cable;  ///< cables only
};

/// One stop on a tendon's way.
struct TendonItem
{
    int joint = -1;    ///< fixed tendons: the joint
    int site = -1;     ///< spatial tendons: the site to pass through; -1: a shape or a pulley
    double value = 0;  ///< fixed: coefficient; pulley: divisor of what follows
    int shape = -1;    ///< spatial tendons: the sphere or (endless) cylinder between two sites to wrap around
    /// Of a shape: the path passes on this site's side, or through the shape if the site is inside; -1: the shorter.
    int side_site = -1;
};

/// Tendons, [tendon_count].
struct Tendons
{
    std::vector<std::string> name;
    std::vector<TendonType> type;
    std::vector<int> item_begin;  ///< [tendon_count + 1] into items
    std::vector<TendonItem> items;
    std::vector<Range> range;  ///< limits of the length
    std::vector<double> margin;
    std::vector<Softness> limit_softness;
    std::vector<double> stiffness, damping, dry_friction, armature;
    std::vector<Softness> dry_friction_softness;
    std::vector<std::array<double, 2>> spring_length;  ///< no force between the two [m]
    std::vector<double> length;                        ///< at q0
    std::vector<double> inverse_weight;                ///< J M^-1 J^T at q0
    std::vector<Range> actuator_force_range;
};

/// Actuators, [actuator_count]: force = gain * (input or activation) + bias,
/// gain = g0 + g1 length + g2 velocity, bias = b0 + b1 length + b2 velocity.
struct Actuators
{
    std::vector<std::string> name;
    std::vector<TransmissionType> transmission;
    std::vector<int> target;  ///< joint, tendon or site
    std::vector<std::array<double, 6>> gear;
    std::vector<std::array<double, 3>> gain, bias;
    std::vector<ActuatorDynamics> dynamics;
    std::vector<double> time_constant;  ///< of the filters [s]
    std::vector<int> act_begin;         ///< index into State::act; -1: none
    std::vector<Range> input_range, force_range, act_range;
    std::vector<int> act_early;  ///< 1: the force uses the activation at the end of the step
    std::vector<int> active;     ///< at first, see Control::actuator_active
};

/// Sensors, [sensor_count].
struct Sensors
{
    std::vector<std::string> name;
    std::vector<SensorType> type;
    std::vector<int> joint;  ///< -1 where the sensor is on a frame
    std::vector<int> body;   ///< frame sensors: the body
    std::vector<Pose> pose;  ///< frame sensors: the frame in the body
    std::vector<int> begin;  ///< first number in the sensor values
};

/// A state to start from.
struct Keyframe
{
    std::string name;
    double time = 0;
    std::vector<double> q, v, act, ctrl;  ///< sizes of the model, or empty: the initial values
    std::vector<Pose> targets;            ///< of kinematic bodies; or empty
};

/// A pair of shapes that collides whatever the filters say, with its own surface.
struct ShapePair
{
    int first = -1, second = -1;
    int material = -1;  ///< -1: combined from the two shapes
    double margin = 0, gap = 0;
    std::array<double, 2> second_friction{
        -1, -1};  ///< sliding and rolling along the second tangent; negative: as the first
    std::array<double, 2> friction_solref{0, 0};  ///< of the friction of elliptic cones; zero: the material's solref
};

/// Poses over time: linear in position, shortest arc in rotation, constant outside.
struct Track
{
    std::vector<double> times;  ///< [s], increasing
    std::vector<Pose> poses;
};

struct Polyhedron;

/// Convex hulls of meshes, made by build() and shared by copies of a model. What is in them is the library's own.
class Hulls
{
public:
    Hulls() = default;
    explicit Hulls(std::shared_ptr<const std::vector<Polyhedron>> items) : items_(std::move(items)) {}

    std::size_t size() const;
    const Polyhedron& operator[](std::size_t index) const;

private:
    std::shared_ptr<const std::vector<Polyhedron>> items_;  ///< null: none
};

struct TriangleSurfaces;

/// The triangles of meshes and height fields that collide as they are, made by build() and shared by copies of a model.
/// What is in them is the library's own.
class Surfaces
{
public:
    Surfaces() = default;
    explicit Surfaces(std::shared_ptr<const TriangleSurfaces> items) : items_(std::move(items)) {}

    /// Null: none.
    const TriangleSurfaces* get() const { return items_.get(); }

private:
    std::shared_ptr<const TriangleSurfaces> items_;
};

/// Everything that is constant in a simulation.
struct Model
{
    std::string name;
    Settings settings;
    Bodies bodies;
    Joints joints;
    Dofs dofs;
    Shapes shapes;
    std::vector<MaterialOptions> materials;  ///< at least one, the default
    std::vector<MeshOptions> meshes;
    Hulls hulls;  ///< [mesh_count]; empty ones where no shape collides as the mesh's hull
    std::vector<HeightFieldOptions> height_fields;
    Surfaces surfaces;  ///< of meshes that collide exactly, of surfaces and height fields
    Sites sites;
    Equalities equalities;
    Tendons tendons;
    Actuators actuators;
    Sensors sensors;
    std::vector<Keyframe> keyframes;
    std::vector<ShapePair> pairs;
    std::vector<std::pair<int, int>> excluded_bodies;  ///< pairs of bodies that do not collide, sorted
    std::vector<Track> tracks;
    std::vector<double> q0;                    ///< reference: coordinates at the authored pose (MuJoCo's qpos0)
    std::vector<double> initial_q, initial_v;  ///< where a simulation starts
    std::vector<double> spring_q;              ///< coordinates at which joint springs rest
    double mean_inertia = 1;                   ///< mean diagonal of M at q0
    std::vector<int> level_begin;              ///< [levels + 1] into level_bodies: bodies at equal depth
    std::vector<int> level_bodies;

    int body_count() const { return static_cast<int>(bodies.parent.size()); }
    int joint_count() const { return static_cast<int>(joints.type.size()); }
    int shape_count() const { return static_cast<int>(shapes.type.size()); }
    int site_count() const { return static_cast<int>(sites.body.size()); }
    int tendon_count() const { return static_cast<int>(tendons.type.size()); }
    int actuator_count() const { return static_cast<int>(actuators.target.size()); }
    int sensor_count() const { return static_cast<int>(sensors.type.size()); }
    int equality_count() const { return static_cast<int>(equalities.type.size()); }
    int q_count() const { return static_cast<int>(q0.size()); }
    int v_count() const { return static_cast<int>(dofs.body.size()); }
    int act_count = 0;
    int kinematic_count = 0;
    int sensor_value_count = 0;

    // By name, in O(log n); nothing when there is no such element.
    std::optional<BodyId> find_body(std::string_view element_name) const;
    std::optional<JointId> find_joint(std::string_view element_name) const;
    std::optional<ShapeId> find_shape(std::string_view element_name) const;
    std::optional<SiteId> find_site(std::string_view element_name) const;
    std::optional<TendonId> find_tendon(std::string_view element_name) const;
    std::optional<ActuatorId> find_actuator(std::string_view element_name) const;
    std::optional<SensorId> find_sensor(std::string_view element_name) const;
    std::optional<KeyframeId> find_keyframe(std::string_view element_name) const;

    /// Elements sorted by name, one list per kind; filled by build().
    struct NameIndex
    {
        std::vector<int> bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes;
    } name_index;
};

/// Everything that is wrong with a model that was changed by hand, naming the array and the element; nothing for one
/// that build() made. First sizes of arrays, then (if those are right) indices, then numbers.
std::vector<Error> validate(const Model& model);

/// Bits that differ when any number, name or size of two models differs; equal for equal models on every machine.
std::uint64_t fingerprint(const Model& model);

}  // namespace rattleback
