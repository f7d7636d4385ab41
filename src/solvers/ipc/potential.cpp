// Touches, value and forces of the incremental potential.
#include "solvers/ipc/potential.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "solvers/ipc/grip_slip.h"

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
      candidates_(model, layout, settings),
      joints_(layout),
      ways_(layout.groups.size()),
      still_(layout.groups.size()),
      island_of_(layout.groups.size()),
      values_(layout.groups.size())
{
}

void Potential::set_islands(std::span<const int> island_of_group)
{
    island_of_.assign(island_of_group.begin(), island_of_group.end());
}

void Potential::begin(double dt, double gravity, double factor)
{
    dt_ = dt;
    // A body that rests presses with its weight; one that arrives within d̂ in a step is stopped in one: whichever is
    // more sets the stiffness, and the Hessian of the barrier is then of the order of the inertia's.
    acceleration_ = factor * stiffness_ * std::max(gravity, 0.1 * reach_ / (dt * dt));
    clear_friction();
}

double Potential::find_stiffness(const Touch& touch) const
{
    const Group &a = layout_.groups[at(touch.first)], &b = layout_.groups[at(touch.second)];
    // k h² of README: of the heavier of the two, since it must be stopped.
    const double first = a.dynamic ? a.mass : 0, second = b.dynamic ? b.mass : 0;
    return std::max(first, second) * acceleration_ * reach_ * dt_ * dt_;
}

void Potential::touch_plane(const CandidateSet& set, int index, std::span<const Placement> placements)
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    const Piece& piece = layout_.pieces[at(set.first)];
    const HalfSpace& space = layout_.planes[at(set.second)].space;
    Touch touch;
    touch.first = piece.group;
    touch.second = 0;
    touch.on_first = placements[at(piece.group)].place(piece.vertices[at(candidate.first)]);
    touch.distance = dot(space.normal, touch.on_first) - space.offset;
    if (touch.distance >= reach_ + separation_) return;
    // Distance to a half-space is linear: its normal never turns.
    touch.normal = space.normal;
    touch.on_second = touch.on_first - touch.distance * space.normal;
    touch.set = static_cast<int>(&set - candidates_.sets().data());
    touch.candidate = index;
    touch.first_weights = {1, 0, 0};
    touches_.push_back(touch);
}

void Potential::touch_simplices(const CandidateSet& set, int index, std::span<const Placement> placements)
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    Touch touch;
    touch.first = candidates_.first_group(set);
    touch.second = candidates_.second_group(set);
    const Simplex a = place(placements[at(touch.first)], candidates_.first_simplex(set, candidate));
    const Simplex b = place(placements[at(touch.second)], candidates_.second_simplex(set, candidate));
    const bool turned = a.count > b.count;
    NearestSimplices nearest = turned ? find_nearest(b, a) : find_nearest(a, b);
    if (turned)
    {
        std::swap(nearest.first, nearest.second);
        nearest.between = -nearest.between;
    }
    touch.distance = norm(nearest.between);
    if (touch.distance >= reach_ + separation_) return;
    // ∇d: the unit vector between the nearest points, whatever parts of the simplices they lie on.
    touch.normal = (1 / touch.distance) * nearest.between;
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
    touch.on_first = touch.on_second + nearest.between;
    touch.first_weights = nearest.first;
    touch.second_weights = nearest.second;
    if (candidate.kind == PairKind::edge_edge)
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
    touches_.push_back(touch);
}

double Potential::evaluate(std::span<const Body> bodies, std::span<const Placement> placements)
{
    // E of README, term by term: inertia, then barriers of what is within d̂, then friction.
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
        const bool is_free = touch.distance > separation_;
        const Jet barrier = is_free ? find_barrier(touch.distance, reach_, separation_) : Jet{HUGE_VAL, 0, 0};
        add(touch.first, touch.second, touch.mollifier * find_stiffness(touch) * barrier.value);
    }
    // μ λ f0(|u|), λ and T lagged ([IPC] section 5).
    for (const Grip& grip : grips_)
    {
        const GripSlip slip = find_grip_slip(grip, bodies, placements);
        add(grip.first, grip.second, grip.bound * find_slip(slip.length, static_speed_ * dt_).value);
    }
    joints_.add_values(placements, add);
    return std::accumulate(values_.begin(), values_.end(), 0.0);
}

void Potential::find_touches(std::span<const Placement> placements)
{
    touches_.clear();
    if (!candidates_.is_based(placements)) candidates_.rebase(placements, still_);
    for (std::size_t g = 0; g < placements.size(); ++g)
        ways_[g] =
            layout_.groups[g].row < 0 ? WayBound{} : candidates_.find_way_from_base(static_cast<int>(g), placements[g]);
    for (const CandidateSet& set : candidates_.sets())
    {
        // What cannot have come within reach is passed over.
        const double way =
            find_relative_way(ways_[at(candidates_.first_group(set))], ways_[at(candidates_.second_group(set))]);
        const double limit = (reach_ + separation_ + way) * (1 + 1e-12);
        const std::span<const Candidate> items = candidates_.candidates(set);
        for (const int i : candidates_.near(set))
        {
            if (items[at(i)].recent > limit) continue;
            if (set.is_plane)
                touch_plane(set, i, placements);
            else
                touch_simplices(set, i, placements);
        }
    }
}

double Potential::find_force(const Touch& touch) const
{
    // λ = - k w b'(d), without the h² of the incremental potential [N].
    const Jet barrier = find_barrier(touch.distance, reach_, separation_);
    return -touch.mollifier * find_stiffness(touch) * barrier.slope / (dt_ * dt_);
}

double Potential::find_stored(const Touch& touch) const
{
    const Jet barrier = find_barrier(touch.distance, reach_, separation_);
    return touch.mollifier * find_stiffness(touch) * barrier.value / (dt_ * dt_);
}

std::array<std::int64_t, 2> Potential::find_key(const Touch& touch) const
{
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const auto pack = [](int high, int low) { return (static_cast<std::int64_t>(high) << 30) | low; };
    return {pack(candidates_.first_shape(set), candidates_.second_shape(set)),
            (static_cast<std::int64_t>(candidate.kind) << 60) | pack(candidate.first, candidate.second)};
}

void Potential::lag_friction(std::span<const Placement> placements)
{
    // Normal force, points and tangent plane of every touch as they are now; they stay until the next lag.
    grips_.clear();
    for (const Touch& touch : touches_)
    {
        const double friction = candidates_.sets()[at(touch.set)].friction;
        if (!(friction > 0)) continue;
        Grip grip;
        grip.first = touch.first;
        grip.second = touch.second;
        grip.key = find_key(touch);
        grip.bound = friction * find_force(touch) * dt_ * dt_;
        const Placement &a = placements[at(touch.first)], &b = placements[at(touch.second)];
        grip.on_first = transpose_times(a.matrix, touch.on_first - a.center);
        grip.on_second = transpose_times(b.matrix, touch.on_second - b.center);
        const Mat3 frame = make_contact_frame(touch.normal);
        grip.tangent[0] = frame.column(1);
        grip.tangent[1] = frame.column(2);
        grips_.push_back(grip);
    }
}

Vec3 Potential::find_friction_force(std::size_t index, std::span<const Body> bodies,
                                    std::span<const Placement> placements) const
{
    const Grip& grip = grips_[index];
    const GripSlip slip = find_grip_slip(grip, bodies, placements);
    const double scale = -grip.bound * find_slip(slip.length, static_speed_ * dt_).slope_ratio / (dt_ * dt_);
    return scale * (slip.along[0] * grip.tangent[0] + slip.along[1] * grip.tangent[1]);
}

}  // namespace rattleback::ipc
