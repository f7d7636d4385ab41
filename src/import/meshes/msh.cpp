// Reads MSH, MuJoCo's own binary format: four counts, then vertices, normals, texture coordinates and triangles.
#include "import/meshes/mesh_file.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

namespace rattleback
{
namespace
{

constexpr std::size_t kMshHeaderBytes = 4 * sizeof(std::int32_t);
static_assert(std::endian::native == std::endian::little, "the format is little-endian");

/// The number of 32 bits at a place that is known to be inside.
template <class T>
T take_word(std::span<const std::byte> bytes, std::uint64_t index)
{
    T value{};
    std::memcpy(&value, bytes.data() + sizeof(T) * static_cast<std::size_t>(index), sizeof(T));
    return value;
}

}  // namespace

Result<MeshOptions> parse_msh(std::span<const std::byte> bytes, std::string_view name, const MeshLimits& limits)
{
    const auto fail = [&](ErrorCode code, std::string message, std::string hint = {})
    { return Error{code, std::string(name), std::move(message), std::move(hint)}; };
    if (bytes.size() > limits.bytes) return fail(ErrorCode::limit, "the file is too large");
    if (bytes.size() < kMshHeaderBytes) return fail(ErrorCode::syntax, "the file is too short for an MSH mesh");

    // Vertices, normals, texture coordinates, triangles: the counts must add up to the size of the file.
    std::array<std::uint64_t, 4> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        const auto count = take_word<std::int32_t>(bytes, i);
        if (count < 0) return fail(ErrorCode::syntax, "a count in the header is negative", "the file is no MSH mesh");
        counts[i] = static_cast<std::uint64_t>(count);
    }
    const auto [vertices, normals, coordinates, triangles] = counts;
    const std::uint64_t words = 4 + 3 * vertices + 3 * normals + 2 * coordinates + 3 * triangles;
    if (4 * words != bytes.size())
        return fail(ErrorCode::syntax, "the file does not hold as many numbers as its header says",
                    "the file is cut off, or no MSH mesh");
    if (vertices == 0) return fail(ErrorCode::invalid_value, "the mesh has no vertices");
    if (vertices > limits.vertices || triangles > limits.triangles)
        return fail(ErrorCode::limit, "too many vertices or triangles");

    MeshOptions mesh{.name = std::filesystem::path(name).stem().string()};
    mesh.vertices.resize(static_cast<std::size_t>(vertices));
    for (std::uint64_t i = 0; i < 3 * vertices; ++i)
    {
        const auto value = take_word<float>(bytes, 4 + i);
        if (!std::isfinite(value))
            return fail(ErrorCode::invalid_value, "vertex " + std::to_string(i / 3) + " is not finite");
        mesh.vertices[static_cast<std::size_t>(i / 3)][static_cast<int>(i % 3)] = static_cast<double>(value);
    }
    mesh.triangles.resize(static_cast<std::size_t>(triangles));
    for (std::uint64_t i = 0; i < 3 * triangles; ++i)
    {
        const auto corner = take_word<std::int32_t>(bytes, words - 3 * triangles + i);
        if (corner < 0 || static_cast<std::uint64_t>(corner) >= vertices)
            return fail(ErrorCode::invalid_value, "triangle " + std::to_string(i / 3) + " names no vertex");
        mesh.triangles[static_cast<std::size_t>(i / 3)][static_cast<std::size_t>(i % 3)] = corner;
    }
    return mesh;
}

}  // namespace rattleback
