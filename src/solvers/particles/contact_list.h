// ContactList: the contacts of a step with their forces, as the engine reports them.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::particles
{

/// A contact of a particle, seen from the shape that it belongs to.
struct ParticleContact
{
    int shape = -1, other_shape = -1;
    std::uint64_t feature = 0;
    Vec3 normal;  ///< towards `shape`
    Vec3 point;   ///< [m]
    double gap = 0;
    double friction = 0;
    Vec3 force;  ///< on `shape` [N]
};

/// Collects contacts and forces of a step and hands them over sorted.
class ContactList
{
public:
    explicit ContactList(const Model& model) : model_(model) {}

    void clear() { items_.clear(); }
    void add(const ParticleContact& found);
    void hand_over(Memory& memory);

private:
    struct Item
    {
        Contact contact;
        Wrench force;
    };
    const Model& model_;
    std::vector<Item> items_;
};

}  // namespace rattleback::particles
