// TreeView: the constants of a Model in the order and form in which the dynamics loops read them, as spans that host
// and device code take alike.
#pragma once

#include "dynamics/model_view.h"

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

/// A body that some degree of freedom moves.
struct TreeBody
{
    int body = -1;  ///< index in the Model
    int parent = 0;
    int root = 0;                        ///< body whose centre of mass is the reference point
    bool on_base = false;                ///< the root itself: its parent is the world, static or kinematic
    int base = -1;                       ///< of a root: the kinematic body that carries it; -1: it stands still
    int joint_begin = 0, joint_end = 0;  ///< in TreeView::joints
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
    Mat3 axes;    ///< of the shape in its body
    Vec3 center;  ///< of the shape in its body
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

/// Sparse rows over degrees of freedom, columns increasing.
struct SparsePattern
{
    std::span<const int> begin;  ///< [rows + 1]
    std::span<const int> dof;
};

struct TreeView
{
    const Model* model = nullptr;      ///< on the host; null on a device
    ModelView arrays;                  ///< of the Model
    std::span<const TreeBody> bodies;  ///< those with degrees of freedom on their path, parents first
    std::span<const TreeJoint> joints;
    std::span<const int> hinges;  ///< in `joints`
    std::span<const int> bodies_with_compensation;
    std::span<const int> sprung_joints;                      ///< in `joints`, stiffness not zero
    std::span<const int> yielding_joints, yielding_tendons;  ///< in `joints`, in the Model: springs that yield
    std::span<const int> kinematic_bodies;
    std::span<const int> lone_bodies;    ///< free bodies that carry no joints, sorted
    std::span<const int> fixed_on_base;  ///< bodies without dofs below a kinematic body: poses change with it
    std::span<const int> factor_begin;   ///< [v_count + 1] rows of the factor: as M's, padded to whole packs
    SparsePattern tendon;                ///< dofs of each tendon
    std::span<const int> segment_begin;  ///< [tendon_count + 1]
    std::span<const TreeSegment> segments;
    std::span<const FluidPart> fluid_parts;  ///< empty without a medium
    SparsePattern moment;                    ///< dofs of each actuator
    std::span<const int> special_actuators;  ///< of other laws than affine, on a circle, or delayed
    bool damped = false;                     ///< any joint damping
    bool curved = false;                     ///< any joint damping that is not linear
    bool velocity_forces = false;  ///< any damping of joints or tendons, any actuator that depends on velocity
};

/// Calls visit(span) for every span of the view, to move the arrays elsewhere.
template <class Visit>
void visit_arrays(TreeView& view, const Visit& visit)
{
    visit_arrays(view.arrays, visit);
    const auto all = [&](auto&... spans) { (visit(spans), ...); };
    all(view.bodies, view.joints, view.hinges, view.bodies_with_compensation, view.sprung_joints);
    all(view.yielding_joints, view.yielding_tendons);
    all(view.kinematic_bodies, view.lone_bodies, view.fixed_on_base, view.factor_begin);
    all(view.tendon.begin, view.tendon.dof, view.segment_begin, view.segments, view.fluid_parts);
    all(view.moment.begin, view.moment.dof, view.special_actuators);
}

}  // namespace rattleback
