// StepReport: what a step did and how it went.
#pragma once

#include <rattleback/api.h>
#include <rattleback/ids.h>

#include <array>
#include <string_view>
#include <utility>

namespace rattleback RATTLEBACK_API
{

/// A step that would move a body or joint faster than this [m/s], or turn it faster [rad/s], has diverged and is not
/// committed: the speed of light, which no step that means anything comes near, and far below where numbers overflow.
/// Free fall takes 354 days to reach it, 8 hours where lengths are in millimetres; a rim of 1 mm that turns as fast has
/// 3e5 m/s, and would burst at 1e3.
inline constexpr double kMaxSpeed = 299'792'458;

/// The same for a step that would bring something farther from the origin than this [m, rad], or as deep into a plane:
/// beyond it a double no longer resolves a tenth of a millimetre. Light takes an hour to go there.
inline constexpr double kMaxDistance = 1e12;

enum class StepStatus
{
    ok,
    not_converged,  ///< committed, but the residual is above the tolerance
    diverged,       ///< a number became infinite, NaN or absurd (kMaxSpeed, kMaxDistance): not committed, state and
                    ///< memory are as before
    capacity,       ///< a fixed buffer was too small: not committed, needed_capacity says the size
};
const char* to_string(StepStatus status);

/// Parts of a step that are timed.
enum class Stage
{
    kinematics,
    mass_matrix,
    factor,
    bias,
    forces,  ///< passive, tendon and actuator forces
    collide,
    rows,  ///< building constraint rows
    solve,
    integrate,
    refresh,  ///< body poses, velocities and sensors after the step
};
inline constexpr int kStageCount = 10;
const char* to_string(Stage stage);

/// One step of one world.
struct StepReport
{
    StepStatus status = StepStatus::ok;
    int iterations = 0;
    double residual = 0;  ///< in the solver's own measure, see its README
    int contact_count = 0;
    double deepest_penetration = 0;  ///< [m], 0 when nothing overlaps
    int culprit_dof = -1;            ///< diverged, of solvers in joint coordinates: the first dof that went astray
    BodyId culprit_body;             ///< diverged: the first body that did, or that the dof moves
    double culprit_speed = 0;        ///< that it would have reached [m/s], or 0: not a finite number
    double culprit_spin = 0;         ///< [rad/s]
    double culprit_distance = 0;     ///< from the origin [m]
    /// diverged, by a number that is not finite in what the step would have begun with: the array, "control.input", and
    /// the item in its world; empty: none.
    std::string_view culprit_array;
    int culprit_index = -1;
    /// Not ok: the two shapes that were deepest inside each other in the last contacts; none where nothing overlaps.
    std::pair<ShapeId, ShapeId> culprit_shapes;
    double culprit_depth = 0;  ///< how deep they were [m]
    int needed_capacity = 0;
    /// Parts in which the step was taken, by implicit rules: more than one where a whole step would have made energy or
    /// diverged.
    int substeps = 1;
    int unconverged_steps = 0;  ///< of a run: those that were committed without convergence
    int frozen_steps = 0;       ///< those of them that left every joint velocity at exactly zero
    /// Taken from the velocities of bodies against each other, their momenta left as they were, because parts, too,
    /// made energy [J]: little of it as a rule (status ok), more where no number of parts kept it (not_converged).
    double removed_energy = 0;
    /// Of forward(): the accelerations are means over the last step and the forces its own, because the solver solves
    /// for neither at one moment.
    bool mean_acceleration = false;
    std::array<double, kStageCount> seconds{};  ///< per stage; zero unless timings were asked for
};

/// The worse of two statuses, the sums of counts, times and removed energy, the maxima of residual, penetration and
/// substeps, the first culprit.
StepReport merge(const StepReport& first, const StepReport& second);

}  // namespace rattleback
