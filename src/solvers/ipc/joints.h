// Joints in a step: rows held by an augmented Lagrangian, and energies along the coordinates that are left.
#pragma once

#include "solvers/ipc/dof_energy.h"
#include "solvers/ipc/measure.h"

namespace rattleback::ipc
{

/// Drives of the step: those of coordinate d are begin[d] to begin[d + 1] in items.
struct DriveList
{
    std::vector<int> begin;  ///< [dofs + 1] of JointLayout::dofs
    std::vector<Drive> items;
};

/// An energy of the angle of R_first C R_secondᵀ: of balls, and of the rotation of free joints.
struct TurnTerm
{
    int ball = -1;      ///< in JointLayout::balls
    Quat turn;          ///< C
    double weight = 0;  ///< of angle^2 / 2; 0: dry friction or a limit
    double friction = 0, slow = 1, friction_curvature = 0;
    Bound limit;  ///< on the angle
    double largest = 0;
};

class Joints
{
public:
    explicit Joints(const Layout& layout);

    /// A new step: what acts along the coordinates. `multipliers` are those of the step before [N, N m].
    void begin(const Model& model, const StepInput& input, const ConstWorldView& world, std::span<const Body> bodies,
               const DriveList& drives, std::span<const double> multipliers);
    /// No joints act: for questions about places alone.
    void clear() { is_on_ = false; }
    bool empty() const { return !is_on_; }

    /// Calls add(first group, second group, value) for every term.
    template <class Add>
    void add_values(std::span<const Placement> placements, const Add& add) const;
    /// Gradient and Hessian; `is_exact`: with the terms that turn with the groups, which may be negative.
    void assemble(std::span<const Placement> placements, bool is_exact, std::span<Vector6> gradient,
                  BlockCholesky& hessian) const;
    /// Calls note(first group, second group) for every block.
    template <class Note>
    void note_pairs(const Note& note) const;

    /// Quadratic models of friction, as those of contacts: tangents, then chords. False if chords change little.
    void set_tangents(std::span<const Placement> placements);
    bool set_chords(std::span<const Placement> placements, std::span<const Vector6> direction);

    /// What of the held rows' forces a straight model of them leaves out when the groups move along `direction` to
    /// `trial`: k Jᵀ (c(trial) - c - J d).
    void find_bend(std::span<const Placement> placements, std::span<const Placement> trial,
                   std::span<const Vector6> direction, std::span<Vector6> force) const;

    /// The largest opening of a held row or violation of a limit [m], turns by their arm.
    double find_error(std::span<const Placement> placements) const;
    /// Multipliers take over the forces of the penalties.
    void raise_multipliers(std::span<const Placement> placements);
    /// Penalties of this step grow: where contacts are stiffer than they are, multipliers alone close joints slowly.
    void stiffen(double factor);
    /// As begin() takes them [N, N m].
    void store(std::span<const Placement> placements, std::span<double> multipliers) const;

    /// The largest acceleration that forces and drives along coordinates give what they move [m/s^2].
    double find_acceleration() const;

    /// q and v of hinges, slides and balls.
    void write(std::span<const Placement> placements, std::span<const Velocity> velocities,
               const WorldView& world) const;
    /// Forces of limits and equalities, for sensors.
    void write_forces(const Model& model, std::span<const Placement> placements, std::span<const double> multipliers,
                      ConstraintForces& forces) const;

    /// Penalty times h^2 over the mass that a row moves.
    static constexpr double kStiffness = 1e4;

private:
    struct Row
    {
        double weight = 0;      ///< h^2 times the penalty; 0: switched off
        double multiplier = 0;  ///< h^2 times the force
        double target = 0;      ///< soft rows: where their energy is least
    };
    double find_q(std::size_t dof, const Placement& first, const Placement& second) const;
    Jet find_energy(std::size_t dof, double q) const;
    double find_turn_value(const TurnTerm& term, double angle) const;
    void begin_rows(const Model& model, const StepInput& input, std::span<const Body> bodies,
                    std::span<const double> multipliers);
    void begin_dofs(const Model& model, const StepInput& input, const ConstWorldView& world,
                    std::span<const double> multipliers);
    void begin_balls(const Model& model, const ConstWorldView& world, std::span<const Body> bodies,
                     std::span<const double> multipliers);
    void assemble_coupling(std::size_t index, std::span<const Placement> placements, bool is_exact,
                           std::span<Vector6> gradient, BlockCholesky& hessian) const;
    /// Value of a coupling and its derivative by the second coordinate.
    struct CouplingPoint
    {
        double value = 0, slope = 0, curvature = 0;
    };
    CouplingPoint find_coupling(const Coupling& coupling, double first, double second) const;
    double find_coupling_value(std::size_t index, std::span<const Placement> placements) const;
    RowPair rows_of(int first, int second) const;

    const Layout& layout_;
    const JointLayout& joints_;
    bool is_on_ = false;
    double dt_ = 0;
    std::vector<Row> rows_;     ///< [holds], then [couplings]
    std::vector<DofLaw> laws_;  ///< [dofs]
    std::vector<TurnTerm> turns_;
    const DriveList* drives_ = nullptr;
    std::vector<double> reference_;  ///< [dofs] q0
    std::vector<double> forces_;     ///< scratch, as multipliers
};

template <class Add>
void Joints::add_values(std::span<const Placement> placements, const Add& add) const
{
    if (!is_on_) return;
    const auto at_group = [&](int g) -> const Placement& { return placements[at(g)]; };
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        const Measure& m = joints_.holds[i].measure;
        const double c = find_measure(m, at_group(m.first), at_group(m.second)) - rows_[i].target;
        add(m.first, m.second, (rows_[i].multiplier + 0.5 * rows_[i].weight * c) * c);
    }
    for (std::size_t i = 0; i < joints_.couplings.size(); ++i)
    {
        const Measure& m = joints_.dofs[at(joints_.couplings[i].first)].measure;
        const Row& row = rows_[joints_.holds.size() + i];
        const double c = find_coupling_value(i, placements);
        add(m.first, m.second, (row.multiplier + 0.5 * row.weight * c) * c);
    }
    for (std::size_t i = 0; i < joints_.dofs.size(); ++i)
    {
        const Measure& m = joints_.dofs[i].measure;
        add(m.first, m.second, find_energy(i, find_q(i, at_group(m.first), at_group(m.second))).value);
    }
    for (const TurnTerm& term : turns_)
    {
        const BallLink& ball = joints_.balls[at(term.ball)];
        const double angle = norm(find_turn_between(term.turn, at_group(ball.first), at_group(ball.second)));
        add(ball.first, ball.second, find_turn_value(term, angle));
    }
}

template <class Note>
void Joints::note_pairs(const Note& note) const
{
    if (!is_on_) return;
    for (const auto& pair : joints_.pairs)
    {
        if (pair[0] != pair[1]) note(pair[0], pair[1]);
    }
}

}  // namespace rattleback::ipc
