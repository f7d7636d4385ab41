// The bodies of a Model and what moves and surrounds them: joints, degrees of freedom, shapes, sites.
#pragma once

#include <rattleback/api.h>
#include <rattleback/kinds.h>
#include <rattleback/math.h>
#include <rattleback/shapes.h>

#include <array>
#include <cstdint>
#include <string>
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
    std::vector<SleepPolicy> sleep;            ///< of the tree that the body is the root of
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
    std::vector<double> stiffness;                            ///< [N/m] or [N m/rad]
    std::vector<std::array<double, 2>> stiffness_polynomial;  ///< of x^2 and x^3, see JointOptions
    std::vector<double> spring_yield;                         ///< [m] or [rad]; 0: elastic
    std::vector<int> plastic_begin;           ///< in State::act: by how much the spring's rest has moved; -1: elastic
    std::vector<Range> actuator_force_range;  ///< bound on the sum of actuator forces [N] or [N m]
    std::vector<int> gravity_compensation_by_actuator;  ///< 1: compensation counts as actuator force
    std::vector<double> break_force, break_torque;      ///< infinite: unbreakable
};

/// Degrees of freedom, [v_count].
struct Dofs
{
    std::vector<int> body, joint;
    std::vector<int> parent;                                ///< previous dof on the path to the root; -1: none
    std::vector<double> armature;                           ///< added to the diagonal of M [kg] or [kg m^2]
    std::vector<double> damping;                            ///< [N s/m] or [N m s/rad]
    std::vector<std::array<double, 2>> damping_polynomial;  ///< of v |v| and v^3
    std::vector<double> dry_friction;                       ///< largest friction force [N] or [N m]
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
    std::vector<Pose> pose;       ///< in the body frame
    std::vector<ShapeType> type;  ///< of the volume that touch, contact and inside_site sensors watch
    std::vector<Vec3> size;       ///< as of shapes
};

}  // namespace rattleback
