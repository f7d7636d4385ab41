// A mesh file as spheres: what a packing looks like and how well it weighs.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>

#include <filesystem>

namespace rattleback::lab
{

struct PackMeshOptions
{
    double radius = 0;   ///< [m]; 0: by `across`
    int across = 20;     ///< spheres across the thinnest side of the bounds
    bool exact = false;  ///< weigh the spheres so that mass, centre and inertia are right
};

/// How spheres that weigh the same (or exactly) compare with the solid of unit density.
struct PackReport
{
    int spheres = 0;
    double radius = 0;                  ///< [m]
    double volume = 0;                  ///< of the solid [m^3]
    double filled = 0;                  ///< volume of the spheres over it
    double center_error = 0;            ///< distance of the centres of mass [m]
    Vec3 moments, point_moments;        ///< principal, at 1000 kg/m^3 [kg m^2]
    double lightest = 0, heaviest = 0;  ///< sphere over the mean
    Model model;                        ///< the spheres as shapes of the world, for pictures
    std::vector<std::string> notes;     ///< what was mended of the mesh
};

/// Reads an OBJ or STL file and packs it. At most 200,000 spheres.
Result<PackReport> pack_mesh_file(const std::filesystem::path& path, const PackMeshOptions& options);

/// Writes a picture (.png or .svg) of a packing.
Status draw_packing(const PackReport& report, const std::filesystem::path& path);

}  // namespace rattleback::lab
