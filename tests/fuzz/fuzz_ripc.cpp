// Any text as a rigid-IPC scene in an empty folder: a model or errors with their places.
#include <rattleback/import.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    // Small bounds keep one input fast; what they stop must say so.
    const ImportOptions options{.limits = {.bytes = 1 << 16, .depth = 32, .elements = 5'000}};
    const Result<Imported> scene = parse_ripc(as_text(data, size), "scene.json", "/nonexistent", options);
    require_explained(scene, true);
    if (!scene) return 0;
    const Model& model = scene.value().model;
    require(model.body_count() > 1, "a scene has a body");
    require(scene.value().duration > 0, "a scene says how long it lasts");
    for (int body = 1; body < model.body_count(); ++body)
        require(model.bodies.parent[static_cast<std::size_t>(body)] == 0, "bodies of a scene stand in the world");
    return 0;
}
