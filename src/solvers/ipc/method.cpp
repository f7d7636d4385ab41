// The table of deviations and the reading of parameter `method`.
#include "solvers/ipc/method.h"

#include <algorithm>
#include <string>

namespace rattleback::ipc
{

namespace
{

using D = Deviations;

constexpr DeviationInfo kDeviations[] = {
    {"model", &D::model, "Hessian positive by construction; paper: whole, unprojected, shifted where it is not"},
    {"chords", &D::chords, "barriers and friction by chords where tangents mislead; paper: tangents"},
    {"turns", &D::turns, "from the third iteration on with what contacts add by turning; paper: see model"},
    {"bends", &D::bends, "directions bent so that contacts stay open along them; paper: straight"},
    {"directions", &D::directions, "paths proven by separating directions; paper: Algorithm 1 with intervals"},
    {"approach", &D::approach, "what is outside of d-hat is approached to half of it; paper: to a part of its gap"},
    {"path", &D::path, "the path from state to state is certified; paper: those from iterate to iterate"},
    {"way", &D::way, "where that path is not free, a minimum with contacts on the way; paper: none"},
    {"rotation", &D::rotation, "free rotation to fourth order; paper: implicit Euler of the rotation matrix"},
    {"drive", &D::drive, "tracks are held by a great mass; paper: by an augmented Lagrangian"},
    {"anchors", &D::anchors, "friction adds slips up from step to step; paper: of one step alone"},
    {"energy", &D::energy,
     "a free cluster keeps its momentum in every step, and energy gained is taken; paper: neither"},
    {"arms", &D::arms, "forces go round with what turns; paper: forces of the end"},
    {"rims", &D::rims, "height, not distance, of a corner beyond a rim; paper: distance"},
    {"flats", &D::flats, "triangles in a plane side by side are one side; paper: each by itself"},
    {"stiffness", &D::stiffness, "barriers by mass and load, hardened by a tenth; paper: one for all, from balance"},
    {"islands", &D::islands, "line search and convergence by islands; paper: one for all bodies"},
    {"guess", &D::guess, "starts where velocities lead; paper: at the last state"},
    {"finer", &D::finer, "up to three more iterations where friction acts; paper: the tolerance alone"},
    {"doubt", &D::doubt, "a long last step is tried again before it counts as converged; paper: counts"},
};

Error make_error(std::string_view text, std::string message)
{
    std::string names;
    for (const DeviationInfo& deviation : kDeviations)
        names += (names.empty() ? "" : ", ") + std::string(deviation.name);
    return {.where = "parameter 'method'",
            .message = "is '" + std::string(text) + "': " + std::move(message),
            .hint = "'revised' or 'paper', then +NAME or -NAME of " + names};
}

}  // namespace

std::span<const DeviationInfo> all_deviations() { return kDeviations; }

Result<Deviations> read_method(std::string_view text)
{
    const std::size_t end = std::min(text.find_first_of("+-"), text.size());
    const std::string_view base = text.substr(0, end);
    if (base != "revised" && base != "paper") return make_error(text, "does not begin with a method");
    Deviations found;
    if (base == "paper")
        for (const DeviationInfo& deviation : kDeviations) found.*deviation.is_on = false;
    for (std::string_view rest = text.substr(end); !rest.empty();)
    {
        const bool is_on = rest.front() == '+';
        rest.remove_prefix(1);
        const std::string_view name = rest.substr(0, std::min(rest.find_first_of("+-"), rest.size()));
        const auto known = std::find_if(std::begin(kDeviations), std::end(kDeviations),
                                        [&](const DeviationInfo& deviation) { return deviation.name == name; });
        if (known == std::end(kDeviations))
            return make_error(text, "there is no deviation '" + std::string(name) + "'");
        found.*known->is_on = is_on;
        rest.remove_prefix(name.size());
    }
    return found;
}

}  // namespace rattleback::ipc
