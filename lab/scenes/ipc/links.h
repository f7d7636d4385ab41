// Links: closed lines on bodies, and how often each passes through another.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

#include <span>

namespace rattleback::lab
{

/// A closed line on a body: a convex polygon in the plane z = 0 of its frame.
struct LinkLine
{
    std::size_t body = 0;
    Pose frame;                 ///< in the body's
    std::vector<Vec3> corners;  ///< [m]
};

/// The centre line of a link: 64 chords of two half circles of radius `bend` that straights along x join; without
/// straights of a circle. They are off it by up to 0.12 % of the bend, far less than links are thick.
std::vector<Vec3> make_link_corners(double bend, double straight);

/// The loop of edges of a mesh without faces: a wire is nothing but its line. Empty where the edges are no single loop.
std::vector<Vec3> find_wire_corners(const MeshOptions& mesh);

/// The line of a link: its mesh's loop of edges where it is a wire, else these corners in the axes of its mesh.
LinkLine find_link_line(const Model& model, std::size_t body, const std::vector<Vec3>& corners);

/// The linking number of two lines where their bodies are: 0 apart, 1 or -1 (by the sense in which they go around) when
/// linked. Exact for these polygons.
int find_linking(const LinkLine& first, const LinkLine& second, std::span<const Pose> pose);

struct LinkCount
{
    int linked = 0;   ///< pairs whose linking number is not 0 at the start
    int changed = 0;  ///< pairs, linked or not, whose linking number is another one in some frame
};
LinkCount count_links(const IpcRun& run, std::span<const LinkLine> lines);

/// No linking number ever changes, and some are not 0.
IpcVerdict judge_links(const IpcRun& run, std::span<const LinkLine> lines);

}  // namespace rattleback::lab
