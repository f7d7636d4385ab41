// Sliding friction that a world has of its own, put into contacts that were found with the Model's.
#pragma once

#include "base/index.h"

#include <rattleback/contacts.h>

#include <algorithm>

namespace rattleback
{

/// Has the pair of shapes a material of its own (ShapePair::material)?
inline bool has_own_material(const Model& model, const Contact& contact)
{
    // Pairs name the lower shape first, contacts the lower type.
    const std::pair<int, int> key = std::minmax({contact.first_shape.index, contact.second_shape.index});
    const auto found = std::lower_bound(model.pairs.begin(), model.pairs.end(), key,
                                        [](const ShapePair& pair, const std::pair<int, int>& k)
                                        { return std::pair(pair.first, pair.second) < k; });
    return found != model.pairs.end() && std::pair(found->first, found->second) == key && found->material >= 0;
}

/// Sliding friction of two surfaces, and the dimension of their contact.
struct SlidingFriction
{
    double coefficient = 0;
    int dimension = 3;
};
/// By the rule of combine(), with `friction` [shape_count] in place of that of the shapes' materials.
inline SlidingFriction combine_friction(const Model& model, std::span<const double> friction, int first_shape,
                                        int second_shape)
{
    const MaterialOptions& a = model.materials[at(model.shapes.material[at(first_shape)])];
    const MaterialOptions& b = model.materials[at(model.shapes.material[at(second_shape)])];
    const double first = friction[at(first_shape)], second = friction[at(second_shape)];
    // Higher priority wins, otherwise the larger.
    const bool equal = a.priority == b.priority, wins = a.priority > b.priority;
    const double coefficient = equal ? std::max(first, second) : wins ? first : second;
    const int dimension = equal ? std::max(a.dimension, b.dimension) : wins ? a.dimension : b.dimension;
    // Sliding friction of zero is none.
    return {coefficient, dimension == 3 && coefficient == 0 ? 1 : dimension};
}

/// `friction`: as for combine_friction(); empty: nothing is changed.
inline void set_friction(const Model& model, std::span<const double> friction, Contacts& contacts)
{
    if (friction.empty()) return;
    for (Contact& contact : contacts.items)
    {
        if (has_own_material(model, contact)) continue;
        const SlidingFriction sliding =
            combine_friction(model, friction, contact.first_shape.index, contact.second_shape.index);
        contact.friction.x = sliding.coefficient;
        contact.dimension = sliding.dimension;
    }
}

}  // namespace rattleback
