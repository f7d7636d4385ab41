// How far pairs have to lie inside, and which of the two gives way.
#include "solvers/ipc/inset_search.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// What is aimed at is so much more than what is asked for.
constexpr double kAimed = 1.01;
constexpr double kRounding = 1e-9;

}  // namespace

InsetSearch::InsetSearch(const Model& model, const Settings& settings, const Layout& layout,
                         const ContactFilter& filter)
    : layout_(layout),
      inset_(settings.inset),
      separation_(settings.separation),
      candidates_(model, layout, settings),
      is_new_(layout.pieces.size(), 1),
      widest_(layout.groups.size()),
      slacks_(layout.groups.size())
{
    candidates_.set_filter(filter);
    for (std::size_t p = 0; p < layout.pieces.size(); ++p)
    {
        limits_.push_back(find_overlap_limit(model, layout.pieces[p]));
        least_.push_back(layout.pieces[p].inset);
    }
    for (const Group& group : layout.groups) rests_.push_back(group.row < 0 ? Rest::fixed : Rest::none);
}

double InsetSearch::find_limit(const Name& name, int which) const
{
    return which == 1 && is_plane(name) ? 0 : limits_[at(name[at(which)])];
}

double InsetSearch::find_most(const Name& name) const { return find_limits(name) + kAimed * find_wanted_gap(name); }

double InsetSearch::find_sum(const Name& name) const
{
    const double first = layout_.pieces[at(name[0])].inset - inset_;
    return first + (is_plane(name) ? 0 : layout_.pieces[at(name[1])].inset - inset_);
}

bool InsetSearch::is_deep(const Name& name) const
{
    const auto known = needs_.find(name);
    return known != needs_.end() && known->second.is_deep;
}

double InsetSearch::find_wanted_gap(const Name& name) const
{
    // d̂: there the barrier begins. What is thin gives less.
    return std::min(layout_.reach, 0.5 * find_limits(name));
}

void InsetSearch::ask(const Name& name, double sum)
{
    needs_[name] = {sum, sum > find_most(name) * (1 + kRounding)};
    has_asked_ = true;
}

bool InsetSearch::look(std::span<const Placement> placements)
{
    has_asked_ = false;
    candidates_.find(placements, {.widest = widest_, .slacks = slacks_, .moves = {}}, {}, rests_);
    look_at_crossings();
    for (const CandidateSet& set : candidates_.sets()) look_at_gap(set, placements);
    return has_asked_;
}

void InsetSearch::look_at_crossings()
{
    // Where surfaces cross, distances say nothing: twice as far inside, and as far as may be before they are too deep.
    constexpr double kFirstPart = 0.25, kGrowth = 2;
    crossed_.clear();
    for (const auto& [first, second] : candidates_.near_pairs())
    {
        const Name name{first, second, 0};
        if ((is_new_[at(first)] == 0 && is_new_[at(second)] == 0) || is_deep(name)) continue;
        if (!candidates_.are_crossed(first, second)) continue;
        crossed_[name] = 1;
        const double sum = find_sum(name), most = find_most(name);
        const double grown = std::max(kGrowth * sum, kFirstPart * layout_.reach);
        ask(name, sum < most * (1 - kRounding) ? std::min(grown, most) : kGrowth * most + layout_.reach);
    }
}

void InsetSearch::look_at_gap(const CandidateSet& set, std::span<const Placement> placements)
{
    const Name name{set.first, set.second, set.is_plane ? 1 : 0};
    if (candidates_.candidates(set).empty() || is_deep(name) || crossed_.contains(name)) return;
    const double gap = candidates_.candidates(set).front().distance - separation_;
    const double asked = find_wanted_gap(name);
    const double touching = find_touching_gap(layout_, placements[at(candidates_.first_group(set))],
                                              placements[at(candidates_.second_group(set))]);
    const auto known = needs_.find(name);
    const bool is_known = known != needs_.end();
    const bool is_short = gap <= 0 || gap < (is_known ? asked : std::min(touching, 0.5 * asked));
    // What was doubled may be more than it takes.
    const double sum = find_sum(name);
    const bool is_wide = is_known && gap > kAimed * kAimed * asked && sum <= known->second.sum;
    if (is_short || is_wide) ask(name, sum - gap + kAimed * asked);
}

void InsetSearch::distribute(const Name& name, double sum)
{
    // What moves gives way, two that move by their limits; what is fixed, for what else lies on it, only where that is
    // not enough.
    std::array<double, 2> moving{};
    for (int i = 0; i < 2; ++i)
    {
        const bool is_piece = i == 0 || !is_plane(name);
        if (is_piece && layout_.groups[at(layout_.pieces[at(name[at(i)])].group)].row >= 0)
            moving[at(i)] = find_limit(name, i);
    }
    const double both = moving[0] + moving[1];
    const double taken = both > 0 ? std::min(sum, both + kAimed * find_wanted_gap(name)) : 0;
    for (int i = 0; i < 2; ++i)
    {
        if (!(find_limit(name, i) > 0)) continue;
        const double own = moving[at(i)] > 0 ? taken * moving[at(i)] / both : sum - taken;
        double& wanted = wanted_[at(name[at(i)])];
        wanted = std::max(wanted, inset_ + own);
    }
}

void InsetSearch::give_way(std::vector<OwnInset>& insets)
{
    // Each piece as far inside as the pairs that it is of ask for.
    wanted_ = least_;
    for (const auto& [name, need] : needs_)
        if (!need.is_deep) distribute(name, need.sum);
    std::fill(widest_.begin(), widest_.end(), 0.0);
    for (std::size_t p = 0; p < wanted_.size(); ++p)
    {
        const Piece& piece = layout_.pieces[p];
        is_new_[p] = wanted_[p] != piece.inset ? 1 : 0;
        double& widest = widest_[at(piece.group)];
        widest = std::max(widest, 2 * (wanted_[p] - inset_));
    }
    std::erase_if(insets, [&](const OwnInset& own) { return is_new_[at(own.piece)] != 0; });
    for (std::size_t p = 0; p < wanted_.size(); ++p)
    {
        if (is_new_[p] != 0 && wanted_[p] > inset_) insets.push_back({static_cast<int>(p), wanted_[p], nullptr});
    }
    std::sort(insets.begin(), insets.end(), [](const OwnInset& a, const OwnInset& b) { return a.piece < b.piece; });
}

std::vector<DeepOverlap> InsetSearch::list_deep() const
{
    std::vector<DeepOverlap> deep;
    for (const auto& [name, need] : needs_)
    {
        if (!need.is_deep) continue;
        const int second = is_plane(name) ? layout_.planes[at(name[1])].shape : layout_.pieces[at(name[1])].shape;
        deep.push_back({layout_.pieces[at(name[0])].shape, second, find_limits(name)});
    }
    return deep;
}

}  // namespace rattleback::ipc
