// Where this repository lies, as the build says.
#include "support/source_folder.h"

namespace rattleback
{

std::filesystem::path source_folder() { return RATTLEBACK_SOURCE_DIR; }

}  // namespace rattleback
