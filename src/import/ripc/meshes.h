// Meshes of a scene: found, read once, welded, scaled and sorted into what is solid, surface, wire or point.
#pragma once

#include <rattleback/builder.h>

#include <map>

#include "geometry/mass.h"
#include "import/ripc/scene.h"

namespace rattleback::ripc
{

/// One shape of a body: a mesh of the model and what it is.
struct Part
{
    Shape shape;
    bool heavy = false;  ///< carries the mass of the body; the others weigh nothing
};

/// The geometry of a body, and its mass at density one: volume, area, length or number of points.
struct Geometry
{
    std::vector<Part> parts;
    MassProperties mass;
    double extent = 0;  ///< largest distance of a vertex from the mesh's origin [m]
};

class Meshes
{
public:
    Meshes(ModelBuilder& builder, std::filesystem::path folder, const ImportOptions& options, Log& log);

    /// The geometry of a body, or of each of its parts where they are split; empty: the log says why.
    std::vector<std::shared_ptr<const Geometry>> find(const Body& body);

private:
    /// The mesh as the file has it, its equal vertices merged.
    std::shared_ptr<const MeshOptions> find_file(const Body& body);
    std::optional<std::filesystem::path> find_path(const Body& body);
    std::optional<MeshOptions> load(const Body& body);
    std::shared_ptr<const Geometry> make_geometry(MeshOptions mesh, const Body& body);
    Shape add_part(MeshOptions mesh, ShapeType type);

    ModelBuilder& builder_;
    std::filesystem::path folder_;
    const ImportOptions& options_;
    Log& log_;
    std::size_t bytes_left_;       ///< that files may still take
    std::size_t copy_bytes_left_;  ///< that scaled meshes may still take
    std::map<std::string, std::shared_ptr<const MeshOptions>> files_;
    std::map<std::string, std::vector<std::shared_ptr<const Geometry>>> made_;  ///< by file, scale and use
    std::map<std::string, int> names_;                                          ///< how often each was given
};

}  // namespace rattleback::ripc
