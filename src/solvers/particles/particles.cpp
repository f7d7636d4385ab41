// What `pbd`, `pbdr` and `refined` are called, take and support, and how they are made.
#include "solvers/particles/particles.h"

#include "solvers/particles/continuous_steps.h"
#include "solvers/particles/pbd_solver.h"
#include "solvers/particles/refined_solver.h"

namespace rattleback::particles
{

namespace
{

// Joints need a constraint that these methods do not have.
const std::vector<Feature> kSupports = {Feature::free_joint, Feature::kinematic_body, Feature::gravity_compensation,
                                        Feature::contact, Feature::surface_velocity};

Result<std::shared_ptr<const void>> prepare(Method method, const Model& model, const Parameters& parameters)
{
    // Packing is the expensive part; it depends on the model and the parameters alone, and all worlds share it.
    Result<ParticleSet> set = build_particle_set(model, read_options(method, parameters));
    if (!set.ok()) return set.errors();
    return std::shared_ptr<const void>(std::make_shared<const ParticleSet>(std::move(set).value()));
}

/// Precision and order of sums are types, so that nothing below the step is chosen at run time.
template <class T>
std::unique_ptr<Solver> make_pbd(const Model& model, const ParticleOptions& options,
                                 std::shared_ptr<const ParticleSet> set)
{
    // Sums in the printed order, in a tree, or with Kahan's compensation: three types.
    switch (options.summation)
    {
        case Summation::sequential:
            return std::make_unique<PbdSolver<SequentialOrder<T>>>(model, options, std::move(set));
        case Summation::tree:
            return std::make_unique<PbdSolver<TreeOrder<T>>>(model, options, std::move(set));
        case Summation::compensated:
            return std::make_unique<PbdSolver<CompensatedOrder<T>>>(model, options, std::move(set));
    }
    return nullptr;
}

std::unique_ptr<Solver> make_plain(const Model& model, const ParticleOptions& options,
                                   std::shared_ptr<const ParticleSet> set)
{
    // Also where `pbdr` was named with refined = true.
    // `refined` has impulses and a solid's inertia (README): another step.
    if (options.method == Method::refined)
    {
        if (options.single_precision) return std::make_unique<RefinedSolver<float>>(model, options, std::move(set));
        return std::make_unique<RefinedSolver<double>>(model, options, std::move(set));
    }
    if (options.single_precision) return make_pbd<float>(model, options, std::move(set));
    return make_pbd<double>(model, options, std::move(set));
}

std::unique_ptr<Solver> make_solver(Method method, const Model& model, const Parameters& parameters,
                                    const std::shared_ptr<const void>& prepared)
{
    const ParticleOptions options = read_options(method, parameters);
    const auto set = std::static_pointer_cast<const ParticleSet>(prepared);
    std::unique_ptr<Solver> plain = make_plain(model, options, set);
    // Contacts of `refined` look ahead themselves.
    if (!options.continuous || options.method == Method::refined) return plain;
    return make_continuous_steps(model, *set, std::move(plain));
}

SolverInfo make_info(Method method, std::string_view name, std::string_view summary)
{
    // Contacts are found by the solver itself: spheres are not shapes of the model.
    return {
        .name = name,
        // One description for three methods, which differ by a word.
        .summary = summary,
        .coordinates = Coordinates::particles,
        .supports = kSupports,
        .finds_own_contacts = true,
        .world_parameters = {WorldParameter::gravity, WorldParameter::friction, WorldParameter::mass},
        .parameters = make_parameter_list(method),
        .prepare = [method](const Model& model, const Parameters& parameters)
        { return prepare(method, model, parameters); },
        .make_prepared =
            [method](const Model& model, const Parameters& parameters, const std::shared_ptr<const void>& prepared)
        { return make_solver(method, model, parameters, prepared); },
    };
}

}  // namespace

const SolverInfo kPbd =
    // [PBD-R]'s baseline, the paper's method, and our refinement of it.
    make_info(Method::pbd, "pbd", "bodies as spheres held by shape matching: position-based dynamics");
const SolverInfo kPbdr = make_info(Method::pbdr, "pbdr", "as pbd, keeping linear and angular momentum");
const SolverInfo kRefined =
    make_info(Method::refined, "refined",
              "bodies with a surface of spheres and their own inertia: accumulated impulses, second order in time");

}  // namespace rattleback::particles
