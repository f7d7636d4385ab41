// Pairs of simplices of two pieces: by their trees, or from lists that earlier searches have left.
//
// Which pairs are candidates, and in which order, is said by the skin of the two and their distances here alone. Boxes
// of trees and kept lists only save looks at what is further away, so that both give the same bits.
#include "base/index.h"
#include "solvers/ipc/candidates.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// A tree over some of the simplices of a piece; without a list: over all.
struct Features
{
    const BoxTree& tree;
    std::span<const int> list;

    int find(int place) const { return list.empty() ? place : list[at(place)]; }
};

/// Part of the slack of two groups by which kept lists reach further than one search asks for.
constexpr double kKeptRoom = 0.5;

bool is_same(const Placement& a, const Placement& b)
{
    return a.center == b.center && a.rotation.w == b.rotation.w && a.rotation.x == b.rotation.x &&
           a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z;
}

}  // namespace

void Candidates::look(Job& job, std::vector<int>& front)
{
    lists_[at(job.set.list)].items.clear();
    if (job.set.is_plane)
        find_plane(job);
    else
        find_pair(job, front);
}

void Candidates::find_items(Job& job, std::vector<int>& front)
{
    if (job.is_old) return;
    const bool is_again = job.is_near;  // with a skin that is set
    if (!is_again) set_pair_skin(job.set);
    look(job, front);
    if (is_again) return;
    job.is_near = !lists_[at(job.set.list)].items.empty();
    if (!job.is_near && job.set.skin.bound(0) < job.set.skin.most) find_gap(job, front);
}

void Candidates::find_gap(Job& job, std::vector<int>& front)
{
    // Nothing within the skin. Where something is within the widest, the two are a set (they share an island, and its
    // steps), with all of the room that there is between them and no candidates: those are found when they are asked
    // for.
    constexpr double kGrowth = 3;
    CandidateSet& set = job.set;
    const double most = set.skin.most;
    const double rounding = find_rounding(set, set.reference.places());
    for (double room = set.skin.bound(set.arm); !job.is_near && room < most;)
    {
        room = std::min(most, kGrowth * room);
        PairMove skin{room, 0, room};
        double least = reach_ + room + rounding;
        const auto note = [&](PairKind kind, int first, int second)
        {
            const double distance = measure(set, {kind, first, second}, set.reference.places());
            if (distance > least) return;
            // Others are looked for nearer than this alone.
            least = distance;
            skin.shift = skin.most = least - reach_;
            job.is_near = true;
        };
        if (set.is_plane)
        {
            for (const int v : layout_.pieces[at(set.first)].corners) note(PairKind::vertex_plane, v, 0);
        }
        else
        {
            ++job.walks;
            walk_pair(set, skin, front, note);
        }
        // Of what is found so far, or of what is not there.
        const double gap = skin.shift - 2 * rounding;
        if (gap > set.skin.bound(set.arm)) set.skin = {gap, 0, gap};
    }
}

template <typename Visit>
void Candidates::walk_pair(const CandidateSet& set, const PairMove& skin, std::vector<int>& front, Visit&& visit) const
{
    const Piece &a = layout_.pieces[at(set.first)], &b = layout_.pieces[at(set.second)];
    const Placement &pa = set.reference.first, &pb = set.reference.second;
    // Twice the rounding that distances are allowed: boxes leave out nothing that counts.
    const double rounding = 2 * find_rounding(set, set.reference.places());
    // Boxes of the first piece's simplices in the frame of the second, grown by what those within may move.
    const Mat3 inverse = transpose(pb.matrix);
    const BoxTurn turn(inverse * pa.matrix, inverse * (pa.center - pb.center), 0);
    const auto find_margin = [&](const Aabb& own)
    {
        Vec3 far;
        for (int i = 0; i < 3; ++i)
            far[i] = std::max(std::abs(own.lower[i] - set.pivot[i]), std::abs(own.upper[i] - set.pivot[i]));
        return reach_ + set.round + skin.bound(norm(far) * (1 + 1e-12)) + rounding;
    };
    const auto walk = [&](const Features& mine, const Features& other, PairKind kind, auto&& find_simplex)
    {
        const auto make_probe = [&](int node, int lane)
        {
            const int child = mine.tree.child(node, lane);
            const Aabb own = mine.tree.child_box(node, lane);
            const double margin = find_margin(own);
            Aabb box = kEmptyBox;
            if (child >= 0) box = turn.without_margin(own);
            const Simplex simplex = child < 0 ? find_simplex(mine.find(~child)) : Simplex{};
            for (int i = 0; i < simplex.count && child < 0; ++i)
            {
                const Vec3 corner = turn.position + turn.rotation * simplex.corner[at(i)];
                box = merge(box, {corner, corner});
            }
            return [&other, grown = inflate(box, margin)](int theirs) { return other.tree.find_hits(theirs, grown); };
        };
        mine.tree.query_pairs(other.tree, front, make_probe,
                              [&](int place, std::span<const int> others)
                              {
                                  for (const int o : others) visit(kind, mine.find(place), other.find(o));
                              });
    };
    const auto vertex = [&](int i) { return a.vertex(i); };
    const auto edge = [&](int i) { return a.edge(i); };
    const auto face = [&](int i) { return a.face(i); };
    const Features corners[] = {{a.corner_tree, a.corners}, {b.corner_tree, b.corners}};
    const Features outlines[] = {{a.outline_tree, a.outline}, {b.outline_tree, b.outline}};
    const Features faces[] = {{a.face_tree, {}}, {b.face_tree, {}}};
    // Vertices against faces both ways, edges against edges: all that two surfaces can touch by.
    walk(corners[0], faces[1], PairKind::vertex_face, vertex);
    walk(faces[0], corners[1], PairKind::face_vertex, face);
    walk(outlines[0], outlines[1], PairKind::edge_edge, edge);
    // Wires and points: faces do not speak for them.
    if (b.is_wire) walk(corners[0], outlines[1], PairKind::vertex_edge, vertex);
    if (a.is_wire) walk(outlines[0], corners[1], PairKind::edge_vertex, edge);
    if (a.is_points && b.is_points) walk(corners[0], corners[1], PairKind::vertex_vertex, vertex);
}

void Candidates::find_pair(Job& job, std::vector<int>& front)
{
    const CandidateSet& set = job.set;
    if (job.kept != nullptr && can_keep(set))
    {
        // What the two have moved since the list was measured, and what this search asks for: is it still in there?
        KeptPair& kept = *job.kept;
        const Placement &a = set.reference.first, &b = set.reference.second;
        const double rounding = find_rounding(set, {a, b}), need = set.skin.bound(set.arm) + 2 * rounding;
        // Simplices of other surfaces.
        if (kept.first_inset != layout_.pieces[at(set.first)].inset ||
            kept.second_inset != layout_.pieces[at(set.second)].inset)
            kept.cover = -1;
        if (kept.cover >= 0 && !(is_same(a, kept.first) && is_same(b, kept.second)))
        {
            const PairPlaces then{kept.first, kept.second}, now{a, b};
            const Group &first = layout_.groups[at(first_group(set))], &second = layout_.groups[at(second_group(set))];
            // Distances and the way carry the rounding of both places: bodies may be put back from far away.
            const double coarser = std::max(rounding, find_rounding(set, then));
            const double way = find_pair_way(first, second, set.pivot, then, now).bound(set.arm) + 2 * coarser;
            kept.cover -= way;
            for (KeptItem& item : kept.items)
            {
                item.distance -= way;
                item.is_exact = false;
            }
            kept.first = a;
            kept.second = b;
        }
        if (!(kept.cover >= need)) fill_kept(job, need, front);
        pick_kept(job);
        return;
    }
    const double rounding = find_rounding(set, set.reference.places());
    ++job.walks;
    walk_pair(set, set.skin, front,
              [&](PairKind kind, int first, int second) { add(kind, first, second, rounding, job); });
    std::vector<Candidate>& items = lists_[at(set.list)].items;
    std::sort(items.begin(), items.end(), &is_nearer);
}

bool Candidates::can_keep(const CandidateSet& set) const
{
    // Worth it where the two will hardly have moved a step from now, and a list that holds for all of the piece is not
    // much longer than one that counts by arms.
    return !skins_.moves.empty() && set.skin.bound(set.arm) <= (1 + kKeptRoom) * find_slack(set);
}

void Candidates::fill_kept(Job& job, double need, std::vector<int>& front) const
{
    const CandidateSet& set = job.set;
    KeptPair& kept = *job.kept;
    kept.first = set.reference.first;
    kept.second = set.reference.second;
    kept.first_inset = layout_.pieces[at(set.first)].inset;
    kept.second_inset = layout_.pieces[at(set.second)].inset;
    kept.cover = std::max(need, set.skin.bound(set.arm) + kKeptRoom * find_slack(set));
    kept.items.clear();
    ++job.walks;
    const double limit = reach_ + kept.cover;
    walk_pair(set, {kept.cover, 0, kept.cover}, front,
              [&](PairKind kind, int first, int second)
              {
                  const double distance = measure(set, {kind, first, second}, set.reference.places());
                  if (distance <= limit) kept.items.push_back({kind, true, first, second, distance});
              });
}

void Candidates::pick_kept(Job& job)
{
    const double rounding = find_rounding(job.set, job.set.reference.places());
    const double limit = reach_ + job.set.skin.bound(job.set.arm) + rounding;
    std::vector<KeptItem>& items = job.kept->items;
    // Measured here where they may be near enough; the others keep a bound.
    job.keys.clear();
    for (int i = 0; i < static_cast<int>(items.size()); ++i)
    {
        KeptItem& item = items[at(i)];
        if (item.distance > limit) continue;
        if (!item.is_exact)
            item.distance = measure(job.set, {item.kind, item.first, item.second}, job.set.reference.places());
        item.is_exact = true;
        if (item.distance <= limit) job.keys.push_back({item.distance, i});
    }
    sort_keys(job.keys,
              [&](int a, int b)
              {
                  return std::tuple(items[at(a)].kind, items[at(a)].first, items[at(a)].second) <
                         std::tuple(items[at(b)].kind, items[at(b)].first, items[at(b)].second);
              });
    for (const SortKey& key : job.keys)
    {
        const KeptItem& item = items[at(key.place)];
        take({item.kind, item.first, item.second, item.distance}, rounding, job);
    }
}

}  // namespace rattleback::ipc
