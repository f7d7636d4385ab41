// MuJoCo as a peer that steps, and as an oracle that is asked for every number of a model and a state.
#pragma once

#include "lab/peers/peer.h"

namespace rattleback::lab
{

/// MuJoCo, or why it is not here.
Result<std::unique_ptr<Peer>> find_mujoco();

/// MuJoCo's own batch (mjbatch.h) of a file.
Result<std::unique_ptr<PeerBatch>> make_mujoco_batch(const std::string& path, const PeerOptions& options, int worlds,
                                                     int threads);

/// What MuJoCo computes at one state, without constraints. Its own order of bodies and degrees of freedom.
struct OracleState
{
    std::vector<Pose> body_pose;       ///< [nbody]
    std::vector<double> mass_matrix;   ///< dense, [nv][nv]
    std::vector<double> bias;          ///< qfrc_bias, [nv]
    std::vector<double> passive;       ///< qfrc_passive
    std::vector<double> actuator;      ///< qfrc_actuator
    std::vector<double> acceleration;  ///< qacc_smooth
    std::vector<double> tendon_length, actuator_length, actuator_force, act_rate;
};

/// Where to ask. Empty arrays: the initial values, zero for velocities and inputs.
struct OracleInput
{
    std::span<const double> q, v, act, input;
    std::span<const double> joint_force;    ///< qfrc_applied, [nv]
    std::span<const Wrench> body_wrench;    ///< [nbody]
    std::span<const Pose> kinematic_poses;  ///< of mocap bodies, in MuJoCo's order
};

/// A model as MuJoCo compiled it.
class Oracle
{
public:
    static Result<Oracle> load_file(const std::string& path);
    static Result<Oracle> load_text(const std::string& mjcf);
    Oracle(Oracle&&) noexcept;
    Oracle& operator=(Oracle&&) noexcept;
    ~Oracle();

    /// An array of mjModel by its name there, as numbers; nothing when there is no such array.
    std::optional<std::vector<double>> field(std::string_view name) const;
    /// A size of mjModel by its name there ("nbody"); -1 when there is no such size.
    int size(std::string_view name) const;
    /// Names of the elements of one kind: body, joint, geom, site, tendon, actuator, sensor, key, equality. Unnamed:
    /// "".
    std::vector<std::string> names(std::string_view kind) const;
    double dt() const;     ///< [s]
    Vec3 gravity() const;  ///< [m/s^2]
    double mean_inertia() const;

    OracleState evaluate(const OracleInput& input);

private:
    struct Parts;
    explicit Oracle(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace rattleback::lab
