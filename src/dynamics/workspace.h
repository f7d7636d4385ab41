// Workspace: scratch arrays of the dynamics of one world (T = double or float), a pack of worlds (Pack4, Pack8), or one
// world with derivatives (DualPack).
#pragma once

#include "dynamics/tree.h"
#include "math/broadcast.h"
#include "math/dual.h"
#include "math/spatial.h"

#include <rattleback/control.h>
#include <rattleback/state.h>
#include <rattleback/world_parameters.h>

#include <cstddef>

namespace rattleback
{

/// A span that stays where it was placed: an assignment would look like a copy of numbers, and be none.
template <class T>
struct Slice : std::span<T>
{
    Slice() = default;
    Slice(const Slice&) = default;
    Slice& operator=(const Slice&) = delete;
    RB_HD void place(T* first, std::size_t count) { std::span<T>::operator=(std::span<T>(first, count)); }
};

/// Where the arrays are; what all functions of the dynamics take, on the host and on a device. World axes; spatial
/// quantities about the centre of mass of the tree's root body.
template <class T>
struct WorkspaceView
{
    // inputs
    Slice<T> q, v, act;
    Slice<T> input, joint_force;
    Slice<Force<T>> wrench;   ///< [body], at the centre of mass
    bool has_wrench = false;  ///< some wrench of some world is not zero
    Slice<T> actuator_on;     ///< [actuator] 1, or 0 in worlds where it is switched off
    double stage_offset = 0;  ///< since the begin of the step, where a stage of the integrator looks [s]
    bool has_off = false;     ///< some actuator of some world is switched off; else `actuator_on` is not read

    // parameters of the worlds; at first the Model's
    Slice<Vector3<T>> gravity;         ///< [1]
    Slice<T> force_law;                ///< [actuator][6] gain and bias
    Slice<T> mass;                     ///< [body]
    Slice<Vector3<T>> moments;         ///< [body] principal
    Slice<T> body_weight;              ///< [body][2] inverse weights
    Slice<T> dof_inertia, dof_weight;  ///< [v_count]
    Slice<T> tendon_weight;            ///< [tendon]
    bool own_mass = false;             ///< masses, and what follows from them, are not the Model's

    // position stage: kinematics
    Slice<Vector3<T>> position;          ///< [body]
    Slice<Quaternion<T>> rotation;       ///< [body]
    Slice<Matrix3<T>> matrix;            ///< [body]
    Slice<Vector3<T>> center;            ///< [body] centre of mass
    Slice<Quaternion<T>> turned;         ///< [tree joint] of hinges
    Slice<Vector3<T>> anchor, axis;      ///< [tree joint]
    Slice<Motion<T>> dof;                ///< [v_count] motion per unit velocity
    Slice<SpatialInertia<T>> inertia;    ///< [body]
    Slice<SpatialInertia<T>> composite;  ///< [body] of the subtree
    Slice<T> mass_matrix;                ///< lower triangle in the pattern of Dofs::row_column
    Slice<T> factor;         ///< LᵀDL in rows Tree::factor_begin: unit L before the diagonal; the rest is not read
    Slice<T> inverse_pivot;  ///< [v_count] 1 / D
    Slice<T> tendon_length, tendon_velocity, tendon_force;
    Slice<T> tendon_jacobian;  ///< in Tree::tendon
    Slice<T> actuator_length, actuator_velocity, actuator_force;
    Slice<T> moment;                   ///< in Tree::moment
    Slice<T> force_rate, force_slope;  ///< [actuator] d force / d velocity and / d length, zero when clamped

    // velocity stage
    Slice<Motion<T>> velocity;                   ///< [body]
    Slice<Motion<T>> acceleration;               ///< [body] without the joints' own accelerations, gravity included
    Slice<Force<T>> force;                       ///< [body]
    Slice<T> bias, passive, actuation, applied;  ///< [v_count]
    Slice<T> total;                              ///< passive + actuation + applied - bias
    Slice<T> qacc;                               ///< [v_count] joint acceleration
    Slice<T> act_rate;                           ///< [act_count]

    // motion of kinematic bodies
    Slice<Motion<T>> base_velocity;      ///< [body] at the body's centre of mass
    Slice<Motion<T>> base_acceleration;  ///< [body]

    const TreeView* tree = nullptr;
};

/// Calls visit(array, length) for every array of the view.
template <class T, class Visit>
RB_HD void visit_arrays(const TreeView& tree, WorkspaceView<T>& w, const Visit& visit)
{
    // one list for clearing, laying out and moving: an array that is added here is everywhere
    const auto all = [&](int length, auto&... arrays) { (visit(arrays, static_cast<std::size_t>(length)), ...); };
    const ModelView& model = tree.arrays;
    const int dofs = model.v_count(), bodies = model.body_count();
    const int joints = static_cast<int>(tree.joints.size());
    // Order does not matter, but it is the order in memory: arrays of one stage near each other.
    all(model.q_count, w.q);
    all(model.act_count, w.act, w.act_rate);
    all(dofs, w.v, w.joint_force, w.inverse_pivot, w.bias, w.passive, w.actuation, w.applied, w.total, w.qacc, w.dof);
    all(model.actuator_count(), w.input, w.actuator_on, w.actuator_length, w.actuator_velocity, w.actuator_force,
        w.force_rate, w.force_slope);
    all(model.tendon_count(), w.tendon_length, w.tendon_velocity, w.tendon_force);
    all(bodies, w.position, w.rotation, w.matrix, w.center, w.inertia, w.composite);
    all(bodies, w.velocity, w.acceleration, w.force, w.wrench, w.base_velocity, w.base_acceleration);
    all(joints, w.turned, w.anchor, w.axis);
    all(1, w.gravity);
    all(6 * model.actuator_count(), w.force_law);
    all(bodies, w.mass, w.moments);
    all(2 * bodies, w.body_weight);
    all(dofs, w.dof_inertia, w.dof_weight);
    all(model.tendon_count(), w.tendon_weight);
    all(static_cast<int>(model.dofs.row_column.size()), w.mass_matrix);
    all(tree.factor_begin[tree.factor_begin.size() - 1], w.factor);
    all(static_cast<int>(tree.tendon.dof.size()), w.tendon_jacobian);
    all(static_cast<int>(tree.moment.dof.size()), w.moment);
}

/// Lays the arrays of one workspace out in a slab of memory, each at a multiple of 64 bytes. With a null `slab` only
/// the returned size [bytes] means something. The arrays are not initialised.
template <class T>
RB_HD std::size_t lay_out(const TreeView& tree, std::byte* slab, WorkspaceView<T>& w)
{
    std::size_t offset = 0;
    // Cache lines, and wide enough for any pack.
    const auto place = [&]<class Item>(Slice<Item>& array, std::size_t length)
    {
        // a dry run counts the bytes
        if (slab) array.place(reinterpret_cast<Item*>(slab + offset), length);
        // the next array begins at a cache line
        offset += (length * sizeof(Item) + 63) / 64 * 64;
    };
    visit_arrays(tree, w, place);
    w.tree = &tree;
    return offset;
}

/// Poses of static bodies: once, they never change.
template <class T>
RB_HD void place_static_bodies(WorkspaceView<T>& w)
{
    const BodiesView& bodies = w.tree->arrays.bodies;
    // The world itself stands at the origin.
    w.matrix[0] = to_matrix(Quaternion<T>{});
    for (int b = 1; b < w.tree->arrays.body_count(); ++b)
    {
        // What a kinematic body carries is placed here as well, and moved by place_kinematic_bodies in every step.
        if (bodies.last_dof[b] >= 0) continue;
        // parents before children: the parent's pose is final
        const int p = bodies.parent[b];
        const Pose& pose = bodies.pose[b];
        w.position[b] = w.position[p] + w.matrix[p] * broadcast<T>(pose.position);
        w.rotation[b] = w.rotation[p] * broadcast<T>(pose.rotation);
        w.matrix[b] = to_matrix(w.rotation[b]);
        w.center[b] = w.position[b] + w.matrix[b] * broadcast<T>(bodies.inertial_pose[b].position);
    }
}

/// Gives all worlds the parameters of the Model.
template <class T>
RB_HD void take_model_parameters(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    const auto fill = [](std::span<const double> values, Slice<T>& list)
    {
        for (std::size_t i = 0; i < values.size(); ++i) list[i] = T(values[i]);
    };
    w.gravity[0] = broadcast<T>(model.gravity);
    // Gain and bias of an actuator side by side, as per-world parameters come.
    for (std::size_t a = 0; a < model.actuators.gain.size(); ++a)
    {
        for (std::size_t k = 0; k < 3; ++k)
        {
            w.force_law[6 * a + k] = T(model.actuators.gain[a][k]);
            w.force_law[6 * a + 3 + k] = T(model.actuators.bias[a][k]);
        }
    }
    fill(model.bodies.mass, w.mass);
    for (std::size_t b = 0; b < model.bodies.inertia.size(); ++b) w.moments[b] = broadcast<T>(model.bodies.inertia[b]);
    for (std::size_t b = 0; b < model.bodies.inverse_weight.size(); ++b)
    {
        for (std::size_t k = 0; k < 2; ++k) w.body_weight[2 * b + k] = T(model.bodies.inverse_weight[b][k]);
    }
    fill(model.dofs.inertia, w.dof_inertia);
    fill(model.dofs.inverse_weight, w.dof_weight);
    fill(model.tendons.inverse_weight, w.tendon_weight);
    w.own_mass = false;
}

/// Fresh arrays: zeros, rotations that turn nothing, static bodies in their places, the Model's parameters.
template <class T>
RB_HD void clear(WorkspaceView<T>& w)
{
    const auto reset = []<class Item>(Slice<Item>& array, std::size_t)
    {
        for (std::size_t i = 0; i < array.size(); ++i) array[i] = Item{};
    };
    visit_arrays(*w.tree, w, reset);
    place_static_bodies(w);
    take_model_parameters(w);
}

/// Owner of the memory that its own view shows: one slab, allocated by the constructor.
template <class T>
struct Workspace : WorkspaceView<T>
{
    explicit Workspace(const TreeView& source)
    {
        // sizes first, then one allocation for all
        slab_.resize(lay_out<T>(source, nullptr, *this) / sizeof(Line));
        lay_out<T>(source, reinterpret_cast<std::byte*>(slab_.data()), *this);
        clear<T>(*this);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

private:
    struct alignas(64) Line
    {
        std::byte bytes[64];
    };
    std::vector<Line> slab_;
};

/// Reads one world into lane `lane`: q, v, act, inputs; poses of kinematic and static bodies.
template <class T>
void load_world(WorkspaceView<T>& w, int lane, const ConstWorldView& world, const ControlView& control);

/// Reads a world's own parameters into lane `lane`; what it has none of stays.
template <class T>
void load_parameters(WorkspaceView<T>& w, int lane, const ParameterView& parameters);

#if !defined(__CUDACC__)  // a device has neither packs nor instances compiled elsewhere

/// Four directions at once, and in each the derivatives by a coordinate and by a velocity.
using DualPack = Dual<Pack4, 2>;

extern template struct Workspace<double>;
extern template struct Workspace<Pack4>;
extern template struct Workspace<Pack8>;
extern template struct Workspace<DualPack>;

#endif

}  // namespace rattleback
