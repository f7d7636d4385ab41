// One scene in solver `convex` and in MuJoCo: the same file, the same inputs, speed and accuracy of both.
#pragma once

#include "lab/bench/bench.h"
#include "lab/bench/data_folder.h"
#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/simulation.h>

#include <filesystem>

namespace rattleback::lab
{

/// How a scene is started and driven.
struct DuelOptions
{
    double noise = 0;                    ///< on the inputs, as a fraction of half their range
    double dt = 0;                       ///< [s]; 0: the file's
    std::string_view keyframe = {};      ///< state and inputs to begin with; empty: the initial ones
    std::vector<double> initial_v = {};  ///< empty: the model's
    double tolerance = 0;                ///< of both solvers; 0: the file's
    std::string method = "Newton";       ///< ours
};

/// How well the constraints of a run hold, the mean over moments of it.
struct RunQuality
{
    double contacts = 0;
    double penetration = 0;  ///< mean over contacts [m]
    double creep = 0;        ///< median speed in the tangent plane over contacts [m/s]
    double violation = 0;    ///< largest of equalities and limits [m or rad]
};

/// A MuJoCo ready to run the scene, with its settings in words.
struct DuelPeer
{
    std::unique_ptr<Peer> peer;
    std::string settings;  ///< "Newton, sparse, islands"
    PeerOptions options = {};
    double speed = 0;  ///< of the trial [steps/s]
};

class ConvexDuel
{
public:
    /// From a file, or from a model of ours by way of a file: both engines read the same text.
    static Result<ConvexDuel> read(const std::filesystem::path& path, const DuelOptions& options);
    static Result<ConvexDuel> write(Model model, const DuelOptions& options);
    /// The file that was found, or the model of ours; that has no keyframes.
    static Result<ConvexDuel> load(const FoundScene& found, Result<Model> (*build)(), DuelOptions options);

    const Model& model() const { return *model_; }
    const std::shared_ptr<const Model>& shared_model() const { return model_; }
    const std::string& path() const { return *path_; }  ///< of the file that both read
    double dt() const { return options_.dt; }           ///< [s]; 0: the file's

    /// Ours with these parameters on top of the scene's.
    Result<Simulation> make_ours(const Parameters& parameters) const;
    Result<DuelPeer> make_theirs(const PeerOptions& options) const;
    /// The fastest of MuJoCo's solvers that runs `steps` steps without reset or dropped contact and meets its
    /// tolerance; an error that says how each failed when none does.
    Result<DuelPeer> find_fastest(int steps) const;

    /// CPU seconds of `steps` steps from the start; NaN when a step is not committed (ours) or the run does not count
    /// (theirs).
    double run(Simulation& ours, int steps) const;
    double run(Peer& theirs, int steps) const;
    /// The same runs, seen by MuJoCo's contacts and rows; `run` chooses another part of the noise.
    RunQuality judge(Simulation& ours, int steps, int run) const;
    RunQuality judge(Peer& theirs, int steps, int run) const;
    bool has_noise() const { return options_.noise > 0 && model_->actuator_count() > 0; }

    /// Both at the start of a run.
    void start(Simulation& ours) const;
    void start(Peer& theirs) const;
    /// The inputs of one step.
    void drive(int step, std::span<double> input) const;

private:
    static Result<ConvexDuel> make(const std::filesystem::path& path, const DuelOptions& options);
    template <class Engine, class Step>
    RunQuality judge_run(Engine& engine, int steps, Step step) const;

    std::shared_ptr<const Model> model_;
    std::shared_ptr<const std::string> path_;  ///< the file is removed with the last owner when it is ours
    DuelOptions options_;
    const Keyframe* keyframe_ = nullptr;
    std::shared_ptr<Peer> judge_;
    std::vector<double> noise_;
};

}  // namespace rattleback::lab
