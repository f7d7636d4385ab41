// MuJoCo as a peer that steps, and as an oracle that is asked for every number of a model and a state.
#pragma once

#include "lab/peers/peer.h"

#include <rattleback/contacts.h>

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

/// Inverse dynamics and Jacobians at one state, without constraints; [3][nv] each, row-major, world axes.
struct OracleMechanics
{
    std::vector<double> inverse;                       ///< qfrc_inverse of the given acceleration, [nv]
    std::vector<std::vector<double>> linear, angular;  ///< [nbody] of the body's centre of mass
    std::vector<std::vector<double>> subtree_linear;   ///< [nbody] of the subtree's centre of mass
    std::vector<Vec3> center, subtree_center;          ///< [nbody]
};

/// Where to ask. Empty arrays: the initial values, zero for velocities and inputs.
struct OracleInput
{
    std::span<const double> q, v, act, input;
    std::span<const double> joint_force;    ///< qfrc_applied, [nv]
    std::span<const Wrench> body_wrench;    ///< [nbody]
    std::span<const Pose> kinematic_poses;  ///< of mocap bodies, in MuJoCo's order
};

/// How MuJoCo treats constraints when it is asked about them.
struct OracleConstraintOptions
{
    bool elliptic = false;
    double impratio = 1;
    bool refsafe = true;
    bool exact_diagonal = false;    ///< flag diagexact
    std::string solver = "Newton";  ///< "Newton", "CG" or "PGS"
    int iterations = 100;
    double tolerance = 1e-8;
    int noslip_iterations = 0;
    double noslip_tolerance = 1e-6;
    bool warmstart = false;  ///< from the acceleration of the last call
};

/// Type of a constraint row in MuJoCo, in its order.
enum class OracleRow
{
    equality,
    dof_friction,
    tendon_friction,
    joint_limit,
    tendon_limit,
    frictionless,
    pyramidal,
    elliptic,
};

/// Contacts, constraint rows and their forces at one state.
struct OracleConstraints
{
    Contacts contacts;               ///< bodies, shapes (as geoms), frame, friction, impedance
    std::vector<int> contact_row;    ///< [contact] first row; -1: none
    std::vector<double> contact_mu;  ///< [contact] of the regularised cone
    std::vector<OracleRow> type;     ///< [row]
    std::vector<int> element;        ///< [row] equality, dof, joint, tendon or contact
    std::vector<double> jacobian;    ///< dense, [row][nv]
    std::vector<double> position, margin, velocity, reference, diagonal, regulariser, stiffness, loss;  ///< [row]
    std::vector<double> force;                              ///< [row] efc_force
    std::vector<double> smooth_acceleration, acceleration;  ///< [nv]
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
    Vec3 gravity() const;  ///< [m/s^2]; zero where the flag `gravity` is off
    double mean_inertia() const;

    OracleState evaluate(const OracleInput& input);
    OracleMechanics find_mechanics(const OracleInput& input, std::span<const double> acceleration);
    OracleConstraints find_constraints(const OracleInput& input, const OracleConstraintOptions& options);
    /// sensordata after mj_forward.
    std::vector<double> find_sensors(const OracleInput& input, const OracleConstraintOptions& options);

private:
    struct Parts;
    explicit Oracle(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace rattleback::lab
