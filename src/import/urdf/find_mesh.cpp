// Resolves the names of files in URDF.
#include "import/urdf/find_mesh.h"

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

/// Does the path, links followed if `real`, lie in the folder?
bool is_within(const fs::path& path, const fs::path& folder, bool real)
{
    std::error_code code;
    const auto settle = [&](const fs::path& p)
    { return real ? fs::weakly_canonical(fs::absolute(p, code), code) : fs::absolute(p, code).lexically_normal(); };
    const fs::path relative = settle(path).lexically_relative(settle(folder));
    return !code && !relative.empty() && *relative.begin() != "..";
}

/// The folder of the file, and the one above it: what a file may name without further trust.
fs::path find_trusted(const FilePlaces& places)
{
    std::error_code code;
    return fs::weakly_canonical(fs::absolute(places.folder, code), code).parent_path();
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

/// A place where a file may be, and the folder that it must not leave.
struct Candidate
{
    fs::path path, within;
    bool real;  ///< `within` holds for what links lead to
};

void append_package_places(const fs::path& package, const fs::path& rest, const FilePlaces& places,
                           std::vector<Candidate>& candidates)
{
    for (const fs::path& folder : places.packages)
    {
        candidates.push_back({folder / package / rest, folder, false});
        if (folder.filename() == package) candidates.push_back({folder / rest, folder, false});
    }
    const fs::path trusted = find_trusted(places);
    std::error_code code;
    const fs::path own = fs::weakly_canonical(fs::absolute(places.folder, code), code);
    for (const fs::path& folder : {own, trusted})
    {
        candidates.push_back({folder / package / rest, trusted, true});
        if (folder.filename() == package) candidates.push_back({folder / rest, trusted, true});
    }
    for (fs::path folder = trusted; folder.has_relative_path(); folder = folder.parent_path())
    {
        if (folder.filename() == package && is_there(folder / "package.xml"))
            candidates.push_back({folder / rest, folder, true});
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
    std::vector<Candidate> candidates;
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

    if (places.strip_path)
        candidates.push_back({places.folder / places.mesh_folder / rest.filename(), find_trusted(places), true});
    else if (package)
        append_package_places(*rest.begin(), rest.lexically_relative(*rest.begin()), places, candidates);
    else
    {
        candidates.push_back({places.folder / places.mesh_folder / rest, find_trusted(places), true});
        for (const fs::path& folder : places.packages) candidates.push_back({rest, folder, false});
    }

    // The first that is there and may be read; one that may not is told from one that is missing.
    std::string looked;
    bool outside = false;
    for (const Candidate& candidate : candidates)
    {
        const bool allowed = places.allow_outside || is_within(candidate.path, candidate.within, candidate.real);
        if (allowed && is_there(candidate.path)) return candidate.path;
        outside = outside || !allowed;
        const std::string place = candidate.path.lexically_normal().generic_string();
        if (allowed && looked.find(place) == looked.npos) looked += (looked.empty() ? "" : ", ") + place;
    }
    if (looked.empty() && outside)
        return refuse("the file '" + name + "' is outside the model's folder",
                      "set allow_outside if you trust the model", ErrorCode::io);
    return refuse(
        "there is no file '" + name + "'",
        "looked for " + looked + (package ? "; set package_path, or ROS_PACKAGE_PATH in the environment" : ""),
        ErrorCode::io);
}

}  // namespace rattleback::urdf
