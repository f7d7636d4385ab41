// Settings of the model from `option` and `flag`: what the engine itself needs, and the parameters of the solver
// convex.
#include <algorithm>

#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

Integrator find_integrator(const Element& option)
{
    const std::string word = option.text("integrator");
    if (word == "RK4") return Integrator::lie_rk4;
    if (word == "implicit") return Integrator::implicit;
    if (word == "discrete") return Integrator::discrete;
    return word == "Euler" ? Integrator::euler : Integrator::implicitfast;
}

/// Those that are written; the solver's own defaults are MuJoCo's.
void read_parameters(const Element& option, Parameters& parameters)
{
    for (const Attribute& attribute : option.attributes)
    {
        const AttributeRule& rule = *attribute.rule;
        if (rule.use != Use::read) continue;
        if (rule.name == "timestep" || rule.name == "gravity" || rule.name == "wind" || rule.name == "magnetic" ||
            rule.name == "density" || rule.name == "viscosity" || rule.name == "integrator" ||
            rule.name == "actuatorgroupdisable" || rule.name.starts_with("o_"))
            continue;
        // Tolerances, counts and ratios below zero are none, as in MuJoCo.
        if (rule.type == Type::word)
            parameters[rule.name] = attribute.text;
        else if (rule.type == Type::integer)
            parameters[rule.name] = std::max(0, static_cast<int>(attribute.numbers[0]));
        else
            parameters[rule.name] = std::max(0.0, attribute.numbers[0]);
    }
}

}  // namespace

void Assembly::add_options()
{
    Settings& settings = builder_.settings();
    settings.integrator = Integrator::euler;
    builder_.length_ranges() = spec_.world.context->length_ranges;
    Parameters& parameters = settings.solver_parameters["convex"];
    for (const Element& option : spec_.options)
    {
        if (option.has("timestep")) settings.dt = option.number("timestep");
        if (option.has("gravity")) settings.gravity = to_vector(option.numbers("gravity"));
        if (option.has("wind")) settings.medium.wind = to_vector(option.numbers("wind"));
        if (option.has("magnetic")) settings.magnetic_field = to_vector(option.numbers("magnetic"));
        if (option.has("density")) settings.medium.density = std::max(0.0, option.number("density"));
        if (option.has("viscosity")) settings.medium.viscosity = std::max(0.0, option.number("viscosity"));
        if (option.has("integrator")) settings.integrator = find_integrator(option);
        if (option.has("actuatorgroupdisable")) disabled_groups_ = option.numbers("actuatorgroupdisable");
        read_parameters(option, parameters);
        for (const Element& flags : option.children)
        {
            for (const Attribute& flag : flags.attributes)
            {
                const bool on = flag.text == "enable";
                if (flag.rule->use != Use::read) continue;
                if (flag.rule->name == "gravity")
                    gravity_off_ = !on;
                else if (flag.rule->name == "spring")
                    springs_off_ = !on;
                else if (flag.rule->name == "damper")
                    dampers_off_ = !on;
                else if (flag.rule->name == "filterparent")
                    settings.filter_parents = on;
                else if (flag.rule->name == "override")
                    overridden_ = on;
                else if (flag.rule->name == "actuation" && !on)
                    actuation_off_ = true;
                else if (flag.rule->name == "clampctrl" && !on)
                    clamps_off_ = true;
                else
                    parameters[flag.rule->name] = on;
            }
        }
    }
    if (gravity_off_) settings.gravity = {};
    if (parameters.empty()) settings.solver_parameters.erase("convex");
}

void Assembly::add_fluid(const Element& element, ShapeOptions& options) const
{
    const std::vector<double> numbers = element.numbers("fluidcoef");
    options.fluid = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

}  // namespace rattleback::mjcf
