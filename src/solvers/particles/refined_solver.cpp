// The step of the refined variant: predict, find contacts, accumulate impulses, move in second order.
#include "solvers/particles/refined_solver.h"

#include "base/bytes.h"
#include "base/index.h"
#include "base/stage_timer.h"
#include "math/rotation.h"
#include "solvers/shared/divergence.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

namespace
{

constexpr double kTolerance = 1e-5;  // of what gravity adds to a velocity in a step
constexpr int kPatience = 10;        // times as many sweeps as asked for, at most
constexpr int kFirstPatience = 200;  // the same where all contacts are new: what goes wrong at the start stays wrong

template <class T>
Vector3<T> times(const std::array<T, 6>& s, const Vector3<T>& a)
{
    return {s[0] * a.x + s[3] * a.y + s[4] * a.z, s[3] * a.x + s[1] * a.y + s[5] * a.z,
            s[4] * a.x + s[5] * a.y + s[2] * a.z};
}

std::array<double, 6> invert(const std::array<double, 6>& i)
{
    const Vec3 x = solve_symmetric(i, Vec3{1, 0, 0}), y = solve_symmetric(i, Vec3{0, 1, 0});
    const Vec3 z = solve_symmetric(i, Vec3{0, 0, 1});
    return {x.x, y.y, z.z, x.y, x.z, y.z};
}

/// Rotation after dt, by the implicit midpoint rule for constant mean angular momentum: omega = I(middle)^-1 L.
Quat turn_by_momentum(const Mat3& inertia, const Quat& start, const Vec3& guess, const Vec3& mean_momentum, double dt)
{
    Vec3 spin = guess;
    for (int i = 0; i < 4; ++i)  // each turn gains an order
    {
        const Quat middle = exponential(0.5 * dt * spin) * start;
        spin = solve_symmetric(turn_inertia(inertia, middle), mean_momentum);
    }
    return normalized(exponential(dt * spin) * start);
}

}  // namespace

void RefinedMemory::reset()
{
    Memory::reset();
    kept.clear();
}

void RefinedMemory::save(std::vector<std::byte>& bytes) const
{
    Memory::save(bytes);
    append(bytes, kept);
}

bool RefinedMemory::load(std::span<const std::byte>& bytes)
{
    const bool complete =
        Memory::load(bytes) && read(bytes, kept) &&
        std::is_sorted(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.key < b.key; });
    if (!complete) reset();
    return complete;
}

template <class T>
RefinedSolver<T>::RefinedSolver(const Model& model, const Options& options, std::shared_ptr<const ParticleSet> set)
    : model_(model),
      options_(options),
      set_(std::move(set)),
      obstacles_(model, *set_),
      neighbours_(model, *set_),
      bodies_(set_->groups.size()),
      ends_(set_->groups.size()),
      reaches_(set_->groups.size()),
      points_centers_(set_->groups.size()),
      q_(static_cast<std::size_t>(model.q_count())),
      v_(static_cast<std::size_t>(model.v_count())),
      list_(model)
{
    rest_.reserve(set_->spheres.size());
    group_of_.reserve(set_->spheres.size());
    for (std::size_t g = 0; g < set_->groups.size(); ++g)
    {
        const Group& group = set_->groups[g];
        for (int i = group.begin; i < group.padded_end; ++i)
        {
            rest_.push_back(set_->spheres[at(i)].center + group.points.center - group.solid.center);
            group_of_.push_back(static_cast<int>(g));
        }
    }
}

template <class T>
StepReport RefinedSolver<T>::step(const StepInput& input, WorldView world, Memory& kept)
{
    auto& memory = static_cast<RefinedMemory&>(kept);
    StageTimer timer(input.timings);
    predict(input, world);
    timer.mark(static_cast<int>(Stage::integrate));
    obstacles_.place(input, world);
    find_contacts();
    timer.mark(static_cast<int>(Stage::collide));
    const int limit = (warm_start(memory) ? kPatience : kFirstPatience) * options_.iterations;
    StepReport report{.contact_count = static_cast<int>(rows_.size())};
    const double tolerance = kTolerance * input.dt * std::max(1.0, norm(model_.settings.gravity));
    for (; report.iterations < limit && !rows_.empty(); ++report.iterations)
    {
        report.residual = static_cast<double>(solve(input.dt));
        if (report.residual < tolerance) break;
    }
    if (report.residual > 1000 * tolerance) report.status = StepStatus::not_converged;
    timer.mark(static_cast<int>(Stage::solve));
    find_strikes(input.dt);
    advance(input.dt);
    std::copy(world.q.begin(), world.q.end(), q_.begin());
    std::copy(world.v.begin(), world.v.end(), v_.begin());
    for (std::size_t g = 0; g < bodies_.size(); ++g)
    {
        const Group& group = set_->groups[g];
        write_motion(group, group.solid.center, ends_[g], q_, v_);
        if (is_sound(group, q_, v_)) continue;
        report_bad_body(group.body, read_position(group, q_), read_velocity(group, v_), report);
        return report;
    }
    for (const Row& row : rows_)
        report.deepest_penetration = std::max(report.deepest_penetration, -static_cast<double>(row.gap));
    std::copy(q_.begin(), q_.end(), world.q.begin());
    std::copy(v_.begin(), v_.end(), world.v.begin());
    obstacles_.commit(world);
    remember(memory, input.dt);
    timer.mark(static_cast<int>(Stage::refresh));
    for (int k = 0; k < kStageCount; ++k) report.seconds[at(k)] = timer.seconds(k);
    return report;
}

/// Motion without contacts, and the pose at the end of the step at which contacts are looked for.
template <class T>
void RefinedSolver<T>::predict(const StepInput& input, const WorldView& world)
{
    const double dt = input.dt;
    for (std::size_t g = 0; g < bodies_.size(); ++g)
    {
        const Group& group = set_->groups[g];
        Body& body = bodies_[g];
        body = {};
        body.start = read_motion(group, group.solid.center, world);
        const Wrench wrench = find_wrench(*set_, static_cast<int>(g), input.control, body.start);
        body.velocity = body.start.velocity +
                        dt * (group.weight_scale * model_.settings.gravity + (1 / group.solid.mass) * wrench.force);
        const Mat3 r = to_matrix(body.start.rotation);
        body.start_momentum = r * (group.solid.inertia * transpose_times(r, body.start.spin));
        body.momentum = body.start_momentum + dt * wrench.torque;
        body.rotation = normalized(exponential(dt * body.start.spin) * body.start.rotation);
        body.center = body.start.center + dt * body.start.velocity;
        const std::array<double, 6> inverse = invert(turn_inertia(group.solid.inertia, body.rotation));
        for (std::size_t k = 0; k < 6; ++k) body.inverse_inertia[k] = static_cast<T>(inverse[k]);
        body.inverse_mass = static_cast<T>(1 / group.solid.mass);
        body.spin = times(inverse, body.momentum);
        points_centers_[g] = body.start.center + rotate(body.start.rotation, group.points.center - group.solid.center);
        const double speed = norm(body.velocity) + group.reach * norm(body.start.spin);
        reaches_[g] = std::min(options_.margin, 0.5 * group.reach) + 2 * dt * speed;
    }
}

/// Contacts at the start of the step: gaps there, and directions that hold to its end.
template <class T>
void RefinedSolver<T>::find_contacts()
{
    rows_.clear();
    const auto center = [&](int g) { return points_centers_[at(g)]; };
    const auto position = [&](int i)
    {
        const Motion& start = bodies_[at(group_of_[at(i)])].start;
        return start.center + rotate(start.rotation, rest_[at(i)]);
    };
    const auto reach = [&](int g) { return reaches_[at(g)]; };
    for (const ShapeContact& found : obstacles_.find(center, position, reach))
    {
        const double gap =
            dot(found.normal, position(found.particle) - found.point) - set_->spheres[at(found.particle)].radius;
        const auto key = (static_cast<std::uint64_t>(found.particle) << 32U) | (std::uint64_t{1} << 31U) |
                         static_cast<std::uint64_t>(found.pairing);
        add_row(key, group_of_[at(found.particle)], -1, found.particle, found.pairing, found.normal, found.point, gap,
                found.velocity, set_->pairings[at(found.pairing)].friction);
    }
    if (set_->groups.size() < 2) return;
    const std::size_t shape_rows = rows_.size();
    neighbours_.find(center, position, reach);
    for (std::size_t k = 0; k < neighbours_.particles().size(); ++k)
    {
        const int i = neighbours_.particles()[k];
        for (const int j : neighbours_.of(k))
        {
            if (j < i) continue;
            const Vec3 x = position(i), away = x - position(j);
            const double distance = norm(away);
            if (!(distance > 0)) continue;
            const Vec3 normal = (1 / distance) * away;
            const auto key = (static_cast<std::uint64_t>(i) << 32U) | static_cast<std::uint64_t>(j);
            add_row(key, group_of_[at(i)], group_of_[at(j)], i, j, normal, x - set_->spheres[at(i)].radius * normal,
                    distance - set_->spheres[at(i)].radius - set_->spheres[at(j)].radius, {},
                    find_friction(model_, *set_, set_->shape[at(i)], set_->shape[at(j)]));
        }
    }
    if (shape_rows == 0 || shape_rows == rows_.size()) return;
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
}

template <class T>
void RefinedSolver<T>::add_row(std::uint64_t key, int first, int second, int particle, int other, const Vec3& normal,
                               const Vec3& point, double gap, const Vec3& surface_velocity, double friction)
{
    Row row{.key = key, .first = first, .second = second, .particle = particle, .other = other};
    const Mat3 frame = make_contact_frame(normal);
    row.normal = cast<T>(normal);
    row.tangent = cast<T>(frame.column(1));
    row.bitangent = cast<T>(frame.column(2));
    // arms at the predicted end: the sphere's lowest point turns with the body, the normal stays
    const Body& a = bodies_[at(first)];
    const Vec3 reach = set_->spheres[at(particle)].radius * normal;
    const Vec3 arm = rotate(a.rotation, rest_[at(particle)]) - reach;
    Vec3 base = a.velocity + cross(a.spin, arm) - surface_velocity;
    row.arm = cast<T>(arm);
    row.start_speed =
        static_cast<T>(dot(normal, a.start.velocity + cross(a.start.spin, point - a.start.center) - surface_velocity));
    if (second >= 0)
    {
        const Body& b = bodies_[at(second)];
        const Vec3 other_arm = rotate(b.rotation, rest_[at(other)]) + set_->spheres[at(other)].radius * normal;
        base -= b.velocity + cross(b.spin, other_arm);
        row.other_arm = cast<T>(other_arm);
        row.start_speed -= static_cast<T>(dot(normal, b.start.velocity + cross(b.start.spin, point - b.start.center)));
    }
    row.base = cast<T>(base);
    row.gap = static_cast<T>(gap);
    row.friction = static_cast<T>(friction);
    row.normal_mass = effective_mass(row, row.normal);
    row.tangent_mass = effective_mass(row, row.tangent);
    row.bitangent_mass = effective_mass(row, row.bitangent);
    rows_.push_back(row);
}

template <class T>
T RefinedSolver<T>::effective_mass(const Row& row, const Vector3<T>& direction) const
{
    const Body& a = bodies_[at(row.first)];
    const Vector3<T> lever = cross(row.arm, direction);
    T inverse = a.inverse_mass + dot(lever, times(a.inverse_inertia, lever));
    if (row.second >= 0)
    {
        const Body& b = bodies_[at(row.second)];
        const Vector3<T> other = cross(row.other_arm, direction);
        inverse += b.inverse_mass + dot(other, times(b.inverse_inertia, other));
    }
    return 1 / inverse;
}

template <class T>
void RefinedSolver<T>::apply(const Row& row, const Vector3<T>& impulse)
{
    Body& a = bodies_[at(row.first)];
    const Vector3<T> lever = cross(row.arm, impulse);
    a.gained += a.inverse_mass * impulse;
    a.twist += lever;
    a.turned += times(a.inverse_inertia, lever);
    if (row.second < 0) return;
    Body& b = bodies_[at(row.second)];
    const Vector3<T> other = cross(row.other_arm, impulse);
    b.gained -= b.inverse_mass * impulse;
    b.twist -= other;
    b.turned -= times(b.inverse_inertia, other);
}

/// Contacts that were there in the last step start with the impulse that they ended with; false when none was.
template <class T>
bool RefinedSolver<T>::warm_start(const RefinedMemory& memory)
{
    std::size_t known = 0;
    auto kept = memory.kept.begin();
    for (Row& row : rows_)
    {
        while (kept != memory.kept.end() && kept->key < row.key) ++kept;
        if (kept == memory.kept.end() || kept->key != row.key) continue;
        ++known;
        const Vector3<T> impulse = cast<T>(kept->impulse);
        row.push = std::max(T(0), dot(impulse, row.normal));
        row.slide = dot(impulse, row.tangent);
        row.slip = dot(impulse, row.bitangent);
        apply(row, row.push * row.normal + row.slide * row.tangent + row.slip * row.bitangent);
    }
    return known > 0;
}

template <class T>
Vector3<T> RefinedSolver<T>::relative_velocity(const Row& row) const
{
    const Body& a = bodies_[at(row.first)];
    const Vector3<T> velocity = row.base + a.gained + cross(a.turned, row.arm);
    if (row.second < 0) return velocity;
    const Body& b = bodies_[at(row.second)];
    return velocity - b.gained - cross(b.turned, row.other_arm);
}

/// One contact: no approach beyond the gap at the end of the step, friction in the disc.
template <class T>
void RefinedSolver<T>::solve_row(Row& row, T rate)
{
    constexpr T kRecovery = T(0.2);  // of an overlap in a step
    constexpr T kFastest = T(1);     // [m/s] at which overlaps are undone
    const T allowed = row.gap > 0 ? -row.gap * rate : std::min(-row.gap * rate * kRecovery, kFastest);
    Vector3<T> velocity = relative_velocity(row);
    const T push = std::max(T(0), row.push + row.normal_mass * (allowed - dot(velocity, row.normal)));
    const T change = push - row.push;
    row.push = push;
    apply(row, change * row.normal);
    if (row.friction == T(0)) return;

    velocity = relative_velocity(row);
    T slide = row.slide - row.tangent_mass * dot(velocity, row.tangent);
    T slip = row.slip - row.bitangent_mass * dot(velocity, row.bitangent);
    const T size = std::sqrt(slide * slide + slip * slip), limit = row.friction * row.push;
    if (size > limit)
    {
        slide *= limit / size;
        slip *= limit / size;
    }
    const T slide_change = slide - row.slide, slip_change = slip - row.slip;
    row.slide = slide;
    row.slip = slip;
    apply(row, slide_change * row.tangent + slip_change * row.bitangent);
}

/// One sweep over the contacts, forwards and then backwards; how much it changed the motion of a body [m/s]. Impulses
/// may still move from one contact to another of the same body without any effect on it.
template <class T>
T RefinedSolver<T>::solve(double dt)
{
    const T rate = static_cast<T>(1 / dt);
    for (Body& body : bodies_)
    {
        body.last_gained = body.gained;
        body.last_turned = body.turned;
    }
    for (Row& row : rows_) solve_row(row, rate);
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) solve_row(*row, rate);
    T largest = 0;
    for (std::size_t g = 0; g < bodies_.size(); ++g)
    {
        const Body& body = bodies_[g];
        const T reach = static_cast<T>(set_->groups[g].reach);
        largest =
            std::max(largest, norm(body.gained - body.last_gained) + reach * norm(body.turned - body.last_turned));
    }
    return largest;
}

/// A body that hits something stops within the step: the mean of its velocities before and after would carry it in.
template <class T>
void RefinedSolver<T>::find_strikes(double dt)
{
    const T h = static_cast<T>(dt);
    const T slack = static_cast<T>(dt * dt * std::max(1.0, norm(model_.settings.gravity)));
    for (const Row& row : rows_)
    {
        const T speed = dot(relative_velocity(row), row.normal);
        if (row.gap + T(0.5) * h * (row.start_speed + speed) >= std::min(row.gap, T(0)) - slack) continue;
        bodies_[at(row.first)].struck = true;
        if (row.second >= 0) bodies_[at(row.second)].struck = true;
    }
}

/// Second order: positions by the mean of the velocities before and after, rotations by the mean angular momentum.
template <class T>
void RefinedSolver<T>::advance(double dt)
{
    for (std::size_t g = 0; g < bodies_.size(); ++g)
    {
        const Group& group = set_->groups[g];
        const Body& body = bodies_[g];
        Motion& end = ends_[g];
        end.velocity = body.velocity + widen(body.gained);
        const Vec3 momentum = body.momentum + widen(body.twist);
        const Vec3 mean_velocity = body.struck ? end.velocity : 0.5 * (body.start.velocity + end.velocity);
        const Vec3 mean_momentum = body.struck ? momentum : 0.5 * (body.start_momentum + momentum);
        end.center = body.start.center + dt * mean_velocity;
        end.rotation = turn_by_momentum(group.solid.inertia, body.start.rotation, body.start.spin, mean_momentum, dt);
        end.spin = solve_symmetric(turn_inertia(group.solid.inertia, end.rotation), momentum);
    }
}

template <class T>
void RefinedSolver<T>::remember(RefinedMemory& memory, double dt)
{
    memory.kept.clear();
    list_.clear();
    for (const Row& row : rows_)
    {
        if (row.push == T(0)) continue;
        const Vec3 impulse = widen(row.push * row.normal + row.slide * row.tangent + row.slip * row.bitangent);
        memory.kept.push_back({row.key, impulse});
        const Vec3 point = bodies_[at(row.first)].center + widen(row.arm);
        const bool shape = row.second < 0;
        list_.add(set_->shape[at(row.particle)],
                  shape ? set_->pairings[at(row.other)].obstacle : set_->shape[at(row.other)],
                  shape ? static_cast<std::uint64_t>(row.particle) : row.key, widen(row.normal), point,
                  static_cast<double>(row.gap), static_cast<double>(row.friction), (1 / dt) * impulse);
    }
    list_.hand_over(memory);
}

template class RefinedSolver<float>;
template class RefinedSolver<double>;

}  // namespace rattleback::particles
