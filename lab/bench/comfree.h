// Parts of bench `comfree`: one function per experiment of [ComFree] section IV, and more where its law has limits.
#pragma once

#include "lab/accuracy/plot.h"
#include "lab/bench/bench.h"
#include "lab/bench/scene_run.h"

namespace rattleback::lab
{

/// What all experiments share.
struct ComfreeBed
{
    const BenchOptions& options;
    BenchReport& report;

    void say(const std::string& what) const;
    void note(const std::string& text) const { report.notes.push_back(text); }
    void add(Figure figure) const { report.figures.push_back(std::move(figure)); }
    /// Writes a plot where plots are wanted, and notes where it is.
    Status draw(const Plot& plot, const std::string& name) const;
};

/// A gain pair of the paper: k [1/s] and d.
struct ComfreeGains
{
    double stiffness = 0.2, damping = 0.001;

    std::string name() const;  ///< "k 0.2, d 0.001"
};

/// One of the three laws, with gains.
Contestant make_comfree(const std::string& law, const ComfreeGains& gains, const Parameters& more = {});
/// The laws of tables where gains are fixed: as_coded, printed, stable, stable with anchors, `convex` with and without
/// true stick, MuJoCo's defaults.
std::vector<Contestant> comfree_field(const ComfreeGains& gains);
Contestant make_mujoco_contestant();

// Depth of overlaps in the drop test of 125 primitives.
Status measure_penetration(const ComfreeBed& bed);
// Energy of a thrown cube over gains and steps.
Status measure_stability(const ComfreeBed& bed);
// How spin and roll decay; which friction holds on a slope, and how fast what holds creeps.
Status measure_torsion(const ComfreeBed& bed);
Status measure_rolling(const ComfreeBed& bed);
Status measure_critical_friction(const ComfreeBed& bed);
Status measure_slope_creep(const ComfreeBed& bed);
// A closed chain held by an equality; a box on contacts of dimension 6.
Status measure_equality_drift(const ComfreeBed& bed);
Status measure_dimension_six(const ComfreeBed& bed);
// Time of a step against the number of contacts.
Status measure_contact_scaling(const ComfreeBed& bed);
Status measure_contact_growth(const ComfreeBed& bed);
// A hand that holds a cube: worlds per second, and the time of a sampling controller's rollout.
Status measure_hand_throughput(const ComfreeBed& bed);
Status measure_hand_latency(const ComfreeBed& bed);
// How far solvers part from MuJoCo on the same inputs.
Status measure_sim_gap(const ComfreeBed& bed);

}  // namespace rattleback::lab
