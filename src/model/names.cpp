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

constexpr std::array kFollowModes{"fixed", "track", "trackcom", "targetbody", "targetbodycom"};
constexpr std::array kLightTypes{"spot", "directional", "point"};
constexpr std::array kTextureTypes{"2d", "cube", "skybox"};
constexpr std::array kTexturePatterns{"none", "gradient", "checker", "flat"};
constexpr std::array kTextureMarks{"none", "edge", "cross", "random"};
constexpr std::array kBodyKinds{"dynamic", "fixed", "kinematic"};
constexpr std::array kJointTypes{"free", "ball", "slide", "hinge", "fixed"};
constexpr std::array kIntegrators{"euler", "implicitfast", "rk4", "lie_rk4", "midpoint"};
constexpr std::array kEqualityTypes{"connect", "weld", "joint", "tendon", "cable"};
constexpr std::array kTendonTypes{"fixed", "spatial"};
constexpr std::array kTransmissionTypes{"joint", "joint_in_parent", "tendon", "site"};
constexpr std::array kActuatorDynamics{"none", "integrator", "filter", "filter_exact"};
constexpr std::array kStepStatuses{"ok", "not_converged", "diverged", "capacity"};
constexpr std::array<const char*, kStageCount> kStages{"kinematics", "mass_matrix", "factor", "bias",      "forces",
                                                       "collide",    "rows",        "solve",  "integrate", "refresh"};

struct SensorEntry
{
    const char* name;
    int size;
};
constexpr std::array<SensorEntry, 10> kSensors{{{"joint_position", 1},
                                                {"joint_velocity", 1},
                                                {"frame_position", 3},
                                                {"frame_rotation", 4},
                                                {"linear_velocity", 3},
                                                {"angular_velocity", 3},
                                                {"gyro", 3},
                                                {"accelerometer", 3},
                                                {"touch", 1},
                                                {"contact_force", 3}}};

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
