// Pairs of rigid bodies that have parted by a hair: their contacts keep their rows.
#pragma once

#include "solvers/convex/stick.h"
#include "solvers/shared/stage_contacts.h"

namespace rattleback::convex
{

/// Rigid contacts lie at no depth at all. A corner that its load leaves for a moment, or that the cone lifts as its
/// body begins to slide, opens by micrometres; without its rows it falls for a step and lands with an impact, and the
/// next corner opens. Pads of a gripper part by more: within a step the palm moves on its arc and what it holds along
/// the tangent, so that rows which see velocities alone leave a gap between them. Pairs of flat shapes that have fewer
/// contacts than carried force in the last step are looked at once more, a hair further out.
class PartedPairs
{
public:
    explicit PartedPairs(const Model& model) : model_(model) {}

    /// `contacts` with those of such pairs; valid until the next call. `anchors`: of the last step, sorted as contacts.
    /// `finder` has just found `contacts`.
    const Contacts& keep(const Contacts& contacts, std::span<const Anchor> anchors, std::span<const double> friction,
                         StageContacts& finder);
    /// Their rows aim at no gap, not at the margin that they have here.
    void aim(const Contacts& contacts, ConstraintRows& rows) const;

private:
    bool may_part(const Anchor& anchor) const;
    double find_lost(const Contacts& contacts, std::span<const Anchor> anchors);
    const double* find_hair(const Contact& contact) const;

    const Model& model_;
    std::vector<PairCandidate> lost_;  ///< sorted
    std::vector<double> hair_;         ///< [lost] [m]
    Contacts near_, kept_;
};

}  // namespace rattleback::convex
