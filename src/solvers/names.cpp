// Names of coordinates and features, and solvers found by name.
#include "base/nearest_match.h"

#include <rattleback/solver.h>

namespace rattleback
{

const char* to_string(Coordinates coordinates)
{
    switch (coordinates)
    {
        case Coordinates::joints:
            return "joints";
        case Coordinates::bodies:
            return "bodies";
        case Coordinates::particles:
            return "particles";
    }
    return "unknown";
}

const char* to_string(Feature feature)
{
    switch (feature)
    {
        case Feature::free_joint:
            return "free_joint";
        case Feature::ball_joint:
            return "ball_joint";
        case Feature::hinge_joint:
            return "hinge_joint";
        case Feature::slide_joint:
            return "slide_joint";
        case Feature::several_joints_per_body:
            return "several_joints_per_body";
        case Feature::kinematic_body:
            return "kinematic_body";
        case Feature::gravity_compensation:
            return "gravity_compensation";
        case Feature::contact:
            return "contact";
        case Feature::spinning_friction:
            return "spinning_friction";
        case Feature::rolling_friction:
            return "rolling_friction";
        case Feature::restitution:
            return "restitution";
        case Feature::limits:
            return "limits";
        case Feature::springs:
            return "springs";
        case Feature::damping:
            return "damping";
        case Feature::armature:
            return "armature";
        case Feature::dry_friction:
            return "dry_friction";
        case Feature::equality:
            return "equality";
        case Feature::cable:
            return "cable";
        case Feature::breakable:
            return "breakable";
        case Feature::tendon:
            return "tendon";
        case Feature::actuator:
            return "actuator";
        case Feature::medium:
            return "medium";
        case Feature::surface_velocity:
            return "surface_velocity";
        case Feature::adhesion:
            return "adhesion";
        case Feature::passive_adhesion:
            return "passive_adhesion";
        case Feature::nonlinear_springs:
            return "nonlinear_springs";
        case Feature::negative_armature:
            return "negative_armature";
        case Feature::negative_dry_friction:
            return "negative_dry_friction";
    }
    return "unknown";
}

Result<const SolverInfo*> find_solver(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const SolverInfo* info : all_solvers())
    {
        if (info->name == name) return info;
        names.push_back(info->name);
    }
    return Error{.code = ErrorCode::unknown_name,
                 .where = "solver",
                 .message = "there is no solver '" + std::string(name) + "'",
                 .hint = make_name_hint(name, names)};
}

}  // namespace rattleback
