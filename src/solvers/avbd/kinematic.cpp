// Motion of kinematic groups, interpolated between begin and end of the step.
#include "solvers/avbd/kinematic.h"

#include "base/index.h"
#include "math/rotation.h"

namespace rattleback::avbd
{

void find_motions(const Layout& layout, const StepInput& input, const WorldView& world, KinematicGroups& groups)
{
    groups.motions.resize(layout.kinematic.size());
    groups.moves.resize(layout.kinematic.size());
    // poses at both ends of the step, from tracks or targets
    find_kinematic_motions(*layout.model, layout.kinematic_bodies, input, world, groups.motions);
    for (std::size_t k = 0; k < layout.kinematic.size(); ++k)
    {
        // one that stands still wakes nobody
        const KinematicMotion& motion = groups.motions[k];
        groups.moves[k] = motion.begin == motion.end && motion.begin_velocity == Velocity{} ? 0 : 1;
    }
}

void move_groups(const Layout& layout, const KinematicGroups& groups, int substep, int substeps, double dt,
                 std::vector<Body>& bodies)
{
    for (std::size_t k = 0; k < layout.kinematic.size(); ++k)
    {
        const int group = layout.kinematic[k];
        Body& body = bodies[at(group)];
        // pose at the end of this substep, as an increment that the sweeps never change
        const Pose end = interpolate(groups.motions[k], double(substep + 1) / substeps);
        const Vec3 center = end.position + rotate(end.rotation, layout.groups[at(group)].center);
        body.delta = {center - body.center, logarithm(end.rotation * conjugate(body.rotation))};
        body.rotation_now = end.rotation;
        // v of the substep, which contacts and tendons see
        body.velocity = {(1 / dt) * body.delta.linear, (1 / dt) * body.delta.angular};
    }
}

}  // namespace rattleback::avbd
