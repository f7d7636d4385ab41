// Actuators on sites, between sites, on balls and free joints, and on contacts, as wrenches on groups.
#include "solvers/avbd/actuator_wrenches.h"

#include "base/index.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"
#include "solvers/avbd/sticky_surfaces.h"

namespace rattleback::avbd
{

namespace
{

/// A site in the world, and the group that carries it.
struct PlacedSite
{
    int group = -1;
    Pose pose;
    Vec3 velocity, spin;
};
PlacedSite place_site(const ActuatorStep& step, int site)
{
    const Model& model = step.model();
    // a site lies in a body, the body in its group: one pose from the group's frame
    const int owner = model.sites.body[at(site)], group = step.layout.group_of_body[at(owner)];
    const Body& body = step.bodies[at(group)];
    const Pose pose = Pose{group_origin(step.layout, group, step.bodies), body.rotation} *
                      (step.layout.in_group[at(owner)] * model.sites.pose[at(site)]);
    // v + w x r at the site, about the group's centre of mass
    return {group, pose, body.velocity.linear + cross(body.velocity.angular, pose.position - body.center),
            body.velocity.angular};
}

/// An actuator on a site: a wrench in the site's axes, that feels the site's velocity.
void add_site(const ActuatorStep& step, int a, ExternalForces& forces)
{
    // the transmission of a site alone is a constant wrench in its axes: its length stays 0
    const PlacedSite site = place_site(step, step.actuators.target[at(a)]);
    if (!step.layout.groups[at(site.group)].dynamic) return;
    // gear: a force and a torque in the site's axes
    const auto& gear = step.actuators.gear[at(a)];
    const Vec3 along = rotate(site.pose.rotation, Vec3{gear[0], gear[1], gear[2]});
    const Vec3 about = rotate(site.pose.rotation, Vec3{gear[3], gear[4], gear[5]});
    const Reach reach{0, dot(along, site.velocity) + dot(about, site.spin)};
    const double force = find_force(step, a, find_drive(step, a, reach, forces), reach, forces);
    add_force(step.bodies, site.group, site.pose.position, force * along, force * about, forces.wrench);
}

/// What a unit of force between two sites does, and how far and fast it is.
struct PairReach
{
    PlacedSite site, reference;
    PairMoment<double> arms;
    Reach reach;
};
PairReach find_pair_reach(const ActuatorStep& step, int a)
{
    const PlacedSite site = place_site(step, step.actuators.target[at(a)]);
    const PlacedSite reference = place_site(step, step.actuators.reference[at(a)]);
    // moment arms of the pair as in dynamics: force and torques per unit along the transmission
    const PairMoment<double> arms =
        find_pair_moment<double>(step.actuators, a, {site.pose.position, site.pose.rotation},
                                 {reference.pose.position, reference.pose.rotation});
    // rate = J v with the same arms: power in equals power out
    const double rate = dot(arms.force, site.velocity - reference.velocity) + dot(arms.torque, site.spin) +
                        dot(arms.reference_torque, reference.spin);
    return {site, reference, arms, {arms.length, rate}};
}
void push_pair(const ActuatorStep& step, const PairReach& pair, double force, ExternalForces& forces)
{
    const auto& groups = step.layout.groups;
    // equal and opposite forces, each at its own site: linear momentum is kept
    if (groups[at(pair.site.group)].dynamic)
        add_force(step.bodies, pair.site.group, pair.site.pose.position, force * pair.arms.force,
                  force * pair.arms.torque, forces.wrench);
    if (groups[at(pair.reference.group)].dynamic)
        add_force(step.bodies, pair.reference.group, pair.reference.pose.position, -force * pair.arms.force,
                  force * pair.arms.reference_torque, forces.wrench);
}

/// An actuator between two sites: a site measured from another, or a crank and its slider.
void add_pair(const ActuatorStep& step, int a, ExternalForces& forces)
{
    const PairReach pair = find_pair_reach(step, a);
    const Drive drive = find_drive(step, a, pair.reach, forces);
    push_pair(step, pair, find_force(step, a, drive, pair.reach, forces), forces);
}

/// The torque of a ball joint on its body and, turned round, on the parent.
void add_joint_torque(const ActuatorStep& step, int joint, const Vec3& torque, ExternalForces& forces)
{
    const Model& model = step.model();
    const int body = model.joints.body[at(joint)];
    // action on the child, reaction on the parent: total angular momentum stays
    forces.wrench[at(step.layout.group_of_body[at(body)])].torque += torque;
    const int parent = step.layout.group_of_body[at(model.bodies.parent[at(body)])];
    if (step.layout.groups[at(parent)].dynamic) forces.wrench[at(parent)].torque -= torque;
}

/// An actuator on a ball or a free joint.
void add_turner(const ActuatorStep& step, int a, ExternalForces& forces)
{
    const Model& model = step.model();
    const int joint = step.actuators.target[at(a)];
    const int group = step.layout.group_of_body[at(model.joints.body[at(joint)])];
    // gear times the rotation vector of a ball is its length; free joints have none
    const bool free = model.joints.type[at(joint)] == JointType::free;
    const auto& gear = step.actuators.gear[at(a)];
    const auto first = at(free ? 3 : 0);
    const auto [torque, length] = find_turning_moment(
        step.actuators, a, free, unit_quaternion(&step.world.q[at(model.joints.q_begin[at(joint)]) + first]));
    const double* v = &step.world.v[at(model.joints.v_begin[at(joint)])];
    // v of a ball are body axes, as its dofs: the same frame as the torque
    Reach reach{length, dot(torque, Vec3{v[first], v[first + 1], v[first + 2]})};
    if (free) reach.velocity += dot(Vec3{gear[0], gear[1], gear[2]}, Vec3{v[0], v[1], v[2]});
    const double force = find_force(step, a, find_drive(step, a, reach, forces), reach, forces);
    // body axes to world axes
    const Vec3 turning = force * rotate(step.bodies[at(group)].rotation, torque);
    if (!free) return add_joint_torque(step, joint, turning, forces);
    // translational gear of a free joint: a force at the origin of its frame, in world axes
    add_force(step.bodies, group, group_origin(step.layout, group, step.bodies),
              force * Vec3{gear[0], gear[1], gear[2]}, turning, forces.wrench);
}

/// Three actuators that turn a ball joint or a site together; `a` is the first.
void add_orientation(const ActuatorStep& step, int a, ExternalForces& forces)
{
    const ActuatorsView& actuators = step.actuators;
    const Model& model = step.model();
    // three inputs make one wanted rotation
    const auto inputs = gather_inputs(step, a);
    const bool on_site = actuators.reference[at(a)] >= 0;
    std::array<PairReach, 3> pairs;
    Vec3 wanted, length, velocity;
    for (int k = 0; k < 3; ++k)
    {
        // each of the three may have an activation of its own
        const int s = actuators.act_begin[at(a + k)];
        const double now = s >= 0 ? step.world.act[at(s)] : 0;
        const auto drive = find_actuator_drive(actuators, a + k, inputs[at(k)], now, step.input.dt);
        if (s >= 0) forces.act[at(s)] = next_activation(actuators, a + k, now, drive.act_rate, step.input.dt);
        wanted[k] = drive.value;
        if (!on_site) continue;
        pairs[at(k)] = find_pair_reach(step, a + k);
        length[k] = pairs[at(k)].reach.length;
        velocity[k] = pairs[at(k)].reach.velocity;
    }
    // the wanted rotation vector goes on from the shorter way round, as in dynamics
    if (const int s = actuators.act_begin[at(a)]; s >= 0) shorten_turn(&forces.act[at(s)]);
    const int joint = actuators.target[at(a)];
    if (!on_site)
    {
        length = logarithm(unit_quaternion(&step.world.q[at(model.joints.q_begin[at(joint)])]));
        const double* v = &step.world.v[at(model.joints.v_begin[at(joint)])];
        velocity = {v[0], v[1], v[2]};
    }
    const ForceLaw<double> law = find_force_law(model, a, step.input.parameters.gain);
    // one law for the vector: along the rotation that is left, not three laws for three angles
    const Vec3 torque = find_orientation_force(actuators, a, law, inputs.data(), wanted, length, velocity).torque;
    for (int k = 0; k < 3 && on_site; ++k) push_pair(step, pairs[at(k)], torque[k], forces);
    if (on_site) return;
    // torque of the ball in its own axes, on child and parent
    const int group = step.layout.group_of_body[at(model.joints.body[at(joint)])];
    add_joint_torque(step, joint, rotate(step.bodies[at(group)].rotation, torque), forces);
}

Vec3 point_velocity(const ActuatorStep& step, int body, const Vec3& point)
{
    const Body& group = step.bodies[at(step.layout.group_of_body[at(body)])];
    return group.velocity.linear + cross(group.velocity.angular, point - group.center);
}
void push_body(const ActuatorStep& step, int body, const Vec3& point, const Vec3& force, ExternalForces& forces)
{
    const int group = step.layout.group_of_body[at(body)];
    if (step.layout.groups[at(group)].dynamic) add_force(step.bodies, group, point, force, {}, forces.wrench);
}

}  // namespace

void add_actuator_wrench(const ActuatorStep& step, int a, ExternalForces& forces)
{
    // by transmission; three actuators of an orientation act once, with the first of them
    const Actuators& actuators = step.model().actuators;
    const TransmissionType transmission = actuators.transmission[at(a)];
    if (actuators.gain_law[at(a)] == ActuatorLaw::orientation)
    {
        if (actuators.inputs[at(a)] > 0) add_orientation(step, a, forces);
    }
    else if (transmission == TransmissionType::slider_crank || actuators.reference[at(a)] >= 0)
        add_pair(step, a, forces);
    else if (transmission == TransmissionType::site)
        add_site(step, a, forces);
    else if (transmission == TransmissionType::joint || transmission == TransmissionType::joint_in_parent)
        add_turner(step, a, forces);
}

void add_adhesion(const Layout& layout, const StepInput& input, const WorldView& world, const std::vector<Body>& bodies,
                  const Contacts& contacts, ExternalForces& forces)
{
    // MuJoCo's adhesion: a force along the normals, spread over the contacts of the body
    const Model& model = *layout.model;
    const ActuatorStep step{layout, input, world, bodies, model.actuators};
    std::vector<const Contact*>& held = forces.held;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (model.actuators.transmission[at(a)] != TransmissionType::body || is_off(input, a)) continue;
        const int body = model.actuators.target[at(a)];
        held.clear();
        double rate = 0;
        for (const Contact& contact : contacts.items)
        {
            // all contacts in which the body has a part, on either side
            if (contact.first_body.index != body && contact.second_body.index != body) continue;
            if (!is_held(model, contact)) continue;
            held.push_back(&contact);
            // mean rate of approach along the normals, which is the actuator's velocity
            rate += dot(contact.normal(), point_velocity(step, contact.first_body.index, contact.point) -
                                              point_velocity(step, contact.second_body.index, contact.point));
        }
        const double share = held.empty() ? 0 : 1 / static_cast<double>(held.size());
        const Reach reach{0, share * rate};
        // without contacts the law is still asked: activations go on
        const double force = find_force(step, a, find_drive(step, a, reach, forces), reach, forces);
        for (const Contact* contact : held)
        {
            // normals point from the first to the second body
            push_body(step, contact->first_body.index, contact->point, force * share * contact->normal(), forces);
            push_body(step, contact->second_body.index, contact->point, -force * share * contact->normal(), forces);
        }
    }
}

}  // namespace rattleback::avbd
