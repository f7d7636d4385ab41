// Contacts where a stage of an integrator looks, with the friction that a world has of its own.
#pragma once

#include "collide/pair_contacts.h"
#include "dynamics/workspace.h"
#include "solvers/shared/world_friction.h"

#include <vector>

namespace rattleback
{

/// Finds the contacts of joint-space solvers at the poses of a workspace, which are not always those of the world.
class StageContacts
{
public:
    explicit StageContacts(const Model& model)
        : model_(model), collider_(model), poses_(static_cast<std::size_t>(model.body_count()))
    {
    }

    void set_filter(const ContactFilter& filter) { collider_.set_filter(filter); }

    /// Contacts within the margins that shapes have themselves; good until the next call. `friction`: [shape_count] of
    /// this world, or empty: the Model's.
    const Contacts& find(const Workspace<double>& w, std::span<const double> friction, ColliderMemory& memory)
    {
        for (std::size_t b = 0; b < poses_.size(); ++b) poses_[b] = {w.position[b], w.rotation[b]};
        WorldView view;
        view.body_pose = poses_;
        const Contacts& found = collider_.find_contacts(view, 0, memory);
        if (friction.empty()) return found;
        // A world's own friction goes into a copy: the collider keeps its contacts for the next step.
        own_.replace(found);
        set_friction(model_, friction, own_);
        return own_;
    }

    /// Contacts of some pairs, up to `margin` [m] further away than find() has them, at the poses of its last call: the
    /// narrow phase alone. `pairs`: sorted, as contacts name them.
    void find_near(std::span<const PairCandidate> pairs, std::span<const double> friction, double margin,
                   Contacts& contacts)
    {
        find_pair_contacts(collider_, pairs, margin, contacts);
        if (!friction.empty()) set_friction(model_, friction, contacts);
    }

    /// Pairs of shapes whose bounds come near each other while the bodies of a world move on for `dt` [s]; good until
    /// the next call of either.
    std::span<const PairCandidate> find_pairs(const ConstWorldView& world, double dt, ColliderMemory& memory)
    {
        collider_.find_contacts(world, 0, memory, own_, dt);
        return collider_.pairs();
    }

private:
    const Model& model_;
    Collider collider_;
    std::vector<Pose> poses_;
    Contacts own_;
};

}  // namespace rattleback
