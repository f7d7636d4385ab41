// What the scenes for `ipc` have in common: how large they are beside the figures of [RigidIPC], and one set of
// parameters for all.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

#include <rattleback/model.h>

#include <filesystem>
#include <limits>
#include <string_view>

namespace rattleback::lab
{

inline constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

/// Bodies, vertices and triangles.
struct SceneSize
{
    double bodies = 0, vertices = 0, faces = 0;  ///< NaN: not known
};
/// Of a model: bodies with shapes (the world with shapes of its own counts as one), vertices and triangles of all
/// shapes, boxes with 8 and 12.
SceneSize find_size(const Model& model);
/// What [RigidIPC] prints of a scene: Fig. 20 (16 cores, of some up to 64) and Fig. 22 (whole runs, beside deformable
/// IPC); and our bar and aim where our own scene has one. NaN: nothing.
struct PaperRun
{
    double step = kNoFigure, iterations = kNoFigure, contacts = kNoFigure, memory = kNoFigure;  ///< [s], , , [MB]
    double total = kNoFigure, deformable = kNoFigure;                                           ///< [s]
    double bar = kNoFigure, aim = kNoFigure;                                                    ///< [s/step]
    bool welded = true;  ///< whether triangles of the authors' meshes share vertices
};
PaperRun find_paper_run(std::string_view scene);

/// Of the scene of [RigidIPC] that one of ours stands for (Fig. 20, and its files where the figure has no row).
SceneSize find_paper_size(std::string_view scene);

/// The least distance between shapes of two bodies that may meet, at the start, where it is below `reach`; otherwise
/// `reach` [m].
double find_start_gap(const Model& model, double reach);

/// Largest distance of a corner of the smallest body that moves from the middle of its box [m].
double find_smallest_radius(const Model& model);

/// The rule of `bench ipc --common`: d-hat = min(2.5e-4 r, max(g, 1e-4 r)), of the smallest radius r and the gap g.
double find_common_dhat(double radius, double gap);
inline constexpr std::string_view kCommonRule =
    "common parameters: h as authored, d-hat = min(2.5e-4 r, max(g, 1e-4 r)) with r the radius of the smallest body "
    "that "
    "moves and g the least gap at the start, d_min as authored, all else by default";

/// Draws the least distance over time of a run, beside what is always kept, into FOLDER/NAME_distance.svg; the path.
Result<std::filesystem::path> draw_least_distance(const IpcRun& run, const std::filesystem::path& folder,
                                                  const std::string& name);

/// Replaces what a scene says for `ipc` by the common set; the d-hat it gets [m].
double set_common_parameters(Model& model);

}  // namespace rattleback::lab
