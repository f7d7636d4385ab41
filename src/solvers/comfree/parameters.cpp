// The table of parameters and its reading.
#include "solvers/comfree/parameters.h"

#include "solvers/comfree/sweep_solver.h"

#include "base/cpu_check.h"

namespace rattleback::comfree
{

namespace
{

template <class T>
const T& get(const Parameters& parameters, std::string_view name)
{
    return std::get<T>(parameters.find(name)->second);
}

ParameterInfo choice(std::string_view name, std::vector<std::string_view> choices, std::string_view summary)
{
    const std::string first(choices.front());
    return {.name = name, .unit = "", .default_value = first, .choices = std::move(choices), .summary = summary};
}

ParameterInfo toggle(std::string_view name, bool default_value, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = default_value, .summary = summary};
}

ParameterInfo count(std::string_view name, int default_value, std::pair<double, double> range, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = default_value, .range = range, .summary = summary};
}

}  // namespace

std::vector<ParameterInfo> make_parameter_table()
{
    return {
        choice("integrator", {"", "euler", "implicitfast", "rk4", "lie_rk4", "midpoint", "implicit", "discrete"},
               "empty: the model's"),
        choice("law", {"stable", "printed", "as_coded"}, "stable, the paper's equations, or what its experiments ran"),
        choice("method", {"auto", "direct", "sweeps"},
               "stable: linear corrections, Gauss-Seidel sweeps in packs of worlds; auto: sweeps for robots with few "
               "objects"),
        {.name = "stiffness",
         .unit = "1/s",
         .default_value = 0.2,
         .range = {{0, 1e6}},
         .summary = "k of contacts, limits and equalities"},
        {.name = "damping", .unit = "", .default_value = 0.001, .range = {{0, 1e6}}, .summary = "d of the same"},
        {.name = "curve_width",
         .unit = "m",
         .default_value = 0.001,
         .range = {{1e-9, 1e3}},
         .summary = "printed, as_coded: penetration at which the impedance curve ends"},
        choice("impedance", {"heuristic", "exact"}, "printed: Eqs. 11 to 13, or the diagonal of Eq. 10"),
        count("slide_facets", 4, {3, 32}, "printed, as_coded: facets of the sliding cone"),
        count("spin_facets", 2, {2, 8}, "printed, as_coded: of the spinning cone, half of them each way"),
        count("roll_facets", 4, {3, 16}, "printed, as_coded: of the rolling cone"),
        count("sweeps", 0, {0, 10000},
              "stable: number of sweeps (0: 5), or largest number of corrections that find who acts (0: 10)"),
        {.name = "push_speed",
         .unit = "m/s",
         .default_value = 1.0,
         .range = {{0, 1e3}},
         .summary = "stable: overlaps are pushed out no faster"},
        choice("precision", {"double", "single"},
               "stable by sweeps: packs of four doubles or eight floats; all else is in doubles"),
        toggle("anchor", false, "stable: contacts that stick remember where; a step then depends on the past"),
        toggle("continuous", true, "stable: fast bodies stop at what they would pass through within a step"),
        toggle("guard", true, "stable: steps that would make energy are taken in parts"),
        toggle("eulerdamp", true, "euler: joint damping is implicit"),
        toggle("equality", true, "equality constraints"),
        toggle("frictionloss", true, "dry friction of joints and tendons"),
        toggle("limit", true, "limits of joints and tendons"),
        toggle("contact", true, "contacts"),
    };
}

Options read_options(const Model& model, const Parameters& p)
{
    Options options;
    const std::string& law = get<std::string>(p, "law");
    options.law = law == "printed" ? Law::printed : law == "as_coded" ? Law::as_coded : Law::stable;
    const std::string& method = get<std::string>(p, "method");
    options.method = method == "sweeps" ? Method::sweeps : method == "direct" ? Method::direct : Method::automatic;
    options.integrator = parse_integrator(get<std::string>(p, "integrator")).value_or(model.settings.integrator);
    options.stiffness = get<double>(p, "stiffness");
    options.damping = get<double>(p, "damping");
    options.curve_width = get<double>(p, "curve_width");
    options.exact_impedance = get<std::string>(p, "impedance") == "exact";
    options.facets = {get<int>(p, "slide_facets"), get<int>(p, "spin_facets"), get<int>(p, "roll_facets")};
    options.sweeps = get<int>(p, "sweeps");
    options.push_speed = get<double>(p, "push_speed");
    options.anchor = get<bool>(p, "anchor") && options.law == Law::stable;
    options.continuous = get<bool>(p, "continuous") && options.law == Law::stable && get<bool>(p, "contact");
    options.guard = get<bool>(p, "guard") && options.law == Law::stable;
    options.single_precision = get<std::string>(p, "precision") == "single";
    options.implicit_damping = get<bool>(p, "eulerdamp");
    // Rows along the axes of contacts; facets and discs are sums of them.
    options.rows.cone = FrictionCone::elliptic;
    options.rows.equality = get<bool>(p, "equality");
    options.rows.dry_friction = get<bool>(p, "frictionloss");
    options.rows.limits = get<bool>(p, "limit");
    options.rows.contacts = get<bool>(p, "contact");
    if (options.sweeps == 0) options.sweeps = uses_sweeps(model, options) ? 5 : 10;
    return options;
}

int find_lanes(const Parameters& parameters)
{
    const int lanes = get<std::string>(parameters, "precision") == "single" ? kLaneCount<Pack8> : kLaneCount<Pack4>;
    return has_wide_lanes() ? 2 * lanes : lanes;
}

Result<std::vector<Feature>> find_left_out(const Parameters& parameters)
{
    std::vector<Feature> features;
    const auto leave_out = [&](std::string_view name, std::initializer_list<Feature> list)
    {
        if (get<bool>(parameters, name)) return;
        for (const Feature feature : list) features.push_back(feature);
    };
    leave_out("contact", {Feature::contact, Feature::spinning_friction, Feature::rolling_friction, Feature::restitution,
                          Feature::surface_velocity, Feature::passive_adhesion});
    leave_out("equality", {Feature::equality});
    leave_out("frictionloss", {Feature::dry_friction, Feature::negative_dry_friction});
    leave_out("limit", {Feature::limits});
    return features;
}

}  // namespace rattleback::comfree
