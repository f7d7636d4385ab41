// Rows of the sweeps, for any scalar: dry friction and limits of dofs, contacts in slots; all lanes at once.
#pragma once

#include "solvers/comfree/sweep_system.h"

#include "solvers/comfree/sweep_rows.h"

#include "base/flatten.h"
#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback::comfree
{

namespace
{

/// Rows along axes of the relative motion of two bodies at a point: of the second less that of the first.
template <class T>
struct PointRows
{
    const Workspace<T>& w;
    const DofPaths& paths;
    Vector3<T> first_arm, second_arm;  ///< to the point from the reference points of the bodies' trees

    /// j of R axes, [dof][R]: of velocities of the point, or of angular velocities.
    template <int R>
    RB_FLATTEN void fill(const Vector3<T>* axes, bool angular, T* rows) const
    {
        constexpr int kStride = Column<R, T>::kStride;
        const auto entry = [&]<bool kOfFirst>(int dof, const Vector3<T>& its_arm, T* row)
        {
            // The velocity that a unit of this dof gives the point, or its angular velocity: a column of J (Eq. 4).
            const Motion<T>& motion = w.dof[at(dof)];
            const Vector3<T> moved = angular ? motion.angular : motion.linear + cross(motion.angular, its_arm);
            for (int r = 0; r < R; ++r) row[r] = kOfFirst ? -dot(axes[r], moved) : dot(axes[r], moved);
            for (int r = R; r < kStride; ++r) row[r] = T(0.0);
        };
        // What moves both bodies moves the point of both alike.
        for (int k = 0; k < paths.common * kStride; ++k) rows[k] = T(0.0);
        for (int k = paths.common; k < paths.first_count; ++k)
            entry.template operator()<true>(paths.first[k], first_arm, rows + k * kStride);
        rows += paths.first_count * kStride;
        for (int k = 0; k < paths.second_count; ++k)
            entry.template operator()<false>(paths.second[k], second_arm, rows + k * kStride);
    }
};

/// What kinematic bodies and running surfaces add to the relative velocity at a contact, half a step ahead.
template <class T>
struct ContactDrift
{
    Vector3<T> linear, angular;
};
template <class T>
ContactDrift<T> find_contact_drift(const Workspace<T>& w, const ContactSlot<T>& slot, double dt)
{
    ContactDrift<T> drift{slot.drift[0], slot.drift[1]};
    if (w.tree->kinematic_bodies.empty()) return drift;
    const int first = slot.first_body, second = slot.second_body;
    // Kinematic bodies move as given: their velocity, and half a step of their acceleration (README, "Half a step").
    drift.linear += base_point_velocity<T>(w, second, slot.point) - base_point_velocity<T>(w, first, slot.point);
    drift.linear += T(0.5 * dt) * (base_point_acceleration<T>(w, second, slot.point) -
                                   base_point_acceleration<T>(w, first, slot.point));
    drift.angular += base_angular_velocity<T>(w, second) - base_angular_velocity<T>(w, first);
    return drift;
}

/// From j to y, and base = j v_s; returns the columns of the block of A.
template <int R, class T>
RB_FLATTEN std::array<Column<R, T>, R> finish_rows(const Workspace<T>& w, std::span<const T> root,
                                                   std::span<const T> v_s, const DofPaths& paths, T* rows, T* base)
{
    // u_s while the rows are still j; then y takes their place.
    multiply_block<R>(paths, rows, v_s.data(), base);
    solve_half<R, T>(w, paths, rows);
    return finish_half<R>(root, paths, rows);
}

/// j of a single dof, the last of its path: y, the base j v_s and A of the row.
template <class T>
T fill_unit_row(const Workspace<T>& w, std::span<const T> root, std::span<const T> v_s, const DofPaths& path,
                const T& value, T* entries, T* base)
{
    std::fill_n(entries, path.first_count, T(0.0));
    entries[path.first_count - 1] = value;
    return finish_rows<1, T>(w, root, v_s, path, entries, base)[0][0];
}

/// Of the columns of a block's rows.
template <class T>
constexpr int find_stride(BlockKind kind)
{
    return kind == BlockKind::contact ? Column<3, T>::kStride : row_count(kind);
}

}  // namespace

template <class T>
SweepSystem<T>::SweepSystem(const Tree& tree, const Options& options, std::span<const int> tree_of_dof)
    : tree_(tree), options_(options), tree_of_dof_(tree_of_dof)
{
    const Model& model = *tree.model;
    for (auto* list : {&predicted_, &root}) list->resize(at(model.v_count()));
    for (int j = 0; j < model.joint_count() && options.rows.limits; ++j)
    {
        // Which rows there may be is a constant of the Model; which act is found anew in every step.
        const JointType type = model.joints.type[at(j)];
        const bool simple = type == JointType::hinge || type == JointType::slide;
        if (simple && model.joints.range[at(j)].limited) limited_.push_back(j);
    }
    for (int d = 0; d < model.v_count() && options.rows.dry_friction; ++d)
        if (model.dofs.dry_friction[at(d)] > 0) rubbing_.push_back(d);
    tendon_paths_.resize(at(model.tendon_count()));
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        // What no dof moves has no rows.
        if (tree.tendon.begin[at(t)] == tree.tendon.begin[at(t) + 1]) continue;
        if (options.rows.limits && model.tendons.range[at(t)].limited) limited_tendons_.push_back(t);
        if (options.rows.dry_friction && model.tendons.dry_friction[at(t)] > 0) rubbing_tendons_.push_back(t);
    }
    for (const auto* list : {&limited_tendons_, &rubbing_tendons_})
        for (const int t : *list) tendon_paths_[at(t)] = find_tendon_paths(t);
}

/// The dofs of a tendon and all their ancestors.
template <class T>
typename SweepSystem<T>::TendonPaths SweepSystem<T>::find_tendon_paths(int tendon) const
{
    // A tendon may pull at several branches: the union of their paths to the root.
    const int begin = tree_.tendon.begin[at(tendon)], end = tree_.tendon.begin[at(tendon) + 1];
    const std::span<const int> moved = tree_.tendon.dof.subspan(at(begin), at(end - begin));
    TendonPaths found;
    for (const int dof : moved)
    {
        const DofPaths path = path_of_dof(dof);
        found.dof.insert(found.dof.end(), path.first, path.first + path.first_count);
    }
    // Increasing numbers: ancestors before descendants.
    std::sort(found.dof.begin(), found.dof.end());
    found.dof.erase(std::unique(found.dof.begin(), found.dof.end()), found.dof.end());
    const auto place = [&](int dof)
    { return static_cast<int>(std::lower_bound(found.dof.begin(), found.dof.end(), dof) - found.dof.begin()); };
    for (const int dof : found.dof)
    {
        const DofPaths path = path_of_dof(dof);
        for (int k = 0; k + 1 < path.first_count; ++k) found.places.push_back(place(path.first[k]));
    }
    for (const int dof : moved) found.own.push_back(place(dof));
    return found;
}

template <class T>
void SweepSystem<T>::build(const Workspace<T>& w, std::span<const ContactSlot<T>> slots, const T& push_share, double dt)
{
    push_share_ = push_share;
    // A step keeps nothing: rows are found anew, in storage of the last one.
    blocks.clear();
    numbers.clear();
    entry_count_ = 0;
    for (std::size_t d = 0; d < predicted_.size(); ++d)
    {
        // v_s = v + M^-1 (tau - c) dt (Eq. 2)
        predicted_[d] = w.v[d] + T(dt) * w.qacc[d];
        // Forces that grow with the velocity, implicit, may leave a matrix that is not positive: no number, and the
        // step is refused.
        root[d] = sqrt(w.inverse_pivot[d]);
    }
    // Rows in the order of the other solvers: dry friction, limits, contacts.
    for (const int dof : rubbing_) add_dry_friction(w, dof, dt);
    for (const int tendon : rubbing_tendons_) add_tendon_friction(w, tendon, dt);
    for (const int joint : limited_)
        for (const double side : {-1.0, 1.0}) add_limit(w, joint, side, dt);
    for (const int tendon : limited_tendons_)
        for (const double side : {-1.0, 1.0}) add_tendon_limit(w, tendon, side, dt);
    for (std::size_t s = 0; s < slots.size(); ++s) add_contact(w, slots[s], static_cast<int>(s), dt);
}

/// A row of M holds the dofs on the path to the root.
template <class T>
DofPaths SweepSystem<T>::path_of_dof(int dof) const
{
    const Dofs& dofs = tree_.model->dofs;
    const int begin = dofs.row_begin[at(dof)];
    return {.first = dofs.row_column.data() + begin, .first_count = dofs.row_begin[at(dof) + 1] - begin};
}

template <class T>
DofPaths SweepSystem<T>::find_paths(int first_body, int second_body) const
{
    const auto& last_dof = tree_.model->bodies.last_dof;
    DofPaths paths, second;
    if (const int dof = last_dof[at(first_body)]; dof >= 0) paths = path_of_dof(dof);
    if (const int dof = last_dof[at(second_body)]; dof >= 0) second = path_of_dof(dof);
    // Paths part where the bodies' branches do, and never meet again.
    const int shorter = std::min(paths.first_count, second.first_count);
    while (paths.common < shorter && paths.first[paths.common] == second.first[paths.common]) ++paths.common;
    paths.second = second.first + paths.common;
    paths.second_count = second.first_count - paths.common;
    return paths;
}

/// A new block, all zero; `entries`: where those of its rows go.
template <class T>
BlockNumbers<T>& SweepSystem<T>::open_block(BlockKind kind, bool contact, int element, int normal,
                                            const DofPaths& paths, T*& entries)
{
    // Blocks count for the tree of one of their dofs; contacts join trees to islands (SweepLaw::join_trees).
    const int dof = paths.second_count > 0 ? paths.second[0] : paths.first[0];
    blocks.push_back({.kind = kind,
                      .contact = contact,
                      .element = element,
                      .tree = tree_of_dof_[at(dof)],
                      .normal = normal,
                      .paths = paths,
                      .begin = static_cast<int>(entry_count_)});
    const std::size_t begin = entry_count_;
    entry_count_ += at(paths.count() * find_stride<T>(kind));
    // Room grows by doubling, and never shrinks: no step allocates but the largest so far.
    if (rows.size() < entry_count_) rows.resize(2 * entry_count_);
    entries = rows.data() + begin;
    return numbers.emplace_back();
}

template <class T>
void SweepSystem<T>::add_dry_friction(const Workspace<T>& w, int dof, double dt)
{
    const DofPaths path = path_of_dof(dof);
    T* entries = nullptr;
    BlockNumbers<T>& n = open_block(BlockKind::bounded, false, dof, -1, path, entries);
    const T a = fill_unit_row<T>(w, root, predicted_, path, T(1.0), entries, n.base);
    set_dry_friction(a, w.dof_weight[at(dof)], tree_.model->dofs.dry_friction[at(dof)] * dt, n);
}

template <class T>
void SweepSystem<T>::add_tendon_friction(const Workspace<T>& w, int tendon, double dt)
{
    T a;
    BlockNumbers<T>& n = open_tendon(w, BlockKind::bounded, tendon, 1, make_mask<T>(true), a);
    set_dry_friction(a, w.tendon_weight[at(tendon)], tree_.model->tendons.dry_friction[at(tendon)] * dt, n);
}

/// Rigid up to an impulse of `loss` [N s].
template <class T>
void SweepSystem<T>::set_dry_friction(const T& a, const T& weight, double loss, BlockNumbers<T>& n) const
{
    n.compliance[0] = maximum(T(kTinyRow), weight) * T(1 / kFrictionHardness);
    n.mobility = a + n.compliance[0];
    n.inverse = T(1.0) / n.mobility;
    // |f| <= loss dt; within it the row is as good as rigid.
    n.bound = T(loss);
}

/// A block of a tendon's Jacobian times `sign`, in lanes where it acts: its y, base = j v_s, and A of the row.
template <class T>
BlockNumbers<T>& SweepSystem<T>::open_tendon(const Workspace<T>& w, BlockKind kind, int tendon, int sign,
                                             const MaskOf<T>& acts, T& a)
{
    // j of the tendon at its own dofs, zero at their ancestors until the half solve.
    const TendonPaths& list = tendon_paths_[at(tendon)];
    DofPaths paths{.first = list.dof.data(), .first_count = static_cast<int>(list.dof.size())};
    paths.places = list.places.data();
    T* entries = nullptr;
    BlockNumbers<T>& n = open_block(kind, false, tendon, -1, paths, entries);
    blocks.back().tendon = sign;
    const T scale = select(acts, T(static_cast<double>(sign)), T(0.0));
    std::fill_n(entries, list.dof.size(), T(0.0));
    const T* jacobian = w.tendon_jacobian.data() + tree_.tendon.begin[at(tendon)];
    for (std::size_t k = 0; k < list.own.size(); ++k) entries[list.own[k]] = scale * jacobian[k];
    a = finish_rows<1, T>(w, root, predicted_, paths, entries, n.base)[0][0];
    return n;
}

/// One bound of a hinge or slide, in lanes where it is within its margin; side -1: the lower, 1: the upper.
template <class T>
void SweepSystem<T>::add_limit(const Workspace<T>& w, int joint, double side, double dt)
{
    const Joints& joints = tree_.model->joints;
    const Range& range = joints.range[at(joint)];
    // The gap to the bound; a row where any lane is nearer than the margin.
    const double margin = joints.margin[at(joint)];
    const T gap = T(side) * (T(side < 0 ? range.lower : range.upper) - w.q[at(joints.q_begin[at(joint)])]);
    const auto acts = gap < T(margin);
    if (!any(acts)) return;
    const int dof = joints.v_begin[at(joint)];
    const DofPaths path = path_of_dof(dof);
    T* entries = nullptr;
    BlockNumbers<T>& n = open_block(BlockKind::push, false, joint, -1, path, entries);
    // j = 1 at the lower bound, -1 at the upper: the rate of the gap.
    const T a = fill_unit_row<T>(w, root, predicted_, path, select(acts, T(-side), T(0.0)), entries, n.base);
    set_limit(joints.limit_softness[at(joint)], w.dof_weight[at(dof)], gap, acts, a, dt, n);
}

/// One bound of a tendon's length, as of a joint.
template <class T>
void SweepSystem<T>::add_tendon_limit(const Workspace<T>& w, int tendon, double side, double dt)
{
    const Tendons& tendons = tree_.model->tendons;
    const Range& range = tendons.range[at(tendon)];
    const T gap = T(side) * (T(side < 0 ? range.lower : range.upper) - w.tendon_length[at(tendon)]);
    const auto acts = gap < T(tendons.margin[at(tendon)]);
    if (!any(acts)) return;
    T a;
    BlockNumbers<T>& n = open_tendon(w, BlockKind::push, tendon, side < 0 ? 1 : -1, acts, a);
    set_limit(tendons.limit_softness[at(tendon)], w.tendon_weight[at(tendon)], gap, acts, a, dt, n);
}

/// Eqs. 10 to 12 for a limit, in lanes where it acts.
template <class T>
void SweepSystem<T>::set_limit(const Softness& softness, const T& weight, const T& gap, const MaskOf<T>& acts,
                               const T& a, double dt, BlockNumbers<T>& n) const
{
    // Lanes beyond the margin have neither target nor stop.
    Answer<T> answer = find_answer<T>(options_, softness, weight, gap, dt, push_share_);
    answer.target = select(acts, answer.target, T(0.0));
    answer.stop = select(acts, answer.stop, T(0.0));
    set_push<T>(answer, find_rest<T>(answer, weight), a, acts, n);
}

/// Normal and tangents; behind them spin and rolls as blocks of their own, bounded by the same normal.
template <class T>
void SweepSystem<T>::add_contact(const Workspace<T>& w, const ContactSlot<T>& slot, int index, double dt)
{
    const auto& tree_root = tree_.model->bodies.root;
    const DofPaths paths = find_paths(slot.first_body, slot.second_body);
    // Arms from where the motions of each tree are given to the point of contact.
    const PointRows<T> point{w, paths, slot.point - w.center[at(tree_root[at(slot.first_body)])],
                             slot.point - w.center[at(tree_root[at(slot.second_body)])]};
    // Eq. 4 along normal and tangents, plus what surfaces and kinematic bodies do.
    const ContactDrift<T> drift = find_contact_drift(w, slot, dt);
    const auto touches = slot.touches > T(0.0);
    const int normal = static_cast<int>(blocks.size());
    const bool rubs = slot.dimension > 1;
    T* entries = nullptr;
    BlockNumbers<T>& n = open_block(rubs ? BlockKind::contact : BlockKind::push, true, index, -1, paths, entries);
    // Friction of the tangents is rigid: 1/Z is a tiny part of A.
    n.compliance[1] = slot.linear;
    n.bound = slot.friction[0];
    T a;
    if (rubs)
    {
        point.template fill<3>(slot.axis, false, entries);
        // The 3 x 3 block of A: its diagonal for the normal, the coupling of normal and tangents, the disc of both.
        const auto block = finish_rows<3, T>(w, root, predicted_, paths, entries, n.base);
        a = block[0][0];
        n.coupling[0] = block[0][1];
        n.coupling[1] = block[0][2];
        set_disc<T>(block[1][1] + slot.linear, block[1][2], block[2][2] + slot.linear, n);
        for (int r = 1; r < 3; ++r) n.base[r] += dot(slot.axis[r], drift.linear);
    }
    else
    {
        point.template fill<1>(slot.axis, false, entries);
        a = finish_rows<1, T>(w, root, predicted_, paths, entries, n.base)[0][0];
    }
    n.base[0] += dot(slot.axis[0], drift.linear);
    // Normal (Eqs. 10 to 12), in lanes that touch.
    set_push<T>({T(1.0) / slot.compliance, slot.target, slot.stop}, slot.rest, a, touches, n);
    if (slot.dimension < 4) return;
    // Spin about the normal: |f| <= mu_s f_n.
    BlockNumbers<T>& spin = open_block(BlockKind::bounded, true, index, normal, paths, entries);
    point.template fill<1>(slot.axis, true, entries);
    spin.mobility = finish_rows<1, T>(w, root, predicted_, paths, entries, spin.base)[0][0] + slot.angular;
    spin.base[0] += dot(slot.axis[0], drift.angular);
    spin.compliance[0] = slot.angular;
    spin.inverse = select(touches, T(1.0) / spin.mobility, T(0.0));
    spin.bound = slot.friction[1];
    if (slot.dimension < 6) return;
    // Rolling about both tangents: one disc of radius mu_r f_n.
    BlockNumbers<T>& roll = open_block(BlockKind::disc, true, index, normal, paths, entries);
    point.template fill<2>(slot.axis + 1, true, entries);
    const auto block = finish_rows<2, T>(w, root, predicted_, paths, entries, roll.base);
    for (int r = 0; r < 2; ++r) roll.base[r] += dot(slot.axis[r + 1], drift.angular);
    roll.compliance[1] = slot.angular;
    roll.mobility = block[0][0] + slot.angular;
    set_disc<T>(roll.mobility, block[0][1], block[1][1] + slot.angular, roll);
    roll.bound = slot.friction[2];
}

}  // namespace rattleback::comfree
