// Runs an accuracy test in one of our solvers or in a peer, and measures how far it is from the answer.
#pragma once

#include "lab/accuracy/cases.h"
#include "lab/peers/peer.h"

#include <rattleback/simulation.h>

namespace rattleback::lab
{

/// Errors at one moment.
struct AccuracySample
{
    double time = 0;
    double position = 0;          ///< [m]
    double printed_position = 0;  ///< test 7: against the authors' reference [m]
    double yaw = 0;               ///< integral of the angular velocity about z less the answer, signed [degrees]
    double rotation = 0;          ///< angle between the rotation and the right one, tilt included [degrees]
    double linear = 0;            ///< momentum [kg m/s]
    double angular = 0;           ///< [kg m^2/s]
    PlanarPose pose;              ///< where the object is
    Pose place;                   ///< the same with tilt and height: its frame in the world
};

struct AccuracyRun
{
    std::string who;
    std::string refused;  ///< why it cannot run the test; empty: it did
    std::string trouble;  ///< how it ended early, or what the peer did behind our back
    std::string precision = "double";
    std::vector<AccuracySample> samples;  ///< per frame, the start included
    double seconds = 0;                   ///< on the wall
    double cpu_seconds = 0;               ///< of all threads together

    const AccuracySample& end() const { return samples.back(); }
    /// Mean of an error over time.
    double mean(double AccuracySample::* error) const;
};

/// What can run tests.
struct Contestant
{
    std::string name;
    std::string solver;  ///< of ours; empty: a peer
    Parameters parameters;
    PeerOptions peer;
    // How the tests are written for a peer.
    Impedance softness = {};
    bool capsule_rod = false, frictionless_rows = false;

    /// Of a peer, in MJCF's words: "implicitfast, elliptic, impratio 1, ..."; of ours empty.
    std::string settings() const;
};

/// `pbd` and `pbdr` with particles measured from the world's origin, which is the arithmetic that [PBD-R] published and
/// measured, and as many spheres as an experiment asks for. What the contestant sets itself stays.
Contestant as_published(Contestant contestant);

/// All solvers in the list, each with its standard parameters, avbd in both modes; those that know `radius` with the
/// paper's 5 mm for meshes. Then the real MuJoCo at the paper's settings, and at the two that came out best among
/// all_mujoco_settings(): none is best in all tests.
std::vector<Contestant> all_contestants();
/// MuJoCo at documented settings that hold bodies to a plane: two integrators, both cones, three time constants and two
/// impedances, friction off where there is none, a capsule as rod. Named after their settings.
std::vector<Contestant> all_mujoco_settings();

/// What a contestant computes in: its parameter, else the solver's default; "double" where there is none.
std::string find_precision(const Contestant& contestant);
/// The real MuJoCo with a model of ours, or why not.
Result<std::unique_ptr<Peer>> load_peer(const Model& model, const PeerOptions& options);

/// `frames` of 10 ms; 0: all 1000.
AccuracyRun run_case(const AccuracyCase& test, const Contestant& contestant, int frames = 0);

}  // namespace rattleback::lab
