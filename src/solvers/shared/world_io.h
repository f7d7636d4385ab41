// How solvers in joint coordinates read a world into their workspace, judge what became of it, and write it back.
#pragma once

#include "solvers/shared/divergence.h"
#include "solvers/shared/integrators.h"
#include "solvers/shared/kinematic_bodies.h"

#include "base/index.h"
#include "dynamics/forces.h"
#include "math/masks.h"

namespace rattleback
{

/// Reads coordinates, velocities, activations and controls of a world into a lane, and the motions of kinematic bodies.
template <class T>
void load_lane(const Tree& tree, const StepInput& input, const ConstWorldView& world, int lane_index, Workspace<T>& w,
               Stepper<T>& stepper)
{
    // q, v, act and inputs, then where kinematic bodies go in this step.
    load_world(w, lane_index, world, input.control);
    load_parameters(w, lane_index, input.parameters);
    find_kinematic_motions(*tree.model, tree.kinematic_bodies, input, world, stepper.motions(lane_index));
}

/// Position and velocity stage at the present state: M and the sum of the forces, w.total.
inline void compute_smooth_forces(Workspace<double>& w, std::span<const KinematicMotion> motions, double dt,
                                  StageTimer& timer)
{
    // At the begin of the step: no fraction of it has passed.
    if (!motions.empty()) place_kinematic_bodies<double>(w, 0, motions, 0, dt);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, dt, timer);
}

/// Marks a report as diverged by the first dof whose acceleration is not finite, if there is one.
inline void report_bad_acceleration(const Model& model, std::span<const double> acceleration, StepReport& report)
{
    for (std::size_t d = 0; d < acceleration.size(); ++d)
    {
        if (std::isfinite(acceleration[d])) continue;
        report.status = StepStatus::diverged;
        report.culprit_dof = static_cast<int>(d);
        report.culprit_body = BodyId{model.dofs.body[d]};
        return;
    }
}

/// Lanes in which find_bad_dof() finds none: one pass over all of them.
template <class T>
MaskOf<T> find_sound_lanes(const Workspace<T>& w)
{
    T sum(0.0), fastest(0.0), farthest(0.0);  // zero times a number is zero unless it is infinite or NaN
    for (const T& x : w.v)
    {
        sum += T(0.0) * x;
        fastest = maximum(fastest, absolute(x));
    }
    for (const T& x : w.q)
    {
        sum += T(0.0) * x;
        farthest = maximum(farthest, absolute(x));
    }
    for (const T& x : w.act) sum += T(0.0) * x;
    const auto finite = both(sum <= T(0.0), sum >= T(0.0));
    return both(finite, both(fastest <= T(kMaxSpeed), farthest <= T(kMaxDistance)));
}

/// First dof of a lane whose velocity or position is not finite or absurd; -1: none; the number of dofs: an activation.
template <class T>
int find_bad_dof(const Model& model, const Workspace<T>& w, int lane_index)
{
    double sum = 0;  // zero times a number is zero unless it is infinite or NaN
    double fastest = 0, farthest = 0;
    for (const T& x : w.v)
    {
        sum += 0 * lane(x, lane_index);
        fastest = std::max(fastest, std::abs(lane(x, lane_index)));
    }
    for (const T& x : w.q)
    {
        sum += 0 * lane(x, lane_index);
        farthest = std::max(farthest, std::abs(lane(x, lane_index)));
    }
    for (const T& x : w.act) sum += 0 * lane(x, lane_index);
    // The common case in one pass without a branch per number.
    if (sum == 0 && is_sound_speed(fastest) && is_sound_distance(farthest)) return -1;

    // Something is wrong: find the first dof, by velocity, then by place.
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        if (!is_sound_speed(lane(w.v[d], lane_index))) return static_cast<int>(d);
    }
    for (int j = 0; j < model.joint_count(); ++j)
    {
        for (int i = model.joints.q_begin[at(j)]; i < model.joints.q_begin[at(j)] + q_count(model.joints.type[at(j)]);
             ++i)
            if (!is_sound_distance(lane(w.q[at(i)], lane_index))) return model.joints.v_begin[at(j)];
    }
    return model.v_count();  // an activation
}

/// Marks a step as diverged by a dof, with the velocity and the coordinate that it would have had.
template <class T>
void report_bad_dof(const Model& model, int dof, const Workspace<T>& w, int lane_index, StepReport& report)
{
    report.status = StepStatus::diverged;
    if (dof >= model.v_count()) return;  // an activation: no dof and no body
    report.culprit_dof = dof;
    report.culprit_body = BodyId{model.dofs.body[at(dof)]};
    const int joint = model.dofs.joint[at(dof)];
    const JointType type = model.joints.type[at(joint)];
    const int within = dof - model.joints.v_begin[at(joint)];
    // Speed of what translates, spin of what rotates.
    const bool slides = type == JointType::slide || (type == JointType::free && within < 3);
    (slides ? report.culprit_speed : report.culprit_spin) = to_report_number(lane(w.v[at(dof)], lane_index));
    if (!slides) return;
    for (int k = 0; k < (type == JointType::free ? 3 : 1); ++k)
    {
        const double place = to_report_number(lane(w.q[at(model.joints.q_begin[at(joint)] + k)], lane_index));
        report.culprit_distance = std::max(report.culprit_distance, place);
    }
}

/// Kinetic energy of a step by the inertia at which it was taken, for StepJudge::looks.
template <class T>
class KineticProbe
{
public:
    /// Remembers the velocities at the begin of a step.
    void begin(const Workspace<T>& w) { start_v_.assign(w.v.begin(), w.v.end()); }

    /// Finds the energies, after the step and before `w` goes elsewhere: both velocities in one pass over the lower
    /// triangle of M, vᵀ M v = sum_i v_i (M_ii v_i + 2 sum_j<i M_ij v_j).
    void find(const Workspace<T>& w)
    {
        const auto& dofs = w.tree->arrays.dofs;
        const T two(2.0);
        T before(0.0), rise(0.0), step(0.0);
        change_.resize(w.v.size());
        for (std::size_t d = 0; d < w.v.size(); ++d)
        {
            const T v = start_v_[d], change = change_[d] = w.v[d] - v;
            // A row holds the dofs on the path to the root, itself last.
            const int last = dofs.row_begin[d + 1] - 1;
            T v_sum(0.0), change_sum(0.0);
            for (int k = dofs.row_begin[d]; k < last; ++k)
            {
                const int other = dofs.row_column[at(k)];
                v_sum += w.mass_matrix[k] * start_v_[at(other)];
                change_sum += w.mass_matrix[k] * change_[at(other)];
            }
            const T own_v = w.mass_matrix[last] * v, own_change = w.mass_matrix[last] * change;
            before += v * (own_v + two * v_sum);
            rise += change * (own_v + v_sum) + v * change_sum;
            step += change * (own_change + two * change_sum);
        }
        before_ = T(0.5) * before;
        step_ = T(0.5) * step;
        after_ = before_ + rise + step_;
    }
    KineticChange of(int index) const { return {lane(before_, index), lane(step_, index), lane(after_, index)}; }

private:
    std::vector<T> start_v_, change_;
    T before_{}, step_{}, after_{};
};

/// Writes a lane back into its world.
template <class T>
void commit_lane(const Tree& tree, const Workspace<T>& w, const Stepper<T>& stepper, int lane_index,
                 const WorldView& world)
{
    const auto write = [&](const Slice<T>& array, std::span<double> values)
    {
        const T* const items = array.data();
        double* const to = values.data();
        const std::size_t count = array.size();
#pragma GCC unroll 4
        for (std::size_t i = 0; i < count; ++i) to[i] = lane(items[i], lane_index);
    };
    write(w.q, world.q);
    write(w.v, world.v);
    write(w.act, world.act);
    // Kinematic bodies reached their targets.
    commit_kinematic_bodies(tree.kinematic_bodies, stepper.motions(lane_index), world);
}

/// Whether the step of a lane, which is sound, may be committed: the input's judge says so, if there is one.
template <class T>
bool is_accepted(const Tree& tree, const StepInput& input, const Workspace<T>& w, const Stepper<T>& stepper,
                 int lane_index, const KineticProbe<T>& kinetic, std::span<const Contact> contacts)
{
    if (!input.judge || !input.judge->looks(kinetic.of(lane_index))) return true;
    commit_lane(tree, w, stepper, lane_index, input.judge->candidate());
    return input.judge->accepts(contacts);
}

}  // namespace rattleback
