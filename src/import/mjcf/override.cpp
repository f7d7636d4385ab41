// The flag `override`: one margin, friction, solref and solimp for all contacts, those of `option`.
#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// Replaces the front of the list by what is written.
template <std::size_t N>
void overlay(const Element& option, const char* name, std::array<double, N>& values)
{
    const Attribute* written = option.find(name);
    for (std::size_t i = 0; written && i < std::min(written->numbers.size(), N); ++i) values[i] = written->numbers[i];
}

}  // namespace

void Assembly::override_contacts()
{
    // What is said in several `option`s adds up.
    double margin = 0;
    Impedance impedance;
    std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};
    const Element* said = nullptr;
    for (const Element& option : spec_.options)
    {
        if (option.has("o_margin")) margin = option.number("o_margin");
        overlay(option, "o_solref", impedance.solref);
        overlay(option, "o_solimp", impedance.solimp);
        overlay(option, "o_friction", friction);
        if (option.has("o_friction")) said = &option;
    }
    // Pairs have two coefficients of sliding and rolling, geoms one of each.
    const bool uneven = friction[0] != friction[1] || friction[3] != friction[4];
    if (uneven && said)
        log_.fail(said->find("o_friction")->location,
                  "two different coefficients of sliding or rolling for all contacts", "give both the same value",
                  ErrorCode::unsupported);
    for (MaterialOptions& material : authored_.materials)
    {
        material.friction = friction[0];
        material.spinning_friction = friction[2];
        material.rolling_friction = friction[3];
        material.softness = impedance;
    }
    // The margin of a contact is the sum of two.
    for (AuthoredShape& shape : authored_.shapes) shape.options.margin = 0.5 * margin;
    for (AuthoredPair& pair : authored_.pairs)
    {
        pair.options.margin = margin;
        pair.options.second_friction = {-1, -1};
        pair.options.friction_solref = {0, 0};
    }
}

}  // namespace rattleback::mjcf
