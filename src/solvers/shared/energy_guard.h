// EnergyGuard: judges a step by the mechanical energy that it would leave, so that no step makes energy out of nothing.
#pragma once

#include "dynamics/forces.h"

#include <rattleback/solver.h>

namespace rattleback
{

/// How strictly a world's energy can be kept account of.
enum class EnergyAccount
{
    exact,   ///< nothing drives it: energy never rises, but for what first overlaps give
    driven,  ///< actuators and forces from outside do work, which is known
    loose,   ///< ties, moving or running bodies, adhesion, media: what they give is not known
};

/// The account of one world's step. An exact world has a reference energy that only falls: it follows the energy down
/// with a lag, so that soft contacts and limits may give back what they took within some hundred steps. A step is
/// refused where it would leave more than the reference and 1/200 of the energy at hand. Driven worlds are looked at
/// only where a step gains much kinetic energy; the work of their inputs is added to the reference.
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
    /// Slows the last candidate, which was refused, down to the energy that it may have; the energy that this took [J].
    /// Negative: it lies too high even at rest, and is as it was.
    double limit_candidate();
    /// Takes the candidate, which is at rest, as it is; the energy that the one before had above it [J].
    double judge_rest(std::span<const Contact> contacts);
    /// Whether bodies at rest in `world` would stay within all bounds if nothing touched: then a step that diverges has
    /// failed in its rows or by its speed, and not for what it was given.
    bool is_sound_at_rest(const ConstWorldView& world);
    /// The account after a step that was committed, with a look or without; `world` is as it left it.
    void finish(const ConstWorldView& world, EnergyLedger& ledger) const;

private:
    EnergyAccount choose_account() const;
    double find_stored_energy(std::span<const Contact> contacts) const;
    Energy find_energy(WorldView world) const;
    Energy find_start_energy();
    void find_drive(const ConstWorldView& world, std::vector<double>& force);
    double find_work();
    double find_fall() const;
    double find_ceiling() const;

    const Tree& tree_;
    bool loose_model_;
    bool owns_bodies_;
    double mass_ = 0;                ///< of all that moves [kg]
    double mass_height_ = 0;         ///< the same times one metre, or the size of the body where that is more [kg m]
    std::vector<double> tree_mass_;  ///< [body] of the tree that the body is part of; 0: it does not move
    State scratch_, start_scratch_;
    Workspace<double> probe_;
    std::vector<double> start_force_, end_force_;
    KineticChange kinetic_;

    const StepInput* input_ = nullptr;
    ConstWorldView start_;
    EnergyLedger ledger_;
    double before_work_ = 0, begin_scale_ = 0;  ///< reference and scale at the begin of the step
    bool goes_on_ = false;                      ///< the state is as the last step left it
    bool begins_ = false;                       ///< the account begins with this step
    EnergyAccount account_ = EnergyAccount::exact;
    bool looked_ = false, refused_ = false;
    bool troubled_ = false;  ///< a candidate of this step was refused, or the last step gained unseen
    Energy energy_;
};

}  // namespace rattleback
