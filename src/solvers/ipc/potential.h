// The incremental potential of a step: inertia, barrier and friction; its value, gradient and Hessian.
#pragma once

#include "solvers/ipc/barrier.h"
#include "solvers/ipc/candidates.h"
#include "solvers/ipc/joints.h"

namespace rattleback::ipc
{

/// Two simplices nearer than d̂ + d_min at some poses.
struct Touch
{
    int set = -1, candidate = -1;  ///< in Candidates; the candidate counted from the set's begin
    int first = -1, second = -1;   ///< groups
    Vec3 normal;                   ///< unit, from the second to the first
    Vec3 on_first, on_second;      ///< nearest points, world [m]
    double distance = 0;           ///< [m]
    double mollifier = 1;          ///< of edges that are nearly parallel
    Vec3 parallel_gradient;        ///< d(mollifier) by a turn of the first group; minus that of the second
    double curvature = 0;          ///< of the quadratic model, along the normal
    std::array<double, 3> first_weights{}, second_weights{};  ///< of the simplices' corners
};

/// Friction of a touch as it was at the last lag: how hard it presses, where, and in which plane.
struct Grip
{
    int first = -1, second = -1;        ///< groups
    Vec3 on_first, on_second;           ///< points of the bodies, from their centres in their axes [m]
    Vec3 tangent[2];                    ///< world
    double bound = 0;                   ///< friction coefficient times normal force times h^2
    double curvature = 0;               ///< of the quadratic model, along the slip
    bool is_bent = false;               ///< the curvature is a chord's
    std::array<std::int64_t, 2> key{};  ///< of the touch: shapes and simplices
};

/// What the potential is made of in one step.
class Potential
{
public:
    Potential(const Model& model, const Layout& layout, const Settings& settings);

    /// A new step. `gravity` and dt set the stiffness; `factor` is the adapted part of it.
    void begin(double dt, double gravity, double factor);
    /// Finds candidates around `placements`, with these skins; see Candidates.
    Candidates& candidates() { return candidates_; }
    const Candidates& candidates() const { return candidates_; }
    Joints& joints() { return joints_; }
    const Joints& joints() const { return joints_; }

    /// Groups of one island share no term with others; its number is that of its first group.
    void set_islands(std::span<const int> island_of_group);

    /// All touches at the placements, and the value of the potential there.
    double evaluate(std::span<const Body> bodies, std::span<const Placement> placements);
    /// Of the touches of the last evaluate(), to which `placements` belong. `is_exact`: with terms of joints that may
    /// be negative.
    void assemble(std::span<const Body> bodies, std::span<const Placement> placements, std::span<Vector6> gradient,
                  BlockCholesky& hessian, bool is_exact = true);
    /// Takes normal forces, planes and places of friction from the touches of the last evaluate().
    void lag_friction(std::span<const Placement> placements);
    /// Sets the quadratic model to the tangents at the placements of the last evaluate().
    void set_tangents(std::span<const Body> bodies, std::span<const Placement> placements);
    /// Replaces tangents by chords: between the force here and the force that `direction` leads to. False if it stays
    /// nearly as it is.
    bool set_chords(std::span<const Body> bodies, std::span<const Placement> placements,
                    std::span<const Vector6> direction);
    void clear_friction() { grips_.clear(); }
    bool has_friction() const { return !grips_.empty(); }

    std::span<const Touch> touches() const { return touches_; }
    double least_distance() const { return least_distance_; }
    /// The last value in parts, [island]; infinite where surfaces meet.
    std::span<const double> values() const { return values_; }
    /// Normal force of a touch on its first group [N], positive, and its friction there at the placements.
    double find_force(const Touch& touch) const;
    /// Energy of a touch [J].
    double find_stored(const Touch& touch) const;
    /// Shapes, and kind and numbers of the simplices: the same from step to step.
    std::array<std::int64_t, 2> find_key(const Touch& touch) const;
    Vec3 find_friction_force(std::size_t grip, std::span<const Body> bodies,
                             std::span<const Placement> placements) const;
    std::span<const Grip> grips() const { return grips_; }

private:
    double find_stiffness(const Touch& touch) const;
    void find_touches(std::span<const Placement> placements);
    /// Slope of the chord for a touch that opens by `opening` [m], for a slip that changes by `along` [m].
    double find_chord(const Touch& touch, double opening) const;
    double find_chord(const Grip& grip, double slip, double along) const;
    void touch_plane(const CandidateSet& set, int index, std::span<const Placement> placements);
    void touch_simplices(const CandidateSet& set, int index, std::span<const Placement> placements);
    void add_touch(const Touch& touch, std::span<const Placement> placements, std::span<Vector6> gradient,
                   BlockCholesky& hessian) const;
    void add_grip(const Grip& grip, std::span<const Body> bodies, std::span<const Placement> placements,
                  std::span<Vector6> gradient, BlockCholesky& hessian) const;

    const Layout& layout_;
    double reach_, separation_, static_speed_, stiffness_;
    Candidates candidates_;
    Joints joints_;
    double dt_ = 0, acceleration_ = 0;
    std::vector<Touch> touches_;
    std::vector<Grip> grips_;
    double least_distance_ = 0;
    std::vector<std::pair<int, int>> pairs_;  ///< rows that share a block
    std::vector<WayBound> ways_;              ///< [group] from the base of the candidates
    std::vector<WayBound> still_;             ///< [group] zero
    std::vector<int> island_of_;              ///< [group]
    std::vector<double> values_;              ///< [island]
};

}  // namespace rattleback::ipc
