// Finds the folder of public models.
#include "lab/bench/data_folder.h"

#include "lab/measure/measure.h"

#include <cstdlib>

namespace rattleback::lab
{

std::filesystem::path find_data_folder()
{
    if (const char* given = std::getenv("RATTLEBACK_DATA"); given != nullptr) return given;
    std::filesystem::path here = "../shared/data";  // beside the repository
    if (std::filesystem::exists(here)) return here;
    return std::filesystem::path(own_program()).parent_path() / "../../../shared/data";
}

}  // namespace rattleback::lab
