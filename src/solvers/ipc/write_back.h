// From groups back to the world: poses, velocities, free joints, contacts and their forces.
#pragma once

#include "solvers/ipc/potential.h"

#include <rattleback/solver.h>

namespace rattleback::ipc
{

/// The group whose result may not be committed; -1: none.
int find_bad_group(const Layout& layout, std::span<const Placement> placements, std::span<const Velocity> velocities);

/// Poses and velocities of all bodies, coordinates of free joints. `velocities`: of the groups' centres. What slept
/// through the step (`sleepers`: [group] not -1) keeps every bit.
void write_bodies(const Model& model, const Layout& layout, std::span<const Placement> placements,
                  std::span<const Velocity> velocities, std::span<const int> sleepers, const WorldView& world);

/// What has pushed and rubbed in the step, with its forces, sorted, and the contacts that sleepers had before. Keeps
/// scratch.
class ContactWriter
{
public:
    explicit ContactWriter(const Layout& layout) { items_.reserve(2 * find_contact_room(layout)); }

    void write(const Model& model, const Layout& layout, const Potential& potential, std::span<const Body> bodies,
               std::span<const Placement> placements, std::span<const int> sleepers, Memory& memory);

private:
    struct Item
    {
        Contact contact;
        Wrench wrench;
        double time = 1;  ///< of the step, from 0 to 1
    };
    std::vector<Item> items_;
};

}  // namespace rattleback::ipc
