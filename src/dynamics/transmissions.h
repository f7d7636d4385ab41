// Transmissions of actuators: length, and moment arms over the degrees of freedom.
#pragma once

#include "dynamics/actuator_law.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_frame.h"
#include "dynamics/tendons.h"
#include "dynamics/workspace.h"

namespace rattleback
{

/// Torque of ball and free joints is given in body axes, or, with joint_in_parent, in the parent's.
template <class T>
RB_HD void compute_joint_moment(WorkspaceView<T>& w, int a, int joint)
{
    const ModelView& model = w.tree->arrays;
    const auto& gear = model.actuators.gear[a];
    T* moment = &w.moment[w.tree->moment.begin[a]];
    const JointType type = model.joints.type[joint];
    if (type == JointType::hinge || type == JointType::slide)
    {
        // one dof: gear times the coordinate
        w.actuator_length[a] = T(gear[0]) * w.q[model.joints.q_begin[joint]];
        moment[0] = T(gear[0]);
        return;
    }
    const bool free = type == JointType::free;
    const int first = free ? 3 : 0;
    // translations first: gear as a force in world axes
    for (int k = 0; k < first; ++k) moment[k] = T(gear[k]);
    const TurningMoment<T> turning =
        find_turning_moment(model.actuators, a, free, unit_quaternion(&w.q[model.joints.q_begin[joint] + first]));
    w.actuator_length[a] = turning.length;
    for (int k = 0; k < 3; ++k) moment[first + k] = turning.torque[k];
}

/// A wrench in the site's axes; no length.
template <class T>
RB_HD void compute_site_moment(WorkspaceView<T>& w, int a, int site)
{
    const ModelView& model = w.tree->arrays;
    const int b = model.sites.body[site];
    const auto& gear = model.actuators.gear[a];
    // where the force acts, and the axes of the gear
    const Vector3<T> point = w.position[b] + w.matrix[b] * broadcast<T>(model.sites.pose[site].position);
    const Matrix3<T> axes = w.matrix[b] * broadcast<T>(to_matrix(model.sites.pose[site].rotation));
    const Vector3<T> force = axes * Vector3<T>{T(gear[0]), T(gear[1]), T(gear[2])};
    const Vector3<T> torque = axes * Vector3<T>{T(gear[3]), T(gear[4]), T(gear[5])};
    w.actuator_length[a] = T(0.0);
    for (int k = w.tree->moment.begin[a]; k < w.tree->moment.begin[a + 1]; ++k)
    {
        // virtual work of the wrench on each dof above the site
        const Motion<T>& dof = w.dof[w.tree->moment.dof[k]];
        w.moment[k] = dot(force, point_velocity(w, dof, b, point)) + dot(torque, dof.angular);
    }
}

template <class T>
RB_HD Quaternion<T> site_rotation(const WorkspaceView<T>& w, int site)
{
    const SitesView& sites = w.tree->arrays.sites;
    return w.rotation[sites.body[site]] * broadcast<T>(sites.pose[site].rotation);
}
template <class T>
RB_HD PairMoment<T> find_pair_moment(const WorkspaceView<T>& w, int a, int site, int reference)
{
    return find_pair_moment(w.tree->arrays.actuators, a, SitePlace<T>{site_position(w, site), site_rotation(w, site)},
                            SitePlace<T>{site_position(w, reference), site_rotation(w, reference)});
}

/// Between two sites: dofs above one of them move the length, those above both do not and are not in the row.
template <class T>
RB_HD void compute_pair_moment(WorkspaceView<T>& w, int a, int site, int reference)
{
    const ModelView& model = w.tree->arrays;
    const SparsePattern& pattern = w.tree->moment;
    const int b = model.sites.body[site], r = model.sites.body[reference];
    const PairMoment<T> arms = find_pair_moment(w, a, site, reference);
    const Vector3<T> point = site_position(w, site), origin = site_position(w, reference);
    w.actuator_length[a] = arms.length;
    // up the chain of the site's body, along with the row: both are in order
    int above = model.bodies.last_dof[b];
    for (int k = pattern.begin[a + 1] - 1; k >= pattern.begin[a]; --k)
    {
        // a dof above the site moves it; any other one in the row is above the reference
        const int d = pattern.dof[k];
        while (above > d) above = model.dofs.parent[above];
        const Motion<T>& dof = w.dof[d];
        w.moment[k] =
            above == d ? dot(arms.force, point_velocity(w, dof, b, point)) + dot(arms.torque, dof.angular)
                       : dot(arms.reference_torque, dof.angular) - dot(arms.force, point_velocity(w, dof, r, origin));
    }
}

/// Rate of an actuator's length due to the kinematic body that carries its target, joints at rest.
template <class T>
RB_HD T actuator_base_rate(const WorkspaceView<T>& w, int a)
{
    const ModelView& model = w.tree->arrays;
    const int target = model.actuators.target[a];
    const auto& gear = model.actuators.gear[a];
    // what the joints do not explain of the tendon's rate is the bases'
    if (model.actuators.transmission[a] == TransmissionType::tendon)
    {
        T along = T(0.0);
        const SparsePattern& pattern = w.tree->tendon;
        for (int k = pattern.begin[target]; k < pattern.begin[target + 1]; ++k)
        {
            along += w.tendon_jacobian[k] * w.v[pattern.dof[k]];
        }
        return T(gear[0]) * (w.tendon_velocity[target] - along);
    }
    const bool on_site = model.actuators.transmission[a] == TransmissionType::site ||
                         model.actuators.transmission[a] == TransmissionType::slider_crank;
    // joints do not move with bases: their q is relative
    if (!on_site) return T(0.0);
    if (const int reference = model.actuators.reference[a]; reference >= 0)
    {
        const int b = model.sites.body[target], r = model.sites.body[reference];
        // both on one base: their relative motion is the joints' alone
        if (find_kinematic(model, b) == find_kinematic(model, r)) return T(0.0);
        const PairMoment<T> arms = find_pair_moment(w, a, target, reference);
        return dot(arms.force, base_point_velocity(w, b, site_position(w, target)) -
                                   base_point_velocity(w, r, site_position(w, reference))) +
               dot(arms.torque, base_angular_velocity(w, b)) + dot(arms.reference_torque, base_angular_velocity(w, r));
    }
    // a site alone: the wrench's power on the motion of its base
    const int b = model.sites.body[target];
    const Vector3<T> point = w.position[b] + w.matrix[b] * broadcast<T>(model.sites.pose[target].position);
    const Matrix3<T> axes = w.matrix[b] * broadcast<T>(to_matrix(model.sites.pose[target].rotation));
    return dot(axes * Vector3<T>{T(gear[0]), T(gear[1]), T(gear[2])}, base_point_velocity(w, b, point)) +
           dot(axes * Vector3<T>{T(gear[3]), T(gear[4]), T(gear[5])}, base_angular_velocity(w, b));
}

/// Poses, tendons -> actuator_length, moment.
template <class T>
RB_HD void compute_transmissions(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int target = model.actuators.target[a];
        switch (model.actuators.transmission[a])
        {
            case TransmissionType::joint:
            case TransmissionType::joint_in_parent:
                compute_joint_moment(w, a, target);
                break;
            case TransmissionType::site:
            case TransmissionType::slider_crank:
                if (model.actuators.reference[a] < 0)
                    compute_site_moment(w, a, target);
                else
                    compute_pair_moment(w, a, target, model.actuators.reference[a]);
                break;
            case TransmissionType::body:
                // contacts are found later: see compute_adhesion_moments
                w.actuator_length[a] = T(0.0);
                for (int k = w.tree->moment.begin[a]; k < w.tree->moment.begin[a + 1]; ++k) w.moment[k] = T(0.0);
                break;
            case TransmissionType::tendon:
            {
                const T gear = T(model.actuators.gear[a][0]);
                // along a tendon the moment arms are its Jacobian times the gear
                w.actuator_length[a] = gear * w.tendon_length[target];
                const int count = w.tree->moment.begin[a + 1] - w.tree->moment.begin[a];
                const T* row = w.tendon_jacobian.data() + w.tree->tendon.begin[target];
                T* moment = w.moment.data() + w.tree->moment.begin[a];
                for (int k = 0; k < count; ++k) moment[k] = gear * row[k];
                break;
            }
        }
    }
}

#if !defined(__CUDACC__)  // compiled once, in actuators.cpp
extern template void compute_transmissions(WorkspaceView<double>&);
extern template void compute_transmissions(WorkspaceView<Pack4>&);
#endif

}  // namespace rattleback
