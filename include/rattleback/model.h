// Model: what is simulated, as constant flat arrays. Made by ModelBuilder or an importer, never changed afterwards.
#pragma once

#include <rattleback/api.h>
#include <rattleback/appearance.h>
#include <rattleback/cable.h>
#include <rattleback/error.h>
#include <rattleback/ids.h>
#include <rattleback/kinds.h>
#include <rattleback/math.h>
#include <rattleback/model_control.h>
#include <rattleback/model_tree.h>
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
    Vec3 magnetic_field{0, -0.5, 0};  ///< that magnetometers read [any unit]
    bool filter_parents = true;       ///< a body never touches the one that its joints attach it to, save the world
    std::array<double, 2> second_friction{-1, -1};  ///< see ShapePair, of all contacts without an explicit pair
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
    Appearance appearance;  ///< cameras, lights, visual materials, textures

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
    /// The same in O(n): a model has few cameras.
    std::optional<CameraId> find_camera(std::string_view element_name) const;

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
