// Contacts of a crowd in groups of four that have no moving body in common: solved at once, in the lanes of a pack.
#pragma once

#include "solvers/comfree/contact_slots.h"

namespace rattleback::comfree
{

/// Bodies are places in a list of those that move; 0 stands for all that do not.
struct CrowdGroup
{
    int count = 0;     ///< of contacts; lanes behind them repeat the first, at place 0
    int first[4]{};    ///< 0 where a contact has one moving body
    int second[4]{};   ///< the other, or the only one
    int slot[4]{};     ///< of ContactSlots
    double sign[4]{};  ///< -1 where the only moving body is the contact's first
};

/// Greedy colours: no two contacts of a colour share a moving body. A function of the slots and their order alone.
class CrowdGroups
{
public:
    /// `place` [body].
    void build(std::span<const ContactSlot<double>> slots, std::span<const int> place, int place_count);

    std::span<const CrowdGroup> groups() const { return groups_; }
    /// Groups before it are of two moving bodies, those behind it of one.
    std::size_t first_grounded() const { return first_grounded_; }

private:
    /// Bits of a word; contacts beyond them are groups of their own.
    static constexpr int kColours = 64;

    int find_colour(std::uint64_t& first, std::uint64_t& second);
    void open_groups(bool grounded);

    std::vector<std::uint64_t> used_[2];  ///< [place] colours of its contacts with two moving bodies, with one
    std::vector<int> colour_;             ///< [slot]
    std::vector<CrowdGroup> groups_;
    std::size_t first_grounded_ = 0;
    int size_[2][kColours + 1]{};  ///< contacts of each colour
    int begin_[kColours + 1]{};    ///< first group of each colour
};

}  // namespace rattleback::comfree
