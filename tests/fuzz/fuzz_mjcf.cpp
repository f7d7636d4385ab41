// Any text as an MJCF model in an empty folder: a model or errors with their places.
#include <rattleback/import.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    // Small bounds keep one input fast; what they stop must say so.
    const ImportOptions options{.limits = {.bytes = 1 << 16, .depth = 32, .elements = 2'000, .include_depth = 4}};
    const Result<Imported> imported = parse_mjcf(as_text(data, size), "model.xml", "/nonexistent", options);
    require_explained(imported, false);
    if (imported) require(!imported.value().model.name.empty(), "a model has a name");
    return 0;
}
