// Any text as a URDF robot in an empty folder, bolted down or floating: a model or errors with their places.
#include <rattleback/import.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    // Small bounds keep one input fast; what they stop must say so.
    ImportOptions options{.limits = {.bytes = 1 << 16, .depth = 32, .elements = 2'000}};
    const Result<Imported> fixed = parse_urdf(as_text(data, size), "robot.urdf", "/nonexistent", options);
    options.base = RobotBase::free;
    const Result<Imported> free = parse_urdf(as_text(data, size), "robot.urdf", "/nonexistent", options);
    require_explained(fixed, true);
    require_explained(free, true);
    if (fixed) require(!fixed.value().model.name.empty(), "a model has a name");
    if (fixed && free)
        require(free.value().model.v_count() >= fixed.value().model.v_count(), "a free base takes nothing away");
    return 0;
}
