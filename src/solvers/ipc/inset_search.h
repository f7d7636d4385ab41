// The search for insets with which nothing touches, round by round.
#pragma once

#include "solvers/ipc/own_insets.h"

#include <map>

namespace rattleback::ipc
{

/// What touches gets a gap of d̂, of which no barrier knows yet.
class InsetSearch
{
public:
    /// `layout`: the surfaces as they are in each round.
    InsetSearch(const Model& model, const Settings& settings, const Layout& layout, const ContactFilter& filter);

    /// How far inside the pairs have to lie that touch at these placements; false where none asks for anything else.
    bool look(std::span<const Placement> placements);
    /// The insets that come of it, by piece. Those that stay keep their surfaces.
    void give_way(std::vector<OwnInset>& insets);
    /// Pairs that overlap by more than both may give. Nothing is done for them.
    std::vector<DeepOverlap> list_deep() const;

private:
    using Name = std::array<int, 3>;  ///< of a pair: two pieces and 0, or a piece, a plane and 1
    struct Need
    {
        double sum = 0;  ///< how far inside both lie together [m]
        bool is_deep = false;
    };
    static bool is_plane(const Name& name) { return name[2] == 1; }
    /// Of the first, of the second and of both [m].
    double find_limit(const Name& name, int which) const;
    double find_limits(const Name& name) const { return find_limit(name, 0) + find_limit(name, 1); }
    double find_wanted_gap(const Name& name) const;
    /// That both may lie inside together, with the gap.
    double find_most(const Name& name) const;
    /// That they do.
    double find_sum(const Name& name) const;
    bool is_deep(const Name& name) const;
    void look_at_crossings();
    void look_at_gap(const CandidateSet& set, std::span<const Placement> placements);
    void ask(const Name& name, double sum);
    void distribute(const Name& name, double sum);

    const Layout& layout_;
    double inset_, separation_;
    Candidates candidates_;
    std::vector<double> limits_;           ///< [piece] find_overlap_limit()
    std::vector<double> least_;            ///< [piece] inset before the search
    std::vector<double> wanted_;           ///< [piece] inset
    std::vector<char> is_new_;             ///< [piece] it has changed since the last round
    std::vector<Rest> rests_;              ///< [group]
    std::vector<double> widest_, slacks_;  ///< [group] how far beyond d̂ is looked; no slack
    std::map<Name, Need> needs_;
    std::map<Name, char> crossed_;  ///< in this round
    bool has_asked_ = false;
};

}  // namespace rattleback::ipc
