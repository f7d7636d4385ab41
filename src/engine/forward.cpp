// Contacts and sensor accelerations of the present state.
#include "engine/forward.h"

#include "base/index.h"
#include "dynamics/bias.h"
#include "dynamics/jacobian.h"
#include "dynamics/kinematics.h"
#include "solvers/shared/kinematic_bodies.h"

#include <algorithm>
#include <tuple>

namespace rattleback
{

namespace
{

auto key(const Contact& contact) { return std::tuple(contact.first_shape, contact.second_shape, contact.feature); }

}  // namespace

void Forward::find_contacts(const Model& model, const ContactFilter& filter, const ConstWorldView& world,
                            Memory& memory, Contacts& found, ContactForces& found_forces)
{
    // Made when first asked for: most simulations never call forward().
    if (!collider_) collider_ = std::make_unique<Collider>(model);
    collider_->set_filter(filter);
    collider_->find_contacts(world, 0, memory.collider, found);
    found_forces.items.assign(found.items.size(), Wrench{});
    // Both lists are sorted alike.
    const std::vector<Contact>& known = memory.contacts.items;
    const std::vector<Wrench>& known_forces = memory.contact_forces.items;
    for (std::size_t i = 0, k = 0; i < found.items.size(); ++i)
    {
        // A contact is the same while the same features of the same shapes touch: then its last force is the best
        // guess.
        while (k < known.size() && key(known[k]) < key(found.items[i])) ++k;
        if (k < std::min(known.size(), known_forces.size()) && key(known[k]) == key(found.items[i]))
            found_forces.items[i] = known_forces[k];
    }
}

std::span<const Vec3> Forward::find_sensor_accelerations(const Tree& tree, const StepInput& input,
                                                         const ConstWorldView& world, std::span<const double> qacc)
{
    const Model& model = *tree.model;
    if (!workspace_) workspace_ = std::make_unique<Workspace<double>>(tree);
    Workspace<double>& w = *workspace_;
    // Kinematics at the present state, with kinematic bodies as they move at the begin of the next step.
    load_world(w, 0, world, input.control);
    load_parameters(w, 0, input.parameters);
    std::vector<KinematicMotion> motions(tree.kinematic_bodies.size());
    find_kinematic_motions(model, tree.kinematic_bodies, input, world, motions);
    if (!motions.empty()) place_kinematic_bodies<double>(w, 0, motions, 0, input.dt);
    compute_poses(w);
    compute_dof_motions(w);
    compute_velocities(w);

    // Three rows of the Jacobian of each accelerometer's point.
    linear_.resize(3 * qacc.size());
    angular_.resize(3 * qacc.size());
    accelerations_.clear();
    for (std::size_t s = 0; s < model.sensors.type.size(); ++s)
    {
        if (model.sensors.type[s] != SensorType::accelerometer) continue;
        const int body = model.sensors.body[s];
        const Vec3 point = (world.body_pose[at(body)] * model.sensors.pose[s]).position;
        // a = J(q) qacc + what motion and gravity give while the joints do not accelerate
        Vec3 acceleration = body_point_acceleration(w, body, point);
        compute_jacobian<double>(w, body, point, linear_, angular_);
        for (int k = 0; k < 3; ++k)
        {
            // Rows of J times qacc; columns of dofs that do not move the point are zero.
            for (std::size_t d = 0; d < qacc.size(); ++d) acceleration[k] += linear_[at(k) * qacc.size() + d] * qacc[d];
        }
        accelerations_.push_back(acceleration);
    }
    return accelerations_;
}

}  // namespace rattleback
