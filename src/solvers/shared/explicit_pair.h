// The explicit pair of a contact's shapes, where the model has one.
#pragma once

#include <rattleback/contacts.h>
#include <rattleback/model.h>

#include <algorithm>

namespace rattleback
{

/// What an explicit pair says beyond its material; null where the shapes have no such pair.
inline const ShapePair* find_pair(const Model& model, const Contact& contact)
{
    if (model.pairs.empty()) return nullptr;
    // Pairs are sorted by shapes.
    const auto wanted = std::minmax(contact.first_shape.index, contact.second_shape.index);
    const auto before = [](const ShapePair& pair, const std::pair<int, int>& shapes)
    { return std::pair(pair.first, pair.second) < shapes; };
    const auto found = std::lower_bound(model.pairs.begin(), model.pairs.end(), std::pair<int, int>(wanted), before);
    const bool same = found != model.pairs.end() && found->first == wanted.first && found->second == wanted.second;
    return same ? &*found : nullptr;
}

}  // namespace rattleback
