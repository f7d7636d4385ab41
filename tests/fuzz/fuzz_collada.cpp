// Any text as a COLLADA file: a sound mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const MeshLimits limits{.vertices = 10'000, .triangles = 10'000, .polygon_work = 100'000};
    const Result<MeshOptions> mesh = parse_collada(as_text(data, size), "part.dae", limits);
    require_explained(mesh, true);
    if (!mesh) return 0;
    require_sound(mesh.value());
    require(!mesh.value().triangles.empty(), "a mesh from a scene has triangles");
    require(mesh.value().vertices.size() <= limits.vertices && mesh.value().triangles.size() <= limits.triangles,
            "limits hold");
    return 0;
}
