// Broad phase over boxes of pieces, then trees of vertices, edges and faces against each other.
#include "solvers/ipc/candidates.h"

#include "base/index.h"
#include "collide/filter.h"
#include "math/rotation.h"
#include "solvers/ipc/inset.h"
#include "solvers/ipc/rims.h"
#include "solvers/shared/world_friction.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Lengths are grown by this part of the sizes involved, far more than rounding takes away.
constexpr double kRoundingPart = 1e-12;

/// Pieces, and 1 for a plane.
std::array<int, 3> find_name(const CandidateSet& set) { return {set.first, set.second, set.is_plane ? 1 : 0}; }

}  // namespace

Candidates::Candidates(const Model& model, const Layout& layout, const Settings& settings)
    : model_(model),
      layout_(layout),
      reach_(layout.reach * (layout.has_rims ? kRimRoom : 1) + settings.separation),
      has_friction_(settings.friction_lags > 0),
      inset_(settings.inset),
      keeps_(settings.reuse),
      boxes_(layout.pieces.size()),
      placed_(layout)
{
    const std::size_t room = find_contact_room(layout);
    sets_.reserve(room);
    old_sets_.reserve(room);
    old_.reserve(room);
    last_lists_.reserve(room);
    lists_.reserve(room);
    free_lists_.reserve(room);
    jobs_.reserve(room);
    near_.reserve(room);
    shares_.reserve(room);
    ways_of_set_.reserve(room);
    is_still_.reserve(room);
    kept_.reserve(room, 4 * find_list_room(layout));
    // Where surfaces are few, all pairs of them.
    constexpr std::size_t kFew = 16;
    const std::size_t count = layout.pieces.size();
    if (count > kFew) return;
    for (std::size_t i = 0; i < count * (count + 1) / 2 + count * layout.planes.size(); ++i)
    {
        free_lists_.push_back(add_list());
        jobs_.emplace_back().keys.reserve(find_list_room(layout_));
    }
    kept_.fill(count * count / 2);
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
    if (!is_driven_pair(layout_.groups[at(layout_.group_of_body[at(low)])],
                        layout_.groups[at(layout_.group_of_body[at(high)])]))
        return false;
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
    // Who was near before takes its list again: one that is large enough, most often.
    last_lists_.clear();
    for (const CandidateSet& set : sets_) last_lists_.emplace_back(find_name(set), set.list);
    std::sort(last_lists_.begin(), last_lists_.end());
    sets_.clear();
    search(placements, skins, friction, rests);
}

void Candidates::find_more(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
                           std::span<const Rest> rests)
{
    search(placements, skins, friction, rests);
}

void Candidates::search(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
                        std::span<const Rest> rests)
{
    ++revision_;
    friction_ = friction;
    reference_.assign(placements.begin(), placements.end());
    skins_ = skins;
    // Sets that are there by their names.
    old_sets_.swap(sets_);
    sets_.clear();
    old_.clear();
    for (std::size_t s = 0; s < old_sets_.size(); ++s) old_.emplace_back(find_name(old_sets_[s]), static_cast<int>(s));
    std::sort(old_.begin(), old_.end());
    find_boxes();
    list_jobs(rests);
    // What is out of sight now.
    for (const auto& [name, place] : old_)
    {
        if (place >= 0) free_lists_.push_back(old_sets_[at(place)].list);
    }
    for (const auto& [name, list] : last_lists_)
    {
        if (list >= 0) free_lists_.push_back(list);
    }
    last_lists_.clear();
    // Pairs without a list get one now, after lists of pairs that are near again were found.
    for (std::size_t j = 0; j < job_count_; ++j)
        if (jobs_[j].set.list < 0) jobs_[j].set.list = take_list();
    assign_kept();
    run_jobs();
    collect();
}

void Candidates::find_again(std::span<const WiderSet> wider, std::span<const Placement> placements,
                            std::span<const Placement> now, std::span<const Vector6> moves)
{
    job_count_ = 0;
    for (const WiderSet& item : wider)
    {
        if (job_count_ == jobs_.size()) jobs_.emplace_back().keys.reserve(find_list_room(layout_));
        Job& job = jobs_[job_count_++];
        job.set = sets_[item.set];
        job.is_old = false;
        job.is_near = true;
        job.walks = 0;
        job.kept = job.set.kept >= 0 ? &kept_[job.set.kept] : nullptr;
        const auto a = at(first_group(job.set)), b = at(second_group(job.set));
        job.set.reference = {placements[a], placements[b]};
        Vector6 first = moves[a], second = moves[b];
        for (std::size_t i = 0; i < 6; ++i)
        {
            first[i] *= item.factor;
            second[i] *= item.factor;
        }
        set_pivot(job.set, first, second);
        const PairPlaces from{now[a], now[b]};
        const PairMove way = find_way_from_reference(job.set, now);
        const PairMove motion =
            find_pair_motion(layout_.groups[a], layout_.groups[b], job.set.pivot, from, first, second);
        job.set.skin = {way.shift + motion.shift + find_slack(job.set), way.turn + motion.turn, HUGE_VAL};
    }
    run_jobs();
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        finish(jobs_[j]);
        sets_[wider[j].set] = jobs_[j].set;
    }
}

std::size_t Candidates::count() const
{
    std::size_t sum = 0;
    for (const CandidateSet& set : sets_) sum += list_of(set).items.size();
    return sum;
}

void Candidates::find_boxes()
{
    for (std::size_t p = 0; p < layout_.pieces.size(); ++p)
    {
        const Piece& piece = layout_.pieces[p];
        const Placement& pose = reference_[at(piece.group)];
        // Half of the reach on either side, and each its own skin: boxes that stay apart hold no pair, nor do those
        // of the shapes without insets of their own.
        const double margin = skins_.widest[at(piece.group)] + 0.5 * reach_ + piece.round +
                              kFarthestInset * (piece.inset - inset_) +
                              kRoundingPart * (norm(pose.center) + piece.radius + piece.round);
        boxes_[p] = BoxTurn(pose.matrix, pose.center, margin)(piece.bounds);
    }
}

void Candidates::list_jobs(std::span<const Rest> rests)
{
    near_.clear();
    job_count_ = 0;
    // Sweep along x: boxes by their lower ends, of equal ones by number.
    const int count = static_cast<int>(layout_.pieces.size());
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
}

void Candidates::run_jobs()
{
    // Pairs of trees, each by itself: whoever does them, the result is the same.
    fronts_.resize(pool_ == nullptr ? 1 : at(pool_->worker_count()));
    run_pieces(pool_, job_count_, 1,
               [&](std::size_t begin, std::size_t, int, int worker) { find_items(jobs_[begin], fronts_[at(worker)]); });
    walk_count_ = 0;
    for (std::size_t j = 0; j < job_count_; ++j) walk_count_ += jobs_[j].walks;
}

double Candidates::find_rounding(const CandidateSet& set, const PairPlaces& places) const
{
    const auto a = at(first_group(set)), b = at(second_group(set));
    return kRoundingPart * (norm(places.first.center) + norm(places.second.center) + layout_.groups[a].radius +
                            layout_.groups[b].radius + norm(set.pivot) + set.round);
}

int Candidates::add_list()
{
    List& list = lists_.emplace_back();
    list.items.reserve(find_list_room(layout_));
    list.near.reserve(find_list_room(layout_));
    return static_cast<int>(lists_.size()) - 1;
}

int Candidates::take_list()
{
    if (free_lists_.empty()) free_lists_.push_back(add_list());
    const int list = free_lists_.back();
    free_lists_.pop_back();
    return list;
}

Candidates::Job& Candidates::add_job(int first, int second, bool is_plane)
{
    if (job_count_ == jobs_.size()) jobs_.emplace_back().keys.reserve(find_list_room(layout_));
    Job& job = jobs_[job_count_++];
    job.kept = nullptr;
    job.walks = 0;
    job.set = {first, second, is_plane};
    const auto old = std::lower_bound(old_.begin(), old_.end(), std::pair(find_name(job.set), -1));
    job.is_old = job.is_near = old != old_.end() && old->first == find_name(job.set);
    if (job.is_old)
    {
        job.set = old_sets_[at(old->second)];
        old->second = -1;
        return job;
    }
    const auto last = std::lower_bound(last_lists_.begin(), last_lists_.end(), std::pair(find_name(job.set), -1));
    if (last != last_lists_.end() && last->first == find_name(job.set)) std::swap(job.set.list, last->second);
    job.set.reference = {reference_[at(first_group(job.set))], reference_[at(second_group(job.set))]};
    job.set.round = layout_.pieces[at(first)].round + (is_plane ? 0 : layout_.pieces[at(second)].round);
    return job;
}

void Candidates::assign_kept()
{
    if (!keeps_) return;
    kept_.begin();
    // Numbers first: lists move while their number grows.
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        CandidateSet& set = jobs_[j].set;
        if (jobs_[j].is_old && set.kept >= 0)
            kept_[set.kept].idle = 0;
        else
            set.kept = set.is_plane ? -1 : kept_.find(KeptPairs::find_name(set.first, set.second));
    }
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        if (jobs_[j].set.kept >= 0) jobs_[j].kept = &kept_[jobs_[j].set.kept];
    }
}

void Candidates::add(PairKind kind, int first, int second, double rounding, Job& job)
{
    Candidate candidate{kind, first, second};
    candidate.distance = measure(job.set, candidate, job.set.reference.places());
    take(candidate, rounding, job);
}

void Candidates::take(Candidate candidate, double rounding, Job& job)
{
    const Simplex simplex = first_simplex(job.set, candidate);
    for (int i = 0; i < simplex.count; ++i)
        candidate.arm = std::max(candidate.arm, norm(simplex.corner[at(i)] - job.set.pivot) * (1 + 1e-12));
    candidate.recent = candidate.distance;
    if (candidate.distance <= reach_ + job.set.skin.bound(candidate.arm) + rounding)
        lists_[at(job.set.list)].items.push_back(candidate);
}

void Candidates::set_pivot(CandidateSet& set, const Vector6& first, const Vector6& second) const
{
    // About where the two pieces' boxes meet.
    const auto a = at(first_group(set)), b = at(second_group(set));
    const Aabb& mine = boxes_[at(set.first)];
    Vec3 middle = set.reference.first.center;
    for (int i = 0; i < 3 && !set.is_plane; ++i)
        middle[i] = 0.5 * (std::max(mine.lower[i], boxes_[at(set.second)].lower[i]) +
                           std::min(mine.upper[i], boxes_[at(set.second)].upper[i]));
    set.pivot = find_pivot(layout_.groups[a], layout_.groups[b], set.reference.places(), first, second, middle);
    set.arm = (norm(set.pivot) + layout_.pieces[at(set.first)].radius) * (1 + 1e-12);
}

double Candidates::find_slack(const CandidateSet& set) const
{
    return skins_.slacks[at(first_group(set))] + skins_.slacks[at(second_group(set))];
}

void Candidates::set_pair_skin(CandidateSet& set) const
{
    const auto a = at(first_group(set)), b = at(second_group(set));
    const double widest = skins_.widest[a] + skins_.widest[b];
    set.pivot = {};
    set.arm = layout_.pieces[at(set.first)].radius * (1 + 1e-12);
    set.skin = {widest, 0, widest};
    if (skins_.moves.empty()) return;
    set_pivot(set, skins_.moves[a], skins_.moves[b]);
    set.skin = find_motion(set, reference_, skins_.moves);
    set.skin.shift += find_slack(set);
    set.skin.most = widest;
}

void Candidates::find_plane(Job& job)
{
    const Piece& piece = layout_.pieces[at(job.set.first)];
    const PlanePiece& plane = layout_.planes[at(job.set.second)];
    const Placement& pose = job.set.reference.first;
    const double rounding =
        kRoundingPart * (norm(pose.center) + std::abs(plane.space.offset) + norm(job.set.pivot) + job.set.round);
    // Most bodies are far above.
    const double height = dot(plane.space.normal, pose.center) - plane.space.offset;
    if (height - piece.radius - job.set.round > reach_ + job.set.skin.bound(job.set.arm) + rounding) return;
    for (const int v : piece.corners) add(PairKind::vertex_plane, v, 0, rounding, job);
    std::vector<Candidate>& items = lists_[at(job.set.list)].items;
    std::sort(items.begin(), items.end(), &is_nearer);
}

void Candidates::finish(Job& job)
{
    // All are near until rebase() says otherwise.
    CandidateSet& set = job.set;
    List& list = lists_[at(set.list)];
    set.revision = ++list_revision_;
    set.base = set.reference;
    set.motion = set.skin;
    set.tracked = 0;
    list.near.resize(list.items.size());
    for (std::size_t i = 0; i < list.near.size(); ++i) list.near[i] = static_cast<int>(i);
}

void Candidates::collect()
{
    // In the order of the jobs, whoever did them.
    for (std::size_t j = 0; j < job_count_; ++j)
    {
        Job& job = jobs_[j];
        if (!job.is_near)
        {
            free_lists_.push_back(job.set.list);
            continue;
        }
        if (!job.is_old)
        {
            finish(job);
            CandidateSet& set = job.set;
            set.friction = find_friction(first_shape(set), second_shape(set), friction_);
            set.flatness = 2 * (layout_.pieces[at(set.first)].flatness +
                                (set.is_plane ? 0 : layout_.pieces[at(set.second)].flatness));
        }
        sets_.push_back(job.set);
    }
}

}  // namespace rattleback::ipc
