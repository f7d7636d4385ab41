// Reads numbers, ranges and softness of an element.
#include "import/mjcf/attributes.h"

#include <algorithm>

#include "import/mjcf/pose.h"

namespace rattleback::mjcf
{

AttributeNames::AttributeNames(std::string_view column)
{
    const auto name = [](std::string_view text) { return text.substr(0, text.find_first_of(": ")); };
    const std::size_t blank = column.find(' ');
    first = name(column);
    if (blank != column.npos) second = name(column.substr(blank + 1));
}

void AttributeReader::read(const AttributeNames& names, double& value) const
{
    const Attribute* written = element_.find(names.first);
    if (!written && element_.rule->find(names.first)->fallback.empty()) return;
    value = element_.numbers(names.first)[0];
}

std::array<double, 2> AttributeReader::read_polynomial(const char* name) const
{
    // Elements without the attribute (freejoint) have no polynomial.
    if (!element_.rule->find(name)) return {};
    const std::vector<double> numbers = element_.numbers(name);
    return {numbers[1], numbers[2]};
}

void AttributeReader::read(const AttributeNames& names, Vec3& value) const
{
    value = to_vector(element_.numbers(names.first));
}

void AttributeReader::read(const AttributeNames& names, Range& value) const
{
    const std::string flag(names.first), range(names.second);
    const std::vector<double> bounds = element_.numbers(range);
    const std::string word = element_.text(flag);
    value = {.lower = bounds[0], .upper = bounds[1]};
    const bool automatic = word == "auto" || word.empty();
    if (automatic && !element_.context->autolimits && element_.has(range))
        log_.fail(element_.find(range)->location, "'" + range + "' is given without '" + flag + "'",
                  "say so, or set autolimits in 'compiler'");
    value.limited = word == "true" || (automatic && bounds[0] < bounds[1]);
    if (value.limited && !(bounds[0] < bounds[1]))
    {
        log_.fail(element_.has(range) ? element_.find(range)->location : element_.location,
                  "'" + range + "' is empty, yet '" + flag + "' is true", "the first number must be smaller",
                  ErrorCode::invalid_value);
        value.limited = false;
    }
}

void AttributeReader::read(const AttributeNames& names, Softness& value) const
{
    value = read_impedance(element_, names.first, names.second);
}

std::vector<double> read_friction(const Element& element)
{
    constexpr double kLeast = 1e-5;  // mjMINMU
    std::vector<double> friction = element.numbers("friction");
    for (double& mu : friction) mu = mu < 0 ? kLeast : mu;
    return friction;
}

Impedance read_impedance(const Element& element, std::string_view solref, std::string_view solimp)
{
    Impedance impedance;
    const std::vector<double> reference = element.numbers(solref), curve = element.numbers(solimp);
    std::copy_n(reference.begin(), std::min<std::size_t>(reference.size(), 2), impedance.solref.begin());
    std::copy_n(curve.begin(), std::min<std::size_t>(curve.size(), 5), impedance.solimp.begin());
    return impedance;
}

}  // namespace rattleback::mjcf
