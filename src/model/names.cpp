// Names and sizes of the model's enumerators, spelt as in files, the command line and Python.
#include <rattleback/model.h>
#include <rattleback/report.h>

namespace rattleback
{

namespace
{

template <class Enum, std::size_t N>
const char* name_of(const std::array<const char*, N>& names, Enum value)
{
    const auto index = static_cast<std::size_t>(value);
    return index < N ? names[index] : "unknown";
}

// In the order of the enumerators; files, command line and Python read the same words.
constexpr std::array kFollowModes{"fixed", "track", "trackcom", "targetbody", "targetbodycom"};
constexpr std::array kLightTypes{"spot", "directional", "point"};
constexpr std::array kTextureTypes{"2d", "cube", "skybox"};
constexpr std::array kTexturePatterns{"none", "gradient", "checker", "flat"};
constexpr std::array kTextureMarks{"none", "edge", "cross", "random"};
constexpr std::array kBodyKinds{"dynamic", "fixed", "kinematic"};
constexpr std::array kJointTypes{"free", "ball", "slide", "hinge", "fixed"};
constexpr std::array kIntegrators{"euler", "implicitfast", "rk4", "lie_rk4", "midpoint", "implicit", "discrete"};
constexpr std::array kSleepPolicies{"automatic", "never", "allowed", "init"};
constexpr std::array kEqualityTypes{"connect", "weld", "joint", "tendon", "cable"};
constexpr std::array kTendonTypes{"fixed", "spatial"};
constexpr std::array kTransmissionTypes{"joint", "joint_in_parent", "tendon", "site", "slider_crank", "body"};
constexpr std::array kActuatorDynamics{"none", "integrator", "filter", "filter_exact", "muscle", "pid", "dc_motor"};
constexpr std::array kActuatorLaws{"affine", "muscle", "pid", "dc_motor", "orientation", "input"};
constexpr std::array kInterpolations{"hold", "linear", "cubic"};
constexpr std::array kStepStatuses{"ok", "not_converged", "diverged", "capacity"};
constexpr std::array<const char*, kStageCount> kStages{"kinematics", "mass_matrix", "factor", "bias",      "forces",
                                                       "collide",    "rows",        "solve",  "integrate", "refresh"};

struct SensorEntry
{
    const char* name;
    int size;  ///< 0: its options say
};
constexpr std::array<SensorEntry, kSensorTypeCount> kSensors{{{"joint_position", 1},
                                                              {"joint_velocity", 1},
                                                              {"frame_position", 3},
                                                              {"frame_rotation", 4},
                                                              {"linear_velocity", 3},
                                                              {"angular_velocity", 3},
                                                              {"gyro", 3},
                                                              {"accelerometer", 3},
                                                              {"touch", 1},
                                                              {"contact_force", 3},
                                                              {"velocimeter", 3},
                                                              {"force", 3},
                                                              {"torque", 3},
                                                              {"magnetometer", 3},
                                                              {"camera_projection", 2},
                                                              {"rangefinder", 0},
                                                              {"tendon_position", 1},
                                                              {"tendon_velocity", 1},
                                                              {"actuator_position", 1},
                                                              {"actuator_velocity", 1},
                                                              {"actuator_force", 1},
                                                              {"joint_actuator_force", 1},
                                                              {"tendon_actuator_force", 1},
                                                              {"ball_rotation", 4},
                                                              {"ball_velocity", 3},
                                                              {"joint_limit_position", 1},
                                                              {"joint_limit_velocity", 1},
                                                              {"joint_limit_force", 1},
                                                              {"tendon_limit_position", 1},
                                                              {"tendon_limit_velocity", 1},
                                                              {"tendon_limit_force", 1},
                                                              {"frame_x_axis", 3},
                                                              {"frame_y_axis", 3},
                                                              {"frame_z_axis", 3},
                                                              {"linear_acceleration", 3},
                                                              {"angular_acceleration", 3},
                                                              {"subtree_center", 3},
                                                              {"subtree_velocity", 3},
                                                              {"subtree_angular_momentum", 3},
                                                              {"inside_site", 1},
                                                              {"distance", 1},
                                                              {"distance_normal", 3},
                                                              {"distance_segment", 6},
                                                              {"contact", 0},
                                                              {"potential_energy", 1},
                                                              {"kinetic_energy", 1},
                                                              {"clock", 1},
                                                              {"user", 0},
                                                              {"enclosure", 1},
                                                              {"tactile", 0}}};
constexpr std::array kSensorObjects{"none",    "joint", "tendon", "actuator", "body", "inertial",
                                    "subtree", "shape", "site",   "camera",   "view"};
constexpr std::array kSensorReduces{"none", "nearest", "strongest", "net"};

}  // namespace

const char* to_string(FollowMode mode) { return name_of(kFollowModes, mode); }
const char* to_string(LightType type) { return name_of(kLightTypes, type); }
const char* to_string(TextureType type) { return name_of(kTextureTypes, type); }
const char* to_string(TexturePattern pattern) { return name_of(kTexturePatterns, pattern); }
const char* to_string(TextureMark mark) { return name_of(kTextureMarks, mark); }
const char* to_string(BodyKind kind) { return name_of(kBodyKinds, kind); }
const char* to_string(JointType type) { return name_of(kJointTypes, type); }
const char* to_string(Integrator integrator) { return name_of(kIntegrators, integrator); }
const char* to_string(EqualityType type) { return name_of(kEqualityTypes, type); }
const char* to_string(TendonType type) { return name_of(kTendonTypes, type); }
const char* to_string(TransmissionType type) { return name_of(kTransmissionTypes, type); }
const char* to_string(ActuatorDynamics dynamics) { return name_of(kActuatorDynamics, dynamics); }
const char* to_string(ActuatorLaw law) { return name_of(kActuatorLaws, law); }
const char* to_string(SleepPolicy policy) { return name_of(kSleepPolicies, policy); }
const char* to_string(Interpolation interpolation) { return name_of(kInterpolations, interpolation); }
const char* to_string(SensorObject object) { return name_of(kSensorObjects, object); }
const char* to_string(SensorReduce reduce) { return name_of(kSensorReduces, reduce); }
const char* to_string(StepStatus status) { return name_of(kStepStatuses, status); }
const char* to_string(Stage stage) { return name_of(kStages, stage); }

const char* to_string(SensorType type)
{
    const auto index = static_cast<std::size_t>(type);
    return index < kSensors.size() ? kSensors[index].name : "unknown";
}

std::optional<Integrator> parse_integrator(std::string_view name)
{
    for (std::size_t i = 0; i < kIntegrators.size(); ++i)
    {
        if (name == kIntegrators[i]) return static_cast<Integrator>(i);
    }
    return std::nullopt;
}

int q_count(JointType type)
{
    switch (type)
    {
        case JointType::free:
            return 7;
        case JointType::ball:
            return 4;
        case JointType::slide:
        case JointType::hinge:
            return 1;
        case JointType::fixed:
            break;
    }
    return 0;
}

int v_count(JointType type)
{
    const int q = q_count(type);
    return q > 1 ? q - 1 : q;  // a quaternion has one number more than its velocity
}

int sensor_size(SensorType type)
{
    const auto index = static_cast<std::size_t>(type);
    return index < kSensors.size() ? kSensors[index].size : 0;
}

}  // namespace rattleback
