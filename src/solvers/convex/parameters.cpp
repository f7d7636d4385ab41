// The table of parameters and its reading.
#include "solvers/convex/parameters.h"

namespace rattleback::convex
{

namespace
{

constexpr std::pair<double, double> kPositive{0, 1e300};
constexpr std::pair<double, double> kCount{0, 1e6};

ParameterInfo number(std::string_view name, double default_value, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = default_value, .range = kPositive, .summary = summary};
}

ParameterInfo count(std::string_view name, int default_value, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = default_value, .range = kCount, .summary = summary};
}

ParameterInfo toggle(std::string_view name, bool default_value, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = default_value, .summary = summary};
}

ParameterInfo choice(std::string_view name, std::vector<std::string_view> choices, std::string_view summary)
{
    const std::string first(choices.front());
    return {.name = name, .unit = "", .default_value = first, .choices = std::move(choices), .summary = summary};
}

template <class T>
const T& get(const Parameters& parameters, std::string_view name)
{
    // Defaults have been filled in by the engine: every name is there.
    return std::get<T>(parameters.find(name)->second);
}

/// A switch of MuJoCo that has one position here.
struct FixedSwitch
{
    std::string_view name;
    bool position;
    std::string_view reason;
};
constexpr FixedSwitch kFixed[] = {
    {"clampctrl", true, "inputs are always clamped to their ranges"},
    {"actuation", true, "leave the inputs at zero instead"},
    {"filterparent", true, "the model says it: Settings::filter_parents"},
};

}  // namespace

std::vector<Feature> make_feature_list()
{
    return {Feature::free_joint,
            Feature::ball_joint,
            Feature::hinge_joint,
            Feature::slide_joint,
            Feature::several_joints_per_body,
            Feature::kinematic_body,
            Feature::gravity_compensation,
            Feature::contact,
            Feature::spinning_friction,
            Feature::rolling_friction,
            Feature::limits,
            Feature::springs,
            Feature::damping,
            Feature::armature,
            Feature::dry_friction,
            Feature::equality,
            Feature::tendon,
            Feature::actuator,
            Feature::medium,
            Feature::surface_velocity,
            Feature::adhesion,
            Feature::passive_adhesion,
            Feature::nonlinear_springs,
            Feature::negative_armature,
            Feature::negative_dry_friction};
}

std::vector<ParameterInfo> make_parameter_table()
{
    return {
        choice("integrator", {"", "euler", "implicitfast", "rk4", "lie_rk4", "midpoint", "implicit", "discrete"},
               "empty: the model's"),
        choice("solver", {"Newton", "CG", "PGS"}, "method for the convex problem"),
        choice("cone", {"pyramidal", "elliptic"}, "shape of the friction cones"),
        number("impratio", 1, "hardness of friction against that of the normal direction"),
        toggle("stick", true, "contacts at rest stay where they are; false: MuJoCo's creep"),
        toggle("continuous", true, "fast bodies stop at what they would pass through within a step"),
        toggle("guard", true, "steps that would make energy are taken in parts; false: MuJoCo's, come what may"),
        count("iterations", 100, "largest number of iterations"),
        number("tolerance", 1e-8, "of improvement and gradient, over the trace of the inertia"),
        count("ls_iterations", 50, "largest number of evaluations in a line search"),
        number("ls_tolerance", 0.01, "of the line search, relative to the tolerance"),
        count("noslip_iterations", 0, "sweeps over friction without regulariser, after the solve"),
        number("noslip_tolerance", 1e-6, "of these sweeps"),
        count("dense_limit", 60, "Newton: islands with more degrees of freedom are factored sparse"),
        toggle("sleep", false, "bodies at rest are left alone until something touches them"),
        number("sleep_tolerance", 1e-3, "velocity below which they are at rest [m/s, rad/s]"),
        toggle("warmstart", true, "begin with the last acceleration"),
        toggle("island", true, "solve trees that do not touch one by one"),
        toggle("refsafe", true, "time constants are at least two steps"),
        toggle("diagexact", false, "regularise by the inertia at the present pose"),
        toggle("eulerdamp", true, "euler: joint damping is implicit"),
        toggle("constraint", true, "any constraint at all"),
        toggle("equality", true, "equality constraints"),
        toggle("frictionloss", true, "dry friction of joints and tendons"),
        toggle("limit", true, "limits of joints and tendons"),
        toggle("contact", true, "contacts"),
        number("ccd_tolerance", 1e-6, "MuJoCo's; our contacts are found without it"),
        count("ccd_iterations", 35, "MuJoCo's; our contacts are found without it"),
        toggle("multiccd", true, "MuJoCo's; our contacts are whole manifolds always"),
        toggle("clampctrl", true, "MuJoCo's; true only"),
        toggle("actuation", true, "MuJoCo's; true only"),
        toggle("filterparent", true, "MuJoCo's; true only"),
        toggle("speculative", false, "MuJoCo's; true asks for `continuous`"),
    };
}

Options read_options(const Model& model, const Parameters& p)
{
    // Names and defaults are MuJoCo's where it has the parameter.
    Options options;
    options.integrator = parse_integrator(get<std::string>(p, "integrator")).value_or(model.settings.integrator);
    options.stick = get<bool>(p, "stick");
    options.continuous = get<bool>(p, "continuous") || get<bool>(p, "speculative");
    options.guard = get<bool>(p, "guard");
    options.sleep = get<bool>(p, "sleep");
    options.sleep_tolerance = get<double>(p, "sleep_tolerance");
    options.warm_start = get<bool>(p, "warmstart");
    options.implicit_damping = get<bool>(p, "eulerdamp");

    // The switch `constraint` turns all rows off at once.
    const bool any = get<bool>(p, "constraint");
    options.rows.cone = get<std::string>(p, "cone") == "elliptic" ? FrictionCone::elliptic : FrictionCone::pyramidal;
    options.rows.impratio = get<double>(p, "impratio");
    options.rows.refsafe = get<bool>(p, "refsafe");
    options.rows.exact_diagonal = get<bool>(p, "diagexact");
    options.rows.equality = any && get<bool>(p, "equality");
    options.rows.dry_friction = any && get<bool>(p, "frictionloss");
    options.rows.limits = any && get<bool>(p, "limit");
    options.rows.contacts = any && get<bool>(p, "contact");

    const std::string& method = get<std::string>(p, "solver");
    options.solve.method = method == "CG" ? Method::cg : method == "PGS" ? Method::pgs : Method::newton;
    options.solve.limits = {.iterations = get<int>(p, "iterations"),
                            .tolerance = get<double>(p, "tolerance"),
                            .line_iterations = get<int>(p, "ls_iterations"),
                            .line_tolerance = get<double>(p, "ls_tolerance")};
    options.solve.noslip_iterations = get<int>(p, "noslip_iterations");
    options.solve.noslip_tolerance = get<double>(p, "noslip_tolerance");
    options.solve.islands = get<bool>(p, "island");
    options.solve.dense_limit = get<int>(p, "dense_limit");
    return options;
}

Result<std::vector<Feature>> check_switches(const Parameters& parameters)
{
    std::vector<Error> errors;
    for (const FixedSwitch& fixed : kFixed)
    {
        if (get<bool>(parameters, fixed.name) == fixed.position) continue;
        errors.push_back({.code = ErrorCode::unsupported,
                          .where = "parameter '" + std::string(fixed.name) + "'",
                          .message = std::string("solver 'convex' takes only ") + (fixed.position ? "true" : "false"),
                          .hint = std::string(fixed.reason)});
    }
    if (!errors.empty()) return errors;

    // What a switch leaves out is no reason to refuse a model that has it.
    std::vector<Feature> ignored;
    const auto leave_out = [&](std::string_view name, std::initializer_list<Feature> features)
    {
        if (!get<bool>(parameters, name) || !get<bool>(parameters, "constraint"))
            ignored.insert(ignored.end(), features);
    };
    leave_out("contact", {Feature::contact, Feature::spinning_friction, Feature::rolling_friction, Feature::restitution,
                          Feature::surface_velocity, Feature::passive_adhesion});
    leave_out("equality", {Feature::equality});
    leave_out("frictionloss", {Feature::dry_friction, Feature::negative_dry_friction});
    leave_out("limit", {Feature::limits});
    return ignored;
}

}  // namespace rattleback::convex
