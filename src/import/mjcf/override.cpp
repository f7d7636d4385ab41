// The flag `override`: one margin, friction, solref and solimp for all contacts, those of `option`.
#include "import/mjcf/assembly.h"

#include <algorithm>

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
    for (const Element& option : spec_.options)
    {
        if (option.has("o_margin")) margin = option.number("o_margin");
        overlay(option, "o_solref", impedance.solref);
        overlay(option, "o_solimp", impedance.solimp);
        overlay(option, "o_friction", friction);
    }
    // Along the second tangent it may rub otherwise. No coefficient is below MuJoCo's least, mjMINMU.
    const bool uneven = friction[0] != friction[1] || friction[3] != friction[4];
    for (double& mu : friction)
        if (uneven || mu < 0) mu = std::max(mu, 1e-5);
    std::array<double, 2>& second = builder_.settings().second_friction;
    if (uneven) second = {friction[1], friction[4]};
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
        pair.options.second_friction = second;
        pair.options.friction_solref = {0, 0};
    }
}

}  // namespace rattleback::mjcf
