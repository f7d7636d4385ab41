// The account of a step's mechanical energy, and what is taken where there is too much.
#include "solvers/shared/energy_guard.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/guarded_solver.h"
#include "solvers/shared/state_mark.h"

#include "base/index.h"
#include "dynamics/energy.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/refresh.h"
#include "math/finite.h"
#include "math/zero.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

constexpr double kTolerance = 0.005;      // of the energy at hand, for exact accounts
constexpr double kDrivenTolerance = 0.1;  // of the largest kinetic energy of late
constexpr double kFast = 40;              // driven: [J/kg] as of 9 m/s, beyond which all steps are looked at
constexpr double kLooseGrowth = 1e3;      // of the same, in one step
constexpr int kKnownButStores = 2;        // EnergyLedger::known: but for what was stored by what moves by itself
constexpr double kForget = 1.0 / 256;     // by which a reference falls towards the energy, per step
constexpr int kWatch = 256;               // driven: steps that are all looked at once one was refused
constexpr double kTrim = 2e-3;   // of the relative motion's energy: what a step may lose and still count as taken
constexpr double kQuiet = 0.02;  // driven: of the change of velocity, in kinetic energy, that is let go

/// [body] mass of the tree that the body belongs to; 0 where nothing moves it.
std::vector<double> find_tree_masses(const Model& model)
{
    std::vector<double> sum(at(model.body_count())), mass(at(model.body_count()));
    std::vector<int> root(at(model.body_count()));
    for (int b = 1; b < model.body_count(); ++b)
    {
        const int parent = model.bodies.parent[at(b)];
        root[at(b)] = model.bodies.last_dof[at(parent)] < 0 ? b : root[at(parent)];
        sum[at(root[at(b)])] += model.bodies.mass[at(b)];
    }
    for (int b = 1; b < model.body_count(); ++b)
        if (model.bodies.last_dof[at(b)] >= 0) mass[at(b)] = sum[at(root[at(b)])];
    return mass;
}

/// Whether energy may be lost in other ways than in the linear dampers of joints.
bool dissipates_anyhow(const Model& model)
{
    const auto any = [](const std::vector<double>& list)
    { return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; }); };
    const auto bends = [](const std::array<double, 2>& t) { return t[0] != 0 || t[1] != 0; };
    const auto& curved = model.dofs.damping_polynomial;
    const auto yields = [](int begin) { return begin >= 0; };
    const auto& plastic = model.joints.plastic_begin;
    return any(model.dofs.dry_friction) || model.tendon_count() > 0 ||
           std::any_of(curved.begin(), curved.end(), bends) || model.settings.medium.density > 0 ||
           model.settings.medium.viscosity > 0 || std::any_of(plastic.begin(), plastic.end(), yields);
}

}  // namespace

EnergyGuard::EnergyGuard(const Tree& tree, bool owns_bodies)
    : tree_(tree),
      loose_model_(!find_hidden_work(*tree.model).empty()),
      lossy_model_(dissipates_anyhow(*tree.model)),
      owns_bodies_(owns_bodies),
      tree_mass_(find_tree_masses(*tree.model)),
      scratch_(*tree.model),
      start_scratch_(*tree.model),
      probe_(tree),
      groups_(tree),
      begin_energy_(at(tree.model->body_count())),
      end_energy_(at(tree.model->body_count())),
      group_(at(groups_.tree_count())),
      start_force_(at(tree.model->v_count())),
      end_force_(at(tree.model->v_count())),
      motions_(tree.kinematic_bodies.size())
{
    const Model& model = *tree.model;
    std::vector<double> height(at(model.body_count()), 1.0);
    for (int s = 0; s < model.shape_count(); ++s)
    {
        double& least = height[at(model.shapes.body[at(s)])];
        least = std::max(least, model.shapes.bounding_radius[at(s)]);
    }
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[at(b)] < 0) continue;
        mass_ += model.bodies.mass[at(b)];
        mass_height_ += model.bodies.mass[at(b)] * height[at(b)];
    }
}

void EnergyGuard::begin(const StepInput& input, const ConstWorldView& world, const EnergyLedger& ledger)
{
    input_ = &input;
    start_ = world;
    ledger_ = ledger;
    looked_ = refused_ = slowed_ = troubled_ = false;
    allowance_ = loss_ = 0;
    elapsed_ = input.dt;
    kinetic_ = {};
    drive_speed_ = find_drive_speed();
    account_ = choose_account();
    // The state was written to, or gravity or switches changed: what was known is no longer so.
    goes_on_ = ledger_.signature == find_signature(world);
    if (!goes_on_) ledger_.known = 0;
}

double EnergyGuard::find_signature(const ConstWorldView& world) const
{
    return mark_state(world, input_->parameters.find_gravity(*tree_.model), input_->control.equality_active);
}

EnergyAccount EnergyGuard::choose_account() const
{
    const ControlView& control = input_->control;
    const Model& model = *tree_.model;
    if (loose_model_) return EnergyAccount::loose;
    const bool windy = !tree_.fluid_parts.empty() && model.settings.medium.wind != Vec3{};
    if (model.actuator_count() > 0 || drive_speed_ > 0 || windy) return EnergyAccount::driven;
    const bool free = are_zero<double>(control.joint_force) && are_zero<Wrench>(control.body_wrench);
    return free ? EnergyAccount::exact : EnergyAccount::driven;
}

bool EnergyGuard::looks(const KineticChange& kinetic)
{
    kinetic_ = kinetic;
    if (account_ == EnergyAccount::exact || ledger_.watch > 0) return true;
    const double much = kDrivenTolerance * std::max(ledger_.scale, find_fall());
    if (account_ == EnergyAccount::driven)
    {
        // Links that turn by radians in a step gain by M(q') - M(q), which the step's own M does not show but the next
        // one's does: from there on the account has no gaps.
        if (goes_on_ && !(kinetic.before - ledger_.scale <= much)) troubled_ = true;
        // A tenth per step is a thousandfold in 70 steps. Few robots are as fast as this on the whole; those that are
        // pay for the look, a twentieth to a fifth of their steps' time.
        if (troubled_ || !(std::max(kinetic.before, kinetic.after) <= kFast * mass_)) return true;
    }
    // A look costs as much as a step, and inputs that change all the time would want one at every step: what gains less
    // than it may gain at once is let go. Written so that what is no number is looked at.
    return !(kinetic.after - kinetic.before <= much);
}

/// Bodies of solvers in joint coordinates follow q and v.
void EnergyGuard::place_bodies(WorldView world) const
{
    if (!owns_bodies_) refresh_bodies(tree_, world);
}

Energy EnergyGuard::find_energy(WorldView world) const
{
    place_bodies(world);
    return compute_energy(*tree_.model, world, input_->parameters);
}

Energy EnergyGuard::find_start_energy()
{
    copy_world(start_, start_scratch_.world());
    return find_energy(start_scratch_.world());
}

/// Energies are judged beside what a fall gives, by one metre or by a body's own size: at rest there is none to compare
/// them with.
double EnergyGuard::find_fall() const { return mass_height_ * norm(input_->parameters.find_gravity(*tree_.model)); }

/// The most that was dissipated in the step: what dampers took, as long as nothing else touches, binds or resists.
double EnergyGuard::find_loss(std::span<const Contact> contacts) const
{
    const Model& model = *tree_.model;
    const double unknown = std::numeric_limits<double>::infinity();
    if (account_ != EnergyAccount::exact || lossy_model_ || !contacts.empty()) return unknown;
    const std::span<const int> given = input_->control.equality_active;
    for (const int active : given.empty() ? std::span<const int>(model.equalities.active) : given)
        if (active != 0) return unknown;
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const Range& range = model.joints.range[at(j)];
        if (!range.limited) continue;
        const JointType type = model.joints.type[at(j)];
        if (type != JointType::hinge && type != JointType::slide) return unknown;
        const double q = scratch_.q[at(model.joints.q_begin[at(j)])], margin = model.joints.margin[at(j)];
        if (q < range.lower + margin || q > range.upper - margin) return unknown;
    }
    double loss = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        const double fastest = std::max(std::abs(start_.v[at(d)]), std::abs(scratch_.v[at(d)]));
        loss += model.dofs.damping[at(d)] * fastest * fastest * input_->dt;
    }
    return loss;
}

/// The energy that the candidate may have.
double EnergyGuard::find_ceiling() const
{
    const double fall = find_fall();
    const double grain = 1e-10 * std::abs(energy_.potential);
    switch (account_)
    {
        case EnergyAccount::exact:
            return ledger_.reference + kTolerance * std::max(ledger_.scale, fall) + grain;
        case EnergyAccount::driven:
            return ledger_.reference + kDrivenTolerance * std::max(ledger_.scale, fall) + kQuiet * kinetic_.change +
                   allowance_ + grain;
        default:
            // One joule per kilogram, from where everything may start.
            return ledger_.reference + kLooseGrowth * (ledger_.scale + mass_);
    }
}

/// Energy of the candidate, and the reference that it is judged by.
void EnergyGuard::measure(std::span<const Contact> contacts)
{
    energy_ = find_energy(scratch_.world());
    if (!looked_)
    {
        looked_ = true;
        if (ledger_.known == 0)
        {
            const Energy start = find_start_energy();
            ledger_.reference = start.total() + find_stored_energy(contacts);
            if (account_ == EnergyAccount::exact) ledger_.scale = ledger_.reference - start.potential;
        }
        // What moved by itself may have stretched or pressed something: that is known now.
        if (ledger_.known == kKnownButStores)
            ledger_.reference = std::max(ledger_.reference, find_start_energy().total() + find_stored_energy(contacts));
        if (account_ != EnergyAccount::exact) ledger_.scale = std::max(ledger_.scale, kinetic_.before);
        before_work_ = ledger_.reference;
        begin_scale_ = ledger_.scale;
        begins_ = ledger_.known == 0;
        // What moves at u by itself throws a mass m that comes with v back with 2 u + v at most: it gives 2 m u (v +
        // u), over all masses by Cauchy's inequality no more than this.
        if (drive_speed_ > 0)
            allowance_ =
                2 * drive_speed_ * (std::sqrt(2 * mass_ * std::max(0.0, kinetic_.before)) + mass_ * drive_speed_);
    }
    if (account_ == EnergyAccount::exact)
    {
        // What lies deep all at once is no fall: a step does not make its own tolerance.
        const double most = begins_ ? std::numeric_limits<double>::infinity() : 4 * begin_scale_;
        ledger_.scale = std::max(begin_scale_, std::min(most, ledger_.reference - energy_.potential));
    }
    else if (account_ == EnergyAccount::driven)
        ledger_.reference = before_work_ + find_work();
}

bool EnergyGuard::accepts(std::span<const Contact> contacts)
{
    measure(contacts);
    // Written so that energies that are no numbers are refused.
    refused_ = !(energy_.total() <= find_ceiling());
    if (refused_)
        refuse();
    else
        loss_ = find_loss(contacts);
    return !refused_;
}

/// Numbers of a step that is not taken judge no other.
void EnergyGuard::refuse()
{
    refused_ = troubled_ = true;
    kinetic_.change = 0;
    ledger_.scale = begin_scale_;
}

double EnergyGuard::judge_part(const ConstWorldView& begin, double elapsed, std::span<const Contact> contacts,
                               bool last_resort)
{
    elapsed_ = elapsed;
    measure(contacts);
    refused_ = slowed_ = false;
    loss_ = find_loss(contacts);
    if (energy_.total() <= find_ceiling()) return 0;
    troubled_ = true;
    const double removed = remove_excess(begin, contacts, last_resort);
    if (removed < 0) refuse();
    return std::max(0.0, removed);
}

/// How much of the excess each group has to give: those that gained by what they gained; where that is not all, the
/// rest by what they have.
void EnergyGuard::split_excess(double excess)
{
    double gains = 0, internal = 0;
    for (int g = 0; g < groups_.tree_count(); ++g)
    {
        if (!groups_.is_group(g)) continue;
        gains += std::max(0.0, group_[at(g)].gain);
        internal += group_[at(g)].internal;
    }
    const double of_gains = gains > excess ? excess / gains : 1;
    const double rest = std::max(0.0, excess - gains);
    for (int g = 0; g < groups_.tree_count(); ++g)
    {
        GroupAccount& group = group_[at(g)];
        group.take = of_gains * std::max(0.0, group.gain);
        if (rest > 0 && internal > 0) group.take += rest * group.internal / internal;
    }
}

/// Takes from the candidate what is too much; what that was. Negative: more than a trim would be wanted, and nothing
/// was done.
double EnergyGuard::remove_excess(const ConstWorldView& begin, std::span<const Contact> contacts, bool last_resort)
{
    const Model& model = *tree_.model;
    copy_world(begin, start_scratch_.world());
    place_bodies(start_scratch_.world());
    groups_.join(contacts, input_->control);
    for (auto* list : {&begin_energy_, &end_energy_}) std::fill(list->begin(), list->end(), Energy{});
    add_body_energies(model, start_scratch_.world(), input_->parameters, begin_energy_);
    add_body_energies(model, scratch_.world(), input_->parameters, end_energy_);
    std::fill(group_.begin(), group_.end(), GroupAccount{});
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (groups_.tree_of_body(b) < 0) continue;
        GroupAccount& group = group_[at(groups_.group_of(groups_.tree_of_body(b)))];
        group.gain += end_energy_[at(b)].total() - begin_energy_[at(b)].total();
        group.kinetic += end_energy_[at(b)].kinetic;
    }
    for (int g = 0; g < groups_.tree_count(); ++g)
    {
        if (!groups_.is_group(g)) continue;
        GroupAccount& group = group_[at(g)];
        group.motion = groups_.find_rigid_motion(g, scratch_.world(), input_->parameters);
        group.internal = std::max(0.0, group.kinetic - group.motion.kinetic);
    }
    split_excess(energy_.total() - find_ceiling());
    // Written so that what is no number is more than there is.
    const auto can_give = [&](const GroupAccount& group, double share) { return group.take <= share * group.internal; };
    slowed_ = !std::all_of(group_.begin(), group_.end(), [&](const auto& group) { return can_give(group, kTrim); });
    if (!last_resort && slowed_) return -1;
    for (int g = 0; g < groups_.tree_count(); ++g)
    {
        const GroupAccount& group = group_[at(g)];
        if (!groups_.is_group(g) || group.take == 0) continue;
        if (!can_give(group, 1))
            make_rigid(g);
        else
            groups_.change_velocities(g, group.motion, group.motion, std::sqrt(1 - group.take / group.internal),
                                      scratch_.world());
    }
    const double before = energy_.total();
    energy_ = compute_energy(model, scratch_.world(), input_->parameters);
    return std::max(0.0, before - energy_.total());
}

/// The group is where the part began, and goes on with its momenta, but as if it were rigid.
void EnergyGuard::make_rigid(int group)
{
    groups_.restore(group, start_scratch_.world(), scratch_.world());
    const RigidMotion motion = groups_.find_rigid_motion(group, start_scratch_.world(), input_->parameters);
    groups_.change_velocities(group, motion, motion, 0, scratch_.world());
}

void EnergyGuard::keep_momenta(const ConstWorldView& part_begin, double part_dt, std::span<const Contact> contacts)
{
    groups_.join(contacts, input_->control);
    copy_world(part_begin, start_scratch_.world());
    place_bodies(start_scratch_.world());
    place_bodies(scratch_.world());
    for (int g = 0; g < groups_.tree_count(); ++g)
    {
        if (!groups_.is_group(g) || !groups_.is_isolated(g, input_->control)) continue;
        const RigidMotion before = groups_.find_rigid_motion(g, start_scratch_.world(), input_->parameters);
        const RigidMotion now = groups_.find_rigid_motion(g, scratch_.world(), input_->parameters);
        if (!(now.mass > 0)) continue;
        const Wrench weight = groups_.find_weight(g, before.center, start_scratch_.world(), input_->parameters);
        RigidMotion kept = now;
        kept.velocity.linear += (1 / now.mass) * (before.linear + part_dt * weight.force - now.linear);
        kept.velocity.angular += solve_or_zero(now.inertia, before.angular + part_dt * weight.torque - now.angular);
        groups_.change_velocities(g, now, kept, 1, scratch_.world());
    }
}

double EnergyGuard::hold(const ConstWorldView& part_begin, BodyId culprit_body, std::span<const Contact> contacts)
{
    copy_world(part_begin, scratch_.world());
    copy_world(part_begin, start_scratch_.world());
    place_bodies(start_scratch_.world());
    measure(contacts);
    groups_.join(contacts, input_->control);
    const int tree = culprit_body.valid() ? groups_.tree_of_body(culprit_body.index) : -1;
    for (int g = 0; g < groups_.tree_count(); ++g)
        if (groups_.is_group(g) && (tree < 0 || groups_.group_of(tree) == g)) make_rigid(g);
    const double before = energy_.total();
    energy_ = find_energy(scratch_.world());
    troubled_ = slowed_ = true;
    refused_ = false;
    loss_ = std::numeric_limits<double>::infinity();
    return std::max(0.0, before - energy_.total());
}

bool EnergyGuard::is_sound_at_rest(const ConstWorldView& world)
{
    const auto are_finite = [](const auto& list)
    { return std::all_of(list.begin(), list.end(), [](const auto& x) { return is_finite(x); }); };
    // What only contacts read.
    if (!are_finite(input_->control.surface_velocity) || !are_finite(input_->control.target)) return false;
    if (!are_finite(input_->parameters.friction)) return false;
    copy_world(world, start_scratch_.world());
    std::fill(start_scratch_.v.begin(), start_scratch_.v.end(), 0.0);
    find_drive(start_scratch_.world(), end_force_);
    factor_mass_matrix(probe_);
    std::copy(probe_.total.begin(), probe_.total.end(), probe_.qacc.begin());
    solve_in_place<double>(probe_, probe_.qacc);
    double fastest = 0, farthest = 0;
    for (std::size_t d = 0; d < world.v.size(); ++d)
    {
        // Written so that what is no number is not sound.
        if (!is_sound_speed(std::abs(world.v[d]) + input_->dt * std::abs(probe_.qacc[d]))) return false;
        fastest = std::max(fastest, std::abs(world.v[d]));
    }
    for (const double q : world.q)
    {
        if (!is_sound_distance(q)) return false;
        farthest = std::max(farthest, std::abs(q));
    }
    return is_sound_distance(farthest + input_->dt * fastest);
}

void EnergyGuard::finish(const ConstWorldView& world, EnergyLedger& ledger) const
{
    const int level = ledger.level;
    ledger = ledger_;
    ledger.level = level;
    // After trouble every step is looked at for a while, so that the account has no gaps.
    ledger.watch = troubled_ ? kWatch : std::max(0, ledger.watch - 1);
    ledger.known = !looked_ ? 0 : allowance_ > 0 ? kKnownButStores : 1;
    // What moves by itself gave what was gained, up to its bound.
    if (looked_)
        ledger.reference = std::max(ledger.reference, std::min(energy_.total(), ledger.reference + allowance_));
    // Bodies that sink into each other for seconds are put back to their heights (owns_bodies): their reference stays.
    // A swing within the tolerance lowers nothing.
    const double slack = account_ == EnergyAccount::exact ? kTolerance * std::max(ledger.scale, find_fall()) : 0;
    const double gap = ledger.reference - slack - energy_.total();
    if (looked_ && !owns_bodies_ && gap > 0) ledger.reference -= std::min(kForget * gap, loss_);
    if (account_ != EnergyAccount::exact)
        ledger.scale = std::max((1 - kForget) * ledger.scale, looked_ ? energy_.kinetic : kinetic_.after);
    ledger.signature = find_signature(world);
}

}  // namespace rattleback
