// Writes the fields of an element as attributes.
#include "import/mjcf_write/writer.h"

#include "base/bits.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

void MjcfWriter::write_numbers(const Rule& element, const Attributes& names, std::span<const double> numbers)
{
    // What MJCF takes when nothing is said, to the bit: zeros of either sign are two values.
    const auto usual = mjcf::parse_numbers(element.find(names.first)->fallback);
    if (usual && std::equal(numbers.begin(), numbers.end(), usual->begin(), usual->end(), same_bits<double>)) return;
    xml_.attribute(names.first, numbers);
}

void MjcfWriter::write_value(const Rule& element, const Attributes& names, double value, double)
{
    const auto usual = mjcf::parse_numbers(element.find(names.first)->fallback);
    if (!usual || usual->empty() || !same_bits(value, usual->front())) xml_.attribute(names.first, value);
}

void MjcfWriter::write_value(const Rule& element, const Attributes& names, const bool& value, double)
{
    if (value != (element.find(names.first)->fallback == "true")) xml_.attribute(names.first, value);
}

void MjcfWriter::write_value(const Rule& element, const Attributes& names, const int& value, double)
{
    if (std::to_string(value) != element.find(names.first)->fallback) xml_.attribute(names.first, value);
}

void MjcfWriter::write_value(const Rule& element, const Attributes& names, const std::uint32_t& value, double mass)
{
    write_value(element, names, static_cast<int>(value), mass);  // signed in MuJoCo, with the same bits
}

void MjcfWriter::write_value(const Rule& element, const Attributes& names, const Vec3& value, double)
{
    write_numbers(element, names, std::array{value.x, value.y, value.z});
}

void MjcfWriter::write_value(const Rule&, const Attributes& names, const Range& range, double)
{
    // MuJoCo has no limit without play; such a range is left open there.
    const bool limited = range.limited && range.lower < range.upper;
    const bool said =
        std::isfinite(range.lower) && std::isfinite(range.upper) && (range.lower != 0 || range.upper != 0);
    if (!limited && !said) return;  // autolimits is off
    xml_.attribute(names.first, limited);
    if (said) xml_.attribute(names.second, std::array{range.lower, range.upper});
}

void MjcfWriter::write_value(const Rule&, const Attributes& names, const Softness& softness, double mass)
{
    write_softness(softness, mass, names.first, names.second);
}

void MjcfWriter::write_softness(const Softness& softness, double mass, std::string_view solref, std::string_view solimp)
{
    if (const auto* spring = std::get_if<Spring>(&softness))
        xml_.attribute(solref, std::array{-spring->stiffness / mass, -std::max(spring->damping, 1e-9) / mass});
    const auto* impedance = std::get_if<Impedance>(&softness);
    if (!impedance) return;
    const Impedance standard;
    if (impedance->solref != standard.solref) xml_.attribute(solref, impedance->solref);
    if (impedance->solimp != standard.solimp) xml_.attribute(solimp, impedance->solimp);
}

}  // namespace rattleback
