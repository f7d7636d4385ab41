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

/// Contacts and forces of the touches of the last evaluation, sorted, and those that sleepers had before. Keeps
/// scratch.
class ContactWriter
{
public:
    void write(const Model& model, const Layout& layout, const Potential& potential, std::span<const Body> bodies,
               std::span<const Placement> placements, std::span<const int> sleepers, Memory& memory);

private:
    struct Item
    {
        Contact contact;
        Wrench wrench;
    };
    using Key = std::array<std::int64_t, 2>;
    std::vector<Item> items_;
    std::vector<std::pair<Key, std::size_t>> grips_;  ///< by key
};

}  // namespace rattleback::ipc
