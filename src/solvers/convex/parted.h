// Pairs that stuck and have parted by a hair: their contacts keep their rows, so that what is gripped stays so.
#pragma once

#include "solvers/convex/stick.h"
#include "solvers/shared/stage_contacts.h"

namespace rattleback::convex
{

/// A pad that bears its force in a corner may open by nanometres per step, until its distance is positive and its rows
/// are gone: the fingers close within a step or two, and the grip is anchored anew, somewhat lower. Pairs all of whose
/// contacts stuck in the last step and are gone now are looked at once more, a hair further out.
class PartedPairs
{
public:
    explicit PartedPairs(const Model& model) : model_(model) {}

    /// `contacts` with those of such pairs; valid until the next call. `anchors`: of the last step, sorted as contacts.
    const Contacts& keep(const Contacts& contacts, std::span<const Anchor> anchors, const Workspace<double>& w,
                         std::span<const double> friction, StageContacts& finder, ColliderMemory& memory);
    /// Kept ones aim at no gap, not at the margin that gave them rows.
    void aim(const Contacts& contacts, ConstraintRows& rows) const;

private:
    struct Pair
    {
        int first = -1, second = -1;
        double hair = 0;  ///< [m]

        friend bool operator==(const Pair& a, const Pair& b) { return a.first == b.first && a.second == b.second; }
    };
    double find_lost(const Contacts& contacts, std::span<const Anchor> anchors);
    const Pair* find_pair(const Contact& contact) const;

    const Model& model_;
    std::vector<Pair> lost_;
    Contacts near_, kept_;
};

}  // namespace rattleback::convex
