// Broad phase over boxes of pieces, then trees of vertices, edges and faces against each other.
#include "solvers/ipc/candidates.h"

#include "base/index.h"
#include "collide/filter.h"
#include "math/rotation.h"
#include "solvers/shared/world_friction.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Lengths are grown by this part of the sizes involved, far more than rounding takes away.
constexpr double kRoundingPart = 1e-12;

/// The least distance of a segment's ends from a triangle, and of the segment from its sides.
double find_outline_distance(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t)
{
    const Simplex face{t, 3}, segment{{a, b}, 2};
    double least = std::min(norm(find_nearest({{a}, 1}, face).between), norm(find_nearest({{b}, 1}, face).between));
    for (std::size_t i = 0; i < 3; ++i)
        least = std::min(least, norm(find_nearest(segment, {{t[i], t[(i + 1) % 3]}, 2}).between));
    return least;
}

/// Does the segment a b pass through the triangle? Touching counts as passing.
bool crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t)
{
    double size = 0;
    for (const Vec3& p : {b, t[0], t[1], t[2]})
        size = std::max({size, std::abs(p.x - a.x), std::abs(p.y - a.y), std::abs(p.z - a.z)});
    // The sign of the volume of p q r s; 0 where rounding may have made it.
    const auto find_side = [&](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s)
    {
        const double volume = dot(cross(q - p, r - p), s - p), rounding = 1e-14 * size * size * size;
        return std::abs(volume) <= rounding ? 0 : volume > 0 ? 1 : -1;
    };
    const int above = find_side(t[0], t[1], t[2], a), below = find_side(t[0], t[1], t[2], b);
    if (above * below > 0) return false;
    const int u = find_side(a, b, t[0], t[1]), v = find_side(a, b, t[1], t[2]), w = find_side(a, b, t[2], t[0]);
    if (above * below * u * v * w != 0) return u == v && v == w;
    // In the plane of the triangle, or past one of its sides: signs say nothing, but then what meets meets at an end of
    // the segment or at a side.
    return find_outline_distance(a, b, t) <= 1e-12 * size;
}

}  // namespace

Candidates::Candidates(const Model& model, const Layout& layout, const Settings& settings)
    : model_(model),
      layout_(layout),
      reach_(layout.reach + settings.separation),
      has_friction_(settings.friction_lags > 0),
      keeps_(settings.reuse),
      boxes_(layout.pieces.size())
{
}

bool Candidates::may_touch(int first_shape, int second_shape) const
{
    const auto [low, high] = std::minmax({first_shape, second_shape});
    if (!may_collide(model_, ShapeId{low}, ShapeId{high}) && !may_be_driven_into(low, high)) return false;
    return !filter_ || filter_(ShapeId{low}, ShapeId{high});
}

bool Candidates::may_be_driven_into(int low_shape, int high_shape) const
{
    if (layout_.kinematic_bodies.empty()) return false;
    const int low = model_.shapes.body[at(low_shape)], high = model_.shapes.body[at(high_shape)];
    const Group &a = layout_.groups[at(layout_.group_of_body[at(low)])],
                &b = layout_.groups[at(layout_.group_of_body[at(high)])];
    if (!(a.kinematic && b.row < 0) && !(b.kinematic && a.row < 0)) return false;
    return masks_match(model_.shapes, low_shape, high_shape) && !are_excluded(model_, low, high) &&
           !std::binary_search(layout_.mounted.begin(), layout_.mounted.end(), std::pair(low_shape, high_shape));
}

double Candidates::find_friction(int first_shape, int second_shape, std::span<const double> friction) const
{
    if (!has_friction_) return 0;
    const auto [low, high] = std::minmax({first_shape, second_shape});
    // A pair's own material, then what the world was told, then the rule of materials.
    const int pair = model_.pairs.empty() ? -1 : find_explicit_pair(model_, low, high);
    const int own = pair >= 0 ? model_.pairs[at(pair)].material : -1;
    const auto slide = [](const MaterialOptions& surface) { return surface.dimension > 1 ? surface.friction : 0; };
    if (own >= 0) return slide(model_.materials[at(own)]);
    if (!friction.empty())
    {
        const SlidingFriction sliding = combine_friction(model_, friction, low, high);
        return sliding.dimension > 1 ? sliding.coefficient : 0;
    }
    const MaterialOptions& a = model_.materials[at(model_.shapes.material[at(low)])];
    const MaterialOptions& b = model_.materials[at(model_.shapes.material[at(high)])];
    // As combine() does, without copies of names: higher priority wins, otherwise the larger.
    if (a.priority != b.priority) return slide(a.priority > b.priority ? a : b);
    return std::max(a.dimension, b.dimension) > 1 ? std::max(a.friction, b.friction) : 0;
}

void Candidates::find(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
                      std::span<const Rest> rests)
{
    // Distances are measured at these placements, and hold less the way that bodies have gone since (find_way).
    ++revision_;
    friction_ = friction;
    reference_.assign(placements.begin(), placements.end());
    skins_ = skins;
    sets_.clear();
    items_.clear();
    near_.clear();
    job_count_ = 0;
    const int count = static_cast<int>(layout_.pieces.size());
    for (int p = 0; p < count; ++p)
    {
        const Piece& piece = layout_.pieces[at(p)];
        const Placement& pose = reference_[at(piece.group)];
        // Half of the reach on either side, and each its own skin: boxes that stay apart hold no pair.
        const double margin = skins_.widest[at(piece.group)] + 0.5 * reach_ + piece.round +
                              kRoundingPart * (norm(pose.center) + piece.radius + piece.round);
        boxes_[at(p)] = BoxTurn(pose.matrix, pose.center, margin)(piece.bounds);
    }
    // Sweep along x: boxes by their lower ends, of equal ones by number.
    order_.resize(at(count));
    for (int p = 0; p < count; ++p) order_[at(p)] = p;
    std::sort(order_.begin(), order_.end(),
              [&](int a, int b)
              {
                  const double x = boxes_[at(a)].lower.x, y = boxes_[at(b)].lower.x;
                  return x != y ? x < y : a < b;
              });
    active_.clear();
    for (const int p : order_)
    {
        const Aabb& box = boxes_[at(p)];
        // Who ended before this one begins can meet none of the following.
        std::erase_if(active_, [&](int other) { return boxes_[at(other)].upper.x < box.lower.x; });
        for (const int other : active_)
        {
            if (!overlaps(box, boxes_[at(other)])) continue;
            const auto [low, high] = std::minmax({p, other});
            if (!can_meet(rests[at(layout_.pieces[at(low)].group)], rests[at(layout_.pieces[at(high)].group)]))
                continue;
            if (!may_touch(layout_.pieces[at(low)].shape, layout_.pieces[at(high)].shape)) continue;
            near_.emplace_back(low, high);
            add_job(low, high, false);
        }
        active_.push_back(p);
    }
    // Half-spaces have no box: every piece against each.
    for (int plane = 0; plane < static_cast<int>(layout_.planes.size()); ++plane)
    {
        for (int p = 0; p < count; ++p)
        {
            const Piece& piece = layout_.pieces[at(p)];
            if (can_meet(rests[at(piece.group)], Rest::fixed) &&
                may_touch(piece.shape, layout_.planes[at(plane)].shape))
                add_job(p, plane, true);
        }
    }
    assign_kept();
    // Pairs of trees, each by itself: whoever does them, the result is the same.
    fronts_.resize(pool_ == nullptr ? 1 : at(pool_->worker_count()));
    run_pieces(pool_, job_count_, 1,
               [&](std::size_t begin, std::size_t, int, int worker) { find_items(jobs_[begin], fronts_[at(worker)]); });
    collect();
    // All are near until rebase() says otherwise.
    base_ = reference_;
    near_items_.clear();
    for (CandidateSet& set : sets_)
    {
        set.motion = set.skin;
        set.near_begin = static_cast<int>(near_items_.size());
        for (int i = 0; i < set.end - set.begin; ++i) near_items_.push_back(i);
        set.near_end = static_cast<int>(near_items_.size());
    }
}

void Candidates::rebase(std::span<const Placement> placements, std::span<const Vector6> directions)
{
    constexpr int kPerTask = 512;
    ways_of_set_.resize(sets_.size());
    const auto is_still = [&](int g) { return is_same_place(placements[at(g)], base_[at(g)]); };
    for (std::size_t s = 0; s < sets_.size(); ++s)
    {
        // What has not moved is as far as it was.
        PairMove& way = ways_of_set_[s];
        way = {};
        if (is_still(first_group(sets_[s])) && is_still(second_group(sets_[s]))) continue;
        way = find_way_from_base(sets_[s], placements);
        const double rounding = find_rounding(sets_[s], placements);
        way.shift += rounding;
        way.most += rounding;
    }
    base_.assign(placements.begin(), placements.end());
    near_items_.clear();
    shares_.clear();
    for (std::size_t s = 0; s < sets_.size(); ++s)
    {
        // By how much all distances of the set may have shrunk since they were measured.
        CandidateSet& set = sets_[s];
        const PairMove motion = find_motion(set, placements, directions);
        // And what rounding of places adds to a way: near the minimum it is more than the motion.
        const double rounding = find_rounding(set, base_);
        set.motion = {motion.shift * (1 + 1e-9) + rounding, motion.turn * (1 + 1e-9),
                      motion.most * (1 + 1e-9) + rounding};
        // Neither has moved, nor will: all is known.
        if (ways_of_set_[s].most == 0 && motion.most == 0) continue;
        for (int i = set.begin; i < set.end; i += kPerTask) shares_.push_back({s, i, std::min(set.end, i + kPerTask)});
    }
    // What may be nearest is measured; the others keep a bound until it is used up.
    const auto measure_share = [&](std::size_t begin, std::size_t end, int, int)
    {
        for (std::size_t k = begin; k < end; ++k)
        {
            const CandidateSet& set = sets_[shares_[k].set];
            for (int i = shares_[k].begin; i < shares_[k].end; ++i)
            {
                Candidate& candidate = items_[at(i)];
                candidate.recent -= ways_of_set_[shares_[k].set].bound(candidate.arm);
                // Nearer than this: worth a distance. Others are below their bound for longer than this iteration.
                if (candidate.recent <= reach_ + 0.1 * set.motion.bound(candidate.arm))
                    candidate.recent = measure(set, candidate, base_);
            }
        }
    };
    run_pieces(items_.size() > 2 * kPerTask ? pool_ : nullptr, shares_.size(), 1, measure_share);
    for (CandidateSet& set : sets_)
    {
        // Near: what the motion that is asked for could bring within reach.
        const double limit = reach_ + find_rounding(set, base_);
        set.near_begin = static_cast<int>(near_items_.size());
        for (int i = set.begin; i < set.end; ++i)
        {
            if (items_[at(i)].recent <= limit + set.motion.bound(items_[at(i)].arm))
                near_items_.push_back(i - set.begin);
        }
        set.near_end = static_cast<int>(near_items_.size());
    }
}

double Candidates::find_rounding(const CandidateSet& set, std::span<const Placement> places) const
{
    return find_rounding(set, PairPlaces{places[at(first_group(set))], places[at(second_group(set))]});
}

double Candidates::find_rounding(const CandidateSet& set, const PairPlaces& places) const
{
    const auto a = at(first_group(set)), b = at(second_group(set));
    return kRoundingPart * (norm(places.first.center) + norm(places.second.center) + layout_.groups[a].radius +
                            layout_.groups[b].radius + norm(set.pivot) + set.round);
}

bool Candidates::is_based(std::span<const Placement> placements) const
{
    // Both bounds are straight lines over the arm: the ends tell.
    return std::all_of(sets_.begin(), sets_.end(),
                       [&](const CandidateSet& set)
                       {
                           const PairMove way = find_way_from_base(set, placements);
                           return way.most <= set.motion.most && way.shift <= set.motion.shift &&
                                  way.find(set.arm) <= set.motion.find(set.arm);
                       });
}

double Candidates::measure(const CandidateSet& set, const Candidate& candidate,
                           std::span<const Placement> placements) const
{
    const Placement& first = placements[at(first_group(set))];
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        return dot(space.normal, first.place(layout_.pieces[at(set.first)].vertices[at(candidate.first)])) -
               space.offset - set.round;
    }
    const Simplex a = place(first, first_simplex(set, candidate));
    const Simplex b = place(placements[at(second_group(set))], second_simplex(set, candidate));
    // The simpler of the two first, as find_nearest() wants it.
    const bool turned = a.count > b.count;
    return norm((turned ? find_nearest(b, a) : find_nearest(a, b)).between) - set.round;
}

Candidates::Job& Candidates::add_job(int first, int second, bool is_plane)
{
    if (job_count_ == jobs_.size()) jobs_.emplace_back();
    Job& job = jobs_[job_count_++];
    job.set = {first, second, is_plane};
    job.set.round = layout_.pieces[at(first)].round + (is_plane ? 0 : layout_.pieces[at(second)].round);
    job.items.clear();
    job.kept = nullptr;
    job.walks = 0;
    return job;
}

void Candidates::assign_kept()
{
    if (!keeps_) return;
    kept_.begin();
    // Numbers first: lists move while their number grows.
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        const CandidateSet& set = jobs_[j].set;
        jobs_[j].number = set.is_plane ? -1 : kept_.find(KeptPairs::find_name(set.first, set.second));
    }
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        if (jobs_[j].number >= 0) jobs_[j].kept = &kept_[jobs_[j].number];
    }
}

void Candidates::add(PairKind kind, int first, int second, double rounding, Job& job) const
{
    Candidate candidate{kind, first, second};
    candidate.distance = measure(job.set, candidate, reference_);
    take(candidate, rounding, job);
}

void Candidates::take(Candidate candidate, double rounding, Job& job) const
{
    const Simplex simplex = first_simplex(job.set, candidate);
    for (int i = 0; i < simplex.count; ++i)
        candidate.arm = std::max(candidate.arm, norm(simplex.corner[at(i)] - job.set.pivot) * (1 + 1e-12));
    candidate.recent = candidate.distance;
    if (candidate.distance <= reach_ + job.set.skin.bound(candidate.arm) + rounding) job.items.push_back(candidate);
}

void Candidates::set_pair_skin(CandidateSet& set) const
{
    const auto a = at(first_group(set)), b = at(second_group(set));
    const double widest = skins_.widest[a] + skins_.widest[b];
    set.pivot = {};
    set.skin = {widest, 0, widest};
    if (!skins_.moves.empty())
    {
        // About where the two pieces' boxes meet.
        const PairPlaces places{reference_[a], reference_[b]};
        const Aabb& mine = boxes_[at(set.first)];
        Vec3 middle = reference_[a].center;
        for (int i = 0; i < 3 && !set.is_plane; ++i)
            middle[i] = 0.5 * (std::max(mine.lower[i], boxes_[at(set.second)].lower[i]) +
                               std::min(mine.upper[i], boxes_[at(set.second)].upper[i]));
        set.pivot = find_pivot(layout_.groups[a], layout_.groups[b], places, skins_.moves[a], skins_.moves[b], middle);
        set.skin = find_motion(set, reference_, skins_.moves);
        set.skin.shift += skins_.slacks[a] + skins_.slacks[b];
        set.skin.most = widest;
    }
    set.arm = (norm(set.pivot) + layout_.pieces[at(set.first)].radius) * (1 + 1e-12);
}

void Candidates::find_plane(Job& job) const
{
    const Piece& piece = layout_.pieces[at(job.set.first)];
    const PlanePiece& plane = layout_.planes[at(job.set.second)];
    const Placement& pose = reference_[at(piece.group)];
    const double rounding =
        kRoundingPart * (norm(pose.center) + std::abs(plane.space.offset) + norm(job.set.pivot) + job.set.round);
    // Most bodies are far above.
    const double height = dot(plane.space.normal, pose.center) - plane.space.offset;
    if (height - piece.radius - job.set.round > reach_ + job.set.skin.bound(job.set.arm) + rounding) return;
    for (const int v : piece.corners) add(PairKind::vertex_plane, v, 0, rounding, job);
    std::sort(job.items.begin(), job.items.end(), &is_nearer);
}

void Candidates::collect()
{
    // In the order of the jobs, whoever did them.
    walk_count_ = 0;
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        const Job& job = jobs_[j];
        walk_count_ += job.walks;
        if (job.items.empty()) continue;
        CandidateSet set = job.set;
        set.begin = static_cast<int>(items_.size());
        items_.insert(items_.end(), job.items.begin(), job.items.end());
        set.end = static_cast<int>(items_.size());
        set.friction = find_friction(first_shape(set), second_shape(set), friction_);
        set.flatness =
            2 * (layout_.pieces[at(set.first)].flatness + (set.is_plane ? 0 : layout_.pieces[at(set.second)].flatness));
        sets_.push_back(set);
    }
}

Simplex Candidates::first_simplex(const CandidateSet& set, const Candidate& candidate) const
{
    const Piece& piece = layout_.pieces[at(set.first)];
    switch (candidate.kind)
    {
        case PairKind::face_vertex:
            return piece.face(candidate.first);
        case PairKind::edge_edge:
        case PairKind::edge_vertex:
            return piece.edge(candidate.first);
        default:
            return piece.vertex(candidate.first);
    }
}

Simplex Candidates::second_simplex(const CandidateSet& set, const Candidate& candidate) const
{
    const Piece& piece = layout_.pieces[at(set.second)];
    switch (candidate.kind)
    {
        case PairKind::vertex_face:
            return piece.face(candidate.second);
        case PairKind::edge_edge:
        case PairKind::vertex_edge:
            return piece.edge(candidate.second);
        default:
            return piece.vertex(candidate.second);
    }
}

bool Candidates::is_crossed(const Piece& first, const Piece& second) const
{
    // Two surfaces cross where an edge of one passes through a face of the other.
    const auto crosses_faces = [&](const Piece& with_edges, const Piece& with_faces)
    {
        const Placement &pe = reference_[at(with_edges.group)], &pf = reference_[at(with_faces.group)];
        bool crossed = false;
        for (int e = 0; e < static_cast<int>(with_edges.edges.size()) && !crossed; ++e)
        {
            const Simplex edge = place(pe, with_edges.edge(e));
            const Vec3 a = transpose_times(pf.matrix, edge.corner[0] - pf.center);
            const Vec3 b = transpose_times(pf.matrix, edge.corner[1] - pf.center);
            // Faces in the plane of the edge have boxes without height there.
            const double margin = 2 * kRoundingPart * (norm(a) + norm(b) + with_faces.radius);
            const Aabb box = merge({a, a}, {b, b});
            const Vec3 grow{margin, margin, margin};
            with_faces.face_tree.query({box.lower - grow, box.upper + grow},
                                       [&](int f) { crossed = crossed || crosses(a, b, with_faces.face(f).corner); });
        }
        return crossed;
    };
    return crosses_faces(first, second) || crosses_faces(second, first);
}

bool Candidates::is_held(const Piece& solid, const Piece& other) const
{
    // Where no surfaces meet, all of a connected part is inside or none of it.
    const Placement &ps = reference_[at(solid.group)], &po = reference_[at(other.group)];
    return std::any_of(
        other.parts.begin(), other.parts.end(), [&](int v)
        { return is_inside(solid, transpose_times(ps.matrix, po.place(other.vertices[at(v)]) - ps.center)); });
}

bool Candidates::find_crossing(int& first, int& second) const
{
    for (const auto& [a, b] : near_)
    {
        const Piece &one = layout_.pieces[at(a)], &other = layout_.pieces[at(b)];
        if (!is_crossed(one, other) && !is_held(one, other) && !is_held(other, one)) continue;
        first = one.shape;
        second = other.shape;
        return true;
    }
    return false;
}

}  // namespace rattleback::ipc
