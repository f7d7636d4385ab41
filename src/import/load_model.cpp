// The table of formats: which reader takes which extension.
#include <rattleback/import.h>

#include <algorithm>

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

constexpr Format kFormats[] = {
    {".xml", &load_mjcf},
    {".mjcf", &load_mjcf},
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
