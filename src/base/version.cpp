// The version, as CMake's project() states it.
#include "base/version.h"

namespace rattleback
{

const char* library_version() { return RATTLEBACK_VERSION; }

}  // namespace rattleback
