// Colours of the contact graph, and groups of four within each.
#include "solvers/comfree/crowd_groups.h"

#include <bit>

namespace rattleback::comfree
{

/// The first colour that neither body has, which both then have; kColours where there is none.
int CrowdGroups::find_colour(std::uint64_t& first, std::uint64_t& second)
{
    const int colour = std::countr_one(first | second);
    if (colour == kColours) return colour;
    first |= std::uint64_t{1} << colour;
    second |= std::uint64_t{1} << colour;
    return colour;
}

/// Groups for all contacts of one kind, those of a colour side by side.
void CrowdGroups::open_groups(bool grounded)
{
    std::size_t count = groups_.size();
    for (int colour = 0; colour <= kColours; ++colour)
    {
        const int size = size_[grounded][colour];
        begin_[colour] = static_cast<int>(count);
        count += at(colour == kColours ? size : (size + 3) / 4);
    }
    groups_.resize(count);
}

void CrowdGroups::build(std::span<const ContactSlot<double>> slots, std::span<const int> place, int place_count)
{
    for (auto& list : used_) list.assign(at(place_count), 0);
    for (auto& sizes : size_) std::fill(std::begin(sizes), std::end(sizes), 0);
    colour_.resize(slots.size());
    groups_.clear();
    for (std::size_t s = 0; s < slots.size(); ++s)
    {
        const int first = place[at(slots[s].first_body)], second = place[at(slots[s].second_body)];
        const bool grounded = first == 0 || second == 0;
        // What does not move may be in any number of contacts of a colour.
        std::uint64_t nobody = 0;
        std::uint64_t& a = first == 0 ? nobody : used_[grounded][at(first)];
        std::uint64_t& b = second == 0 ? nobody : used_[grounded][at(second)];
        colour_[s] = find_colour(a, b);
        ++size_[grounded][colour_[s]];
    }
    // The ground has the last word in a sweep: what lies on it does not sink.
    for (const bool grounded : {false, true})
    {
        if (grounded) first_grounded_ = groups_.size();
        open_groups(grounded);
        int filled[kColours + 1]{};
        for (std::size_t s = 0; s < slots.size(); ++s)
        {
            const int first = place[at(slots[s].first_body)], second = place[at(slots[s].second_body)];
            if ((first == 0 || second == 0) != grounded) continue;
            const int colour = colour_[s], index = filled[colour]++;
            const int lane = colour == kColours ? 0 : index % 4;
            CrowdGroup& group = groups_[at(begin_[colour] + (colour == kColours ? index : index / 4))];
            // Lanes that stay empty: numbers of a contact, and nothing that moves.
            if (lane == 0)
                group = {.slot = {static_cast<int>(s), static_cast<int>(s), static_cast<int>(s), static_cast<int>(s)}};
            group.count = lane + 1;
            group.slot[lane] = static_cast<int>(s);
            group.first[lane] = grounded ? 0 : first;
            group.second[lane] = second == 0 ? first : second;
            group.sign[lane] = second == 0 ? -1 : 1;
        }
    }
}

}  // namespace rattleback::comfree
