// What a scene file says about the method: blocks of numbers that become parameters of solver `ipc`.
#include "import/ripc/scene.h"

#include <algorithm>

namespace rattleback::ripc
{

namespace
{

constexpr const char* kOther = "belongs to another method of the reference and has no effect";

constexpr int kMostLags = 100;  // that solver `ipc` takes

Fields open_block(Fields& root, const char* name) { return {root.find(name), name, root.file(), root.log()}; }

/// Newton's method: `newton_solver` first, which `ipc_solver` overrides.
void read_newton(Fields& root, Scene& scene)
{
    constexpr std::array<std::string_view, 2> kCriteria{"velocity", "energy"};
    double tolerance = 1e-2;
    bool is_absolute = false;
    for (const char* name : {"newton_solver", "ipc_solver"})
    {
        Fields block = open_block(root, name);
        if (block.has("max_iterations")) scene.solver["max_iterations"] = block.whole("max_iterations", 3000);
        tolerance = block.positive("velocity_conv_tol", tolerance);
        is_absolute = block.flag("is_velocity_conv_tol_abs", is_absolute);
        if (block.choice("convergence_criteria", kCriteria, 0) == 1)
            block.ignore("convergence_criteria", "'energy' is not offered: velocities decide");
        block.ignore("energy_conv_tol");
        block.ignore("line_search_lower_bound");
        block.ignore("linear_solver");  // the reference reads it and uses its own choice
        block.ignore("dhat_epsilon");
        block.ignore("min_barrier_stiffness_scale");
        block.finish();
    }
    // Over the diagonal of all bodies at the start, static ones included; ours counts the same.
    scene.solver[is_absolute ? "tolerance" : "relative_tolerance"] = tolerance;
}

void read_barrier(Fields& root, Parameters& parameters)
{
    constexpr std::array<std::string_view, 3> kMethods{"bvh", "hash_grid", "brute_force"};
    constexpr std::array<std::string_view, 4> kTrajectories{"piecewise_linear", "linear", "rigid", "redon"};
    Fields block = open_block(root, "distance_barrier_constraint");
    parameters["dhat"] = block.positive("initial_barrier_activation_distance", 1e-3);
    parameters["dmin"] = block.not_negative("minimum_separation_distance", 0);
    block.choice("detection_method", kMethods, 0);      // all find the same pairs
    block.choice("trajectory_type", kTrajectories, 0);  // ours is certified along the true path
    block.text("barrier_type", "ipc");
    block.finish();
}

void read_friction(Fields& root, Parameters& parameters)
{
    Fields block = open_block(root, "friction_constraints");
    parameters["static_speed"] = block.positive("static_friction_speed_bound", 1e-3);
    // Without a bound (-1) as many as the solver takes.
    const int lags = block.whole("iterations", 1);
    parameters["friction_lags"] = lags < 0 ? kMostLags : std::min(lags, kMostLags);
    block.finish();
}

/// Such bodies are on joints, which solver `ipc` takes with implicit Euler alone.
bool has_partly_fixed(const std::vector<Body>& bodies)
{
    return std::any_of(bodies.begin(), bodies.end(), [](const Body& body)
                       { return body.motion == Motion::dynamic && body.fixed != std::array<bool, 6>{}; });
}

/// `implicit_newmark` and `stabilized_newmark` are one rule. Both end a step where E has its minimum about
/// x̃ = x + h v + h^2 (a + g + f / m) / 4, with v' = 2 (x' - x) / h - v, and carry the acceleration a: the first by
/// a' = 2 (v' - v) / h - a, the second by a' = 4 (x' - x̃) / h^2 + g + f / m. With v' and x̃ put in, both are
/// 4 (x' - x - h v) / h^2 - a; the same holds of the matrix Q.
void read_integrator(Fields& root, Scene& scene)
{
    constexpr std::array<std::string_view, 4> kSteppers{"default", "implicit_euler", "implicit_newmark",
                                                        "stabilized_newmark"};
    Fields problem = open_block(root, "rigid_body_problem");
    if (problem.choice("time_stepper", kSteppers, 0) < 2) return;
    if (has_partly_fixed(scene.bodies))
        problem.ignore("time_stepper",
                       "is for free bodies alone here: because of bodies that are partly fixed, which "
                       "are on joints, the implicit Euler method steps");
    else
        scene.solver["integrator"] = std::string("newmark");
}

}  // namespace

void read_solver(Fields& root, Scene& scene)
{
    constexpr std::array<std::string_view, 2> kTypes{"distance_barrier_rb_problem",
                                                     "split_distance_barrier_rb_problem"};
    constexpr std::array<std::string_view, 3> kSolvers{"ipc_solver", "newton_solver", "homotopy_solver"};
    if (root.choice("scene_type", kTypes, 0) == 1)
        root.ignore("scene_type", "'split_...' is run as the unsplit problem");
    if (root.choice("solver", kSolvers, 0) == 2) root.ignore("solver", "'homotopy_solver' is run by solver 'ipc'");
    read_newton(root, scene);
    read_barrier(root, scene.solver);
    read_friction(root, scene.solver);
    read_integrator(root, scene);
    for (const char* name : {"homotopy_solver", "ncp_solver", "volume_constraint"}) root.ignore(name, kOther);
    root.ignore("viewport_bbox");
}

}  // namespace rattleback::ripc
