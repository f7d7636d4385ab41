// Actuators and controls as drives of dofs and wrenches on groups.
#include "solvers/avbd/forces.h"

#include "base/index.h"
#include "dynamics/actuator_law.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"
#include "solvers/avbd/tendon_place.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

bool drives_dof(const Model& model, int actuator)
{
    const TransmissionType t = model.actuators.transmission[at(actuator)];
    if (t != TransmissionType::joint && t != TransmissionType::joint_in_parent) return false;
    const JointType type = model.joints.type[at(model.actuators.target[at(actuator)])];
    return type == JointType::hinge || type == JointType::slide;
}

bool drives_tendon(const Model& model, int actuator)
{
    return model.actuators.transmission[at(actuator)] == TransmissionType::tendon;
}

bool is_off(const StepInput& input, int actuator) { return input.control.actuator_active[at(actuator)] == 0; }

/// Gain and bias, the world's own or the Model's.
ForceLaw<double> find_force_law(const Model& model, int a, std::span<const double> own)
{
    if (!own.empty()) return {&own[6 * at(a)], &own[6 * at(a) + 3]};
    return {model.actuators.gain[at(a)].data(), model.actuators.bias[at(a)].data()};
}

/// What all actuators of a step see.
struct ActuatorStep
{
    const Layout& layout;
    const StepInput& input;
    const WorldView& world;
    const std::vector<Body>& bodies;
    ActuatorsView actuators;

    const Model& model() const { return *layout.model; }
};

/// Length and velocity of an actuator at the begin of the step.
struct Reach
{
    double length = 0, velocity = 0;
};

/// Inputs of an actuator and of those behind it, delayed and within their ranges.
std::array<double, kMostInputs> gather_inputs(const ActuatorStep& step, int a)
{
    std::array<double, kMostInputs> inputs{};
    for (int i = 0; i < kMostInputs && a + i < step.model().actuator_count(); ++i)
    {
        const int h = step.actuators.history_begin[at(a + i)];
        const double dt = step.model().settings.dt;
        const double input = h >= 0 ? read_delayed_input(step.actuators, a + i, &step.world.act[at(h)], dt, 0)
                                    : step.input.control.input[at(a + i)];
        inputs[at(i)] = clamp_to(step.actuators.input_range[at(a + i)], input);
    }
    return inputs;
}

/// The force of an actuator that is not affine, as a line through where it is. What pushes along with length or
/// velocity stays as it is during the step: only what resists may be implicit.
Drive find_bent_drive(const ActuatorStep& step, int a, const Reach& reach, ExternalForces& forces)
{
    const ActuatorsView& actuators = step.actuators;
    const int s = actuators.act_begin[at(a)];
    std::array<double, 5> rates{};
    const auto inputs = gather_inputs(step, a);
    const ForceLaw<double> law = find_force_law(step.model(), a, step.input.parameters.gain);
    const double* now = s >= 0 ? &step.world.act[at(s)] : nullptr;
    const ActuatorState<double> state{inputs.data(), now, reach.length, reach.velocity};
    const ActuatorForce<double> force = find_any_force(actuators, a, law, state, step.input.dt, rates.data());
    const bool motor = actuators.gain_law[at(a)] == ActuatorLaw::dc_motor;
    forces.rotor = motor ? find_rotor_torque(actuators, a, reach.length, now, rates.data()) : 0;
    const double rotor_damping = motor ? find_rotor_damping(actuators, a) : 0;
    const double slope = std::min(0.0, force.by_length), damping = std::min(0.0, force.by_velocity - rotor_damping);
    if (s >= 0)
        advance_activation(actuators, a, reach.length, reach.velocity, rates.data(), step.input.dt, &forces.act[at(s)]);
    return {force.force - slope * reach.length - damping * reach.velocity, slope, damping, 0, 0};
}

/// Force of an actuator without its range: constant + slope length + damping velocity; and the next activation.
Drive find_drive(const ActuatorStep& step, int a, const Reach& reach, ExternalForces& forces)
{
    // control, then the activation that it drives, then force = gain (drive) + bias, affine in length and velocity
    const ActuatorsView& actuators = step.actuators;
    forces.rotor = 0;
    const bool delayed = actuators.history_begin[at(a)] >= 0;
    if (!is_affine(actuators, a) || actuators.period[at(a)] > 0 || delayed ||
        actuators.dynamics[at(a)] == ActuatorDynamics::muscle)
        return find_bent_drive(step, a, reach, forces);
    const int s = actuators.act_begin[at(a)];
    const double now = s >= 0 ? step.world.act[at(s)] : 0;
    const ActuatorDrive<double> drive =
        find_actuator_drive(actuators, a, step.input.control.input[at(a)], now, step.input.dt);
    if (s >= 0) forces.act[at(s)] = next_activation(actuators, a, now, drive.act_rate, step.input.dt);
    const AffineForce<double> force =
        find_affine_force(find_force_law(step.model(), a, step.input.parameters.gain), drive.value);
    return {force.constant, force.slope, force.damping, 0, 0};
}

/// The force within its range, and what no range bounds.
double find_force(const ActuatorStep& step, int a, const Drive& drive, const Reach& reach, const ExternalForces& forces)
{
    const double force = drive.constant + drive.slope * reach.length + drive.damping * reach.velocity;
    return clamp_to(step.actuators.force_range[at(a)], force) + forces.rotor;
}

Vec3 group_origin(const Layout& layout, int group, const std::vector<Body>& bodies)
{
    return bodies[at(group)].center - rotate(bodies[at(group)].rotation, layout.groups[at(group)].center);
}

void add_force(const std::vector<Body>& bodies, int group, const Vec3& point, const Vec3& force, const Vec3& torque,
               std::vector<Wrench>& wrenches)
{
    wrenches[at(group)].force += force;
    wrenches[at(group)].torque += torque + cross(point - bodies[at(group)].center, force);
}

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
    const int owner = model.sites.body[at(site)], group = step.layout.group_of_body[at(owner)];
    const Body& body = step.bodies[at(group)];
    const Pose pose = Pose{group_origin(step.layout, group, step.bodies), body.rotation} *
                      (step.layout.in_group[at(owner)] * model.sites.pose[at(site)]);
    return {group, pose, body.velocity.linear + cross(body.velocity.angular, pose.position - body.center),
            body.velocity.angular};
}

/// An actuator on a site: a wrench in the site's axes, that feels the site's velocity.
void add_site(const ActuatorStep& step, int a, ExternalForces& forces)
{
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
    PairPull<double> pull;
    Reach reach;
};
PairReach find_pair_reach(const ActuatorStep& step, int a)
{
    const PlacedSite site = place_site(step, step.actuators.target[at(a)]);
    const PlacedSite reference = place_site(step, step.actuators.reference[at(a)]);
    const PairPull<double> pull = find_pair_pull<double>(step.actuators, a, {site.pose.position, site.pose.rotation},
                                                         {reference.pose.position, reference.pose.rotation});
    const double rate = dot(pull.force, site.velocity - reference.velocity) + dot(pull.torque, site.spin) +
                        dot(pull.reference_torque, reference.spin);
    return {site, reference, pull, {pull.length, rate}};
}
void push_pair(const ActuatorStep& step, const PairReach& pair, double force, ExternalForces& forces)
{
    const auto& groups = step.layout.groups;
    if (groups[at(pair.site.group)].dynamic)
        add_force(step.bodies, pair.site.group, pair.site.pose.position, force * pair.pull.force,
                  force * pair.pull.torque, forces.wrench);
    if (groups[at(pair.reference.group)].dynamic)
        add_force(step.bodies, pair.reference.group, pair.reference.pose.position, -force * pair.pull.force,
                  force * pair.pull.reference_torque, forces.wrench);
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
    const bool free = model.joints.type[at(joint)] == JointType::free;
    const auto& gear = step.actuators.gear[at(a)];
    const auto first = at(free ? 3 : 0);
    const auto [torque, length] = find_turning_moment(
        step.actuators, a, free, unit_quaternion(&step.world.q[at(model.joints.q_begin[at(joint)]) + first]));
    const double* v = &step.world.v[at(model.joints.v_begin[at(joint)])];
    Reach reach{length, dot(torque, Vec3{v[first], v[first + 1], v[first + 2]})};
    if (free) reach.velocity += dot(Vec3{gear[0], gear[1], gear[2]}, Vec3{v[0], v[1], v[2]});
    const double force = find_force(step, a, find_drive(step, a, reach, forces), reach, forces);
    const Vec3 turning = force * rotate(step.bodies[at(group)].rotation, torque);
    if (!free) return add_joint_torque(step, joint, turning, forces);
    add_force(step.bodies, group, group_origin(step.layout, group, step.bodies),
              force * Vec3{gear[0], gear[1], gear[2]}, turning, forces.wrench);
}

/// Three actuators that turn a ball joint or a site together; `a` is the first.
void add_orientation(const ActuatorStep& step, int a, ExternalForces& forces)
{
    const ActuatorsView& actuators = step.actuators;
    const Model& model = step.model();
    const auto inputs = gather_inputs(step, a);
    const bool on_site = actuators.reference[at(a)] >= 0;
    std::array<PairReach, 3> pairs;
    Vec3 wanted, length, velocity;
    for (int k = 0; k < 3; ++k)
    {
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
    const int joint = actuators.target[at(a)];
    if (!on_site)
    {
        length = logarithm(unit_quaternion(&step.world.q[at(model.joints.q_begin[at(joint)])]));
        const double* v = &step.world.v[at(model.joints.v_begin[at(joint)])];
        velocity = {v[0], v[1], v[2]};
    }
    const ForceLaw<double> law = find_force_law(model, a, step.input.parameters.gain);
    const Vec3 torque = find_orientation_force(actuators, a, law, inputs.data(), wanted, length, velocity).torque;
    for (int k = 0; k < 3 && on_site; ++k) push_pair(step, pairs[at(k)], torque[k], forces);
    if (on_site) return;
    const int group = step.layout.group_of_body[at(model.joints.body[at(joint)])];
    add_joint_torque(step, joint, rotate(step.bodies[at(group)].rotation, torque), forces);
}

/// Length and velocity of an actuator on a hinge, slide or tendon, before its gear.
Reach find_coordinate(const ActuatorStep& step, int a, const BlockWork& work)
{
    const Model& model = step.model();
    const std::size_t target = at(step.actuators.target[at(a)]);
    if (drives_tendon(model, a)) return {work.tendons[target].start_length, work.tendons[target].start_rate};
    return {step.world.q[at(model.joints.q_begin[target])], step.world.v[at(model.joints.v_begin[target])]};
}

/// An actuator on a hinge, slide or tendon: force along it = gear * force, length = gear * q.
Drive find_coordinate_drive(const ActuatorStep& step, int a, const BlockWork& work, ExternalForces& forces)
{
    const double most = std::numeric_limits<double>::infinity();
    if (is_off(step.input, a)) return {0, 0, 0, -most, most};
    const double gear = step.actuators.gear[at(a)][0];
    const Reach coordinate = find_coordinate(step, a, work);
    Drive drive = find_drive(step, a, {gear * coordinate.length, gear * coordinate.velocity}, forces);
    // the coordinate sees the law through the gear, squared where the law looks at the coordinate
    drive.constant *= gear;
    drive.slope *= gear * gear;
    drive.damping *= gear * gear;
    // bounds of the force along the coordinate; a negative gear exchanges them
    const Range& range = step.actuators.force_range[at(a)];
    drive.lower = range.limited ? std::min(gear * range.lower, gear * range.upper) : -most;
    drive.upper = range.limited ? std::max(gear * range.lower, gear * range.upper) : most;
    return drive;
}

/// Lengths and rates of the tendons that actuators pull, at the start of the step.
void place_driven_tendons(const Layout& layout, BlockWork& work)
{
    const Drives& drives = work.tendon_drives;
    for (int t = 0; t + 1 < static_cast<int>(drives.begin.size()); ++t)
    {
        if (drives.begin[at(t)] == drives.begin[at(t) + 1]) continue;
        place_tendon(layout, t, work);
        TendonState& state = work.tendons[at(t)];
        state.start_length = state.length;
        state.start_rate = rate_of(layout, layout.tendon_rows[at(t)], work,
                                   [](const Body& body) -> const Velocity& { return body.velocity; });
    }
}

/// Sets the drives of dofs and tendons for the step.
void set_drives(const ActuatorStep& step, BlockWork& work, ExternalForces& forces)
{
    place_driven_tendons(step.layout, work);
    for (std::size_t d = 0; d < work.drives.items.size(); ++d)
    {
        const int a = work.drives.actuator[d];
        work.drives.items[d] = find_coordinate_drive(step, a, work, forces);
        // the torque of a motor's rotor is beyond all ranges
        const std::size_t dof = at(step.model().joints.v_begin[at(step.actuators.target[at(a)])]);
        if (!is_off(step.input, a)) forces.dof_force[dof] += step.actuators.gear[at(a)][0] * forces.rotor;
    }
    for (std::size_t d = 0; d < work.tendon_drives.items.size(); ++d)
    {
        const int a = work.tendon_drives.actuator[d];
        Drive& drive = work.tendon_drives.items[d] = find_coordinate_drive(step, a, work, forces);
        if (!is_off(step.input, a)) drive.constant += step.actuators.gear[at(a)][0] * forces.rotor;
    }
}

/// Near enough for adhesion: contacts of the search reach as far as bodies may move in a step. What is held together
/// stands off by rounding and what the iterations left.
bool is_held(const Model& model, const Contact& contact)
{
    constexpr double kStandOff = 1e-4;
    const auto& gap = model.shapes.gap;
    return contact.distance <
           contact.margin + gap[at(contact.first_shape.index)] + gap[at(contact.second_shape.index)] + kStandOff;
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

/// Wrenches on bodies and forces on joints by the control.
void add_controls(const Layout& layout, const StepInput& input, const std::vector<Body>& bodies, ExternalForces& forces)
{
    const Model& model = *layout.model;
    std::fill(forces.wrench.begin(), forces.wrench.end(), Wrench{});
    // wrenches act at the centres of mass of single bodies
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Wrench& wrench = input.control.body_wrench[at(b)];
        const int group = layout.group_of_body[at(b)];
        if (!layout.groups[at(group)].dynamic || wrench == Wrench{}) continue;
        const Vec3 center = group_origin(layout, group, bodies) +
                            rotate(bodies[at(group)].rotation, layout.in_group[at(b)].position +
                                                                   rotate(layout.in_group[at(b)].rotation,
                                                                          model.bodies.inertial_pose[at(b)].position));
        add_force(bodies, group, center, wrench.force, wrench.torque, forces.wrench);
    }
    // forces on the dofs of links enter their rows; those on free joints are wrenches
    std::copy(input.control.joint_force.begin(), input.control.joint_force.end(), forces.dof_force.begin());
    for (const RigidGroup& group : layout.groups)
    {
        if (!group.dynamic || group.link >= 0) continue;
        const int index = layout.group_of_body[at(group.body)];
        const double* f = &forces.dof_force[at(model.bodies.v_begin[at(group.body)])];
        if (std::all_of(f, f + 6, [](double value) { return value == 0; })) continue;
        add_force(bodies, index, group_origin(layout, index, bodies), {f[0], f[1], f[2]},
                  rotate(bodies[at(index)].rotation, Vec3{f[3], f[4], f[5]}), forces.wrench);
    }
}

/// Actuators by the coordinate that they drive (counting sort); `index_of` is -1 for those on none.
template <class Index>
Drives sort_drives(const Model& model, int coordinate_count, Index index_of)
{
    Drives drives;
    drives.begin.assign(at(coordinate_count) + 1, 0);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) ++drives.begin[at(index_of(a)) + 1];
    }
    std::partial_sum(drives.begin.begin(), drives.begin.end(), drives.begin.begin());
    drives.actuator.resize(at(drives.begin.back()));
    std::vector<int> next = drives.begin;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) drives.actuator[at(next[at(index_of(a))]++)] = a;
    }
    drives.items.resize(drives.actuator.size());
    return drives;
}

}  // namespace

void add_adhesion(const Layout& layout, const StepInput& input, const WorldView& world, const std::vector<Body>& bodies,
                  const Contacts& contacts, ExternalForces& forces)
{
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
            if (contact.first_body.index != body && contact.second_body.index != body) continue;
            if (!is_held(model, contact)) continue;
            held.push_back(&contact);
            rate += dot(contact.normal(), point_velocity(step, contact.first_body.index, contact.point) -
                                              point_velocity(step, contact.second_body.index, contact.point));
        }
        const double share = held.empty() ? 0 : 1 / static_cast<double>(held.size());
        const Reach reach{0, share * rate};
        const double force = find_force(step, a, find_drive(step, a, reach, forces), reach, forces);
        for (const Contact* contact : held)
        {
            // normals point from the first to the second body
            push_body(step, contact->first_body.index, contact->point, force * share * contact->normal(), forces);
            push_body(step, contact->second_body.index, contact->point, -force * share * contact->normal(), forces);
        }
    }
}

Drives make_drives(const Model& model)
{
    return sort_drives(model, model.v_count(),
                       [&](int a)
                       {
                           const auto target = at(model.actuators.target[at(a)]);
                           return drives_dof(model, a) ? model.joints.v_begin[target] : -1;
                       });
}

Drives make_tendon_drives(const Model& model)
{
    return sort_drives(model, model.tendon_count(),
                       [&](int a) { return drives_tendon(model, a) ? model.actuators.target[at(a)] : -1; });
}

ExternalForces::ExternalForces(const Layout& layout)
    : wrench(layout.groups.size()), dof_force(layout.model->dofs.body.size()), act(at(layout.model->act_count))
{
    for (const TransmissionType type : layout.model->actuators.transmission)
        adhesive = adhesive || type == TransmissionType::body;
}

void find_external_forces(const Layout& layout, const StepInput& input, const WorldView& world, BlockWork& work,
                          ExternalForces& forces)
{
    const Model& model = *layout.model;
    // controls, then actuators on dofs and tendons (parts of their rows), then all others (wrenches)
    std::copy(world.act.begin(), world.act.end(), forces.act.begin());
    add_controls(layout, input, work.bodies, forces);
    const ActuatorStep step{layout, input, world, work.bodies, model.actuators};
    // inputs are remembered whether or not their actuators act; forces read those of before (world.act)
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int h = model.actuators.history_begin[at(a)];
        if (h < 0) continue;
        record_input(step.actuators, a, input.control.input[at(a)], model.settings.dt, input.dt, &forces.act[at(h)]);
    }
    set_drives(step, work, forces);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (drives_dof(model, a) || drives_tendon(model, a) || is_off(input, a)) continue;
        const TransmissionType transmission = model.actuators.transmission[at(a)];
        if (model.actuators.gain_law[at(a)] == ActuatorLaw::orientation)
        {
            if (model.actuators.inputs[at(a)] > 0) add_orientation(step, a, forces);
        }
        else if (transmission == TransmissionType::slider_crank || model.actuators.reference[at(a)] >= 0)
            add_pair(step, a, forces);
        else if (transmission == TransmissionType::site)
            add_site(step, a, forces);
        else if (transmission == TransmissionType::joint || transmission == TransmissionType::joint_in_parent)
            add_turner(step, a, forces);
    }
}

}  // namespace rattleback::avbd
