// Resolves the names of files in URDF.
#include "import/urdf/find_mesh.h"

#include "base/file.h"
#include "import/mjcf/files.h"

#include <cstdlib>
#include <optional>

namespace rattleback::urdf
{

namespace
{

namespace fs = std::filesystem;

bool is_there(const fs::path& path)
{
    std::error_code code;
    return fs::exists(path, code);
}

void append_list(const char* variable, const fs::path& below, std::vector<fs::path>& folders)
{
    const char* const value = std::getenv(variable);
    std::string_view list = value != nullptr ? value : "";
    while (!list.empty())
    {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (end > 0) folders.push_back(fs::path(list.substr(0, end)) / below);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

/// "%20" and the like.
std::string decode_uri(const std::string& text)
{
    const auto digit = [](char c)
    {
        return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    };
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const bool code = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
        decoded += code ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
        if (code) i += 2;
    }
    return decoded;
}

void append_package_places(const fs::path& package, const fs::path& rest, const FilePlaces& places,
                           std::vector<fs::path>& candidates)
{
    std::error_code code;
    const fs::path own = fs::weakly_canonical(fs::absolute(places.folder, code), code), above = own.parent_path();
    std::vector<fs::path> folders = places.packages;
    folders.insert(folders.end(), {own, above});
    for (const fs::path& folder : folders)
    {
        candidates.push_back(folder / package / rest);
        if (folder.filename() == package) candidates.push_back(folder / rest);
    }
    for (fs::path folder = above; folder.has_relative_path(); folder = folder.parent_path())
    {
        if (folder.filename() == package && is_there(folder / "package.xml")) candidates.push_back(folder / rest);
    }
}

}  // namespace

std::vector<fs::path> list_package_folders(const ImportOptions& options)
{
    std::vector<fs::path> folders = options.package_path;
    append_list("ROS_PACKAGE_PATH", "", folders);
    append_list("AMENT_PREFIX_PATH", "share", folders);
    return folders;
}

Result<fs::path> find_mesh(const std::string& name, const FilePlaces& places)
{
    const auto refuse = [&](std::string message, std::string hint, ErrorCode code)
    { return Error{code, "", std::move(message), std::move(hint)}; };
    std::vector<fs::path> candidates;
    const std::size_t colon = name.find("://");
    const std::string scheme = colon != name.npos ? name.substr(0, colon) : "";
    const bool package = scheme == "package" || scheme == "model";
    fs::path rest = colon != name.npos ? fs::path(decode_uri(name.substr(colon + 3))) : fs::path(name);
    if (package) rest = rest.relative_path();  // some write three slashes
    if (!scheme.empty() && scheme != "file" && !package)
        return refuse("files by '" + scheme + "://' are not read", "package://, file:// or a path",
                      ErrorCode::unsupported);
    const bool has_end = rest.native().find('\0') != std::string::npos;  // "%00": the system would read another name
    if (rest.empty() || rest.filename().empty() || has_end)
        return refuse("'" + name + "' names no file", "", ErrorCode::io);

    if (package && !places.strip_path)
        append_package_places(*rest.begin(), rest.lexically_relative(*rest.begin()), places, candidates);
    else
        candidates.push_back(places.folder / places.mesh_folder / (places.strip_path ? rest.filename() : rest));

    // The first that is there and may be read; one that may not is told from one that is missing.
    std::string looked;
    for (const fs::path& candidate : candidates)
    {
        if (places.strict && !lies_in(candidate, places.folder)) continue;
        if (is_there(candidate)) return candidate;
        const std::string place = candidate.lexically_normal().generic_string();
        if (looked.find(place) == looked.npos) looked += (looked.empty() ? "" : ", ") + place;
    }
    if (looked.empty())
        return refuse("the file '" + name + "' is outside the model's folder", mjcf::kStrictHint, ErrorCode::io);
    return refuse(
        "there is no file '" + name + "'",
        "looked for " + looked + (package ? "; set package_path, or ROS_PACKAGE_PATH in the environment" : ""),
        ErrorCode::io);
}

}  // namespace rattleback::urdf
