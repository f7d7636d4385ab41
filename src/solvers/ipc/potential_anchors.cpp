// What friction remembers from step to step (anchors.h).
#include "base/index.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/potential.h"

#include <algorithm>

namespace rattleback::ipc
{

std::array<std::int64_t, 2> Potential::find_anchor_key(const Touch& touch) const
{
    std::array<std::int64_t, 2> key = find_key(touch);
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    if (set.is_plane) return key;
    const Candidate& c = candidates_.candidates(set)[at(touch.candidate)];
    const bool is_first = c.kind == PairKind::face_vertex;
    if (!is_first && c.kind != PairKind::vertex_face) return key;
    // A vertex that sticks near a diagonal of a flat side has now this triangle nearest, now that one.
    const Piece& piece = layout_.pieces[at(is_first ? set.first : set.second)];
    const int flat = piece.flat_of_face[at(is_first ? c.first : c.second)];
    if (flat < 0) return key;
    constexpr std::int64_t kFlat = std::int64_t{1} << 59;  // beside numbers of faces
    const std::int64_t first = is_first ? flat : c.first, second = is_first ? c.second : flat;
    key[1] = (static_cast<std::int64_t>(c.kind) << 60) | kFlat | (first << 30) | second;
    return key;
}

void Potential::recall_anchor(const Placement& first, Grip& grip) const
{
    const auto found = std::lower_bound(anchors_.begin(), anchors_.end(), grip.anchor,
                                        [](const Anchor& anchor, const auto& key) { return anchor.key < key; });
    if (found == anchors_.end() || found->key != grip.anchor) return;
    const Vec3 slip = first.matrix * found->slip;
    for (int i = 0; i < 2; ++i) grip.before[i] = dot(grip.tangent[i], slip);
}

void Potential::store_anchors(std::span<const Body> bodies, std::span<const Placement> placements,
                              std::span<const int> sleepers, std::vector<Anchor>& anchors) const
{
    // Groups of a snapshot that somebody wrote may be any numbers.
    const auto stays = [&](int g)
    {
        return g >= 0 && g < static_cast<int>(sleepers.size()) &&
               (layout_.groups[at(g)].row < 0 || sleepers[at(g)] >= 0);
    };
    anchors.erase(std::remove_if(anchors.begin(), anchors.end(),
                                 [&](const Anchor& a) { return !stays(a.first) || !stays(a.second); }),
                  anchors.end());
    for (const Grip& grip : grips_)
    {
        // What is round rolls on by ever other points.
        if (rolls(grip.first_roll) || rolls(grip.second_roll)) continue;
        const GripSlip slip = find_grip_slip(grip, bodies, placements);
        const double part = slip.length > grip.limit ? grip.limit / slip.length : 1;
        const Vec3 world = part * (slip.along[0] * grip.tangent[0] + slip.along[1] * grip.tangent[1]);
        anchors.push_back(
            {grip.anchor, transpose_times(placements[at(grip.first)].matrix, world), grip.first, grip.second});
    }
    std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) { return a.key < b.key; });
}

}  // namespace rattleback::ipc
