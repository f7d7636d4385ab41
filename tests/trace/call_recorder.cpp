// The hooks that an instrumented library calls at the begin and the end of every function.
#include "trace/call_recorder.h"

#include <utility>

namespace rattleback::trace
{

namespace
{

// The library is instrumented, this program is not: the hooks never call themselves.
thread_local bool is_recording = false;
thread_local int present = 0;  // the call whose function runs
std::vector<Call> calls;

void enter(const void* function)
{
    for (const int child : calls[static_cast<std::size_t>(present)].children)
    {
        if (calls[static_cast<std::size_t>(child)].function != function) continue;
        present = child;
        return;
    }
    const int added = static_cast<int>(calls.size());
    calls[static_cast<std::size_t>(present)].children.push_back(added);
    calls.push_back({.function = function, .parent = present});
    present = added;
}

}  // namespace

void start_recording()
{
    calls.assign(1, {});
    present = 0;
    is_recording = true;
}

std::vector<Call> stop_recording()
{
    is_recording = false;
    return std::exchange(calls, {});
}

}  // namespace rattleback::trace

extern "C" void __cyg_profile_func_enter(void* function, void* /*from*/)
{
    if (rattleback::trace::is_recording) rattleback::trace::enter(function);
}

extern "C" void __cyg_profile_func_exit(void* /*function*/, void* /*from*/)
{
    using namespace rattleback::trace;
    if (is_recording && present > 0) present = calls[static_cast<std::size_t>(present)].parent;
}
