// What `comfree` is called and can do, and which of its two solvers serves a model.
#include "solvers/comfree/comfree.h"
#include "solvers/comfree/direct_solver.h"
#include "solvers/comfree/sweep_solver.h"
#include "solvers/shared/guarded_solver.h"

#include "math/pack.h"

namespace rattleback::comfree
{

const SolverInfo kInfo = {
    .name = "comfree",
    .summary = "contact in closed form (ComFree-Sim), and a stable form of it: a step is a function of the state",
    .coordinates = Coordinates::joints,
    .supports = {Feature::free_joint,
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
                 Feature::negative_armature},
    .solves_forward = true,
    .lanes = kLaneCount<Pack4>,
    .find_lanes = &find_lanes,
    .world_parameters = {WorldParameter::gravity, WorldParameter::friction, WorldParameter::mass, WorldParameter::gain,
                         WorldParameter::stiffness, WorldParameter::damping},
    .parameters = make_parameter_table(),
    .ignored = &find_left_out,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    {
        const Options options = read_options(model, parameters);
        const auto make = [&model](const Options& chosen) -> std::unique_ptr<Solver>
        {
            if (uses_sweeps(model, chosen)) return make_sweep_solver(model, chosen);
            return make_direct_solver(model, chosen);
        };
        // The paper's laws run as they are: what they make of energy is what the laboratory measures.
        if (!options.guard) return make(options);
        Options fine = options;
        fine.integrator = Integrator::discrete;
        // In parts constraints meet springs as stiff as they are at the end of the step: through M alone, limits would
        // press bodies into springs that hold them, which makes energy however small the part.
        fine.metric = true;
        return make_guarded_solver(model, false, make(options), [make, fine] { return make(fine); });
    },
};

}  // namespace rattleback::comfree
