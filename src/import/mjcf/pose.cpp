// Positions and orientations in all the ways in which MJCF writes them.
#include "import/mjcf/pose.h"

#include <array>
#include <cctype>
#include <cmath>

#include "geometry/mass.h"
#include "math/rotation.h"

namespace rattleback::mjcf
{

namespace
{

constexpr double kTiny = 1e-10;

/// The rotation whose columns are x, y and x cross y, all unit.
Quat from_axes(const Vec3& x, const Vec3& y, const Vec3& z)
{
    // Divides by the largest member, which is at least one half.
    const double w = 1 + x.x + y.y + z.z, a = 1 + x.x - y.y - z.z, b = 1 - x.x + y.y - z.z, c = 1 - x.x - y.y + z.z;
    if (w >= a && w >= b && w >= c) return normalized(Quat{w, y.z - z.y, z.x - x.z, x.y - y.x});
    if (a >= b && a >= c) return normalized(Quat{y.z - z.y, a, x.y + y.x, x.z + z.x});
    if (b >= c) return normalized(Quat{z.x - x.z, x.y + y.x, b, y.z + z.y});
    return normalized(Quat{x.y - y.x, x.z + z.x, y.z + z.y, c});
}

/// Unit quaternion, or none and an error where the numbers make no rotation.
Quat find_turn(const Element& element, const Attribute& attribute, Log& log)
{
    const auto fail = [&](const char* why)
    {
        log.fail(attribute.location, "'" + attribute.rule->name + "' of '" + element.rule->name + "' " + why, "",
                 ErrorCode::invalid_value);
        return Quat{};
    };
    const std::vector<double>& n = attribute.numbers;
    const std::string& name = attribute.rule->name;
    if (name == "euler") return read_euler(n, *element.context);
    if (name == "quat")
    {
        const Quat q{n[0], n[1], n[2], n[3]};
        return norm(q) > kTiny ? make_unit(q) : fail("has length zero");
    }
    const Vec3 first{n[0], n[1], n[2]};
    const double length = norm(first);
    if (!(length > kTiny)) return fail("has an axis of length zero");
    const Vec3 x = (1 / length) * first;
    if (name == "axisangle") return from_axis_angle(x, element.context->degrees ? n[3] * kDegree : n[3]);
    if (name == "zaxis") return turn_z_to(first);
    Vec3 y{n[3], n[4], n[5]};
    y -= dot(x, y) * x;
    if (!(norm(y) > kTiny)) return fail("has parallel axes");
    y = (1 / norm(y)) * y;
    return from_axes(x, y, cross(x, y));
}

}  // namespace

Vec3 to_vector(const std::vector<double>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

Quat turn_z_to(const Vec3& direction)
{
    const Vec3 unit = (1 / norm(direction)) * direction;
    Vec3 axis{-unit.y, unit.x, 0};
    const double sine = norm(axis);
    if (sine < kTiny) axis = {1, 0, 0};
    return from_axis_angle(axis, std::atan2(sine, unit.z));
}

Quat read_euler(const std::vector<double>& angles, const Context& context)
{
    Quat turn;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const char letter = context.euler_sequence[i];
        Vec3 axis;
        axis[std::tolower(static_cast<unsigned char>(letter)) - 'x'] = 1;
        const Quat step = from_axis_angle(axis, context.degrees ? angles[i] * kDegree : angles[i]);
        const bool moves = letter >= 'x';  // lower case: about the axes that turn along
        turn = moves ? turn * step : step * turn;
    }
    return normalized(turn);
}

Quat read_turn(const Element& element, Log& log)
{
    constexpr std::array<std::string_view, 5> kTurns{"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    const Attribute* found = nullptr;
    for (const std::string_view name : kTurns)
    {
        const Attribute* attribute = element.find(name);
        if (attribute && found)
            log.fail(attribute->location,
                     "two orientations: '" + found->rule->name + "' and '" + attribute->rule->name + "'",
                     "give one of them");
        if (attribute) found = attribute;
    }
    return found ? find_turn(element, *found, log) : Quat{};
}

Pose read_pose(const Element& element, Log& log)
{
    return {to_vector(element.numbers("pos")), read_turn(element, log)};
}

}  // namespace rattleback::mjcf
