// Scenes for `ipc`, our own by formula: the tests and figures of [RigidIPC], each with the criterion by which a run of
// it passes. They are found by name, "ipc/...", beside the other scenes.
#pragma once

#include "lab/scenes/scenes.h"

#include <rattleback/state.h>

#include <limits>

namespace rattleback::lab
{

/// One moment of a run, as criteria look at it.
struct IpcFrame
{
    double time = 0;              ///< [s]
    std::vector<Pose> pose;       ///< [body_count]
    std::vector<Velocity> speed;  ///< [body_count]
    double energy = 0;            ///< kinetic and potential [J]
    bool converged = true;        ///< every step since the frame before
    int iterations = 0;           ///< of Newton's method, in all of them
    /// Least distance of what is within reach of each other, in any step since the frame before [m]; infinite: nothing
    /// is.
    double least_distance = std::numeric_limits<double>::infinity();
};

struct IpcRun
{
    const Model* model = nullptr;
    std::vector<IpcFrame> frames;  ///< the start first

    const IpcFrame& start() const { return frames.front(); }
    const IpcFrame& end() const { return frames.back(); }
    /// Least of all frames [m].
    double least_distance() const;
    /// Number of a body; the check handler is called where there is none of that name.
    std::size_t body(std::string_view name) const;
};

struct IpcVerdict
{
    bool passed = false;
    std::string text;  ///< what was measured
};

struct IpcScene
{
    Scene scene;                                       ///< name "ipc/..."
    std::string_view figure;                           ///< of [RigidIPC]
    IpcVerdict (*judge)(const IpcRun& run) = nullptr;  ///< whether a run of scene.duration passes
};

/// A number among the parameters that a model has for `ipc`; `otherwise` where it has none of that name.
double find_ipc_parameter(const Model& model, std::string_view name, double otherwise = 0);

/// All of them, in the order of docs/ipc.md.
std::span<const IpcScene> all_ipc_scenes();

}  // namespace rattleback::lab
