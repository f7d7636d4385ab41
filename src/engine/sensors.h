// SensorReader: values of all sensors of one world, from State, inputs, contacts and forces.
#pragma once

#include "collide/surface/touch_surface.h"
#include "dynamics/workspace.h"
#include "engine/sensor_frames.h"
#include "solvers/shared/kinematic_bodies.h"

#include <memory>

namespace rattleback
{

/// What the sensors of a model ask for beside its bodies; found once.
struct SensorPlan
{
    explicit SensorPlan(const Model& model);

    bool dynamics = false;       ///< lengths and forces of tendons and actuators
    bool accelerations = false;  ///< accelerations, or the forces that follow from them
    bool spatial_tendons = false;
    int start_count = 0;  ///< vectors that are compared with those at the start of the last step
};

/// What sensors watch beside the State.
struct SensorInput
{
    const ConstWorldView& world;  ///< body poses and velocities are up to date
    const StepInput& step;        ///< inputs, parameters, dt; its time is that of the State
    const Contacts& contacts;
    const ContactForces& forces;
    const ConstraintForces& constraints;
    std::span<const Vec3> starts;  ///< see read_starts(), before the last step
    /// Of the dofs [m/s^2, rad/s^2]; empty: sensors of acceleration and force give their mean over the last step.
    std::span<const double> acceleration = {};
    std::optional<std::uint64_t> noise = {};  ///< of this world and step
};

/// Scratch of one thread; nothing is allocated after construction but by the first exact accelerations.
class SensorReader
{
public:
    explicit SensorReader(const Tree& tree);

    /// Writes all sensor values, [sensor_value_count].
    void read(const SensorInput& input, std::span<double> values);
    /// What sensors of acceleration and force compare: velocities and momenta now, [SensorPlan::start_count].
    void read_starts(const ConstWorldView& world, const MassView& own_mass, std::span<Vec3> starts);

private:
    struct Load
    {
        Vec3 force, torque;  ///< about the world's origin
    };

    void prepare_dynamics(const SensorInput& input);
    void read_sensor(const SensorInput& input, std::size_t s, std::span<double> out);
    void read_frame(const SensorInput& input, std::size_t s, std::span<double> out) const;
    double read_joint(const SensorInput& input, std::size_t s) const;
    double read_drive(const SensorInput& input, std::size_t s) const;
    void read_subtree(const SensorInput& input, std::size_t s, std::span<double> out);
    // sensor_loads.cpp
    void mark_subtree(int root);
    Momentum find_momentum(const ConstWorldView& world, const MassView& own_mass, int root);
    Vec3 find_acceleration(const SensorInput& input, std::size_t s, bool angular) const;
    Load find_inertial_load(const SensorInput& input, std::size_t s);
    void add_outer_loads(const SensorInput& input, Load& load) const;
    void add_tendon_loads(const SensorInput& input, Load& load) const;
    void read_load(const SensorInput& input, std::size_t s, std::span<double> out);
    // sensor_enclosure.cpp
    double read_enclosure(const SensorInput& input, std::size_t s);
    // sensor_tactile.cpp
    void read_tactile(const SensorInput& input, std::size_t s, std::span<double> out);
    // sensor_contacts.cpp
    double read_touch(const SensorInput& input, std::size_t s) const;
    void read_contacts(const SensorInput& input, std::size_t s, std::span<double> out);
    int match_contact(const SensorInput& input, std::size_t s, const Contact& contact) const;

    const Tree& tree_;
    const Model& model_;
    SensorPlan plan_;
    std::vector<int> start_of_;  ///< [sensor] first of its starts
    std::unique_ptr<Workspace<double>> workspace_;
    std::vector<KinematicMotion> motions_;
    std::vector<Motion<double>> joint_motion_;  ///< [body] acceleration that the joints give
    std::vector<char> inside_;                  ///< [body] of the subtree that is looked at

    struct Match
    {
        int contact = 0;
        int side = 1;  ///< -1: the contact's second body is the sensor's first
        double order = 0;
    };
    std::vector<Match> matches_;
    std::vector<int> touching_;  ///< shapes that touch the body of a tactile sensor
    SurfaceScratch surface_;     ///< of distances
};

// sensor_sight.cpp
/// Rays of a rangefinder, one or an image's.
void read_ranges(const Model& model, const ConstWorldView& world, std::size_t s, std::span<double> out);
/// Where the camera sees the site.
void read_projection(const Model& model, const ConstWorldView& world, std::size_t s, std::span<double> out);
/// Distance, normal or segment.
void read_distance(const Model& model, const ConstWorldView& world, std::size_t s, SurfaceScratch& scratch,
                   std::span<double> out);

// sensor_noise.cpp
/// Keeps the values of one sensor within its cutoff.
void apply_cutoff(const Sensors& sensors, std::size_t s, std::span<double> values);
/// Adds normal noise that is a function of `seed` and the sensor; rotations and axes stay of unit length.
void add_noise(const Sensors& sensors, std::size_t s, std::uint64_t seed, std::span<double> values);
/// The seed of one world and step.
std::uint64_t mix_seed(std::uint64_t seed, int world, std::int64_t step);

}  // namespace rattleback
