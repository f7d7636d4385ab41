// Reads buffers of glTF and the numbers in them.
#include "import/meshes/gltf_buffers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "import/meshes/read_file.h"
#include "import/meshes/text_cursor.h"

namespace rattleback
{
namespace
{

using nlohmann::json;

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kFloat = 5126, kByte = 5121, kShort = 5123, kInt = 5125;

std::vector<std::byte> decode_base64(std::string_view text)
{
    const auto value = [](char c)
    {
        if (c >= 'A' && c <= 'Z') return c - 'A';
        if (c >= 'a' && c <= 'z') return c - 'a' + 26;
        if (c >= '0' && c <= '9') return c - '0' + 52;
        return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
    };
    std::vector<std::byte> bytes;
    std::uint32_t bits = 0;
    int count = 0;
    while (text.ends_with('=')) text.remove_suffix(1);
    for (const char c : text)
    {
        if (value(c) < 0) throw GltfFault{ErrorCode::syntax, "a data URI is not base64"};
        bits = bits << 6 | static_cast<std::uint32_t>(value(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> count & 255));
    }
    return bytes;
}

std::string read_word(const json& object, const char* member)
{
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::uint64_t read_count(const json& object, const char* member, std::optional<std::uint64_t> missing)
{
    const auto found = object.is_object() ? object.find(member) : object.end();
    if (object.is_object() && found == object.end() && missing) return *missing;
    if (object.is_object() && found != object.end() && found->is_number_unsigned()) return found->get<std::uint64_t>();
    throw GltfFault{ErrorCode::syntax, std::string("'") + member + "' is missing or not a whole number"};
}

const json& find_item(const json& document, const char* list, std::uint64_t index)
{
    const auto found = document.find(list);
    if (found == document.end() || !found->is_array() || index >= found->size())
        throw GltfFault{ErrorCode::unknown_name,
                        std::string("there is no '") + list + "' number " + std::to_string(index)};
    const json& item = (*found)[static_cast<std::size_t>(index)];
    if (!item.is_object()) throw GltfFault{ErrorCode::syntax, std::string("an item of '") + list + "' is no object"};
    return item;
}

std::span<const std::byte> GltfBuffers::find_buffer(std::uint64_t index)
{
    const json& buffer = find_item(document_, "buffers", index);
    const std::uint64_t length = read_count(buffer, "byteLength");
    const std::string uri = read_word(buffer, "uri");
    std::span<const std::byte> bytes;
    if (uri.empty() && index == 0 && !binary_.empty())
        bytes = binary_;
    else if (const auto known = loaded_.find(index); known != loaded_.end())
        bytes = known->second;
    else if (const std::size_t comma = uri.find(";base64,"); uri.starts_with("data:") && comma != uri.npos)
        bytes = loaded_[index] = decode_base64(std::string_view(uri).substr(comma + 8));
    else
    {
        // A file beside this one: names that lead elsewhere are refused.
        const std::filesystem::path path = std::filesystem::path(uri).lexically_normal();
        if (uri.empty() || path.is_absolute() || uri.find(':') != uri.npos || *path.begin() == "..")
            throw GltfFault{ErrorCode::io,
                            "the buffer " + quoted(std::string_view(uri)) + " is no file beside this one"};
        Result<std::vector<std::byte>> read = read_regular_file(folder_ / path, bytes_left_);
        if (!read) throw GltfFault{read.errors().front().code, read.errors().front().text()};
        bytes_left_ -= read->size();
        bytes = loaded_[index] = std::move(read).value();
    }
    if (length > bytes.size())
        throw GltfFault{ErrorCode::invalid_value, "buffer " + std::to_string(index) + " says " +
                                                      std::to_string(length) + " bytes and has " +
                                                      std::to_string(bytes.size())};
    return bytes.first(static_cast<std::size_t>(length));
}

GltfBuffers::View GltfBuffers::find_view(const json& accessor, std::size_t size, std::uint64_t most)
{
    if (accessor.contains("sparse")) throw GltfFault{ErrorCode::unsupported, "sparse accessors are not supported"};
    const json& view = find_item(document_, "bufferViews", read_count(accessor, "bufferView"));
    const std::span<const std::byte> buffer = find_buffer(read_count(view, "buffer"));
    const std::uint64_t begin = read_count(view, "byteOffset", 0), length = read_count(view, "byteLength"),
                        stride = read_count(view, "byteStride", size), offset = read_count(accessor, "byteOffset", 0),
                        count = read_count(accessor, "count");
    if (count > most)
        throw GltfFault{ErrorCode::limit, "an accessor has more than " + std::to_string(most) + " elements"};
    // Each bound before the sum that needs it, so that nothing overflows.
    const bool in_buffer = begin <= buffer.size() && length <= buffer.size() - begin;
    const bool in_view = in_buffer && offset <= length && stride >= size && stride <= 1024 &&
                         (count == 0 || (count - 1) * stride + size <= length - offset);
    if (!in_view) throw GltfFault{ErrorCode::invalid_value, "an accessor reads beyond its buffer"};
    return {buffer.data() + begin + offset, static_cast<std::size_t>(count), static_cast<std::size_t>(stride)};
}

std::vector<Vec3> GltfBuffers::read_points(std::uint64_t index, std::uint64_t most)
{
    const json& accessor = find_item(document_, "accessors", index);
    if (read_count(accessor, "componentType") != kFloat || read_word(accessor, "type") != "VEC3")
        throw GltfFault{ErrorCode::unsupported, "positions that are not VEC3 of 32-bit numbers are not supported"};
    const View view = find_view(accessor, 12, most);
    std::vector<Vec3> points(view.count);
    for (std::size_t i = 0; i < view.count; ++i)
    {
        std::array<float, 3> p{};
        std::memcpy(p.data(), view.data + i * view.stride, 12);
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
            throw GltfFault{ErrorCode::invalid_value, "a vertex is not finite"};
        points[i] = {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    }
    return points;
}

std::vector<std::uint32_t> GltfBuffers::read_indices(std::uint64_t index, std::uint64_t most)
{
    const json& accessor = find_item(document_, "accessors", index);
    const std::uint64_t type = read_count(accessor, "componentType");
    const std::size_t size = type == kByte ? 1 : type == kShort ? 2 : type == kInt ? 4 : 0;
    if (size == 0 || read_word(accessor, "type") != "SCALAR")
        throw GltfFault{ErrorCode::syntax, "indices must be unsigned whole numbers"};
    const View view = find_view(accessor, size, most);
    std::vector<std::uint32_t> indices(view.count, 0);
    for (std::size_t i = 0; i < view.count; ++i) std::memcpy(&indices[i], view.data + i * view.stride, size);
    return indices;
}

}  // namespace rattleback
