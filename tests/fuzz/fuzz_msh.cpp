// Any bytes as an MSH file: a sound mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const Result<MeshOptions> mesh = parse_msh(as_bytes(data, size), "part.msh");
    require_explained(mesh, true);
    if (mesh) require_sound(mesh.value());
    const MeshLimits tight{.vertices = 8, .triangles = 8};
    const Result<MeshOptions> limited = parse_msh(as_bytes(data, size), "part.msh", tight);
    if (!limited) return 0;
    require(limited.value().vertices.size() <= 8 && limited.value().triangles.size() <= 8, "limits hold");
    require(mesh.ok(), "tight limits let nothing more through");
    require(mesh.value().triangles == limited.value().triangles, "limits change nothing within them");
    return 0;
}
