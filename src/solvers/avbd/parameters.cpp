// The parameters of solver `avbd`: their list, and how they are read.
#include "solvers/avbd/parameters.h"

namespace rattleback::avbd
{

namespace
{

template <class T>
const T& get(const Parameters& parameters, std::string_view name)
{
    // names and types were checked when the parameters were read
    return std::get<T>(parameters.find(name)->second);
}

/// Of both modes.
std::vector<ParameterInfo> shared_parameters(const Settings& s)
{
    return {
        {.name = "mode",
         .unit = "",
         .default_value = std::string("augmented"),
         .choices = {"augmented", "penalty"},
         .summary = "augmented: multipliers with bounds; penalty: ramped penalties alone (VBD)"},
        {.name = "iterations",
         .unit = "",
         .default_value = s.iterations,
         .range = {{0, 10000}},
         .summary = "sweeps per substep"},
        {.name = "substeps",
         .unit = "",
         .default_value = s.substeps,
         .range = {{1, 1000}},
         .summary = "parts of a step; contacts are found once"},
        // gamma of [AVBD] Eq. 19 and of [VBD-R]
        {.name = "keep",
         .unit = "",
         .default_value = s.keep,
         .range = {{0, 1}},
         .summary = "fraction of the penalties that survives a step (mode penalty: a substep)"},
        {.name = "bounce_speed",
         .unit = "m/s",
         .default_value = s.bounce_speed,
         .range = {{0, 1e3}},
         .summary = "slower impacts do not bounce"},
        {.name = "continuous",
         .unit = "",
         .default_value = s.swept,
         .summary = "fast bodies stop at what they would pass through within a step"},
        {.name = "recycling",
         .unit = "",
         .default_value = s.recycling,
         .summary = "contact points are kept while two flat bodies move by less than 0.1 % of their size"},
        {.name = "threads",
         .unit = "",
         .default_value = s.threads,
         .range = {{0, 256}},
         .summary = "0: one per core; results are the same for any number"},
    };
}

/// Of mode augmented alone: the numbers of its rows.
std::vector<ParameterInfo> row_parameters(const Settings& s)
{
    return {
        // k and beta of contacts ([AVBD] Eqs. 16, 19)
        {.name = "stiffness",
         .unit = "",
         .default_value = s.stiffness,
         .range = {{1e-6, 1e6}},
         .summary = "mode augmented: penalty of contacts at first, times effective mass / h^2"},
        {.name = "ramp",
         .unit = "",
         .default_value = s.ramp,
         .range = {{0, 1e9}},
         .summary = "mode augmented: growth of the penalty per body size of overlap, times effective mass / h^2"},
        // alpha of [AVBD] Eq. 18, or the sweep that replaces it
        {.name = "stabilisation",
         .unit = "",
         .default_value = std::string("post"),
         .choices = {"post", "alpha"},
         .summary =
             "mode augmented: how old errors are paid back, by a sweep of positions alone or a fraction per step"},
        {.name = "alpha",
         .unit = "",
         .default_value = s.alpha,
         .range = {{0, 1}},
         .summary = "mode augmented: with stabilisation alpha, fraction of an old error that is forgiven in a step"},
        {.name = "correction",
         .unit = "",
         .default_value = s.correction,
         .range = {{0, 1}},
         .summary = "mode augmented: with stabilisation post, fraction of an old error that the last sweep pays back"},
        {.name = "firmness",
         .unit = "",
         .default_value = s.firmness,
         .range = {{1e-3, 1e6}},
         .summary = "mode augmented: with stabilisation post, penalties of contacts in the last sweep, times those of "
                    "the others"},
        {.name = "joint_stiffness",
         .unit = "",
         .default_value = s.joint_stiffness,
         .range = {{1e-6, 1e9}},
         .summary = "mode augmented: penalty of joints, times the mass they carry / h^2"},
    };
}

/// Of mode augmented alone: how it sweeps.
std::vector<ParameterInfo> sweep_parameters(const Settings& s)
{
    return {
        {.name = "blocks",
         .unit = "",
         .default_value = std::string("trees"),
         .choices = {"trees", "bodies"},
         .summary = "mode augmented: what moves at once, a whole tree of joints or one body (mode penalty: one body)"},
        {.name = "precision",
         .unit = "",
         .default_value = std::string("double"),
         .choices = {"double", "single"},
         .summary = "mode augmented: of increments and forces of single bodies within a sweep; poses and joints are "
                    "double"},
        {.name = "guard",
         .unit = "",
         .default_value = s.guard,
         .summary = "mode augmented: steps that would make energy are taken in parts"},
        {.name = "sleep",
         .unit = "",
         .default_value = s.sleep,
         .summary = "mode augmented: bodies at rest are left alone until something touches them"},
        {.name = "sleep_tolerance",
         .unit = "",
         .default_value = s.sleep_tolerance,
         .range = {{0, 1e3}},
         .summary = "mode augmented: velocity below which they are at rest [m/s, rad/s]"},
    };
}

/// Of mode penalty alone.
std::vector<ParameterInfo> penalty_parameters(const Settings& s)
{
    return {
        {.name = "penalty_start",
         .unit = "N/m",
         .default_value = s.penalty_start,
         .range = {{1e-6, 1e15}},
         .summary = "mode penalty: least stiffness of contacts and joints, and that of new ones"},
        {.name = "penalty_start_angular",
         .unit = "N m/rad",
         .default_value = s.penalty_start_angular,
         .range = {{1e-9, 1e15}},
         .summary = "mode penalty: the same for what resists a turn"},
        {.name = "penalty_ramp",
         .unit = "N/m^2",
         .default_value = s.penalty_ramp,
         .range = {{0, 1e15}},
         .summary = "mode penalty: growth of the stiffness per metre (or radian) of violation and iteration"},
        {.name = "penalty_limit",
         .unit = "N/m",
         .default_value = s.penalty_limit,
         .range = {{1e-6, 1e15}},
         .summary = "mode penalty: largest stiffness of what is rigid; springs have their own"},
        {.name = "penalty_damping",
         .unit = "s",
         .default_value = s.penalty_damping,
         .range = {{0, 1e3}},
         .summary = "mode penalty: damping of approach per stiffness where the material has none of its own"},
    };
}

}  // namespace

std::vector<ParameterInfo> parameter_list()
{
    const Settings s;
    std::vector<ParameterInfo> list = shared_parameters(s);
    // what one mode reads the other refuses
    const auto add = [&](const char* mode, std::vector<ParameterInfo> more)
    {
        for (ParameterInfo& parameter : more)
        {
            parameter.read_where = {"mode", mode};
            list.push_back(std::move(parameter));
        }
    };
    add("augmented", row_parameters(s));
    add("augmented", sweep_parameters(s));
    add("penalty", penalty_parameters(s));
    return list;
}

Settings::Settings(const Parameters& p)
    : penalty(get<std::string>(p, "mode") == "penalty"),
      tree_blocks(get<std::string>(p, "blocks") == "trees"),
      iterations(get<int>(p, "iterations")),
      substeps(get<int>(p, "substeps")),
      stiffness(get<double>(p, "stiffness")),
      ramp(get<double>(p, "ramp")),
      keep(get<double>(p, "keep")),
      stabilisation(get<std::string>(p, "stabilisation") == "post" ? Stabilisation::post : Stabilisation::alpha),
      alpha(get<double>(p, "alpha")),
      correction(get<double>(p, "correction")),
      firmness(get<double>(p, "firmness")),
      joint_stiffness(get<double>(p, "joint_stiffness")),
      bounce_speed(get<double>(p, "bounce_speed")),
      swept(get<bool>(p, "continuous")),
      penalty_start(get<double>(p, "penalty_start")),
      penalty_start_angular(get<double>(p, "penalty_start_angular")),
      penalty_ramp(get<double>(p, "penalty_ramp")),
      penalty_limit(get<double>(p, "penalty_limit")),
      penalty_damping(get<double>(p, "penalty_damping")),
      recycling(get<bool>(p, "recycling")),
      guard(get<bool>(p, "guard")),
      sleep(get<bool>(p, "sleep")),
      sleep_tolerance(get<double>(p, "sleep_tolerance")),
      threads(get<int>(p, "threads")),
      single_precision(get<std::string>(p, "precision") == "single")
{
}

}  // namespace rattleback::avbd
