// Typed attributes of URDF elements.
#include "import/urdf/node.h"

#include <cmath>
#include <limits>

#include "import/mjcf/check_attribute.h"

namespace rattleback::urdf
{

std::vector<Node> Node::children(std::string_view name) const
{
    std::vector<Node> found;
    for (const pugi::xml_node& child : xml_.children())
    {
        if (child.type() != pugi::node_element || (!name.empty() && name != child.name())) continue;
        found.emplace_back(child, *file_, *log_);
    }
    return found;
}

std::optional<std::string> Node::required(const char* attribute) const
{
    std::string value = text(attribute);
    if (!value.empty()) return value;
    fail("'" + name() + "' needs the attribute '" + attribute + "'", "", ErrorCode::syntax);
    return std::nullopt;
}

std::vector<double> Node::numbers(const char* attribute, const std::vector<double>& missing) const
{
    if (!has(attribute)) return missing;
    const std::string value = text(attribute);
    const std::optional<std::vector<double>> parsed = mjcf::parse_numbers(value);
    if (parsed && parsed->size() == missing.size()) return *parsed;
    const std::string wanted =
        missing.size() == 1 ? "a finite number" : std::to_string(missing.size()) + " finite numbers";
    fail_at(
        attribute,
        "'" + std::string(attribute) + "' of '" + name() + "' is " + mjcf::in_quotes(value) + " instead of " + wanted,
        "", ErrorCode::syntax);
    return missing;
}

Vec3 Node::vector(const char* attribute, const Vec3& missing) const
{
    const std::vector<double> read = numbers(attribute, {missing.x, missing.y, missing.z});
    return {read[0], read[1], read[2]};
}

double Node::positive(const char* attribute, double missing, bool zero) const
{
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const double value = has(attribute) ? number(attribute, kNone) : missing;
    if (value == kNone) return 1;  // not a number, as was said
    if (value > 0 || (zero && value == 0)) return value;
    if (has(attribute))
        fail_at(attribute, "'" + std::string(attribute) + "' of '" + name() + "' must " +
                               (zero ? "not be negative" : "be positive"));
    else
        required(attribute);
    return 1;
}

void Node::fail(std::string message, std::string hint, ErrorCode code) const
{
    log_->fail(location(), std::move(message), std::move(hint), code);
}

void Node::fail_at(const char* attribute, std::string message, std::string hint, ErrorCode code) const
{
    log_->fail(location(attribute), std::move(message), std::move(hint), code);
}

void Node::warn(std::string message, std::string hint) const
{
    log_->warn(location(), std::move(message), std::move(hint));
}

Pose read_origin(const Node& parent)
{
    const Node origin = parent.child("origin");
    const Vec3 rpy = origin.vector("rpy", {});
    const auto turn = [](double angle, const Vec3& axis)
    {
        return Quat{std::cos(0.5 * angle), std::sin(0.5 * angle) * axis.x, std::sin(0.5 * angle) * axis.y,
                    std::sin(0.5 * angle) * axis.z};
    };
    // Roll first, about axes that stay: yaw stands on the left.
    const Quat rotation = turn(rpy.z, {0, 0, 1}) * turn(rpy.y, {0, 1, 0}) * turn(rpy.x, {1, 0, 0});
    return {origin.vector("xyz", {}), normalized(rotation)};
}

}  // namespace rattleback::urdf
