// Any bytes as a glTF file, text or binary, in an empty folder: a sound mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const MeshLimits limits{.vertices = 10'000, .triangles = 10'000};
    const Result<MeshOptions> mesh = parse_gltf(as_bytes(data, size), "part.glb", "/nonexistent", limits);
    require_explained(mesh, true);
    if (!mesh) return 0;
    require_sound(mesh.value());
    require(!mesh.value().triangles.empty(), "a mesh from a scene has triangles");
    require(mesh.value().vertices.size() <= limits.vertices && mesh.value().triangles.size() <= limits.triangles,
            "limits hold");
    return 0;
}
