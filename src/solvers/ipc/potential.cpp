// Touches, value and forces of the incremental potential.
#include "solvers/ipc/potential.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/sinc.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/rims.h"

#include <rattleback/contacts.h>

#include <algorithm>
#include <numeric>

namespace rattleback::ipc
{

Potential::Potential(const Model& model, const Layout& layout, const Settings& settings)
    : layout_(layout),
      reach_(layout.reach),
      separation_(settings.separation),
      static_speed_(settings.static_speed),
      stiffness_(settings.stiffness),
      anchors_friction_(settings.anchor),
      candidates_(model, layout, settings),
      joints_(layout),
      is_active_(layout.groups.size(), 1),
      still_(layout.groups.size()),
      island_of_(layout.groups.size()),
      values_(layout.groups.size())
{
}

void Potential::set_islands(std::span<const int> island_of_group)
{
    island_of_.assign(island_of_group.begin(), island_of_group.end());
}

void Potential::begin(double dt, double step, double gravity, double factor, std::span<const Body> bodies)
{
    dt_ = dt;
    step_ = step;
    // A body that rests presses with its weight; one that arrives within d̂ in a step is stopped in one: whichever is
    // more sets the stiffness, and the Hessian of the barrier is then of the order of the inertia's.
    acceleration_ = std::max(gravity, 0.1 * reach_ / (dt * dt));
    factor_ = factor * stiffness_;
    // Forces on a body harden its own contacts: those of others would throw up what rests on them.
    accelerations_.assign(layout_.groups.size(), 0);
    start_axes_.clear();
    for (const Body& body : bodies) start_axes_.push_back(body.start.matrix);
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.dynamic) accelerations_[g] = norm(bodies[g].external.force) / group.mass;
    }
    clear_friction();
    way_touches_.clear();
    set_way(0, {});
}

double Potential::find_moved_mass(const Touch& touch) const
{
    const Group &a = layout_.groups[at(touch.first)], &b = layout_.groups[at(touch.second)];
    // The heavier of the two, since it must be stopped.
    const bool is_driven = !a.dynamic && !b.dynamic;  // one of them, into what is fixed
    const double first = a.dynamic || (is_driven && a.kinematic) ? a.mass : 0;
    const double second = b.dynamic || (is_driven && b.kinematic) ? b.mass : 0;
    return std::max(first, second);
}

double Potential::find_stiffness(const Touch& touch) const
{
    // k h² of README.
    const double acceleration =
        std::max({acceleration_, accelerations_[at(touch.first)], accelerations_[at(touch.second)]});
    return touch.weight * find_moved_mass(touch) * factor_ * acceleration * reach_ * step_ * step_;
}

void Potential::harden_loaded()
{
    // What jams has forces without end.
    constexpr double kMostGrowth = 1e3;
    for (std::size_t g = 0; g < loads_.size(); ++g)
    {
        const double usual = std::max(acceleration_, accelerations_[g]);
        accelerations_[g] = std::max(accelerations_[g], std::min(loads_[g], kMostGrowth * usual));
    }
}

void Potential::touch(const CandidateSet& set, int index, std::span<const Placement> placements,
                      const PlacedVertices& placed, std::vector<Touch>& out) const
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    if (set.is_plane) return touch_plane(set, index, placed.of(set.first)[at(candidate.first)], out);
    if (is_within_flat(set, candidate)) return;
    touch_simplices(set, index, candidates_.first_simplex(set, candidate, placed.of(set.first)),
                    candidates_.second_simplex(set, candidate, placed.of(set.second)), placements, out);
}

void Potential::touch_on_way(const CandidateSet& set, int index, std::span<const Placement> placements,
                             std::vector<Touch>& out) const
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    const Simplex first =
        place(placements[at(candidates_.first_group(set))], candidates_.first_simplex(set, candidate));
    if (set.is_plane)
        touch_plane(set, index, first.corner[0], out);
    else if (!is_within_flat(set, candidate))
        touch_simplices(
            set, index, first,
            place(placements[at(candidates_.second_group(set))], candidates_.second_simplex(set, candidate)), {}, out);
}

void Potential::touch_plane(const CandidateSet& set, int index, const Vec3& vertex, std::vector<Touch>& out) const
{
    const HalfSpace& space = layout_.planes[at(set.second)].space;
    Touch touch;
    touch.first = candidates_.first_group(set);
    touch.second = 0;
    touch.on_first = vertex;
    touch.distance = dot(space.normal, touch.on_first) - space.offset - set.round;
    if (touch.distance >= reach_ + separation_) return;
    // Distance to a half-space is linear: its normal never turns.
    touch.normal = space.normal;
    touch.first_round = set.round;
    touch.on_first -= set.round * space.normal;
    touch.on_second = touch.on_first - touch.distance * space.normal;
    touch.set = static_cast<int>(&set - candidates_.sets().data());
    touch.candidate = index;
    touch.first_weights = {1, 0, 0};
    if (touch.distance > separation_) touch.barrier = find_barrier(touch.distance, reach_, separation_);
    out.push_back(touch);
}

bool Potential::is_within_flat(const CandidateSet& set, const Candidate& candidate) const
{
    // A flat side is near something by its outline, or by what the other has there: the places where two flats lie
    // nearest are bounded by corners of one over the other and by crossing outlines. Edges and vertices within a side
    // would count the same load again, and push against whatever slides over them.
    const Piece &a = layout_.pieces[at(set.first)], &b = layout_.pieces[at(set.second)];
    switch (candidate.kind)
    {
        case PairKind::edge_edge:
            return a.is_inner[at(candidate.first)] != 0 || b.is_inner[at(candidate.second)] != 0;
        case PairKind::vertex_face:
            return a.is_inside[at(candidate.first)] != 0;
        case PairKind::face_vertex:
            return b.is_inside[at(candidate.second)] != 0;
        default:
            return false;
    }
}

void Potential::touch_simplices(const CandidateSet& set, int index, const Simplex& a, const Simplex& b,
                                std::span<const Placement> placements, std::vector<Touch>& out) const
{
    const bool turned = a.count > b.count;
    NearestSimplices nearest = turned ? find_nearest(b, a) : find_nearest(a, b);
    if (turned)
    {
        std::swap(nearest.first, nearest.second);
        nearest.between = -nearest.between;
    }
    const double distance = norm(nearest.between);
    if (distance - set.round >= candidates_.reach()) return;
    Touch touch;
    touch.first = candidates_.first_group(set);
    touch.second = candidates_.second_group(set);
    touch.distance = distance - set.round;
    // ∇d: the unit vector between the nearest points, whatever parts of the simplices they lie on.
    touch.normal = (1 / distance) * nearest.between;
    touch.first_round = layout_.pieces[at(set.first)].round;
    touch.second_round = layout_.pieces[at(set.second)].round;
    const auto find_mean = [](const Simplex& s, const std::array<double, 3>& w)
    {
        Vec3 mean = s.corner[0];
        for (std::size_t i = 1; i < 3; ++i)
        {
            if (w[i] != 0) mean += w[i] * (s.corner[i] - s.corner[0]);
        }
        return mean;
    };
    touch.on_second = find_mean(b, nearest.second);
    touch.on_first = touch.on_second + nearest.between - touch.first_round * touch.normal;
    touch.on_second += touch.second_round * touch.normal;
    touch.first_weights = nearest.first;
    touch.second_weights = nearest.second;
    if (candidates_.candidates(set)[at(index)].kind == PairKind::edge_edge)
    {
        // c = |u x v|^2 changes by -2 (u . v) (u x v) when the first edge turns, and by the opposite for the second.
        const Vec3 u = a.corner[1] - a.corner[0], v = b.corner[1] - b.corner[0], across = cross(u, v);
        const double limit = find_parallel_limit(dot(u, u), dot(v, v));
        const Jet mollifier = find_edge_mollifier(dot(across, across), limit);
        if (!(mollifier.value > 0)) return;
        touch.mollifier = mollifier.value;
        touch.parallel_gradient = (-2 * mollifier.slope * dot(u, v)) * across;
    }
    touch.set = static_cast<int>(&set - candidates_.sets().data());
    touch.candidate = index;
    // What is round leaves a side where its centre does.
    if (layout_.has_rims && set.round == 0 && !placements.empty()) take_rim(set, placements, touch);
    if (touch.distance >= reach_ + separation_) return;
    if (touch.distance > separation_) touch.barrier = find_barrier(touch.distance, reach_, separation_);
    out.push_back(touch);
}

namespace
{

// Two numbers of a key.
constexpr int kKeyBits = 30;
constexpr std::int64_t kKeyMask = (std::int64_t{1} << kKeyBits) - 1;

/// The part of a simplex on which a nearest point lies: how many corners have a weight, and the first of them.
struct Part
{
    int count = 0, vertex = -1;
};
Part find_part(const Piece& piece, int size, int index, const std::array<double, 3>& weights)
{
    Part part;
    for (std::size_t i = 0; i < 3; ++i)
    {
        if (weights[i] == 0) continue;
        if (part.count++ > 0) continue;
        part.vertex = size == 1 ? index : size == 2 ? piece.edges[at(index)][i] : piece.faces[at(index)][i];
    }
    return part;
}

}  // namespace

void Potential::take_rim(const CandidateSet& set, std::span<const Placement> placements, Touch& touch) const
{
    // A corner, and an edge or a corner of the other.
    const Piece* const pieces[2] = {&layout_.pieces[at(set.first)], &layout_.pieces[at(set.second)]};
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const auto [first_size, second_size] = find_sizes(candidate.kind);
    const Part parts[2] = {find_part(*pieces[0], first_size, candidate.first, touch.first_weights),
                           find_part(*pieces[1], second_size, candidate.second, touch.second_weights)};
    for (int k = 1; k >= 0; --k)
    {
        const Piece& piece = *pieces[k];
        if (parts[1 - k].count != 1 || parts[k].count > 2 || piece.rims.empty()) continue;
        const Mat3& axes = placements[at(piece.group)].matrix;
        const double sign = k == 1 ? 1 : -1;  // the normal leads to the first
        const Vec3 way = sign * transpose_times(axes, touch.normal);
        for (int i = piece.rim_begin[at(parts[k].vertex)]; i < piece.rim_begin[at(parts[k].vertex) + 1]; ++i)
        {
            const RimDistance rim = find_rim_distance(touch.distance * dot(piece.rims[at(i)], way), touch.distance);
            if (!rim.is_near || !is_faced(set, k, i, parts[1 - k].vertex, placements)) continue;
            // Its gradient goes through the corner, as both of its parts do.
            const Vec3 gradient = (sign * rim.by_height) * (axes * piece.rims[at(i)]) + rim.by_distance * touch.normal;
            touch.rim_of = k;
            touch.slope = norm(gradient);
            touch.normal = (1 / touch.slope) * gradient;
            touch.distance = rim.value;
            if (k == 1)
                touch.on_second = touch.on_first - rim.value * touch.normal;
            else
                touch.on_first = touch.on_second + rim.value * touch.normal;
            return;
        }
    }
}

bool Potential::is_faced(const CandidateSet& set, int k, int rim, int corner,
                         std::span<const Placement> placements) const
{
    const Piece &mine = layout_.pieces[at(k == 0 ? set.first : set.second)],
                &other = layout_.pieces[at(k == 0 ? set.second : set.first)];
    if (other.rims.empty()) return false;
    const auto find_axes = [&](const Piece& piece) -> const Mat3&
    { return start_axes_.empty() ? placements[at(piece.group)].matrix : start_axes_[at(piece.group)]; };
    const Vec3 inward = transpose_times(find_axes(other), -(find_axes(mine) * mine.rims[at(rim)]));
    const auto begin = other.rims.begin();
    return std::any_of(begin + other.rim_begin[at(corner)], begin + other.rim_begin[at(corner) + 1],
                       [&](const Vec3& side) { return dot(side, inward) >= kFacing; });
}

double Potential::evaluate(std::span<const Body> bodies, std::span<const Placement> placements)
{
    // E of README, term by term: inertia, then barriers of what is within d̂, then friction.
    // Values by island: each has its own line search.
    std::fill(values_.begin(), values_.end(), 0.0);
    const auto add = [&](int first, int second, double value)
    { values_[at(island_of_[at(layout_.groups[at(first)].row >= 0 ? first : second)])] += value; };
    for (int g = 0; g < static_cast<int>(bodies.size()); ++g)
    {
        const Group& group = layout_.groups[at(g)];
        if (group.row >= 0) add(g, g, find_inertia_value(group, bodies[at(g)], placements[at(g)]));
    }
    find_touches(placements);
    least_distance_ = reach_ + separation_;
    for (const Touch& touch : touches_)
    {
        least_distance_ = std::min(least_distance_, touch.distance);
        add(touch.first, touch.second, find_barrier_value(touch));
    }
    find_way_touches(bodies, placements);
    least_on_way_ = reach_ + separation_;
    for (const WayTouch& way : way_touches_)
    {
        least_on_way_ = std::min(least_on_way_, way.touch.distance);
        add(way.touch.first, way.touch.second, find_barrier_value(way.touch));
    }
    // μ λ f0(|u|), λ and T lagged ([IPC] section 5).
    for (const Grip& grip : grips_)
    {
        const GripSlip slip = find_grip_slip(grip, bodies, placements);
        add(grip.first, grip.second, grip.bound * find_slip(slip.length, grip.limit).value);
    }
    joints_.add_values(placements, add);
    return std::accumulate(values_.begin(), values_.end(), 0.0);
}

double Potential::find_barrier_value(const Touch& touch) const
{
    // Outside of the domain of the barrier.
    if (!(touch.distance > separation_)) return HUGE_VAL;
    return touch.mollifier * find_stiffness(touch) * touch.barrier.value;
}

bool Potential::is_known(std::size_t s, std::span<const Placement> placements) const
{
    const CandidateSet& set = candidates_.sets()[s];
    const auto is_same = [&](int g) { return is_same_place(placements[at(g)], last_placements_[at(g)]); };
    return s < last_revisions_.size() && last_revisions_[s] == set.revision && is_same(candidates_.first_group(set)) &&
           is_same(candidates_.second_group(set));
}

void Potential::list_looks(std::span<const Placement> placements)
{
    constexpr int kPerTask = 256;
    look_count_ = 0;
    looked_at_ = 0;
    for (std::size_t s = 0; s < candidates_.sets().size(); ++s)
    {
        const CandidateSet& set = candidates_.sets()[s];
        const auto add = [&](int begin, int end) -> Look&
        {
            if (look_count_ == looks_.size()) looks_.emplace_back();
            Look& look = looks_[look_count_++];
            look.set = s;
            look.begin = begin;
            look.end = end;
            look.touches.clear();
            return look;
        };
        // Islands that are done, or whose trial was good enough, have not moved since they were last looked at.
        if (is_known(s, placements))
        {
            add(-1, -1);
            continue;
        }
        // What cannot have come within reach is passed over.
        if (candidates_.near(set).empty()) continue;
        const PairMove way = candidates_.find_way_from_base(set, placements);
        const int count = static_cast<int>(candidates_.near(set).size());
        for (int i = 0; i < count; i += kPerTask)
        {
            Look& look = add(i, std::min(count, i + kPerTask));
            look.way = way;
            looked_at_ += look.end - look.begin;
        }
    }
}

void Potential::find_touches(std::span<const Placement> placements)
{
    // Placements that the last rebase() did not foresee: measured again here.
    if (!candidates_.is_based(placements)) candidates_.rebase(placements, still_);
    const PlacedVertices& placed = candidates_.place_vertices(placements);
    touches_.swap(last_touches_);
    ranges_.swap(last_ranges_);
    touches_.clear();
    ranges_.assign(candidates_.sets().size(), {});
    list_looks(placements);
    constexpr int kAlone = 512;
    run_pieces(looked_at_ > kAlone ? pool_ : nullptr, look_count_, 1,
               [&](std::size_t task, std::size_t, int, int)
               {
                   Look& look = looks_[task];
                   const CandidateSet& set = candidates_.sets()[look.set];
                   const std::span<const Candidate> items = candidates_.candidates(set);
                   const std::span<const int> near = candidates_.near(set);
                   for (int i = std::max(0, look.begin); i < look.end; ++i)
                   {
                       const Candidate& item = items[at(near[at(i)])];
                       if (item.recent <= (candidates_.reach() + look.way.bound(item.arm)) * (1 + 1e-12))
                           touch(set, near[at(i)], placements, placed, look.touches);
                   }
               });
    // In the order of the sets, whoever looked.
    for (std::size_t i = 0, end = 0; i < look_count_; i = end)
    {
        const std::size_t begin = touches_.size(), s = looks_[i].set;
        for (end = i; end < look_count_ && looks_[end].set == s; ++end)
            touches_.insert(touches_.end(), looks_[end].touches.begin(), looks_[end].touches.end());
        if (looks_[i].begin < 0)
        {
            const std::span<const Touch> known(last_touches_);
            const auto [from, to] = last_ranges_[s];
            touches_.insert(touches_.end(), known.begin() + static_cast<std::ptrdiff_t>(from),
                            known.begin() + static_cast<std::ptrdiff_t>(to));
        }
        else
            merge_flats(candidates_.sets()[s], begin, touches_);
        ranges_[s] = {begin, touches_.size()};
    }
    last_placements_.assign(placements.begin(), placements.end());
    last_revisions_.resize(candidates_.sets().size());
    for (std::size_t s = 0; s < last_revisions_.size(); ++s) last_revisions_[s] = candidates_.sets()[s].revision;
}

void Potential::merge_flats(const CandidateSet& set, std::size_t begin, std::vector<Touch>& touches)
{
    // The triangles of a flat side are one face: beside its own triangle a vertex would be pushed by those around it
    // too, and along the side where it passes from one to the next. The nearest speaks for all.
    if (set.is_plane || touches.size() < begin + 2) return;
    flat_touches_.clear();
    for (std::size_t i = begin; i < touches.size(); ++i)
    {
        const Candidate& c = candidates_.candidates(set)[at(touches[i].candidate)];
        const bool is_first = c.kind == PairKind::face_vertex;
        if (!is_first && c.kind != PairKind::vertex_face) continue;
        const Piece& piece = layout_.pieces[at(is_first ? set.first : set.second)];
        const int flat = piece.flat_of_face[at(is_first ? c.first : c.second)], vertex = is_first ? c.second : c.first;
        if (flat < 0) continue;
        const std::int64_t key = (static_cast<std::int64_t>(is_first ? 1 : 0) << 62) |
                                 (static_cast<std::int64_t>(vertex) << 31) | static_cast<std::int64_t>(flat);
        flat_touches_.emplace_back(key, touches[i].distance, i);
    }
    std::sort(flat_touches_.begin(), flat_touches_.end());
    for (std::size_t i = 1; i < flat_touches_.size(); ++i)
        if (std::get<0>(flat_touches_[i]) == std::get<0>(flat_touches_[i - 1]))
            touches[std::get<2>(flat_touches_[i])].set = -1;
    touches.erase(std::remove_if(touches.begin() + static_cast<std::ptrdiff_t>(begin), touches.end(),
                                 [](const Touch& touch) { return touch.set < 0; }),
                  touches.end());
}

double Potential::find_force(const Touch& touch) const
{
    // λ = - k w b'(d), without the h² of the incremental potential [N].
    const Jet barrier = find_barrier(touch.distance, reach_, separation_);
    return -touch.mollifier * find_stiffness(touch) * barrier.slope * touch.slope / (step_ * step_);
}

double Potential::find_stored(const Touch& touch) const
{
    const Jet barrier = find_barrier(touch.distance, reach_, separation_);
    return touch.mollifier * find_stiffness(touch) * barrier.value / (dt_ * dt_);
}

ToldForce Potential::tell(const Touch& touch) const
{
    // What pushes at a time t on the way moves the end's centre by t of it.
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    return {.first_shape = candidates_.first_shape(set),
            .second_shape = candidates_.second_shape(set),
            .normal = touch.normal,
            .on_first = touch.on_first,
            .on_second = touch.on_second,
            .distance = touch.distance,
            .friction = set.friction,
            .time = touch.time,
            .force = touch.time * find_force(touch) * touch.normal,
            .key = find_key(touch)};
}

ToldForce Potential::tell_friction(std::size_t index, std::span<const Body> bodies,
                                   std::span<const Placement> placements) const
{
    const Grip& grip = grips_[index];
    const Vec3 normal = cross(grip.tangent[0], grip.tangent[1]);
    const Vec3 first = placements[at(grip.first)].place(grip.on_first) + grip.first_roll,
               second = placements[at(grip.second)].place(grip.on_second) + grip.second_roll;
    return {.first_shape = static_cast<int>(grip.key[0] >> kKeyBits),
            .second_shape = static_cast<int>(grip.key[0] & kKeyMask),
            .normal = normal,
            .on_first = first,
            .on_second = second,
            .distance = dot(normal, first - second),
            .friction = grip.friction,
            .time = 0,
            .force = find_friction_force(index, bodies, placements),
            .key = grip.key};
}

std::array<std::int64_t, 2> Potential::find_key(const Touch& touch) const
{
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const auto pack = [](int high, int low) { return (static_cast<std::int64_t>(high) << kKeyBits) | low; };
    return {pack(candidates_.first_shape(set), candidates_.second_shape(set)),
            (static_cast<std::int64_t>(candidate.kind) << 60) | pack(candidate.first, candidate.second)};
}

double Potential::find_balance(std::span<const Body> bodies, std::span<const Placement> placements) const
{
    // Least squares of g_E + s g_B over s: gradients of everything else and of barriers.
    std::vector<Vector6> barrier(at(layout_.row_count)), rest(at(layout_.row_count));
    Block6 unused{};
    for (const Touch& touch : touches_)
    {
        const RowPair rows{layout_.groups[at(touch.first)].row, layout_.groups[at(touch.second)].row};
        const double slope = find_barrier(touch.distance, reach_, separation_).slope;
        add_scaled(rows, find_stiffness(touch) * touch.mollifier * slope, find_normal(touch, placements), barrier);
    }
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (layout_.groups[g].dynamic) add_inertia(layout_.groups[g], bodies[g], placements[g], rest[at(row)], unused);
    }
    double product = 0, square = 0;
    for (std::size_t r = 0; r < rest.size(); ++r)
    {
        for (std::size_t i = 0; i < 6; ++i)
        {
            product -= barrier[r][i] * rest[r][i];
            square += barrier[r][i] * barrier[r][i];
        }
    }
    return square > 0 ? product / square : 1;
}

void Potential::lag_friction(std::span<const Placement> placements)
{
    // Normal force, points and tangent plane of every touch as they are now; they stay until the next lag.
    grips_.clear();
    for (const Touch& touch : touches_) add_grip_of(touch, placements);
}

void Potential::grip_woken(std::span<const Placement> placements, std::span<const char> is_woken)
{
    // Sleepers have not moved since they fell asleep: they press as they did at the start of the step.
    const auto was_still = [&](int g) { return is_woken[at(g)] != 0 || layout_.groups[at(g)].row < 0; };
    for (const Touch& touch : touches_)
    {
        if (was_still(touch.first) && was_still(touch.second)) add_grip_of(touch, placements);
    }
}

void Potential::add_grip_of(const Touch& touch, std::span<const Placement> placements)
{
    const double friction = candidates_.sets()[at(touch.set)].friction;
    if (!(friction > 0)) return;
    Grip grip;
    grip.first = touch.first;
    grip.second = touch.second;
    grip.key = find_key(touch);
    grip.friction = friction;
    grip.bound = friction * find_force(touch) * step_ * step_;
    grip.limit = static_speed_ * dt_;
    const Placement &a = placements[at(touch.first)], &b = placements[at(touch.second)];
    grip.on_first = transpose_times(a.matrix, touch.first_place() - a.center);
    grip.on_second = transpose_times(b.matrix, touch.second_place() - b.center);
    grip.first_roll = -touch.first_round * touch.normal;
    grip.second_roll = touch.second_round * touch.normal;
    // T of [IPC] section 5: two tangents that stay until the next lag.
    const Mat3 frame = make_contact_frame(touch.normal);
    grip.tangent[0] = frame.column(1);
    grip.tangent[1] = frame.column(2);
    if (anchors_friction_ && !rolls(grip.first_roll) && !rolls(grip.second_roll))
    {
        grip.limit *= kAnchorPart;
        grip.anchor = find_anchor_key(touch);
        recall_anchor(a, grip);
    }
    grips_.push_back(grip);
}

Vec3 Potential::find_friction_force(std::size_t index, std::span<const Body> bodies,
                                    std::span<const Placement> placements) const
{
    const Grip& grip = grips_[index];
    const GripSlip slip = find_grip_slip(grip, bodies, placements);
    const double scale = -grip.bound * find_slip(slip.length, grip.limit).slope_ratio / (step_ * step_);
    return scale * (slip.along[0] * grip.tangent[0] + slip.along[1] * grip.tangent[1]);
}

}  // namespace rattleback::ipc
