// Combining materials once.
#include "collide/material_table.h"

#include "base/index.h"

namespace rattleback
{

namespace
{

constexpr std::size_t kFewMaterials = 48;  // their table stays below 300 kB
constexpr std::size_t kSlots = 4096;       // a power of two

/// Sliding friction of zero is none.
ContactSurface make_surface(const MaterialOptions& material)
{
    // Without sliding friction a contact is one-dimensional: no rows for tangents.
    const bool slippery = material.dimension == 3 && material.friction == 0;
    return {.dimension = slippery ? 1 : material.dimension,
            .friction = {material.friction, material.spinning_friction, material.rolling_friction},
            .restitution = material.restitution,
            .softness = material.softness,
            .adhesion = material.adhesion};
}

}  // namespace

MaterialTable::MaterialTable(const Model& model, int worker_count) : materials_(model.materials)
{
    for (MaterialOptions& material : materials_)
    {
        // Names would be copied with every combination.
        material.name.clear();
        alone_.push_back(make_surface(material));
        alone_.back().dimension = material.dimension;  // explicit pairs may have friction of their own
    }
    // A square table grows with the square: beyond this, a cache of those met lately.
    if (materials_.size() > kFewMaterials)
    {
        slots_.assign(at(worker_count), std::vector<Slot>(kSlots));
        return;
    }
    // Both orders of every pair, so that a lookup is one index.
    for (const MaterialOptions& first : materials_)
    {
        for (const MaterialOptions& second : materials_) table_.push_back(make_surface(combine(first, second)));
    }
}

const ContactSurface& MaterialTable::find(int first, int second, int worker)
{
    if (!table_.empty()) return table_[at(first) * materials_.size() + at(second)];
    // A hash of the two indices; a slot that holds another pair is overwritten.
    const std::size_t mixed = (at(first) * 0x9E3779B1U) ^ (at(second) * 0x85EBCA6BU);
    Slot& slot = slots_[at(worker)][(mixed ^ (mixed >> 15U)) % kSlots];
    if (slot.first != first || slot.second != second)
    {
        // A miss costs one combination; the slot is the worker's own, so no lock.
        slot = {first, second, make_surface(combine(materials_[at(first)], materials_[at(second)]))};
    }
    return slot.surface;
}

}  // namespace rattleback
