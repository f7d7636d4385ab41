// State: everything that changes in a simulation, as plain arrays with a leading world dimension.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model.h>
#include <rattleback/world_parameters.h>

#include <span>

namespace rattleback RATTLEBACK_API
{

/// One world of a State, to be read: spans into its arrays. Cheap to copy.
struct ConstWorldView
{
    std::span<const double> q;  ///< joint coordinates [m, rad, unit quaternions], [q_count]
    std::span<const double> v;  ///< joint velocities [m/s, rad/s], [v_count]
    std::span<const double>
        act;  ///< activations, memories of delayed actuators, shifts of springs that yield, [act_count]
    std::span<const Pose> body_pose;          ///< body frames in the world, [body_count]
    std::span<const Velocity> body_velocity;  ///< at the centres of mass, world axes, [body_count]
};

/// The same, to be written.
struct WorldView
{
    std::span<double> q, v, act;
    std::span<Pose> body_pose;
    std::span<Velocity> body_velocity;

    operator ConstWorldView() const { return {q, v, act, body_pose, body_velocity}; }
};

/// State of `world_count` worlds of one Model. Arrays may be written between steps; in a Simulation or Batch call its
/// refresh() then: bodies follow q and v (of kinematic bodies: the pose written), and solvers forget where the world
/// was.
struct State
{
    State() = default;
    /// All worlds at the model's initial coordinates, body arrays refreshed.
    explicit State(const Model& model, int world_count = 1);

    int world_count = 0;
    int q_count = 0, v_count = 0, act_count = 0, body_count = 0;

    std::vector<double> time;             ///< [s], [world]
    std::vector<std::int64_t> step;       ///< steps taken, [world]
    std::vector<double> q;                ///< [world][q_count], MuJoCo's layout
    std::vector<double> v;                ///< [world][v_count]
    std::vector<double> act;              ///< [world][act_count]
    std::vector<Pose> body_pose;          ///< [world][body_count], of the body frame
    std::vector<Velocity> body_velocity;  ///< [world][body_count], at the centre of mass, world axes

    WorldView world(int index = 0);
    ConstWorldView world(int index = 0) const;

    const Pose& pose(BodyId body, int world = 0) const;
    const Vec3& position(BodyId body, int world = 0) const { return pose(body, world).position; }
    const Quat& rotation(BodyId body, int world = 0) const { return pose(body, world).rotation; }
    const Velocity& velocity(BodyId body, int world = 0) const;
};

/// 64 bits that depend on every bit of the state (time and step included); the same on every machine.
std::uint64_t hash(const State& state);
/// The same for one world.
std::uint64_t hash(const State& state, int world);

/// All mistakes that make a state unusable: sizes, non-finite numbers, quaternions far from unit length.
std::vector<Error> validate(const Model& model, const State& state);

/// Mechanical energy of a world [J].
struct Energy
{
    double kinetic = 0;
    double potential = 0;  ///< gravity (zero at z = 0) and springs
    double total() const { return kinetic + potential; }
};
/// Momentum of a world.
struct Momentum
{
    Vec3 linear;   ///< [kg m/s]
    Vec3 angular;  ///< about the world's origin [kg m^2/s]
};
Energy compute_energy(const Model& model, const ConstWorldView& world);
Momentum compute_momentum(const Model& model, const ConstWorldView& world);
/// The same of a world with gravity and masses of its own.
Energy compute_energy(const Model& model, const ConstWorldView& world, const ParameterView& parameters);
Momentum compute_momentum(const Model& model, const ConstWorldView& world, const ParameterView& parameters);
/// Centre of mass of a body and everything attached to it, or of the whole world [m].
Vec3 compute_center_of_mass(const Model& model, const ConstWorldView& world, BodyId subtree = kWorld);
Vec3 compute_center_of_mass(const Model& model, const ConstWorldView& world, const ParameterView& parameters,
                            BodyId subtree = kWorld);

/// Body poses and velocities that follow from q, v and, for kinematic bodies, their present pose and velocity.
void refresh_bodies(const Model& model, WorldView world);

}  // namespace rattleback
