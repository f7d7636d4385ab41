// The parameters of `pbd`, `pbdr` and `refined`, and how they are read.
#include "solvers/particles/options.h"

namespace rattleback::particles
{

namespace
{

template <class T>
T get(const Parameters& parameters, std::string_view name, const T& otherwise)
{
    const auto found = parameters.find(name);
    return found == parameters.end() ? otherwise : std::get<T>(found->second);
}

bool is(const Parameters& parameters, std::string_view name, std::string_view value)
{
    return get<std::string>(parameters, name, "") == value;
}

/// Read by all three.
std::vector<ParameterInfo> make_common_parameters(std::string_view iterations)
{
    return {
        {.name = "across",
         .unit = "",
         .default_value = 4,
         .range = {{1, 5000}},
         .summary = "spheres across the thinnest side of a box, and of other solids where radius is 0"},
        {.name = "radius",
         .unit = "m",
         .default_value = 0.0,
         .range = {{0, 1e6}},
         .summary = "of the spheres in meshes, hulls, ellipsoids and point clouds; 0: by across"},
        {.name = "resolution",
         .unit = "",
         .default_value = std::string("even"),
         .choices = {"even", "graded"},
         .summary = "graded: spheres of that size at the surface and larger ones inside, with exact weights"},
        {.name = "max_spheres",
         .unit = "",
         .default_value = 200'000,
         .range = {{1, 1e9}},
         .summary = "of all bodies together; more are refused, because of the time and the memory that a step takes"},
        {.name = "jitter",
         .unit = "",
         .default_value = 0.0,
         .range = {{0, 1}},
         .summary = "spheres are moved by up to this part of their radius, to see how much hangs on their places"},
        {.name = "jitter_seed",
         .unit = "",
         .default_value = 1,
         .range = {{0, 1e9}},
         .summary = "which of the jittered packings"},
        {.name = "iterations", .unit = "", .default_value = 10, .range = {{1, 10000}}, .summary = iterations},
        {.name = "margin",
         .unit = "m",
         .default_value = 0.01,
         .range = {{0, 10}},
         .summary = "within which contacts are found"},
        {.name = "continuous",
         .unit = "",
         .default_value = true,
         .summary = "bodies that come further in a step than they are thick stop at what is in their way"},
        {.name = "precision",
         .unit = "",
         .default_value = std::string("float"),
         .choices = {"float", "double"},
         .summary = "of all arithmetic on particles and contacts"},
    };
}

/// Read by `pbd` and `pbdr`, whose bodies are nothing but their particles.
std::vector<ParameterInfo> make_shape_matching_parameters()
{
    return {
        {.name = "packing",
         .unit = "",
         .default_value = std::string("uniform"),
         .choices = {"uniform", "exact"},
         .summary = "uniform: equal spheres weigh the same; exact: weighed so that mass, centre and inertia are right"},
        {.name = "relaxation",
         .unit = "",
         .default_value = 0.9,
         .range = {{0.01, 1}},
         .summary = "of contact corrections"},
        {.name = "summation",
         .unit = "",
         .default_value = std::string("tree"),
         .choices = {"sequential", "tree", "compensated"},
         .summary = "order of sums over particles"},
        {.name = "order",
         .unit = "",
         .default_value = std::string("authors"),
         .choices = {"authors", "printed"},
         .summary = "contact before shape matching as in the authors' code, or both from the same positions"},
        {.name = "polar",
         .unit = "",
         .default_value = std::string("exact"),
         .choices = {"exact", "fast"},
         .summary = "rotation of shape matching to rounding, or by a fixed number of rough turns in float"},
        {.name = "grid",
         .unit = "",
         .default_value = std::string("step"),
         .choices = {"step", "iteration"},
         .summary = "how often neighbours of other bodies are looked for"},
        {.name = "frame",
         .unit = "",
         .default_value = std::string("body"),
         .choices = {"body", "world"},
         .summary = "what particles are measured from: a frame in double that moves with the body, or, as in the "
                    "authors' code, the world's origin (also with centre = world or a speed_limit)"},
        {.name = "centre",
         .unit = "",
         .default_value = std::string("body"),
         .choices = {"body", "world"},
         .summary = "world: sum of m x about the world's origin over masses added one by one, as the authors' code"},
        {.name = "speed_limit",
         .unit = "m/s",
         .default_value = 0.0,
         .range = {{0, 1e9}},
         .summary = "particles are slowed down to it (the authors' code: 1e5); 0: none"},
        {.name = "threads", .unit = "", .default_value = 1, .range = {{0, 1024}}, .summary = "0: one per core"},
    };
}

/// Read by `pbdr`: what [PBD-R] adds, each of which can be taken away, and the switch that names solver `refined`.
std::vector<ParameterInfo> make_momentum_parameters()
{
    return {
        {.name = "velocity_update",
         .unit = "",
         .default_value = std::string("incremental"),
         .choices = {"incremental", "difference"},
         .summary = "difference takes equation 2 away, for the ablation"},
        {.name = "linear_momentum",
         .unit = "",
         .default_value = true,
         .summary = "restore it after shape matching (equation 3)"},
        {.name = "angular_momentum",
         .unit = "",
         .default_value = true,
         .summary = "restore it after shape matching (equation 4)"},
        {.name = "refined",
         .unit = "",
         .default_value = false,
         .summary = "true: solver 'refined' under this name",
         .instead = "name solver 'refined'"},
    };
}

}  // namespace

ParticleOptions read_options(Method method, const Parameters& parameters)
{
    const bool momentum = method == Method::pbdr;
    ParticleOptions options;
    // Parameters have been checked and completed by the engine; what is missing is not this solver's.
    options.method = get(parameters, "refined", false) ? Method::refined : method;
    options.across = get(parameters, "across", options.across);
    options.radius = get(parameters, "radius", options.radius);
    options.exact_weights = is(parameters, "packing", "exact");
    options.graded = is(parameters, "resolution", "graded");
    options.max_spheres = get(parameters, "max_spheres", options.max_spheres);
    options.jitter = get(parameters, "jitter", options.jitter);
    options.jitter_seed = get(parameters, "jitter_seed", options.jitter_seed);
    // Plain PBD is the method without what [PBD-R] adds: Eq. 1 for velocities, no restoring of momentum.
    const bool incremental = momentum && !is(parameters, "velocity_update", "difference");
    options.velocity_update = incremental ? VelocityUpdate::incremental : VelocityUpdate::difference;
    options.linear_momentum = get(parameters, "linear_momentum", momentum);
    options.angular_momentum = get(parameters, "angular_momentum", momentum);
    options.printed_order = is(parameters, "order", "printed");
    options.fast_polar = is(parameters, "polar", "fast");
    options.iterations = get(parameters, "iterations", options.iterations);
    options.relaxation = get(parameters, "relaxation", options.relaxation);
    options.margin = get(parameters, "margin", options.margin);
    options.grid_per_iteration = is(parameters, "grid", "iteration");
    options.world_centers = is(parameters, "centre", "world");
    options.speed_limit = get(parameters, "speed_limit", options.speed_limit);
    // Sums about the world's origin and limits of a speed ask for whole positions and velocities.
    options.world_frame = is(parameters, "frame", "world") || options.world_centers || options.speed_limit > 0;
    options.continuous = get(parameters, "continuous", options.continuous);
    options.single_precision = !is(parameters, "precision", "double");
    options.summation = is(parameters, "summation", "sequential")    ? Summation::sequential
                        : is(parameters, "summation", "compensated") ? Summation::compensated
                                                                     : Summation::tree;
    options.threads = get(parameters, "threads", options.threads);
    return options;
}

std::vector<ParameterInfo> make_parameter_list(Method method)
{
    if (method == Method::refined)
        return make_common_parameters("at most per step, each of ten sweeps over the contacts (200 where all are new)");
    std::vector<ParameterInfo> list = make_common_parameters("per step");
    const auto add = [&](const std::vector<ParameterInfo>& more) { list.insert(list.end(), more.begin(), more.end()); };
    add(make_shape_matching_parameters());
    if (method == Method::pbdr) add(make_momentum_parameters());
    return list;
}

}  // namespace rattleback::particles
