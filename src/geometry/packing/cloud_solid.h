// The solid behind a cloud of points of its surface: mass, centre and inertia with their errors, and spheres.
#pragma once

#include "geometry/packing/packing.h"

#include <optional>
#include <span>

namespace rattleback
{

struct CloudOptions
{
    double cell = 0;  ///< side of the cells that points are sorted into [m]; 0: the finest that closes the surface
    double density = 1000;  ///< [kg/m^3]
    /// Towards the eye that saw the points, any length. The side away from it is then taken to be the seen side
    /// mirrored in the middle of the body (boxes, balls, cylinders, most things that are made). Nothing: points all
    /// around.
    std::optional<Vec3> view = std::nullopt;
    std::int64_t most_cells = 50'000'000;
};

/// How far off a solid may be: about two standard deviations of what another grid and half of the points would say,
/// and what cells of this size cannot tell. Under the assumption of CloudOptions::view where there is one.
struct CloudErrors
{
    double mass = 0;    ///< [kg]
    double center = 0;  ///< [m]
    double moment = 0;  ///< of any entry of the inertia tensor [kg m^2]
};

struct CloudSolid
{
    MassProperties mass;  ///< centre in the frame of the points
    CloudErrors error;
    double cell = 0;  ///< used [m]
    /// Spheres of radius cell / 2 at the surface and larger inside, as points with exactly `mass`.
    std::vector<PackedSphere> spheres;
};

/// Points may be noisy; noise of more than a third of a cell blurs the surface. Errors: fewer than a hundred points,
/// one that is not finite, a surface with holes wider than two cells, or so thin that nothing is inside.
Result<CloudSolid> measure_cloud(std::span<const Vec3> points, const CloudOptions& options = {});

/// The points and their mirror images in the middle of the body, which is found from the outline seen along `view`.
Result<std::vector<Vec3>> complete_cloud(std::span<const Vec3> points, const Vec3& view, double* depth_error = nullptr);

}  // namespace rattleback
