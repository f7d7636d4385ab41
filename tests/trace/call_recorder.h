// CallRecorder: which function called which, recorded by the hooks of -finstrument-functions.
#pragma once

#include <vector>

namespace rattleback::trace
{

/// A function as called from one other: repeated calls are one node.
struct Call
{
    const void* function = nullptr;  ///< address; null: the root
    int parent = -1;
    std::vector<int> children = {};  ///< in the order of their first calls
};

/// Forgets all calls and records those of the calling thread from here on; call 0 is the root.
void start_recording();
/// Ends it; returns the calls, each behind its parent.
std::vector<Call> stop_recording();

}  // namespace rattleback::trace
