// Projected Newton with a line search that a certified collision test keeps free of intersections.
#pragma once

#include "solvers/ipc/potential.h"

namespace rattleback::ipc
{

/// How a minimisation went.
struct NewtonReport
{
    bool converged = false;
    int iterations = 0;
    double residual = 0;        ///< largest speed of a point in the last direction [m/s]
    double least_distance = 0;  ///< smallest distance met at an iterate [m]
};

class Newton
{
public:
    Newton(const Model& model, const Layout& layout, const Settings& settings);

    /// Bodies of the step, dt, the acceleration that sets the stiffness and its adapted factor; candidates around the
    /// starts.
    void begin(std::span<const Body> bodies, double dt, double gravity, double factor,
               std::span<const double> friction);
    /// True where no start is within d_min of anything; otherwise the shapes that are, in `first` and `second`.
    bool is_free(bool check_crossings, int& first, int& second, double& distance);

    /// Minimises with friction lagged as often as the settings say. Every iterate can be reached from the last on a
    /// certified path.
    NewtonReport minimise(std::span<const Body> bodies);
    /// The largest part of the straight path from the starts to the present placements (constant speed and rate) that
    /// is certified; 1: all of it.
    double certify(std::span<const Body> bodies);
    /// Moves to a part of that path.
    void retreat(std::span<const Body> bodies, double part);
    /// Puts kinematic bodies exactly where they should be if they are there but for the give of what holds them, and
    /// the way there is certified.
    void snap(std::span<const Body> bodies);

    /// False where a kinematic body was stopped on its way.
    bool is_on_track(std::span<const Body> bodies) const;

    std::span<const Placement> placements() const { return placements_; }
    const Potential& potential() const { return potential_; }
    double separation() const { return separation_; }
    /// Touches and forces at the present placements.
    void refresh(std::span<const Body> bodies) { potential_.evaluate(bodies, placements_); }
    void set_filter(const ContactFilter& filter) { potential_.candidates().set_filter(filter); }

private:
    void guess(std::span<const Body> bodies);
    NewtonReport solve(std::span<const Body> bodies, int max_iterations);
    /// Sets direction_; returns the product of gradient and direction.
    double find_direction(std::span<const Body> bodies);
    double find_speed() const;
    /// How much of a direction is free: certified to leave a tenth of every gap, or `floor` [m] of it where that is not
    /// negative. Candidates are found again where the direction leaves their skins.
    double find_free_part(std::span<const Placement> from, double floor);
    double find_free_part_of(const CandidateSet& set, std::span<const Placement> from, double floor, double part) const;
    CertifiedImpact find_impact(const CandidateSet& set, const Candidate& candidate, std::span<const Placement> from,
                                double floor, double part, double motion) const;
    void cover_direction(std::span<const Placement> from);
    void set_trial(double part);
    double search_line(std::span<const Body> bodies, double product);

    const Layout& layout_;
    double separation_, tolerance_;
    int max_iterations_, friction_lags_;
    Potential potential_;
    BlockCholesky hessian_;
    double dt_ = 0;
    std::span<const double> friction_;
    std::vector<Placement> placements_, trial_;
    std::vector<char> is_alone_;                 ///< [group] nothing is within its reach in this step
    std::vector<Vector6> gradient_, direction_;  ///< [row]
    std::vector<double> skins_;                  ///< [group]
    std::vector<RigidTrack> tracks_;             ///< [group]
    double value_ = 0;
};

}  // namespace rattleback::ipc
