// The version of this library.
#pragma once

namespace rattleback
{

/// For example "0.1.0".
const char* library_version();

}  // namespace rattleback
