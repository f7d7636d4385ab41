// The solver `smooth`: M(q) a = tau - c at every stage of an integrator, for one world or a pack of worlds.
#include "solvers/smooth/smooth.h"

#include "solvers/smooth/smooth_lanes.h"

#include "base/cpu_check.h"
#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>
#include <array>
#include <string>

namespace rattleback::smooth
{

namespace
{

constexpr std::array kIgnorable = {Feature::contact, Feature::limits, Feature::dry_friction, Feature::equality};

/// Features named in a list such as "contact, limits"; what hangs on contact goes with it.
Result<std::vector<Feature>> parse_ignored(const Parameters& parameters)
{
    // Unknown words are errors: a misspelt feature would silently act.
    std::vector<Feature> features;
    std::vector<Error> errors;
    // Words apart by commas or spaces; all unknown ones are reported, not the first alone.
    const std::string& text = std::get<std::string>(parameters.at("ignore"));
    for (std::size_t begin = 0; begin < text.size();)
    {
        // Commas and spaces alike.
        const std::size_t end = std::min(text.find_first_of(", ", begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        if (word.empty()) continue;
        const auto* found =
            std::find_if(kIgnorable.begin(), kIgnorable.end(), [&](Feature f) { return word == to_string(f); });
        if (found == kIgnorable.end())
        {
            errors.push_back({ErrorCode::unknown_name, "parameter 'ignore'", "unknown feature '" + word + "'",
                              "use contact, limits, dry_friction or equality"});
            continue;
        }
        // What hangs on contact goes with it.
        features.push_back(*found);
        if (*found == Feature::dry_friction) features.push_back(Feature::negative_dry_friction);
        if (*found != Feature::contact) continue;
        for (const Feature f : {Feature::spinning_friction, Feature::rolling_friction, Feature::restitution,
                                Feature::surface_velocity, Feature::passive_adhesion})
        {
            features.push_back(f);
        }
    }
    if (!errors.empty()) return errors;
    return features;
}

Integrator find_integrator(const Model& model, const Parameters& parameters)
{
    // An empty name leaves the choice to the model.
    const std::string& name = std::get<std::string>(parameters.at("integrator"));
    // Models carry MuJoCo's choice of integrator; a parameter overrides it.
    return parse_integrator(name).value_or(model.settings.integrator);
}

int find_lanes(const Parameters& /*all take as many*/)
{
    return has_wide_lanes() ? kLaneCount<WidePack<double>> : kLaneCount<Pack4>;
}

class SmoothSolver final : public Solver, public PlacesBodies
{
public:
    SmoothSolver(const Model& model, Integrator integrator)
        : tree_(model), integrator_(integrator), single_(tree_, integrator)
    {
    }

    StepReport step(const StepInput& input, WorldView world, Memory& /*memory*/) override
    {
        StepReport report;
        // One world is a pack of one lane: the same code, and the same bits as in any lane of four.
        single_.step({&input, 1}, {&world, 1}, {&report, 1});
        return report;
    }

    void step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                     std::span<Memory* const> memories, std::span<StepReport> reports) override
    {
        // Groups as the engine hands them over, four or eight worlds.
        for (std::size_t i = 0; i < worlds.size(); i += most_)
        {
            const std::size_t count = std::min(most_, worlds.size() - i);
            // Worlds in the lanes of a pack, as long as they share the timestep; otherwise one by one.
            // One h for the whole pack: every lane takes the same step.
            const bool uniform = std::all_of(inputs.begin() + i, inputs.begin() + i + count,
                                             [&](const StepInput& input) { return input.dt == inputs[i].dt; });
            if (count < 2 || !uniform)
            {
                Solver::step_worlds(inputs.subspan(i, count), worlds.subspan(i, count), memories.subspan(i, count),
                                    reports.subspan(i, count));
                continue;
            }
            choose_pack(count).step(inputs.subspan(i, count), worlds.subspan(i, count), reports.subspan(i, count));
        }
    }

    bool place_bodies(WorldView world) override { return single_.place_bodies(world); }

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& /*memory*/,
                       const ForwardOutput& output) override
    {
        Workspace<double>& w = single_.workspace();
        StageTimer timer(input.timings);
        // tau - c at the state as it is.
        load_lane(tree_, input, world, 0, w, single_.stepper());
        compute_smooth_forces(w, single_.stepper().motions(0), input.dt, timer);
        if (single_.stepper().is_discrete())
        {
            // The acceleration of this integrator is that of the step, as MuJoCo's.
            single_.stepper().compute_discrete_acceleration(input.dt, w);
            single_.stepper().finish_discrete_acceleration(input.dt, {}, w);
            std::copy(w.qacc.begin(), w.qacc.end(), output.acceleration.begin());
        }
        else
        {
            // M(q) a = tau: no damping is implicit, because no step is taken
            factor_mass_matrix(w);
            // Forward dynamics: a = M^-1 (tau - c), by the same LᵀDL factor as in a step.
            std::copy(w.total.begin(), w.total.end(), output.acceleration.begin());
            solve_in_place<double>(w, output.acceleration);
        }
        // This solver knows none.
        output.contacts.clear();
        output.forces.items.clear();
        StepReport report{.iterations = 1};
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

private:
    /// The narrowest that holds so many worlds. Made when first needed: a Simulation never does.
    SmoothPack& choose_pack(std::size_t count)
    {
        const bool wide = count > kLaneCount<Pack4>;
        std::unique_ptr<SmoothPack>& pack = wide ? wide_pack_ : pack_;
        if (!pack && wide) pack = make_wide_pack(tree_, integrator_);
        if (!pack) pack = std::make_unique<SmoothLanes<Pack4>>(tree_, integrator_);
        return *pack;
    }

    Tree tree_;
    Integrator integrator_;
    std::size_t most_ = static_cast<std::size_t>(find_lanes({}));  ///< worlds in a pack
    SmoothLanes<double> single_;
    std::unique_ptr<SmoothPack> pack_, wide_pack_;
};

}  // namespace

const SolverInfo kInfo = {
    .name = "smooth",
    .summary = "articulated motion without contact, in joint coordinates",
    .coordinates = Coordinates::joints,
    .supports = {Feature::free_joint, Feature::ball_joint, Feature::hinge_joint, Feature::slide_joint,
                 Feature::several_joints_per_body, Feature::kinematic_body, Feature::gravity_compensation,
                 Feature::springs, Feature::damping, Feature::armature, Feature::tendon, Feature::actuator,
                 Feature::medium, Feature::adhesion, Feature::nonlinear_springs, Feature::negative_armature},
    .solves_forward = true,
    .lanes = kLaneCount<Pack4>,
    .find_lanes = &find_lanes,
    .world_parameters = {WorldParameter::gravity, WorldParameter::mass, WorldParameter::gain},
    .parameters =
        {
            {.name = "integrator",
             .unit = "",
             .default_value = std::string(),
             .choices = {"", "euler", "implicitfast", "rk4", "lie_rk4", "midpoint", "implicit", "discrete"},
             .summary = "euler, implicitfast, rk4, lie_rk4, midpoint, implicit or discrete; empty: the model's"},
            {.name = "ignore",
             .unit = "",
             .default_value = std::string(),
             .summary = "features to leave out: contact, limits, dry_friction, equality"},
        },
    .ignored = &parse_ignored,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<SmoothSolver>(model, find_integrator(model, parameters)); },
};

}  // namespace rattleback::smooth
