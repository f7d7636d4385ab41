// From a Model's tendons to rows on their lengths: the groups that move them, and their paths in the groups' frames.
#include "base/index.h"
#include "dynamics/tree.h"
#include "solvers/avbd/layout_blocks.h"

#include <algorithm>
#include <array>

namespace rattleback::avbd
{

namespace
{

/// The path of a segment as its groups see it.
TendonSegment make_tendon_segment(const Model& model, const Layout& layout, const TreeSegment& source)
{
    // sites in the frames of their groups: paths then follow from the groups' poses alone
    const auto place = [&](int site)
    { return layout.in_group[at(model.sites.body[at(site)])] * model.sites.pose[at(site)]; };
    const auto group_of = [&](int body) { return layout.group_of_body[at(body)]; };
    TendonSegment segment{.first_group = group_of(source.first_body),
                          .second_group = group_of(source.second_body),
                          .first = place(source.first_site).position,
                          .second = place(source.second_site).position,
                          .scale = source.scale};
    // both ends on one group: the length never changes and moves nothing
    segment.rigid = segment.first_group == segment.second_group;
    if (source.shape < 0) return segment;
    // the shape that it wraps around, and on which side
    segment.wraps = true;
    segment.cylinder = source.cylinder;
    segment.radius = source.radius;
    segment.shape_group = group_of(source.shape_body);
    segment.shape = layout.in_group[at(source.shape_body)] * model.shapes.pose[at(source.shape)];
    segment.rigid = segment.rigid && segment.shape_group == segment.first_group;
    // a side site chooses between the two ways round, and inside a shape forces the path through it
    segment.sided = source.side_site >= 0;
    if (!segment.sided) return segment;
    segment.side = place(source.side_site).position;
    segment.side_group = group_of(model.sites.body[at(source.side_site)]);
    return segment;
}

/// The groups that change the length of one tendon.
void add_groups_of(const Model& model, const Layout& layout, int tendon, std::vector<int>& groups)
{
    // fixed: both sides of each joint
    const Tendons& tendons = model.tendons;
    for (int k = tendons.item_begin[at(tendon)]; k < tendons.item_begin[at(tendon) + 1]; ++k)
    {
        const int joint = tendons.items[at(k)].joint;
        if (tendons.type[at(tendon)] != TendonType::fixed || joint < 0) continue;
        // a fixed tendon's joints are hinges and slides, and every one of them has a link
        const Link& link =
            layout.links[at(layout.groups[at(layout.group_of_body[at(model.joints.body[at(joint)])])].link)];
        groups.insert(groups.end(), {link.child, link.parent});
    }
    // spatial: those of its sites, and of the shapes that it wraps around
    for (int s = layout.segment_begin[at(tendon)]; s < layout.segment_begin[at(tendon) + 1]; ++s)
    {
        const TendonSegment& segment = layout.segments[at(s)];
        // a part on one group alone pulls it with equal and opposite forces
        if (segment.rigid) continue;
        groups.insert(groups.end(), {segment.first_group, segment.second_group});
        if (segment.wraps) groups.push_back(segment.shape_group);
    }
}

/// Whether something acts along a tendon, or an equality looks at its length; others are there to be measured.
bool is_used(const Model& model, int tendon)
{
    const Tendons& tendons = model.tendons;
    const auto t = at(tendon);
    // spring, damper and dry friction; then armature and limits; then actuators; then couplings
    if (tendons.stiffness[t] != 0 || tendons.damping[t] != 0 || tendons.dry_friction[t] != 0) return true;
    constexpr std::array<double, 2> kStraight{};
    if (tendons.stiffness_polynomial[t] != kStraight || tendons.damping_polynomial[t] != kStraight) return true;
    if (tendons.armature[t] != 0 || tendons.range[t].limited) return true;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (model.actuators.transmission[at(a)] == TransmissionType::tendon && model.actuators.target[at(a)] == tendon)
            return true;
    }
    for (int e = 0; e < model.equality_count(); ++e)
    {
        if (model.equalities.type[at(e)] != EqualityType::tendon) continue;
        if (model.equalities.first[at(e)] == tendon || model.equalities.second[at(e)] == tendon) return true;
    }
    return false;
}

/// Closes a row: its groups, sorted, each once; the world moves nothing.
void append_row(TendonRow row, std::vector<int>& groups, Layout& layout)
{
    // sorted, so that a group is found by bisection and sums have one order
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    groups.erase(std::remove(groups.begin(), groups.end(), 0), groups.end());
    row.group_begin = static_cast<int>(layout.tendon_groups.size());
    layout.tendon_groups.insert(layout.tendon_groups.end(), groups.begin(), groups.end());
    row.group_end = static_cast<int>(layout.tendon_groups.size());
    const auto owner =
        // one dynamic group updates the row's multipliers, so that blocks may do it side by side
        std::find_if(groups.begin(), groups.end(), [&](int group) { return layout.groups[at(group)].dynamic; });
    if (owner != groups.end()) row.owner = *owner;
    layout.tendon_rows.push_back(row);
    groups.clear();
}

}  // namespace

void add_tendons(const Model& model, Layout& layout)
{
    layout.tendon_laws = ModelView(model).tendons;
    layout.segment_begin.assign(1, 0);
    if (model.tendon_count() == 0) return;
    // paths
    const Tree tree(model);
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        for (int s = tree.segment_begin[at(t)]; s < tree.segment_begin[at(t) + 1]; ++s)
            layout.segments.push_back(make_tendon_segment(model, layout, tree.segments[at(s)]));
        layout.segment_begin.push_back(static_cast<int>(layout.segments.size()));
    }
    // a row for each tendon: inverse weights are J M^-1 Jᵀ at q0
    const Tendons& tendons = model.tendons;
    // weight 0: nothing moves the tendon
    const auto mass_of = [](double inverse) { return inverse > 0 ? 1 / inverse : 1; };
    std::vector<int> groups;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        const Range& range = tendons.range[at(t)];
        // violations are measured by the tendon's length or by the width of its range
        const double width = range.limited ? range.upper - range.lower : 0;
        if (is_used(model, t)) add_groups_of(model, layout, t, groups);
        const double size = std::max(std::abs(tendons.length[at(t)]), width);
        append_row({.first = t, .mass = mass_of(tendons.inverse_weight[at(t)]), .size = size > 0 ? size : 1}, groups,
                   layout);
    }
    // a row for each equality of tendons, whose inverse weights add up
    for (int e = 0; e < model.equality_count(); ++e)
    {
        if (model.equalities.type[at(e)] != EqualityType::tendon) continue;
        const int first = model.equalities.first[at(e)], second = model.equalities.second[at(e)];
        // as if the two moved without each other, at slope 1
        double inverse = tendons.inverse_weight[at(first)];
        add_groups_of(model, layout, first, groups);
        if (second >= 0)
        {
            inverse += tendons.inverse_weight[at(second)];
            add_groups_of(model, layout, second, groups);
        }
        append_row({.first = first, .second = second, .equality = e, .mass = mass_of(inverse)}, groups, layout);
    }
}

}  // namespace rattleback::avbd
