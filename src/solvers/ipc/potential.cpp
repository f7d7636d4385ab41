// Value and forces of the incremental potential.
#include "solvers/ipc/potential.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/sinc.h"
#include "solvers/ipc/grip_slip.h"

#include <rattleback/contacts.h>

#include <algorithm>
#include <numeric>

namespace rattleback::ipc
{

namespace
{

// Two numbers of a key.
constexpr int kKeyBits = 30;
// Looks of a small world, and touches that one finds.
constexpr std::size_t kFewLooks = 128, kTouchesPerLook = 32;

constexpr std::int64_t kKeyMask = (std::int64_t{1} << kKeyBits) - 1;

}  // namespace

Potential::Potential(const Model& model, const Layout& layout, const Settings& settings)
    : layout_(layout),
      reach_(layout.reach),
      separation_(settings.separation),
      static_speed_(settings.static_speed),
      stiffness_(settings.stiffness),
      anchors_friction_(settings.anchor),
      is_plain_(!settings.deviations.stiffness),
      candidates_(model, layout, settings),
      joints_(layout),
      is_active_(layout.groups.size(), 1),
      still_(layout.groups.size()),
      island_of_(layout.groups.size()),
      values_(layout.groups.size())
{
    const std::size_t room = find_contact_room(layout);
    for (std::vector<Touch>* touches : {&touches_, &last_touches_, &found_}) touches->reserve(room);
    grips_.reserve(room);
    slips_.reserve(room);
    flat_touches_.reserve(room);
    pairs_.reserve(room);
    ranges_.reserve(room);
    last_ranges_.reserve(room);
    last_revisions_.reserve(room);
    is_bound_.reserve(room);
    looks_.resize(std::min(room, kFewLooks));
    for (Look& look : looks_) look.touches.reserve(kTouchesPerLook);
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
    load_acceleration_ = gravity;
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
    way_looks_ = 0;
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
    if (is_plain_) return touch.weight * factor_;
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
            if (look_count_ == looks_.size()) looks_.emplace_back().touches.reserve(kTouchesPerLook);
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
            // Once they have parted, the bodies may have come round each other: along the lagged normal says nothing.
            .distance = norm(first - second),
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

void Potential::set_plain_stiffness(std::span<const Body> bodies, std::span<const Placement> placements)
{
    const double doubled = factor_;
    factor_ = 1;
    const double balance = find_balance(bodies, placements);
    const double usual = touches_.empty() ? 0 : balance;
    factor_ = std::min(doubled * std::clamp(usual, layout_.plain.least, layout_.plain.most), layout_.plain.most);
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
