// The JSON of a glTF file and the numbers in its buffers, every size checked; remembers the first fault.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

#include "import/meshes/mesh_file.h"

namespace rattleback
{

/// Once something is wrong what is read is empty, and only the first fault is kept: nothing after it means anything.
class GltfDocument
{
public:
    /// `text` is JSON; `binary` the second chunk of a GLB file; `folder` holds the files that buffers name.
    GltfDocument(std::span<const std::byte> text, std::span<const std::byte> binary, std::filesystem::path folder,
                 const MeshLimits& limits);

    ~GltfDocument();
    GltfDocument(const GltfDocument&) = delete;
    GltfDocument& operator=(const GltfDocument&) = delete;

    bool good() const { return !fault_; }
    void fail(ErrorCode code, std::string message);
    Error take_fault(std::string_view file);

    const nlohmann::json& root() const { return root_; }
    /// A member that is a whole number, not negative; missing: the default, or a fault where there is none.
    std::uint64_t read_count(const nlohmann::json& object, const char* member,
                             std::optional<std::uint64_t> missing = std::nullopt);
    /// `list[index]` at the root.
    const nlohmann::json& find_item(const char* list, std::uint64_t index);
    /// A list of indices; missing: none.
    std::vector<std::uint64_t> read_references(const nlohmann::json& object, const char* member);
    /// So many numbers; missing: the default.
    std::vector<double> read_numbers(const nlohmann::json& object, const char* member,
                                     const std::vector<double>& missing);

    /// The points of an accessor.
    std::vector<Vec3> read_points(std::uint64_t accessor);
    /// The whole numbers of an accessor.
    std::vector<std::uint32_t> read_indices(std::uint64_t accessor);

private:
    GltfDocument(std::span<const std::byte> binary, std::filesystem::path folder, const MeshLimits& limits);
    /// The elements of an accessor, `stride` bytes apart.
    struct View
    {
        const std::byte* data = nullptr;
        std::size_t count = 0, stride = 0;
    };
    View find_view(const nlohmann::json& accessor, std::size_t size, std::uint64_t most);
    std::span<const std::byte> find_buffer(std::uint64_t index);
    std::vector<std::byte> load_buffer(const std::string& uri);
    void check_extensions();

    const MeshLimits& limits_;
    nlohmann::json root_;
    std::span<const std::byte> binary_;
    std::filesystem::path folder_;
    std::uint64_t bytes_left_;  ///< that files of buffers may still take
    std::map<std::uint64_t, std::vector<std::byte>> loaded_;
    std::optional<Error> fault_;
};

}  // namespace rattleback
