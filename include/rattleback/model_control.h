// What drives and measures a Model: tendons, actuators, sensors, keyframes.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model_tree.h>

#include <array>
#include <string>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// One stop on a tendon's way.
struct TendonItem
{
    int joint = -1;    ///< fixed tendons: the joint
    int site = -1;     ///< spatial tendons: the site to pass through; -1: a shape or a pulley
    double value = 0;  ///< fixed: coefficient; pulley: divisor of what follows
    int shape = -1;    ///< spatial tendons: the sphere or (endless) cylinder between two sites to wrap around
    /// Of a shape: the path passes on this site's side, or through the shape if the site is inside; -1: the shorter.
    int side_site = -1;
};

/// Tendons, [tendon_count].
struct Tendons
{
    std::vector<std::string> name;
    std::vector<TendonType> type;
    std::vector<int> item_begin;  ///< [tendon_count + 1] into items
    std::vector<TendonItem> items;
    std::vector<Range> range;  ///< limits of the length
    std::vector<double> margin;
    std::vector<Softness> limit_softness;
    std::vector<double> stiffness, damping, dry_friction, armature;
    std::vector<std::array<double, 2>> stiffness_polynomial, damping_polynomial;  ///< as of joints
    std::vector<Softness> dry_friction_softness;
    std::vector<std::array<double, 2>> spring_length;  ///< no force between the two [m]
    std::vector<double> spring_yield;                  ///< [m]; 0: elastic
    std::vector<int> plastic_begin;      ///< in State::act: shifts of the two ends of spring_length; -1: elastic
    std::vector<double> length;          ///< at q0
    std::vector<double> inverse_weight;  ///< J M^-1 J^T at q0
    std::vector<Range> actuator_force_range;
};

/// Actuators, [actuator_count]: force = gain * (input or activation) + bias. Of affine laws
/// gain = g0 + g1 length + g2 velocity, bias = b0 + b1 length + b2 velocity; the others are told with the parameters.
/// Each has one input: an actuator that needs several is followed by actuators of the law `input`.
struct Actuators
{
    std::vector<std::string> name;
    std::vector<TransmissionType> transmission;
    std::vector<int> target;           ///< joint, tendon, site or body
    std::vector<int> reference;        ///< site: measured from this site; slider crank: the slider's site; -1: none
    std::vector<double> crank_length;  ///< of the rod between crank and slider [m]
    std::vector<std::array<double, 6>> gear;
    std::vector<ActuatorLaw> gain_law, bias_law;
    /// Muscles: gain[0] and bias[0] are the peak force [N]. PID: gain[0] is that of the integral.
    std::vector<std::array<double, 3>> gain, bias;
    /// Of laws and dynamics that are not affine, numbered as MuJoCo's gainprm, biasprm and dynprm; else zero.
    /// Muscle (gain and bias): range (2), peak force, its scale, lmin, lmax, vmax, fpmax, fvmax; dynamics: time
    /// constants of rise and fall [s], width of the change between them. PID dynamics: bound of the integral, largest
    /// rate of the setpoint. DC motor: see [MuJoCo], "dcmotor".
    std::vector<std::array<double, 10>> gain_parameters, bias_parameters, dynamics_parameters;
    std::vector<ActuatorDynamics> dynamics;
    std::vector<double> time_constant;  ///< of the filters [s]
    std::vector<int> inputs;            ///< PID and DC motor: sum of kInputPosition and so on; else 0
    std::vector<int> act_begin;         ///< index into State::act; -1: none
    std::vector<int> act_size;          ///< activations in a row
    std::vector<Range> input_range, force_range, act_range;
    std::vector<Range> length_range;  ///< of the transmission; muscles have one
    std::vector<double> period;       ///< servos on a rotation: a turn, in units of the length; else 0
    std::vector<int> act_early;       ///< 1: the force uses the activation at the end of the step
    std::vector<int> active;          ///< at first, see Control::actuator_active
    std::vector<double> delay;        ///< the force follows the input of that long ago [s]; 0: of now
    std::vector<int> sample_count;    ///< inputs that a delayed actuator remembers, one for each step
    std::vector<Interpolation> interpolation;
    std::vector<int> history_begin;  ///< in State::act, behind the activations: what it remembers; -1: nothing
};

/// Inputs of a PID or a DC motor, in this order.
inline constexpr int kInputPosition = 1, kInputVelocity = 2, kInputForce = 4, kInputVoltage = 8;

/// Sensors, [sensor_count]: each of a kind, on an object, perhaps against a reference, see SensorOptions.
struct Sensors
{
    std::vector<std::string> name;
    std::vector<SensorType> type;
    std::vector<SensorObject> object, reference;  ///< kind of what it watches, and of what it measures from
    std::vector<int> target, reference_target;    ///< which one; of camera frames the body; -1: none
    std::vector<int> body, reference_body;        ///< that carries the frame; -1: there is no frame
    std::vector<Pose> pose, reference_pose;       ///< the frame in that body
    std::vector<int> begin;                       ///< first number in the sensor values
    std::vector<int> size;                        ///< how many
    std::vector<double> cutoff, noise;
    std::vector<int> fields, count;
    std::vector<SensorReduce> reduce;
    std::vector<std::array<int, 2>> resolution;
    std::vector<std::array<double, 2>> focal, principal;
    std::vector<int> orthographic;
    std::vector<int> samples;
    std::vector<Interpolation> interpolation;
    std::vector<double> delay;
    std::vector<std::array<double, 2>> interval;
    std::vector<std::array<Vec3, 3>> taxels;  ///< of tactile sensors, `count` of each, one after the other
};

/// A state to start from.
struct Keyframe
{
    std::string name;
    double time = 0;
    std::vector<double> q, v, act, ctrl;  ///< sizes of the model, or empty: the initial values
    std::vector<Pose> targets;            ///< of kinematic bodies; or empty
};

}  // namespace rattleback
