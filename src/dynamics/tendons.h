// Tendons: lengths, Jacobians, velocities and spring-damper forces. Fixed tendons are constant rows; spatial ones are
// paths through sites and around shapes, with pulleys.
#pragma once

#include "dynamics/jacobian.h"
#include "dynamics/spring_law.h"
#include "dynamics/workspace.h"
#include "dynamics/wrap.h"

namespace rattleback
{

/// Where a site is.
template <class T>
RB_HD Vector3<T> site_position(const WorkspaceView<T>& w, int site)
{
    const SitesView& sites = w.tree->arrays.sites;
    const int b = sites.body[site];
    return w.position[b] + w.matrix[b] * broadcast<T>(sites.pose[site].position);
}

/// The path of a segment that wraps around its shape, in world axes.
template <class T>
RB_HD WrappedPath<T> find_path(const WorkspaceView<T>& w, const TreeSegment& segment)
{
    // the shape's frame: there a path has a closed form
    const Matrix3<T> axes = w.matrix[segment.shape_body] * broadcast<T>(segment.axes);
    const Vector3<T> center =
        w.position[segment.shape_body] + w.matrix[segment.shape_body] * broadcast<T>(segment.center);
    // sites in that frame
    const auto local = [&](int site) { return transpose_times(axes, site_position(w, site) - center); };
    const bool sided = segment.side_site >= 0;
    const Vector3<T> side = sided ? local(segment.side_site) : Vector3<T>{};
    WrappedPath<T> path = find_wrapped_path(segment.cylinder, segment.radius, local(segment.first_site),
                                            local(segment.second_site), sided ? &side : nullptr);
    // back to the world
    path.first_contact = center + axes * path.first_contact;
    path.second_contact = center + axes * path.second_contact;
    path.first_unit = axes * path.first_unit;
    path.second_unit = axes * path.second_unit;
    return path;
}

/// Adds sign * direction . (velocity of `point` per dof) to a tendon's row.
template <class T>
RB_HD void add_end(WorkspaceView<T>& w, int tendon, int body, const Vector3<T>& point, const Vector3<T>& direction)
{
    const ModelView& model = w.tree->arrays;
    const SparsePattern& pattern = w.tree->tendon;
    // dofs of a body are among the tendon's, both in falling order: one walk over both
    int k = pattern.begin[tendon + 1] - 1;
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
    {
        while (pattern.dof[k] > d) --k;
        w.tendon_jacobian[k] += dot(direction, point_velocity(w, w.dof[d], body, point));
    }
}

/// The length of a wrapping segment, and its part of the row: the part of the path on the shape moves with the shape
/// and keeps its length to first order.
template <class T>
RB_HD T add_wrapped(WorkspaceView<T>& w, int t, const TreeSegment& segment)
{
    const WrappedPath<T> path = find_path(w, segment);
    const T scale = T(segment.scale);
    if (!segment.rigid)
    {
        // 0 where the path misses the shape, which then feels nothing
        const T touching = scale * path.touches;
        // four ends: two sites, and two places where the path leaves the shape, with opposite directions
        add_end(w, t, segment.second_body, site_position(w, segment.second_site), scale * path.second_unit);
        add_end(w, t, segment.shape_body, path.second_contact, -(touching * path.second_unit));
        add_end(w, t, segment.shape_body, path.first_contact, touching * path.first_unit);
        add_end(w, t, segment.first_body, site_position(w, segment.first_site), -(scale * path.first_unit));
    }
    return scale * path.length;
}

/// Length of a path, and its derivative by q: J = sum of unit · (velocity of the segment's ends per dof).
template <class T>
RB_HD void compute_spatial_tendon(WorkspaceView<T>& w, int t)
{
    const TreeView& tree = *w.tree;
    T length = T(0.0);
    // the pattern is fixed, the values are made anew
    for (int k = tree.tendon.begin[t]; k < tree.tendon.begin[t + 1]; ++k) w.tendon_jacobian[k] = T(0.0);
    for (int s = tree.segment_begin[t]; s < tree.segment_begin[t + 1]; ++s)
    {
        const TreeSegment& segment = tree.segments[s];
        if (segment.shape >= 0)
        {
            length += add_wrapped(w, t, segment);
            continue;
        }
        const Vector3<T> first = site_position(w, segment.first_site), second = site_position(w, segment.second_site);
        const Vector3<T> between = second - first;
        const T distance = norm(between);
        // pulleys divide all that follows
        length += T(segment.scale) * distance;
        if (segment.rigid) continue;
        // coincident ends have no direction, hence no force
        const T scale = select(distance > T(1e-12), T(segment.scale) / distance, T(0.0));
        const Vector3<T> direction = scale * between;
        // dL = u . (dx_2 - dx_1)
        add_end(w, t, segment.second_body, second, direction);
        add_end(w, t, segment.first_body, first, -direction);
    }
    w.tendon_length[t] = length;
}

/// As tendon_base_rate, of one wrapping segment.
template <class T>
RB_HD T wrapped_base_rate(const WorkspaceView<T>& w, const TreeSegment& segment)
{
    const WrappedPath<T> path = find_path(w, segment);
    const auto rate = [&](int body, const Vector3<T>& point, const Vector3<T>& unit)
    { return dot(unit, base_point_velocity(w, body, point)); };
    // the same four ends as in add_wrapped(), with velocities of bases in the place of columns
    const T ends = rate(segment.second_body, site_position(w, segment.second_site), path.second_unit) -
                   rate(segment.first_body, site_position(w, segment.first_site), path.first_unit);
    const T contacts = rate(segment.shape_body, path.first_contact, path.first_unit) -
                       rate(segment.shape_body, path.second_contact, path.second_unit);
    return T(segment.scale) * (ends + path.touches * contacts);
}

/// Rate of a spatial tendon's length due to kinematic bodies that carry its sites and shapes, joints at rest.
template <class T>
RB_HD T tendon_base_rate(const WorkspaceView<T>& w, int t)
{
    const TreeView& tree = *w.tree;
    T sum = T(0.0);
    for (int s = tree.segment_begin[t]; s < tree.segment_begin[t + 1]; ++s)
    {
        const TreeSegment& segment = tree.segments[s];
        if (segment.rigid) continue;
        if (segment.shape >= 0)
        {
            sum += wrapped_base_rate(w, segment);
            continue;
        }
        // both ends move with their bases
        const Vector3<T> first = site_position(w, segment.first_site), second = site_position(w, segment.second_site);
        const Vector3<T> between = second - first;
        const T distance = norm(between);
        const T scale = select(distance > T(1e-12), T(segment.scale) / distance, T(0.0));
        const Vector3<T> velocity =
            base_point_velocity(w, segment.second_body, second) - base_point_velocity(w, segment.first_body, first);
        sum += scale * dot(between, velocity);
    }
    return sum;
}

/// J' v of a spatial tendon without wrapping: how its velocity changes while the joints do not accelerate.
template <class T>
RB_HD T velocity_product(const WorkspaceView<T>& w, int t)
{
    const TreeView& tree = *w.tree;
    T sum = T(0.0);
    for (int s = tree.segment_begin[t]; s < tree.segment_begin[t + 1]; ++s)
    {
        const TreeSegment& segment = tree.segments[s];
        if (segment.rigid) continue;
        const Vector3<T> first = site_position(w, segment.first_site), second = site_position(w, segment.second_site);
        // L = |d|, L' = d . d' / L, L'' = (d . d'' + d' . d' - L'^2) / L
        const Vector3<T> between = second - first;
        const Vector3<T> velocity =
            body_point_velocity(w, segment.second_body, second) - body_point_velocity(w, segment.first_body, first);
        const Vector3<T> acceleration = body_point_acceleration(w, segment.second_body, second) -
                                        body_point_acceleration(w, segment.first_body, first);
        const T distance = norm(between);
        const T scale = select(distance > T(1e-12), T(1.0) / distance, T(0.0));
        const T along = scale * dot(between, velocity);
        sum += T(segment.scale) * scale * (dot(between, acceleration) + dot(velocity, velocity) - along * along);
    }
    return sum;
}

/// q, poses, dof -> tendon_length, tendon_jacobian.
template <class T>
RB_HD void compute_tendons(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.type[t] == TendonType::spatial)
        {
            compute_spatial_tendon(w, t);
            continue;
        }
        // fixed: L = sum of c q, a constant row
        const int begin = w.tree->tendon.begin[t], end = w.tree->tendon.begin[t + 1];
        for (int k = begin; k < end; ++k) w.tendon_jacobian[k] = T(0.0);
        T length = T(0.0);
        for (int i = model.tendons.item_begin[t]; i < model.tendons.item_begin[t + 1]; ++i)
        {
            const TendonItem& item = model.tendons.items[i];
            length += T(item.value) * w.q[model.joints.q_begin[item.joint]];
            for (int k = begin; k < end; ++k)
            {
                if (w.tree->tendon.dof[k] == model.joints.v_begin[item.joint]) w.tendon_jacobian[k] += T(item.value);
            }
        }
        w.tendon_length[t] = length;
    }
}

/// tendon_jacobian, v -> tendon_velocity.
template <class T>
RB_HD void compute_tendon_velocities(WorkspaceView<T>& w)
{
    const SparsePattern& pattern = w.tree->tendon;
    for (int t = 0; t < w.tree->arrays.tendon_count(); ++t)
    {
        T sum = T(0.0);
        // J v
        for (int k = pattern.begin[t]; k < pattern.begin[t + 1]; ++k) sum += w.tendon_jacobian[k] * w.v[pattern.dof[k]];
        if (!w.tree->kinematic_bodies.empty()) sum += tendon_base_rate(w, t);
        w.tendon_velocity[t] = sum;
    }
}

/// Force of a tendon spring at `length`: none inside the band.
template <class T>
RB_HD T tendon_spring_force(const TendonsView& tendons, int t, const SpringBand<T>& band, const T& length)
{
    const T k = find_secant(tendons.stiffness[t], tendons.stiffness_polynomial[t], find_stretch(band, length));
    return select(length > band.upper, k * (band.upper - length),
                  select(length < band.lower, k * (band.lower - length), T(0.0)));
}

/// Adds springs (with dead band) and dampers of tendons to w.passive, and the velocity products of tendon armature.
template <class T>
RB_HD void add_tendon_forces(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    const SparsePattern& pattern = w.tree->tendon;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        const T damping =
            find_secant(model.tendons.damping[t], model.tendons.damping_polynomial[t], absolute(w.tendon_velocity[t]));
        T force = tendon_spring_force(model.tendons, t, find_spring_band(w, t), w.tendon_length[t]) -
                  damping * w.tendon_velocity[t];
        const double armature = model.tendons.armature[t];
        // armature is A L'': of it A J' v does not belong to M
        if (armature != 0 && model.tendons.type[t] == TendonType::spatial)
            force -= T(armature) * velocity_product(w, t);
        // sensors read it
        w.tendon_force[t] = force;
        for (int k = pattern.begin[t]; k < pattern.begin[t + 1]; ++k)
        {
            // Jᵀ f
            w.passive[pattern.dof[k]] += w.tendon_jacobian[k] * force;
        }
    }
}

#if !defined(__CUDACC__)  // compiled once, in tendons.cpp
extern template void compute_tendons(WorkspaceView<double>&);
extern template void compute_tendons(WorkspaceView<Pack4>&);
extern template void compute_tendons(WorkspaceView<DualPack>&);
extern template void compute_tendon_velocities(WorkspaceView<double>&);
extern template void compute_tendon_velocities(WorkspaceView<Pack4>&);
extern template void add_tendon_forces(WorkspaceView<double>&);
extern template void add_tendon_forces(WorkspaceView<Pack4>&);
extern template double tendon_spring_force(const TendonsView&, int, const SpringBand<double>&, const double&);
extern template Pack4 tendon_spring_force(const TendonsView&, int, const SpringBand<Pack4>&, const Pack4&);
#endif

}  // namespace rattleback
