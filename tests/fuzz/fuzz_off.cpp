// Any bytes as an OFF file: a sound mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const Result<MeshOptions> mesh = parse_off(as_text(data, size), "part.off");
    require_explained(mesh, true);
    if (mesh) require_sound(mesh.value());
    const Result<MeshOptions> precise = parse_off(as_text(data, size), "part.off", {}, Digits::all);
    require(precise.ok() || !mesh.ok(), "what fits into 32 bits fits into 64");
    const MeshLimits tight{.vertices = 8, .triangles = 8, .polygon_corners = 6, .polygon_work = 20, .errors = 2};
    const Result<MeshOptions> limited = parse_off(as_text(data, size), "part.off", tight);
    require(limited.errors().size() <= tight.errors, "errors stay within their limit");
    if (!limited) return 0;
    require(limited.value().vertices.size() <= 8 && limited.value().triangles.size() <= 8, "limits hold");
    require(mesh.ok() && mesh.value().triangles == limited.value().triangles, "limits change nothing within them");
    return 0;
}
