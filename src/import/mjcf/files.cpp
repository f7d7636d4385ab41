// Finds and reads files that a model names.
#include "import/mjcf/files.h"

#include <array>
#include <fstream>

#include "base/file.h"
#include "import/mjcf/check_attribute.h"

namespace rattleback::mjcf
{

Result<std::string> read_bytes(const std::filesystem::path& path, std::size_t limit)
{
    const auto fail = [&](const std::string& message, ErrorCode code)
    { return Error{code, path.generic_string(), message, {}}; };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) return fail("there is no such file", ErrorCode::io);
    if (!std::filesystem::is_regular_file(status)) return fail("not a file", ErrorCode::io);
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return fail("the file cannot be opened", ErrorCode::io);
    // Read in pieces: the size that the file system tells may be wrong.
    std::string bytes;
    std::array<char, 1 << 16> piece{};
    while (stream)
    {
        stream.read(piece.data(), piece.size());
        bytes.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
        if (bytes.size() > limit)
            return fail("the file is larger than " + std::to_string(limit) + " bytes", ErrorCode::limit);
    }
    return bytes;
}

std::filesystem::path find_folder(const std::filesystem::path& folder, const std::filesystem::path& file,
                                  const SourceLocation& location)
{
    if (!location.file) return folder;
    const std::filesystem::path beside = std::filesystem::path(*location.file).parent_path();
    std::error_code code;
    const auto exists = [&](const std::filesystem::path& path)
    { return std::filesystem::exists(path, code) || std::filesystem::exists(path.lexically_normal(), code); };
    return !exists(folder / file) && exists(beside / file) ? beside : folder;
}

std::optional<std::filesystem::path> find_path(const std::filesystem::path& folder, const std::filesystem::path& file,
                                               const SourceLocation& location, const Source& source, Log& log)
{
    std::filesystem::path path = folder / file;
    std::error_code code;
    // A path may go up again through folders that are not there.
    if (!std::filesystem::exists(path, code)) path = path.lexically_normal();
    if (!source.options->strict || lies_in(path, source.root)) return path;
    log.fail(location, "the file " + in_quotes(file.generic_string()) + " is outside the model's folder", kStrictHint,
             ErrorCode::io);
    return std::nullopt;
}

bool take(std::size_t amount, std::size_t& left)
{
    if (amount > left) return false;
    left -= amount;
    return true;
}

}  // namespace rattleback::mjcf
