// The parts of bench `piles`: scenes, contenders and what comes out of a run.
#pragma once

#include "lab/bench/bench.h"
#include "lab/metrics/pile_quality.h"
#include "lab/peers/body_peer.h"

#include <rattleback/simulation.h>

namespace rattleback::lab
{

/// A scene of the bench. Pairs are {whole, --quick}.
struct PileScene
{
    std::string_view name;
    std::string_view title;
    Result<Model> (*build)(bool quick) = nullptr;
    double dt = 1.0 / 60;           ///< [s]
    std::array<int, 2> settle{};    ///< steps before the clock starts
    std::array<int, 2> measured{};  ///< steps with the clock
    Region (*region)(bool quick) = nullptr;
    Vec3 (*top)(bool quick) = nullptr;  ///< true place of the last body at rest; null: none is known
    bool flat_view = false;             ///< pictures from the front
    bool duel = false;                  ///< more settings, both precisions: the issue's figures come from it
};

/// All scenes, in the order of the table in piles_scenes.cpp.
std::span<const PileScene> all_pile_scenes();

/// One way to run `avbd`.
struct PileSetting
{
    int substeps = 1, iterations = 10;
    bool single = false;
    bool penalty = false;  ///< mode penalty

    std::string name() const;  ///< "avbd 1x10", "penalty 1x10"
    std::string_view precision() const { return single ? "single" : "double"; }
    Parameters parameters(int threads) const;
};

/// CPU time of the parts of a step [ms].
struct PileSplit
{
    double broad = 0, narrow = 0;
    double rows = 0;  ///< building and colouring rows; peers count that as solve
    double solve = 0;
    double rest = 0;
};

/// What a contender did in a scene.
struct PileOutcome
{
    std::string name, engine, precision;
    std::string instructions;  ///< instruction set of the vectors of its arithmetic
    double ms = 0;             ///< CPU per step, the median of five stretches
    PileSplit split;
    double contacts = 0;         ///< per step
    double pass_rate = 0;        ///< contacts times sweeps over time in the solver [1/s]; ours alone
    PileQuality quality;         ///< of the last state
    double sink = 0, drift = 0;  ///< of the last body below and beside its true place [m]; NaN: none is known
    std::string trouble;         ///< a step that was not committed; "": none
};

/// An engine with a scene in it.
class PileContender
{
public:
    virtual ~PileContender() = default;
    virtual void run(int steps) = 0;
    /// CPU seconds of `steps` steps.
    virtual double time(int steps) = 0;
    virtual State& state() = 0;
    /// Name, precision, split and counts of what time() saw; the rest is left as it is.
    virtual void describe(PileOutcome& outcome) const = 0;
};

Result<std::unique_ptr<PileContender>> make_contender(std::shared_ptr<const Model> model, double dt,
                                                      const PileSetting& setting);
Result<std::unique_ptr<PileContender>> make_contender(std::shared_ptr<const Model> model, double dt,
                                                      const BodyPeerInfo& peer, int iterations);

/// What happened in one scene.
struct PileRun
{
    const PileScene* scene = nullptr;
    std::shared_ptr<const Model> model;
    std::vector<PileOutcome> outcomes;
    std::vector<State> ends;  ///< of the outcomes; of the portable build there are none
};

/// Runs all contenders through a scene in turns. Peers that cannot are noted. Where precisions are compared (`duel`)
/// the portable build follows, in a program of its own.
Result<PileRun> run_pile(const PileScene& scene, const BenchOptions& options, BenchReport& report);

/// Fills in what follows from the last state alone.
void judge_end(const PileScene& scene, bool quick, const Model& model, State& state, PileOutcome& outcome);

/// The cheapest outcome of an engine that lies no worse than `other`: by sink and shake where a true place is known, by
/// deepest and mean overlap elsewhere; null: none does.
const PileOutcome* find_cheapest_as_good(std::span<const PileOutcome> outcomes, std::string_view engine,
                                         const PileOutcome& other);

/// The bars of the issue that a run decides.
void add_duel_figures(const PileRun& run, double multiply_adds, BenchReport& report);
/// Time per step of 10,000 to a million boxes.
Status measure_pile_growth(const BenchOptions& options, BenchReport& report);
/// Two threads against one, 10,000 boxes.
Status measure_pile_threads(const BenchOptions& options, BenchReport& report);

/// Pictures, curves, a page of them all and the figures as a document (figures.md) in a folder.
Status write_pile_page(std::vector<PileRun>& runs, const BenchReport& report, const std::string& folder);

}  // namespace rattleback::lab
