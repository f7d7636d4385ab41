// Finds the files that a URDF file names: relative, absolute, file:// and package://.
#pragma once

#include <rattleback/import.h>

namespace rattleback::urdf
{

/// Where a robot's files may be.
struct FilePlaces
{
    std::filesystem::path folder;                 ///< of the URDF file
    std::filesystem::path mesh_folder;            ///< that the block `mujoco` gives, below `folder`
    bool strip_path = false;                      ///< of names only the last part counts
    bool strict = false;                          ///< nothing outside `folder`
    std::vector<std::filesystem::path> packages;  ///< folders with packages in them
};

/// The folders of the options, then those of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
std::vector<std::filesystem::path> list_package_folders(const ImportOptions& options);

/// The existing file that a name in a URDF file means. `package://NAME/rest` is looked for as NAME/rest in the folders
/// of packages; then in the folder of the file and the one above; then in the folders around the file that are called
/// NAME and hold a package.xml. An error says where was looked; `strict` refuses what lies elsewhere, links followed.
Result<std::filesystem::path> find_mesh(const std::string& name, const FilePlaces& places);

}  // namespace rattleback::urdf
