// From Python's objects to the engine's: assign(object, value) for every type that options have.
#pragma once

#include "bindings.h"

#include <rattleback/builder.h>
#include <rattleback/world_parameters.h>

#include <span>

namespace rattleback::python
{

/// Thrown by assign(): what would have been right. The caller knows the names and makes a TypeError of it.
struct Mismatch
{
    std::string expected;
};

/// Raises TypeError: "place: expected ..., got ...".
[[noreturn]] void raise_mismatch(const std::string& place, const Mismatch& mismatch, nb::handle given);

void assign(nb::handle given, bool& value);
void assign(nb::handle given, int& value);
void assign(nb::handle given, std::uint32_t& value);
void assign(nb::handle given, double& value);
void assign(nb::handle given, std::string& value);
void assign(nb::handle given, Vec3& value);
void assign(nb::handle given, Quat& value);
void assign(nb::handle given, Pose& value);
void assign(nb::handle given, Range& value);
void assign(nb::handle given, Softness& value);
void assign(nb::handle given, Spring& value);
void assign(nb::handle given, Cable& value);
void assign(nb::handle given, Inertia& value);
void assign(nb::handle given, Medium& value);
void assign(nb::handle given, Shape& value);
void assign(nb::handle given, Parameters& value);
void assign(nb::handle given, std::map<std::string, Parameters, std::less<>>& value);
void assign(nb::handle given, ActuatorTarget& value);
void assign(nb::handle given, SensorTarget& value);
void assign(nb::handle given, std::vector<double>& value);
void assign(nb::handle given, std::vector<Vec3>& value);
void assign(nb::handle given, std::vector<Pose>& value);
void assign(nb::handle given, std::vector<std::array<int, 3>>& value);
void assign(nb::handle given, std::vector<std::array<int, 2>>& value);
void assign(nb::handle given, std::vector<std::array<float, 2>>& value);
void assign(nb::handle given, std::vector<std::vector<std::byte>>& value);
void assign(nb::handle given, std::vector<std::pair<JointId, double>>& value);
void assign(nb::handle given, std::vector<ModelBuilder::PathItem>& value);

/// `count` numbers of a sequence or array.
void assign_numbers(nb::handle given, double* values, int count);
template <std::size_t N>
void assign(nb::handle given, std::array<double, N>& value)
{
    assign_numbers(given, value.data(), static_cast<int>(N));
}
template <class T, std::size_t N>
void assign(nb::handle given, std::array<T, N>& value)
{
    std::array<double, N> numbers{};
    assign_numbers(given, numbers.data(), static_cast<int>(N));
    for (std::size_t i = 0; i < N; ++i) value[i] = static_cast<T>(numbers[i]);
}

/// The index of an id of that class, of a plain integer or of an element (sim.body["arm"]); None: -1.
int to_index(nb::handle given, const char* class_name);
template <class Tag>
void assign(nb::handle given, Id<Tag>& value)
{
    value.index = to_index(given, id_class<Tag>);
}

template <class T>
void assign(nb::handle given, std::optional<T>& value)
{
    if (given.is_none())
        value.reset();
    else
        assign(given, value.emplace());
}

/// Position of a word among enumerators 0, 1, ... until `spell` says "unknown" or `count` is reached.
int find_word(nb::handle given, const char* (*spell)(int), int count);
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr int enumerator_count = 0;
template <>
inline constexpr int enumerator_count<BodyKind> = 3;
template <>
inline constexpr int enumerator_count<JointType> = 5;
template <>
inline constexpr int enumerator_count<Integrator> = 7;
template <>
inline constexpr int enumerator_count<SleepPolicy> = 4;
template <>
inline constexpr int enumerator_count<ActuatorDynamics> = 7;
template <>
inline constexpr int enumerator_count<ActuatorLaw> = 6;
template <>
inline constexpr int enumerator_count<Interpolation> = 3;
template <>
inline constexpr int enumerator_count<SensorType> = kSensorTypeCount;
template <>
inline constexpr int enumerator_count<SensorReduce> = 4;
template <>
inline constexpr int enumerator_count<ShapeType> = kShapeTypeCount;
template <>
inline constexpr int enumerator_count<WorldParameter> = kWorldParameterCount;
template <>
inline constexpr int enumerator_count<FollowMode> = 5;
template <>
inline constexpr int enumerator_count<LightType> = 3;
template <>
inline constexpr int enumerator_count<TextureType> = 3;
template <>
inline constexpr int enumerator_count<TexturePattern> = 4;
template <>
inline constexpr int enumerator_count<TextureMark> = 4;

/// Enumerators are words in Python, spelt as in C++.
template <class Enum>
    requires(enumerator_count<Enum> > 0)
void assign(nb::handle given, Enum& value)
{
    value = static_cast<Enum>(
        find_word(given, [](int i) { return to_string(static_cast<Enum>(i)); }, enumerator_count<Enum>));
}

/// A value, or a TypeError that begins with `place`.
template <class T>
T convert(nb::handle given, const std::string& place)
{
    T value{};
    try
    {
        assign(given, value);
    }
    catch (const Mismatch& mismatch)
    {
        raise_mismatch(place, mismatch, given);
    }
    return value;
}

// The other way.
nb::object to_python(const ParameterValue& value);
nb::object to_python(const Parameters& parameters);
nb::object to_python(const Range& range);
nb::tuple to_python(const std::array<double, 2>& pair);
nb::object to_python(const Softness& softness);
nb::tuple to_python(const Vec3& value);
nb::tuple to_python(const Quat& value);

}  // namespace rattleback::python
