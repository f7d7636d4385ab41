// Cuts a mesh file into convex parts with CoACD, and writes them with a model that puts them together.
#pragma once

#include <rattleback/error.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rattleback::lab
{

struct DecomposeOptions
{
    int count = 16;                     ///< parts at most
    std::filesystem::path folder = {};  ///< for what is written; empty: that of the mesh
};

struct DecomposeReport
{
    std::filesystem::path model;               ///< MJCF: one body with all parts
    std::vector<std::filesystem::path> parts;  ///< OBJ
    double parts_volume = 0;                   ///< of all parts together [m^3]
    std::optional<double> volume;  ///< of the mesh [m^3]; none: it is open or inside out, and bounds nothing
};

/// Writes NAME-HASH-000.obj and so on and NAME-HASH.xml; the hash is of the mesh and of `count`, so what was cut from
/// another mesh is never taken for it. An error that says how to install CoACD where it is missing. The interpreter is
/// that of build/peers/coacd, or the program that $RATTLEBACK_COACD names.
Result<DecomposeReport> decompose_mesh_file(const std::filesystem::path& mesh, const DecomposeOptions& options);

}  // namespace rattleback::lab
