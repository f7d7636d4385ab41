// Any bytes as an OBJ file: a sound mesh or errors with their places.
#include "fuzz/require_mesh.h"
#include "import/meshes/mesh_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const Result<MeshOptions> first = parse_obj(as_text(data, size), "part.obj");
    const Result<MeshOptions> all = parse_obj(as_text(data, size), "part.obj", {}, {.groups = ObjGroups::all});
    require_explained(first, true);
    require_explained(all, true);
    if (first)
    {
        require_sound(first.value());
        require(all.ok(), "more groups bring no more errors");
        require_sound(all.value());
        require(first.value().triangles.size() <= all.value().triangles.size(), "the first group is a part of all");
    }
    const MeshLimits tight{.vertices = 8, .triangles = 8, .polygon_corners = 6, .polygon_work = 20, .errors = 2};
    const Result<MeshOptions> limited = parse_obj(as_text(data, size), "part.obj", tight);
    require(limited.errors().size() <= tight.errors, "errors stay within their limit");
    if (limited)
    {
        require(limited.value().vertices.size() <= 8 && limited.value().triangles.size() <= 8, "limits hold");
        require(first.ok(), "tight limits let nothing more through");
        require(first.value().triangles == limited.value().triangles, "limits change nothing within them");
    }
    return 0;
}
