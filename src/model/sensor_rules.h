// What each kind of sensor may watch and measure from, the frame that follows, and how many numbers it writes.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// Sets of SensorObject, as bits.
struct SensorRule
{
    unsigned objects = 0;
    unsigned references = 0;
};
constexpr unsigned bit_of(SensorObject object) { return 1U << static_cast<unsigned>(object); }
SensorRule find_sensor_rule(SensorType type);
constexpr bool is_camera(SensorObject object) { return object == SensorObject::camera || object == SensorObject::view; }

/// "a body, shape or site".
std::string list_objects(unsigned objects);

/// Whether a sensor may watch a joint of this type; those that watch none may.
bool may_watch(SensorType sensor, JointType joint);

inline constexpr int kMostSensorValues = 1 << 20;  ///< of one sensor
inline constexpr int kMostSensorSlots = 1 << 19;   ///< `count`, and `samples`
inline constexpr std::int64_t kMostSampleNumbers = 1 << 24;

/// Numbers of a sensor with these options, as 64 bits: a file may ask for more than there are.
std::int64_t find_sensor_size(SensorType type, SensorObject object, int fields, int count,
                              const std::array<int, 2>& resolution);
/// Where the taxels of a tactile sensor begin in Sensors::taxels.
int find_first_taxel(const Sensors& sensors, std::size_t sensor);
/// Bits that `fields` may have.
int all_sensor_fields(SensorType type);

/// The body that carries the frame of an object and the frame in it; -1 where it has none. A camera's body is its
/// target, and its frame `camera`.
std::pair<int, Pose> find_sensor_frame(const Model& model, SensorObject object, int target, const Pose& camera);

/// How many objects of that kind the model has; of cameras, subtrees and inertial frames the bodies.
int count_objects(const Model& model, SensorObject object);

}  // namespace rattleback
