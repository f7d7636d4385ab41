// Import: reads model files. Everything read is untrusted; all mistakes are reported at once, with file, line and
// column.
#pragma once

#include <rattleback/api.h>
#include <rattleback/error.h>
#include <rattleback/model.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// Bounds on what a model file may ask for; beyond them reading stops with ErrorCode::limit.
struct ImportLimits
{
    /// Of all texts of a model together; of all meshes and textures of a model together, in their files and in memory;
    /// of all copies that replicas, attachments and keyframes make.
    std::size_t bytes = std::size_t{256} << 20;
    int depth = 256;            ///< of nested elements
    int elements = 2'000'000;   ///< after includes, attachments and replication
    int copies = 600'000;       ///< of those, made by replicate and attach
    int generated = 4'000'000;  ///< heights of all height fields and points of all built-in meshes together
    int include_depth = 16;     ///< of nested includes and attached models
    std::size_t string_length = std::size_t{64} << 10;  ///< of one name or word [bytes]; lists of numbers may be longer
};

/// What the root link of a robot is to the world, which URDF does not say.
enum class RobotBase
{
    fixed,  ///< bolted down
    free,   ///< floats: a free joint "root_joint"
};

struct ImportOptions
{
    ImportLimits limits;
    /// For models from others. A model may name any file that the process may read, as with MuJoCo: "../../assets" and
    /// absolute paths are usual. True: only files that lie, links followed, in the model's own folder or below it.
    bool strict = false;
    RobotBase base = RobotBase::fixed;  ///< URDF only
    /// URDF: folders where `package://NAME/...` is looked for as NAME/..., before those of the environment variables
    /// ROS_PACKAGE_PATH and AMENT_PREFIX_PATH and the folders around the file. Scenes of rigid-IPC: folders of meshes,
    /// before the folders `meshes` around the file.
    std::vector<std::filesystem::path> package_path = {};
};

/// A model, and what was read without having an effect or could not be found without harm.
struct Imported
{
    Model model;
    std::vector<Error> warnings;
    double duration = 0;  ///< how long the file wants to be run [s]; 0: it does not say
};

/// Reads an MJCF file as MuJoCo 4.0 does; docs/mjcf.md lists what is supported.
Result<Imported> load_mjcf(const std::filesystem::path& path, const ImportOptions& options = {});

/// The same from text. `name` stands for the file in messages; `directory` is where the files that it names are.
Result<Imported> parse_mjcf(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options = {});

/// Reads a URDF file; docs/urdf.md lists what its elements become. What URDF does not say is as in MJCF.
Result<Imported> load_urdf(const std::filesystem::path& path, const ImportOptions& options = {});

/// The same from text, as parse_mjcf.
Result<Imported> parse_urdf(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options = {});

/// Reads a scene of the rigid-IPC reference (JSON); docs/ipc.md lists what its fields become.
Result<Imported> load_ripc(const std::filesystem::path& path, const ImportOptions& options = {});

/// The same from text, as parse_mjcf.
Result<Imported> parse_ripc(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options = {});

/// Reads a model by the extension of its file; one in XML that begins with the element `robot` is URDF, one in JSON is
/// a scene of rigid-IPC.
Result<Imported> load_model(const std::filesystem::path& path, const ImportOptions& options = {});

/// The extensions that load_model knows, with the dot.
std::vector<std::string> model_extensions();

}  // namespace rattleback
