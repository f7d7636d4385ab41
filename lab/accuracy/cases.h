// The seven tests of [PBD-R] Table I as models with closed-form answers, for any solver.
#pragma once

#include "lab/accuracy/pushing.h"

#include <rattleback/builder.h>
#include <rattleback/state.h>

namespace rattleback::lab
{

inline constexpr int kCaseCount = 7;
inline constexpr double kCaseSeconds = 10, kCaseFrame = 0.01, kCaseDt = 0.001;  // [s]
inline constexpr double kCaseGravity = 9.81;                                    // [m/s^2]

struct CaseOptions
{
    std::optional<double> friction = std::nullopt;  ///< nothing: 0.4, or 0 in tests 2 and 5
    std::optional<double> force = std::nullopt;     ///< of tests 1 and 4 [N]; nothing: 17 and 10
    double box_offset = 0;                          ///< of test 7, along x [m]
    double shift_x = 0, shift_y = 0;                ///< of everything that moves, along its floor or slope [m]
    const MeshOptions* mesh = nullptr;              ///< instead of our rabbit; its centre of mass in the origin
    /// For an engine whose kinematic bodies have no velocity: the rod is a free body, to be placed before each step.
    bool free_rod = false;
    bool capsule_rod =
        false;  ///< of the same radius, with round ends: a surface that has closed forms for its contacts
    bool frictionless_rows = false;  ///< contacts without friction have no rows of friction (MJCF: condim 1)
    Softness softness = Rigid{};
};

/// Where the object should be, and how it should move.
struct Expected
{
    Vec3 displacement;     ///< of its centre of mass from the start [m]
    double angle = 0;      ///< turned about z since the start [rad]
    Vec3 linear, angular;  ///< momentum [kg m/s, kg m^2/s]; angular about its centre of mass
};

/// One test.
struct AccuracyCase
{
    int number = 0;
    std::string name;
    std::shared_ptr<const Model> model;
    BodyId object, rod;
    Wrench wrench;  ///< on the object, all the time
    double mass = 0;
    Vec3 direction;                        ///< of its way
    double acceleration = 0;               ///< along it [m/s^2]
    double turn = 0;                       ///< angular acceleration about z [rad/s^2]
    Vec3 shift;                            ///< of the start; the answers are ways from there
    std::vector<PlanarPose> path;          ///< of test 7, corrected reference, per frame
    std::vector<PlanarPose> printed_path;  ///< of test 7, the authors' reference
    double floor = 0;                      ///< error of a first-order integrator at 1 ms: a h t / 2 [m]

    Expected expected(int frame) const;
    /// Where the rod of test 7 is at a time [s].
    Pose rod_pose(double time) const;
};

/// "pushed box" and so on, 1 to 7.
std::string_view case_name(int number);
Result<AccuracyCase> make_case(int number, const CaseOptions& options = {});

}  // namespace rattleback::lab
