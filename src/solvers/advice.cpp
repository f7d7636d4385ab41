// What is suspicious in a model: limits that exclude its start, bodies too fast for a solver; and what solvers say of
// it: boxes that tip early, curved shapes that collide as meshes, worlds that leave their packs.
#include "solvers/advice.h"

#include "solvers/comfree/comfree.h"
#include "solvers/ipc/ipc.h"
#include "solvers/ipc/layout.h"
#include "solvers/ipc/tessellated.h"
#include "solvers/particles/particles.h"
#include "solvers/particles/tipping.h"
#include "solvers/shared/energy_guard.h"
#include "solvers/shared/swept_contacts.h"

#include "base/index.h"

#include <algorithm>
#include <cstdio>

namespace rattleback
{

namespace
{

bool has(const SolverInfo& info, Feature feature)
{
    return std::find(info.supports.begin(), info.supports.end(), feature) != info.supports.end();
}

bool takes_parameter(const SolverInfo& info, std::string_view name)
{
    return std::any_of(info.parameters.begin(), info.parameters.end(),
                       [&](const ParameterInfo& parameter) { return parameter.name == name; });
}

std::string format_numbers(const char* form, double a, double b, double c)
{
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(), form, a, b, c);
    return text.data();
}

/// Hinges and slides that start beyond a limit by more than rounding.
void add_excluded_starts(const Model& model, std::vector<Error>& warnings)
{
    constexpr double kRoundingOfAngles = 1e-6;  // files have six digits
    const State initial(model);
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const Range& range = model.joints.range[at(j)];
        const JointType type = model.joints.type[at(j)];
        if (!range.limited || (type != JointType::hinge && type != JointType::slide)) continue;
        const double q = initial.q[at(model.joints.q_begin[at(j)])];
        const double beyond = std::max(range.lower - q, q - range.upper);
        if (!(beyond > kRoundingOfAngles * std::max(1.0, range.upper - range.lower))) continue;
        warnings.push_back({.code = ErrorCode::invalid_value,
                            .where = "joint '" + model.joints.name[at(j)] + "'",
                            .message = format_numbers("starts at %.4g, outside of its range from %.4g to %.4g", q,
                                                      range.lower, range.upper),
                            .hint = "its limit pushes it back; start inside, or from a keyframe"});
    }
}

/// Free bodies that pass others unseen, in solvers that do not look ahead.
void add_passing_bodies(const SolverInfo& info, const Model& model, double dt, std::vector<Error>& warnings)
{
    State initial(model);
    const WorldView world = initial.world();
    for (int b = 1; b < model.body_count(); ++b)
    {
        const int first = model.bodies.v_begin[at(b)];
        if (model.bodies.v_count[at(b)] != 6) continue;
        world.body_velocity[at(b)] = {{world.v[at(first)], world.v[at(first + 1)], world.v[at(first + 2)]}, {}};
    }
    SweptContacts swept(model);
    if (!swept.any_fast(world, {}, dt)) return;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (!swept.is_fast(b)) continue;
        const double way = dt * norm(world.body_velocity[at(b)].linear);
        warnings.push_back(
            {.code = ErrorCode::invalid_value,
             .where = "body '" + model.bodies.name[at(b)] + "'",
             .message = format_numbers("comes %.3g m in a step of %.3g s and is thinner: solver ", way, dt, 0) + "'" +
                        std::string(info.name) + "' does not look ahead, and it may pass through others",
             .hint = "set continuous = true, or a smaller timestep"});
    }
}

/// Where the solver's energy guard is on, and cannot keep account of this model.
void add_unguarded_work(const SolverInfo& info, const Model& model, const Parameters& parameters,
                        std::vector<Error>& warnings)
{
    const auto is = [&](std::string_view name, const ParameterValue& value)
    {
        const auto set = parameters.find(name);
        return set != parameters.end() && set->second == value;
    };
    // The paper's laws and the plain penalty method run without.
    const bool bare =
        is("law", std::string("printed")) || is("law", std::string("as_coded")) || is("mode", std::string("penalty"));
    const std::string work = bare || !is("guard", true) ? "" : find_hidden_work(model);
    if (work.empty()) return;
    warnings.push_back(
        {.code = ErrorCode::unsupported,
         .where = "solver '" + std::string(info.name) + "'",
         .message = "its energy guard stops only steps that gain a thousandfold here: the work is not known of " + work,
         .hint = "look at the energy of the run; a small enough timestep keeps it"});
}

}  // namespace

std::vector<Error> find_advice(const SolverInfo& info, const Model& model, const Parameters& parameters, double dt)
{
    using namespace particles;
    std::vector<Error> warnings;
    if (&info == &kPbd) warnings = find_tipping_boxes(model, read_options(Method::pbd, parameters));
    if (&info == &kPbdr) warnings = find_tipping_boxes(model, read_options(Method::pbdr, parameters));
    if ((&info == &kPbd || &info == &kPbdr) && has_coarse_places(read_options(Method::pbd, parameters)))
        warnings.push_back({.code = ErrorCode::invalid_value,
                            .where = "solver '" + std::string(info.name) + "'",
                            .message =
                                "particles are measured in float from the world's origin: 1 km away they move by "
                                "0.06 mm or not at all, and a velocity is off by that over the timestep",
                            .hint = "set frame = body, without centre = world and speed_limit, or precision = double"});
    if (&info == &ipc::kInfo) warnings = ipc::find_tessellated(model, parameters);
    if (&info == &comfree::kInfo) warnings = comfree::find_unswept(model, parameters);
    if (has(info, Feature::limits)) add_excluded_starts(model, warnings);
    // Where it is told not to look ahead, or cannot, a solver sees the ends of steps alone. Paths of `ipc` are
    // certified.
    const auto told = parameters.find("continuous");
    const bool blind = told != parameters.end() && std::get_if<bool>(&told->second) && !std::get<bool>(told->second);
    const bool passes =
        has(info, Feature::contact) && info.name != "ipc" && (!takes_parameter(info, "continuous") || blind);
    if (passes) add_passing_bodies(info, model, dt, warnings);
    add_unguarded_work(info, model, parameters, warnings);
    return warnings;
}

std::vector<Error> find_start_advice(const SolverInfo& info, const void* prepared)
{
    if (&info != &ipc::kInfo || prepared == nullptr) return {};
    return static_cast<const ipc::Layout*>(prepared)->start_warnings;
}

}  // namespace rattleback
