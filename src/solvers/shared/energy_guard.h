// EnergyGuard: judges a step by the mechanical energy that it would leave, so that no step makes energy out of nothing.
#pragma once

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "solvers/shared/tree_groups.h"

#include <rattleback/solver.h>

#include <string>

namespace rattleback
{

/// How strictly a world's energy can be kept account of.
enum class EnergyAccount
{
    exact,   ///< nothing drives it: energy never rises, but for what first overlaps give
    driven,  ///< what actuators, forces from outside and wind give is known, and moving bodies' and surfaces' is
             ///< bounded
    loose,   ///< what is given is not known: see find_hidden_work()
};

/// What gives a model work that is not known, as a phrase with the element's name; empty: nothing does. Adhesion,
/// dampers and dry friction that drive.
std::string find_hidden_work(const Model& model);

/// The account of one world's step. An exact world has a reference energy that only falls, with a lag and by no more
/// than what dampers take where nothing else dissipates: contacts and limits may give back what they took within some
/// hundred steps, and the swing of an integrator's error lowers nothing. A step may leave the reference and 1/200 of
/// the energy at hand; one that is above is refused. What its parts have too much is taken from the relative motion of
/// the groups of trees that gained (tree_groups.h). Driven worlds are looked at only where a step gains much
/// kinetic energy; the work of their inputs is added to the reference.
class EnergyGuard final : public StepJudge
{
public:
    /// `owns_bodies`: the solver writes bodies, and joint coordinates follow from them.
    EnergyGuard(const Tree& tree, bool owns_bodies);

    /// A step of `world`, which is looked at until finish().
    void begin(const StepInput& input, const ConstWorldView& world, const EnergyLedger& ledger);
    /// Where the begin of the step is to be found from now on, with the same numbers.
    void move_start(const ConstWorldView& world) { start_ = world; }
    bool looks(const KineticChange& kinetic) override;
    WorldView candidate() override { return scratch_.world(); }
    bool accepts(std::span<const Contact> contacts) override;

    bool refused() const { return refused_; }
    /// Whether more than a trim was taken from the last part.
    bool slowed() const { return slowed_; }

    /// The candidate is the end of a part that began at `part_begin`, with `contacts`: groups that nothing outside acts
    /// on get the momenta that gravity leaves them.
    void keep_momenta(const ConstWorldView& part_begin, double part_dt, std::span<const Contact> contacts);
    /// Judges what happened since `begin`, `elapsed` [s] after the step's begin, and takes a little energy where that
    /// is enough. `last_resort`: takes all that is too much; of groups whose rigid motion or potential energy alone is
    /// too much the part does not happen, and they go on rigidly. The energy that this took [J].
    double judge_part(const ConstWorldView& begin, double elapsed, std::span<const Contact> contacts, bool last_resort);
    /// Of a part that has no answer in numbers: everything is where the part began. The group of `culprit_body` (none:
    /// all) goes on as if it were rigid, what is held rests. The energy that this took [J].
    double hold(const ConstWorldView& part_begin, BodyId culprit_body, std::span<const Contact> contacts);

    /// Whether bodies at rest in `world` would stay within all bounds if nothing touched: then a step that diverges has
    /// failed in its rows or by its speed, and not for what it was given.
    bool is_sound_at_rest(const ConstWorldView& world);
    /// The account after a step that was committed, with a look or without; `world` is as it left it.
    void finish(const ConstWorldView& world, EnergyLedger& ledger) const;

private:
    EnergyAccount choose_account() const;
    double find_signature(const ConstWorldView& world) const;
    double find_drive_speed();
    double find_stored_energy(std::span<const Contact> contacts);
    double find_tie_energy();
    void place_bodies(WorldView world) const;
    Energy find_energy(WorldView world) const;
    Energy find_start_energy();
    void find_drive(const ConstWorldView& world, std::vector<double>& force);
    double find_wind_work();
    double find_work();
    double find_fall() const;
    double find_ceiling() const;
    double find_loss(std::span<const Contact> contacts) const;
    void measure(std::span<const Contact> contacts);
    void split_excess(double excess);
    void refuse();
    double remove_excess(const ConstWorldView& begin, std::span<const Contact> contacts, bool last_resort);
    void make_rigid(int group);

    const Tree& tree_;
    bool loose_model_, lossy_model_;
    bool owns_bodies_;
    double mass_ = 0;                ///< of all that moves [kg]
    double mass_height_ = 0;         ///< the same times one metre, or the size of the body where that is more [kg m]
    std::vector<double> tree_mass_;  ///< [body] of the tree that the body is part of; 0: it does not move
    State scratch_, start_scratch_;
    Workspace<double> probe_;
    TreeGroups groups_;
    std::vector<Energy> begin_energy_, end_energy_;  ///< [body]
    struct GroupAccount
    {
        double gain = 0, kinetic = 0, internal = 0;  ///< kinetic: of which internal is not the rigid motion's [J]
        double take = 0;                             ///< [J]
        RigidMotion motion;
    };
    std::vector<GroupAccount> group_;  ///< [tree] of groups' names
    std::vector<double> start_force_, end_force_;
    std::vector<KinematicMotion> motions_;
    KineticChange kinetic_;

    const StepInput* input_ = nullptr;
    ConstWorldView start_;
    EnergyLedger ledger_;
    double before_work_ = 0, begin_scale_ = 0;  ///< reference and scale at the begin of the step
    double drive_speed_ = 0;                    ///< of what moves by itself [m/s]
    double allowance_ = 0;                      ///< what that may give in the step [J]
    double elapsed_ = 0;                        ///< of the step, at the candidate [s]
    double loss_ = 0;                           ///< bound on what was dissipated in the step [J]
    bool goes_on_ = false;                      ///< the state is as the last step left it
    bool begins_ = false;                       ///< the account begins with this step
    EnergyAccount account_ = EnergyAccount::exact;
    bool looked_ = false, refused_ = false, slowed_ = false;
    bool troubled_ = false;  ///< a candidate of this step was refused or slowed, or the last step gained unseen
    Energy energy_;
};

}  // namespace rattleback
