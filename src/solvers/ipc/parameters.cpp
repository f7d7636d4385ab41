// The table of parameters and its reading.
#include "solvers/ipc/settings.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

template <class T>
const T& get(const Parameters& parameters, std::string_view name)
{
    return std::get<T>(parameters.find(name)->second);
}

/// Of a text that prepare() has refused nothing is built.
Deviations find_deviations(const Parameters& parameters)
{
    const Result<Deviations> found = read_method(get<std::string>(parameters, "method"));
    return found.ok() ? found.value() : Deviations{};
}

constexpr std::string_view kSchemes[] = {"euler", "printed", "bdf2", "newmark"};
constexpr std::string_view kHessians[] = {"chords", "paper"};
constexpr std::string_view kTests[] = {"directions", "paper"};
constexpr std::string_view kDrives[] = {"mass", "paper"};

/// Place of a parameter's text among its choices; it is one of them.
int find_choice(const Parameters& parameters, std::string_view name, std::span<const std::string_view> choices)
{
    return static_cast<int>(std::find(choices.begin(), choices.end(), get<std::string>(parameters, name)) -
                            choices.begin());
}

Scheme find_scheme(const Parameters& parameters, const Deviations& deviations)
{
    const auto scheme = static_cast<Scheme>(find_choice(parameters, "integrator", kSchemes));
    return scheme == Scheme::euler && !deviations.rotation ? Scheme::printed : scheme;
}

std::vector<std::string_view> list(std::span<const std::string_view> choices)
{
    return {choices.begin(), choices.end()};
}

ParameterInfo make_toggle(std::string_view name, bool value, std::string_view summary)
{
    return {.name = name, .unit = "", .default_value = value, .summary = summary};
}

/// A length that is zero where the solver finds its own, or needs none.
ParameterInfo make_length(std::string_view name, std::string_view summary)
{
    return {.name = name, .unit = "m", .default_value = 0.0, .range = {{0, 1e3}}, .summary = summary};
}

}  // namespace

Settings::Settings(const Parameters& p)
    : deviations(find_deviations(p)),
      reach(get<double>(p, "dhat")),
      separation(get<double>(p, "dmin")),
      tolerance(get<double>(p, "tolerance")),
      relative_tolerance(get<double>(p, "relative_tolerance")),
      joint_tolerance(get<double>(p, "joint_tolerance")),
      max_iterations(get<int>(p, "max_iterations")),
      static_speed(get<double>(p, "static_speed")),
      anchor(get<bool>(p, "anchor") && deviations.anchors),
      friction_lags(get<int>(p, "friction_lags")),
      stiffness(get<double>(p, "stiffness")),
      inset(get<double>(p, "inset")),
      corners(get<int>(p, "corners")),
      scheme(find_scheme(p, deviations)),
      exact_hessian(find_choice(p, "hessian", kHessians) == 1 || !deviations.model),
      interval_ccd(find_choice(p, "ccd", kTests) == 1 || !deviations.directions),
      subdivision{get<double>(p, "ccd_delta"), get<int>(p, "ccd_subdivisions")},
      lagrangian_drive(find_choice(p, "kinematic", kDrives) == 1 || !deviations.drive),
      sleep(get<bool>(p, "sleep")),
      sleep_tolerance(get<double>(p, "sleep_tolerance")),
      reuse(get<bool>(p, "reuse")),
      threads(get<int>(p, "threads"))
{
}

std::vector<ParameterInfo> make_parameter_table()
{
    return {
        {.name = "method",
         .unit = "",
         .default_value = std::string("revised"),
         .summary = "revised, or paper: [RigidIPC] in its plain form; paper+rims-way and so on: single deviations"},
        make_length("dhat", "distance at which contact begins; 0: 0.005 of the smallest body's radius, at most 1 mm"),
        make_length("dmin", "least distance that is kept between bodies"),
        {.name = "tolerance",
         .unit = "m/s",
         .default_value = 0.0,
         .range = {{0, 1e3}},
         .summary =
             "largest speed of a point that a last Newton step may still change; 0: the relative one, or 1 mm/s"},
        {.name = "relative_tolerance",
         .unit = "1/s",
         .default_value = 0.0,
         .range = {{0, 1e3}},
         .summary = "where tolerance is 0: times the diagonal of all shapes at the start, without planes; 0: none"},
        make_length("joint_tolerance",
                    "largest opening of a joint and overrun of a limit, turns by their arm; 0: a thousandth of dhat"),
        {.name = "max_iterations",
         .unit = "",
         .default_value = 3000,
         .range = {{1, 1e6}},
         .summary = "of Newton's method in one step, as many as the reference takes; then it says not_converged"},
        {.name = "static_speed",
         .unit = "m/s",
         .default_value = 1e-3,
         .range = {{1e-9, 1e3}},
         .summary = "sliding speed below which friction is less than Coulomb's"},
        make_toggle("anchor", true, "contacts that stick remember where: what rests does not creep"),
        {.name = "friction_lags",
         .unit = "",
         .default_value = 2,
         .range = {{0, 100}},
         .summary = "solves with friction, each with the normal forces of the last; 0: no friction"},
        {.name = "stiffness",
         .unit = "",
         .default_value = 1.0,
         .range = {{1e-6, 1e6}},
         .summary = "factor upon the barrier's stiffness, which follows masses, gravity and dt"},
        make_length(
            "inset",
            "sides of all shapes with a volume lie so far inside; those that start in touch have insets of their own"),
        {.name = "corners",
         .unit = "",
         .default_value = 24,
         .range = {{4, 512}},
         .summary = "to the circle of cylinders and ellipsoids, a multiple of 4; balls and capsules are exact"},
        {.name = "integrator",
         .unit = "",
         .default_value = std::string(kSchemes[0]),
         .choices = list(kSchemes),
         .summary = "euler: implicit, free rotation exact; printed: as in [RigidIPC]; bdf2, newmark: second order"},
        {.name = "hessian",
         .unit = "",
         .default_value = std::string(kHessians[0]),
         .choices = list(kHessians),
         .summary =
             "chords: positive by construction; paper: whole and unprojected first, then shifted ([RigidIPC] 4.2)"},
        {.name = "ccd",
         .unit = "",
         .default_value = std::string(kTests[0]),
         .choices = list(kTests),
         .summary = "directions: separating directions with closed bounds; paper: Algorithm 1 with intervals"},
        {.name = "ccd_delta",
         .unit = "",
         .default_value = 0.5,
         .range = {{1e-3, 0.999}},
         .summary = "of ccd = paper: part of the distance that the error of a chord may use up"},
        {.name = "ccd_subdivisions",
         .unit = "",
         .default_value = 1000,
         .range = {{1, 1e6}},
         .summary = "of ccd = paper: at most, once some of the way is proven"},
        {.name = "kinematic",
         .unit = "",
         .default_value = std::string(kDrives[0]),
         .choices = list(kDrives),
         .summary =
             "mass: bodies on tracks are held by a great mass; paper: by an augmented Lagrangian ([RigidIPC] 4.4)"},
        make_toggle("sleep", false, "islands at rest are left alone until something comes near them"),
        {.name = "sleep_tolerance",
         .unit = "m/s",
         .default_value = 1e-3,
         .range = {{0, 1e3}},
         .summary = "largest speed of a point at which a body is at rest"},
        make_toggle("reuse", true, "lists of what is near outlive a step; results are the same without"),
        {.name = "threads",
         .unit = "",
         .default_value = 1,
         .range = {{0, 256}},
         .summary = "0: one per core; results are the same for any number"},
    };
}

}  // namespace rattleback::ipc
