// Any bytes as an STL file: a sound, welded mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const Result<MeshOptions> mesh = parse_stl(as_bytes(data, size), "part.stl");
    require_explained(mesh, true);
    if (!mesh) return 0;
    require_sound(mesh.value());
    require(!mesh.value().triangles.empty(), "an STL mesh has triangles");
    require(mesh.value().vertices.size() <= 3 * mesh.value().triangles.size(), "every vertex is a corner");
    MeshOptions again = mesh.value();
    weld_vertices(again);
    require(again.vertices.size() == mesh.value().vertices.size(), "welding twice changes nothing");
    require(again.triangles == mesh.value().triangles, "welding twice renumbers nothing");
    return 0;
}
