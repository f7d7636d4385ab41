// The table of formats: which reader takes which extension, and which of the two XML is for.
#include <rattleback/import.h>

#include <algorithm>
#include <fstream>

#include "base/nearest_match.h"

namespace rattleback
{

namespace
{

struct Format
{
    const char* extension;
    Result<Imported> (*load)(const std::filesystem::path&, const ImportOptions&);
};

/// The name of the first element, from the beginning of a text; what comes before may be comments and declarations.
std::string_view find_root_name(std::string_view text)
{
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at))
    {
        const std::string_view rest = text.substr(at);
        const bool comment = rest.starts_with("<!--");
        if (!rest.starts_with("<!") && !rest.starts_with("<?"))
            return rest.substr(1, std::min(rest.find_first_of(" \t\r\n/>", 1), rest.size()) - 1);
        const std::size_t end = comment ? rest.find("-->") : rest.find('>');
        if (end == rest.npos) break;
        at += end + 1;
    }
    return {};
}

/// `.xml` says little: the first element does. What cannot be read is MJCF's to say.
Result<Imported> load_xml(const std::filesystem::path& path, const ImportOptions& options)
{
    std::string start(std::size_t{1} << 16, ' ');
    std::error_code code;
    if (std::filesystem::is_regular_file(path, code))
        std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
    return find_root_name(start) == "robot" ? load_urdf(path, options) : load_mjcf(path, options);
}

constexpr Format kFormats[] = {
    {".xml", &load_xml}, {".mjcf", &load_mjcf}, {".urdf", &load_urdf}, {".xacro", &load_urdf}, {".json", &load_ripc},
};

}  // namespace

std::vector<std::string> model_extensions()
{
    std::vector<std::string> extensions;
    for (const Format& format : kFormats) extensions.emplace_back(format.extension);
    return extensions;
}

Result<Imported> load_model(const std::filesystem::path& path, const ImportOptions& options)
{
    std::string extension = path.extension().generic_string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    std::string known;
    for (const Format& format : kFormats)
    {
        if (extension == format.extension) return format.load(path, options);
        known += (known.empty() ? "" : ", ") + std::string(format.extension);
    }
    return Error{.code = ErrorCode::unsupported,
                 .where = path.generic_string(),
                 .message = "no reader for files that end in '" + extension + "'",
                 .hint = "one of: " + known};
}

}  // namespace rattleback
