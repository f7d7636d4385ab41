// Sweeps over the contacts of a crowd: rows, steps and pushes of four contacts that have no moving body in common.
#include "solvers/comfree/crowd_law.h"

#include "solvers/comfree/crowd_lanes.h"
#include "solvers/comfree/sweep_steps.h"

#include <algorithm>

namespace rattleback::comfree
{

namespace
{

/// Fewer bodies do not fill lanes.
constexpr std::size_t kLeastCrowd = 16;

/// What four bodies bring to their rows.
struct SideLanes
{
    LaneVector center, velocity, spin;
    LaneVector turn[2];

    SideLanes(std::span<const CrowdBody> bodies, const int (&place)[4])
    {
        const auto body = [&](int k) -> const CrowdBody& { return bodies[at(place[k])]; };
        center = load_lanes([&](int k) { return body(k).center; });
        velocity = load_lanes([&](int k) { return body(k).velocity; });
        spin = load_lanes([&](int k) { return body(k).spin; });
        for (int half : {0, 1}) turn[half] = load_lanes([&](int k) { return body(k).turn + 4 * half; });
    }

    /// B times a vector.
    Vector3<Pack4> turned(const Vector3<Pack4>& t) const
    {
        const Vector3<Pack4>&a = turn[0].vector, &b = turn[1].vector;
        return {a.x * t.x, a.y * t.x + a.z * t.y, turn[0].last * t.x + b.x * t.y + b.y * t.z};
    }
    Vector3<Pack4> point_velocity(const Vector3<Pack4>& arm) const { return velocity.vector + cross(spin.vector, arm); }
};

/// z of both bodies of four contacts, out of the list and back.
template <bool kTwo>
struct ImpulseLanes
{
    std::span<CrowdImpulse> z;
    const CrowdGroup& group;
    Vector3<Pack4> linear[2], angular[2];

    ImpulseLanes(std::span<CrowdImpulse> list, const CrowdGroup& of) : z(list), group(of)
    {
        for (int side = kTwo ? 0 : 1; side < 2; ++side)
        {
            linear[side] = load_lanes([&](int k) { return body(side, k).linear; }).vector;
            angular[side] = load_lanes([&](int k) { return body(side, k).angular; }).vector;
        }
    }
    CrowdImpulse& body(int side, int k) const { return z[at((side == 0 ? group.first : group.second)[k])]; }

    /// Y z of one row.
    Pack4 multiply(const CrowdRows& rows, int r) const
    {
        Pack4 u = dot(rows.axis[r], rows.root_mass[1] * linear[1]) + dot(rows.turn[1][r], angular[1]);
        if constexpr (kTwo) u += dot(rows.turn[0][r], angular[0]) - dot(rows.axis[r], rows.root_mass[0] * linear[0]);
        return u;
    }
    /// z += Yᵀ change, of the first R rows.
    template <int R>
    void add(const CrowdRows& rows, const Pack4 (&change)[R])
    {
        Vector3<Pack4> push = change[0] * rows.axis[0];
        for (int r = 1; r < R; ++r) push += change[r] * rows.axis[r];
        linear[1] += rows.root_mass[1] * push;
        if constexpr (kTwo) linear[0] -= rows.root_mass[0] * push;
        for (int side = kTwo ? 0 : 1; side < 2; ++side)
        {
            for (int r = 0; r < R; ++r) angular[side] += change[r] * rows.turn[side][r];
            store_lanes({linear[side], Pack4(0.0)}, [&](int k) { return body(side, k).linear; });
            store_lanes({angular[side], Pack4(0.0)}, [&](int k) { return body(side, k).angular; });
        }
    }
};

}  // namespace

CrowdLaw::CrowdLaw(const Tree& tree, const Options& options) : options_(options), bodies_(tree)
{
    const auto places = at(bodies_.count()), dofs = at(tree.model->v_count());
    for (auto* list : {&z_, &push_z_}) list->resize(places);
    for (auto* list : {&work_, &square_}) list->resize(places);
    for (auto* list : {&force_, &change_}) list->resize(dofs);
    push_.resize(dofs + CrowdBodies::kPadding);
}

bool CrowdLaw::serves(const Tree& tree, const Options& options)
{
    const Model& model = *tree.model;
    const bool slides = std::all_of(model.materials.begin(), model.materials.end(),
                                    [](const MaterialOptions& material) { return material.dimension <= 3; });
    // With `discrete`, and with dampers and Euler's method, impulses act through a matrix that is not M.
    const bool damped = options.integrator == Integrator::euler && tree.damped && options.implicit_damping;
    return slides && options.integrator != Integrator::discrete && !damped && tree.lone_bodies.size() >= kLeastCrowd &&
           CrowdBodies::serves(tree);
}

void CrowdLaw::solve(Workspace<double>& w, std::span<const ContactSlot<double>> slots, const LaneShares<double>& shares,
                     double dt, int sweeps)
{
    // Who is where, and which contacts may be solved at once.
    bodies_.predict(w, dt);
    colours_.build(slots, bodies_.places(), bodies_.count());
    build(slots);
    // Impulses from zero, as z; then what bounds them, and what is left of overlaps.
    sweep(sweeps);
    limit_energy();
    find_push(Pack4(shares.kept));
    use_impulses(w, slots.size(), dt);
}

void CrowdLaw::build(std::span<const ContactSlot<double>> slots)
{
    const std::size_t count = colours_.groups().size(), grounded = colours_.first_grounded();
    rows_.resize(count);
    numbers_.resize(count);
    for (std::size_t g = 0; g < grounded; ++g) build_group<true>(slots, g);
    for (std::size_t g = grounded; g < count; ++g) build_group<false>(slots, g);
}

/// Rows y, their blocks of A, and u_s + c of four contacts.
template <bool kTwo>
void CrowdLaw::build_group(std::span<const ContactSlot<double>> slots, std::size_t index)
{
    const CrowdGroup& group = colours_.groups()[index];
    CrowdRows& rows = rows_[index];
    BlockNumbers<Pack4>& n = numbers_[index];
    n = {};
    const auto slot = [&](int k) -> const ContactSlot<double>& { return slots[at(group.slot[k])]; };
    const auto number = [&](double ContactSlot<double>::* member)
    { return gather_lanes([&](int k) { return slot(k).*member; }); };
    const auto vector = [&](const auto& get)
    {
        return Vector3<Pack4>{gather_lanes([&](int k) { return get(slot(k)).x; }),
                              gather_lanes([&](int k) { return get(slot(k)).y; }),
                              gather_lanes([&](int k) { return get(slot(k)).z; })};
    };
    const Pack4 sign = load_pack(group.sign);
    const auto acts = Pack4(Pack4::Lanes{0, 1, 2, 3}) < Pack4(group.count);
    for (int r = 0; r < 3; ++r) rows.axis[r] = sign * vector([r](const auto& s) { return s.axis[r]; });
    const Vector3<Pack4> point = vector([](const auto& s) { return s.point; });
    // Both bodies: y, and the velocity of the point without constraints.
    const SideLanes second(bodies_.list(), group.second);
    const Vector3<Pack4> arm = point - second.center.vector;
    Vector3<Pack4> velocity = second.point_velocity(arm) + sign * vector([](const auto& s) { return s.drift[0]; });
    rows.root_mass[1] = second.center.last;
    for (int r = 0; r < 3; ++r) rows.turn[1][r] = second.turned(cross(arm, rows.axis[r]));
    Pack4 inverse_mass = second.center.last * second.center.last;
    if constexpr (kTwo)
    {
        const SideLanes first(bodies_.list(), group.first);
        const Vector3<Pack4> first_arm = point - first.center.vector;
        velocity -= first.point_velocity(first_arm);
        rows.root_mass[0] = first.center.last;
        for (int r = 0; r < 3; ++r) rows.turn[0][r] = first.turned(cross(rows.axis[r], first_arm));
        inverse_mass += first.center.last * first.center.last;
    }
    // A = Y Yᵀ: axes are orthonormal, so that translations count on the diagonal alone.
    const auto product = [&](int r, int s)
    {
        Pack4 sum = dot(rows.turn[1][r], rows.turn[1][s]);
        if constexpr (kTwo) sum += dot(rows.turn[0][r], rows.turn[0][s]);
        return r == s ? sum + inverse_mass : sum;
    };
    for (int r = 0; r < 3; ++r) n.base[r] = dot(rows.axis[r], velocity);
    n.compliance[1] = number(&ContactSlot<double>::linear);
    n.bound = gather_lanes([&](int k) { return slot(k).friction[0]; });
    n.coupling[0] = product(0, 1);
    n.coupling[1] = product(0, 2);
    set_disc<Pack4>(product(1, 1) + n.compliance[1], product(1, 2), product(2, 2) + n.compliance[1], n);
    set_push<Pack4>({Pack4(1.0) / number(&ContactSlot<double>::compliance), number(&ContactSlot<double>::target),
                     number(&ContactSlot<double>::stop)},
                    number(&ContactSlot<double>::rest), product(0, 0), acts, n);
}

void CrowdLaw::sweep(int count)
{
    std::fill(z_.begin(), z_.end(), CrowdImpulse{});
    const std::size_t groups = rows_.size(), grounded = colours_.first_grounded();
    for (int k = 0; k + 1 < count; ++k)
    {
        for (std::size_t g = 0; g < grounded; ++g) step_group<true, false>(g);
        for (std::size_t g = grounded; g < groups; ++g) step_group<false, false>(g);
    }
    // The residual is that of the last sweep: the largest change of a velocity.
    measured_ = Pack4(0.0);
    for (std::size_t g = 0; g < grounded; ++g) step_group<true, true>(g);
    for (std::size_t g = grounded; g < groups; ++g) step_group<false, true>(g);
    residual_ = 0;
    for (int k = 0; k < 4; ++k) residual_ = std::max(residual_, lane(measured_, k));
}

/// New impulses of four contacts, and what they add to z; the residual where it is measured.
template <bool kTwo, bool kMeasured>
void CrowdLaw::step_group(std::size_t index)
{
    const CrowdRows& rows = rows_[index];
    BlockNumbers<Pack4>& n = numbers_[index];
    ImpulseLanes<kTwo> z(z_, colours_.groups()[index]);
    Pack4 u[3], f[3], change[3];
    for (int r = 0; r < 3; ++r) u[r] = z.multiply(rows, r);
    step_contact(n, u, f);
    for (int r = 0; r < 3; ++r)
    {
        change[r] = f[r] - n.impulse[r];
        n.impulse[r] = f[r];
        if constexpr (kMeasured) measured_ = maximum(measured_, absolute(change[r]) * n.mobility);
    }
    z.add(rows, change);
}

/// [place] fᵀ (u_s + c) and fᵀ (A + 1/Z) f, the second as |z|^2 + fᵀ f / Z; and which bodies touch each other.
void CrowdLaw::sum_energy()
{
    islands_.reset(work_.size());
    std::fill(work_.begin(), work_.end(), 0.0);
    for (std::size_t k = 0; k < z_.size(); ++k)
    {
        const auto &l = z_[k].linear, &a = z_[k].angular;
        square_[k] = l[0] * l[0] + l[1] * l[1] + l[2] * l[2] + a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    }
    for (std::size_t g = 0; g < rows_.size(); ++g)
    {
        const BlockNumbers<Pack4>& n = numbers_[g];
        const CrowdGroup& group = colours_.groups()[g];
        const auto& f = n.impulse;
        // Overlaps that stop have nothing to give.
        const Pack4 work = f[0] * n.stop_base + f[1] * n.base[1] + f[2] * n.base[2];
        const Pack4 square = f[0] * f[0] * n.stop_compliance + (f[1] * f[1] + f[2] * f[2]) * n.compliance[1];
        for (int k = 0; k < group.count; ++k)
        {
            work_[at(group.second[k])] += lane(work, k);
            square_[at(group.second[k])] += lane(square, k);
            if (group.first[k] > 0) islands_.join(group.first[k], group.second[k]);
        }
    }
}

/// Scales the impulses of an island back to where they do no more work than its overlaps have stored: README, "Energy".
void CrowdLaw::limit_energy()
{
    sum_energy();
    const int count = bodies_.count();
    // Sums of an island go to the first of its bodies, the scale comes back.
    for (int k = 1; k < count; ++k)
    {
        const int first = islands_.find(k);
        if (first == k) continue;
        work_[at(first)] += work_[at(k)];
        square_[at(first)] += square_[at(k)];
    }
    bool scaled = false;
    for (int k = 1; k < count; ++k)
    {
        const int first = islands_.find(k);
        double& scale = work_[at(k)];
        // Sweeps that have converged have s = 1; rounding must not scale them.
        if (first == k)
            scale = -scale >= square_[at(k)] * (1 - 1e-12) ? 1 : std::max(0.0, -scale / square_[at(k)]);
        else
            scale = work_[at(first)];
        scaled |= scale != 1;
    }
    if (!scaled) return;
    for (std::size_t g = 0; g < rows_.size(); ++g)
    {
        const CrowdGroup& group = colours_.groups()[g];
        const Pack4 scale = gather_lanes([&](int k) { return k < group.count ? work_[at(group.second[k])] : 1; });
        for (Pack4& impulse : numbers_[g].impulse) impulse *= scale;
    }
    for (int k = 1; k < count; ++k)
        for (int i = 0; i < 3; ++i)
        {
            z_[at(k)].linear[i] *= work_[at(k)];
            z_[at(k)].angular[i] *= work_[at(k)];
        }
}

/// What a step leaves of an overlap, u + c + f / Z < 0 of the normal.
template <bool kTwo>
void CrowdLaw::find_left(std::size_t index, const Pack4& kept)
{
    BlockNumbers<Pack4>& n = numbers_[index];
    const Pack4 zero(0.0);
    n.left = zero;
    n.push = zero;
    if (!any(n.overlap < zero)) return;
    const ImpulseLanes<kTwo> z(z_, colours_.groups()[index]);
    const Pack4 u = z.multiply(rows_[index], 0);
    const Pack4 left = minimum(zero, n.stop_base + u + n.overlap + n.rest * n.impulse[0] + kept);
    n.left = select(both(n.overlap<zero, n.inverse> zero), left, zero);
    if (any(n.left < zero)) pushing_.push_back(index);
}

/// A step of the same sweeps for (A + 1/Z) p = -left with p >= 0, without friction.
template <bool kTwo>
void CrowdLaw::step_push_out(std::size_t index)
{
    const CrowdRows& rows = rows_[index];
    BlockNumbers<Pack4>& n = numbers_[index];
    ImpulseLanes<kTwo> z(push_z_, colours_.groups()[index]);
    const Pack4 step = (n.left + z.multiply(rows, 0) + n.stop_compliance * n.push) * n.stop_inverse;
    const Pack4 next = select(n.left < Pack4(0.0), maximum(Pack4(0.0), n.push - step), Pack4(0.0));
    const Pack4 change[1] = {next - n.push};
    n.push = next;
    z.add(rows, change);
}

/// Impulses that would take what is left of overlaps after the step, by as many sweeps over the normals alone.
/// A slop is kept, as contacts at rest need one: the share of it that this step would take.
void CrowdLaw::find_push(const Pack4& kept)
{
    const std::size_t grounded = colours_.first_grounded();
    pushing_.clear();
    for (std::size_t g = 0; g < grounded; ++g) find_left<true>(g, kept);
    for (std::size_t g = grounded; g < rows_.size(); ++g) find_left<false>(g, kept);
    if (pushing_.empty()) return;
    std::fill(push_z_.begin(), push_z_.end(), CrowdImpulse{});
    for (int k = 0; k < options_.sweeps; ++k)
        for (const std::size_t g : pushing_) g < grounded ? step_push_out<true>(g) : step_push_out<false>(g);
}

/// v+ = v_s + M^-1 Jᵀf (Eq. 9), as an acceleration; Jᵀf; impulses by slot; and the velocity w of the poses.
void CrowdLaw::use_impulses(Workspace<double>& w, std::size_t slot_count, double dt)
{
    bodies_.find_change(w, z_, change_);
    bodies_.find_force(w, z_, change_, 1 / dt, force_);
    for (std::size_t d = 0; d < change_.size(); ++d) w.qacc[d] += (1 / dt) * change_[d];
    impulses_.resize(slot_count);
    for (std::size_t g = 0; g < rows_.size(); ++g)
    {
        const CrowdGroup& group = colours_.groups()[g];
        const auto& f = numbers_[g].impulse;
        for (int k = 0; k < group.count; ++k)
            impulses_[at(group.slot[k])] = {lane(f[0], k), lane(f[1], k), lane(f[2], k)};
    }
    if (!pushing_.empty()) bodies_.find_change(w, push_z_, push_);
}

void CrowdLaw::push_out(Workspace<double>& w, double dt)
{
    // q+ = q (+) h v+ (+) h w: positions alone, no velocity is left over.
    if (!pushing_.empty()) bodies_.advance(push_, dt, w);
}

}  // namespace rattleback::comfree
