// A scene in one of our solvers or in MuJoCo: started, stepped and read in the same way.
#pragma once

#include "lab/accuracy/run.h"

#include <rattleback/simulation.h>

#include <filesystem>

namespace rattleback::lab
{

/// A scene that both engines read from the same text.
class BenchScene
{
public:
    static Result<BenchScene> read(const std::filesystem::path& path);
    /// The text goes to a file of its own for the peer, which is gone with the last owner.
    static Result<BenchScene> parse(const std::string& mjcf);

    const std::shared_ptr<const Model>& model() const { return model_; }
    const std::string& path() const { return *path_; }

private:
    std::shared_ptr<const Model> model_;
    std::shared_ptr<const std::string> path_;
};

/// A scene in motion, double precision in both engines.
class SceneRun
{
public:
    /// `dt` [s]; 0: the scene's. A contestant without a solver is MuJoCo; an error where it is not here. `timings`: of
    /// our stages.
    static Result<SceneRun> make(const BenchScene& scene, const Contestant& contestant, double dt = 0,
                                 bool timings = false);

    /// False once a step was refused (ours) or the state was put back (MuJoCo's way to diverge).
    bool step(int count = 1);
    /// To the scene's initial state.
    void reset();
    std::span<double> q();
    std::span<double> v();
    std::span<double> input();
    /// After q or v were written.
    void place();
    double dt() const;

    /// Of the present state [J].
    Energy find_energy();
    /// Body frames and velocities at the present state.
    const State& find_bodies();
    /// Appends the overlap of every contact that the last step found [m].
    void read_depths(std::vector<double>& depths);
    /// Of our last step, with timings: building rows and finding impulses [s].
    double contact_seconds() const { return contact_seconds_; }

private:
    std::shared_ptr<const Model> model_;
    std::optional<Simulation> ours_;
    std::shared_ptr<Peer> theirs_;
    State bodies_;
    double contact_seconds_ = 0;
};

/// Mean and standard deviation.
struct Spread
{
    double mean = 0, deviation = 0;
};
Spread find_spread(std::span<const double> values);

}  // namespace rattleback::lab
