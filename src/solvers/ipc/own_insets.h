// Insets that a state needs: what touches or overlaps a little gets surfaces so far inside that a gap is left.
#pragma once

#include "solvers/ipc/candidates.h"

namespace rattleback::ipc
{

/// A piece that has a larger inset than parameter `inset`.
struct OwnInset
{
    int piece = -1;
    double inset = 0;                      ///< of its sides [m]
    std::shared_ptr<const Piece> surface;  ///< with it; null: not built yet
};

/// Two shapes that are too far in each other.
struct DeepOverlap
{
    int first = -1, second = -1;  ///< shapes
    double most = 0;              ///< find_overlap_limit() of both together [m]
};

/// How far the shape of a piece may lie in others [m]: a hundredth of the thickness of the shape along the thinnest of
/// its own axes, or 2.5 mm where that is more, but at most a quarter of the thickness. Zero of what bounds no volume.
double find_overlap_limit(const Model& model, const Piece& piece);

/// The gap of two pieces up to which they touch [m]: less could not be balanced by the softest barrier that a run
/// begins with, or is rounding of their places.
double find_touching_gap(const Layout& layout, const Placement& first, const Placement& second);

/// Surfaces of one world in a layout that shares all others.
class OwnInsets
{
public:
    OwnInsets(const Model& model, const Settings& settings, std::shared_ptr<const Layout> shared);

    /// The layout with the surfaces of the last wear().
    const Layout& layout() const { return layout_; }
    /// Takes these on, and takes off those of other worlds.
    void wear(std::vector<OwnInset>& insets);
    /// Adds to `insets` what it takes for no two shapes to touch at the placements ([group]), and wears them. Pairs
    /// that overlap by more than find_overlap_limit() of both come back; if there are any, `insets` are of no use.
    std::vector<DeepOverlap> widen(std::span<const Placement> placements, const ContactFilter& filter,
                                   std::vector<OwnInset>& insets);
    /// Drops the insets of pieces that nothing was near to in the last search of `candidates`, where the shapes
    /// themselves are clear of each other; false if there are none.
    bool release(const Candidates& candidates, std::span<const Placement> placements, std::vector<OwnInset>& insets);

private:
    const Model& model_;
    const Settings settings_;
    std::shared_ptr<const Layout> shared_;
    Layout layout_;
    std::vector<std::pair<int, double>> worn_;  ///< pieces of layout_ that are not those of shared_
    std::vector<char> is_near_;                 ///< [piece] scratch
};

}  // namespace rattleback::ipc
