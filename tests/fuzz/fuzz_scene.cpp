// Any bytes as a scene: built, and stepped with every solver, it ends in errors or in numbers, never in the process.
#include "fuzz/fuzz.h"
#include "support/random_scene.h"
#include "support/run_scene.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    ByteSource bytes(std::span(data, size));
    const bool absurd = bytes.flag();
    const SceneRun run = run_scene(make_random_scene(bytes, {.absurd = absurd}));
    require(run.fault.empty(), run.fault.c_str());
    return 0;
}
