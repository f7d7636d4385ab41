// The binary part of glTF: buffers, and views of numbers in them, every size checked.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

#include "import/meshes/mesh_file.h"

namespace rattleback
{

/// A mistake in a glTF file, thrown within its reader alone.
struct GltfFault
{
    ErrorCode code = ErrorCode::syntax;
    std::string message, hint = {};
};

/// A member that is a whole number, not negative; missing: the default. Otherwise a fault.
std::uint64_t read_count(const nlohmann::json& object, const char* member,
                         std::optional<std::uint64_t> missing = std::nullopt);

/// `list[index]` of the document; a fault if there is none.
const nlohmann::json& find_item(const nlohmann::json& document, const char* list, std::uint64_t index);

class GltfBuffers
{
public:
    /// `binary` is the second chunk of a GLB file.
    GltfBuffers(const nlohmann::json& document, std::span<const std::byte> binary, std::filesystem::path folder,
                std::uint64_t max_bytes)
        : document_(document), binary_(binary), folder_(std::move(folder)), bytes_left_(max_bytes)
    {
    }

    /// The points of an accessor.
    std::vector<Vec3> read_points(std::uint64_t accessor, std::uint64_t most);
    /// The whole numbers of an accessor.
    std::vector<std::uint32_t> read_indices(std::uint64_t accessor, std::uint64_t most);

private:
    /// The bytes of an accessor: `count` elements of `size` bytes, `stride` apart.
    struct View
    {
        const std::byte* data = nullptr;
        std::size_t count = 0, stride = 0;
    };
    View find_view(const nlohmann::json& accessor, std::size_t size, std::uint64_t most);
    std::span<const std::byte> find_buffer(std::uint64_t index);

    const nlohmann::json& document_;
    std::span<const std::byte> binary_;
    std::filesystem::path folder_;
    std::uint64_t bytes_left_;
    std::map<std::uint64_t, std::vector<std::byte>> loaded_;
};

}  // namespace rattleback
