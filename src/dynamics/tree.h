// Tree: the constants of a Model in the order and form in which the dynamics loops read them.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// A joint as the kinematics loop needs it.
struct TreeJoint
{
    JointType type = JointType::hinge;
    int joint = -1;  ///< index in the Model
    int q = 0, v = 0;
    Vec3 axis;
    Vec3 position;
    double q0 = 0;
    bool at_origin = false;  ///< anchor coincides with the body frame
};

/// The joint as it stands in the Model.
TreeJoint make_tree_joint(const Model& model, int joint);

/// A body that some degree of freedom moves.
struct TreeBody
{
    int body = -1;  ///< index in the Model
    int parent = 0;
    int root = 0;                        ///< body whose centre of mass is the reference point
    bool on_base = false;                ///< the root itself: its parent is the world, static or kinematic
    int base = -1;                       ///< of a root: the kinematic body that carries it; -1: it stands still
    int joint_begin = 0, joint_end = 0;  ///< in Tree::joints
    int v_begin = 0, v_end = 0;
    Pose pose;             ///< in the parent
    bool rotated = false;  ///< pose.rotation is not the identity
    Vec3 center;           ///< of mass, in the body frame
    Mat3 axes;             ///< principal axes in the body frame
    bool axes_rotated = false;
};

/// One segment of a spatial tendon, from one site to the next, with the places of its derivatives.
struct TreeSegment
{
    int first_site = -1, second_site = -1;
    int first_body = 0, second_body = 0;
    double scale = 1;    ///< 1 / divisor
    bool rigid = false;  ///< both ends (and the shape) on one rigid group of bodies: contributes length only
    int shape = -1;      ///< that the segment wraps around; -1: none
    int shape_body = 0;
    int side_site = -1;
    bool cylinder = false;  ///< the shape, else a sphere
    double radius = 0;
    Mat3 axes;  ///< of the shape in its body
};

/// Constants of the medium's action on one body (its inertia box) or one of its shapes (an ellipsoid).
struct FluidPart
{
    int body = -1;
    bool ellipsoid = false;
    Pose pose;                             ///< in the body frame
    Vec3 size;                             ///< full sides of the box, or semi-axes [m]
    std::array<double, 5> coefficients{};  ///< of ellipsoids, see Shapes::fluid_coefficients
    Vec3 added_mass;                       ///< of ellipsoids, per density [m^3]
    Vec3 added_inertia;                    ///< of ellipsoids, per density [m^5]
};

/// A sparse row over degrees of freedom, columns increasing.
struct SparsePattern
{
    std::vector<int> begin;  ///< [rows + 1]
    std::vector<int> dof;
};

/// Constants of the dynamics, made once per solver.
struct Tree
{
    explicit Tree(const Model& model);

    const Model* model = nullptr;
    std::vector<TreeBody> bodies;  ///< those with degrees of freedom on their path, parents first
    std::vector<TreeJoint> joints;
    std::vector<int> hinges;  ///< in `joints`
    std::vector<int> bodies_with_compensation;
    std::vector<int> sprung_joints;  ///< in `joints`, stiffness not zero
    std::vector<int> kinematic_bodies;
    std::vector<int> lone_bodies;    ///< free bodies that carry no joints, sorted
    std::vector<int> fixed_on_base;  ///< bodies without dofs below a kinematic body: poses change with it
    bool damped = false;             ///< any joint damping
    bool velocity_forces = false;    ///< any damping of joints or tendons, any actuator that depends on velocity
    std::vector<int> factor_begin;   ///< [v_count + 1] rows of the factor: as M's, padded to whole packs
    SparsePattern tendon;            ///< dofs of each tendon
    std::vector<int> segment_begin;  ///< [tendon_count + 1]
    std::vector<TreeSegment> segments;
    std::vector<FluidPart> fluid_parts;  ///< empty without a medium
    SparsePattern moment;                ///< dofs of each actuator
};

/// True when the dof moves the body.
bool moves(const Model& model, int dof, int body);

}  // namespace rattleback
