// Reads members of glTF's JSON, its buffers and the numbers in them.
#include "import/meshes/gltf_document.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "import/json/clear_json.h"
#include "import/meshes/read_file.h"
#include "import/meshes/text_cursor.h"

namespace rattleback
{
namespace
{

using nlohmann::json;

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMaxJson = std::size_t{64} << 20;  // of its text [bytes]; as a tree it takes some ten times that
constexpr std::size_t kMostValues = 2'000'000, kMostDepth = 256;
constexpr std::uint64_t kFloat = 5126, kByte = 5121, kShort = 5123, kInt = 5125;

std::string read_word(const json& object, const char* member)
{
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

struct JsonSize
{
    std::size_t values = 1, depth = 0;  ///< at least those that the text has
};
/// What the tree of a text will be, before it is made.
JsonSize find_size(std::string_view text)
{
    JsonSize size;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if (c == '"')
        {
            for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
            continue;
        }
        if (c == ',' || c == '[' || c == '{') ++size.values;
        if (c == '[' || c == '{') size.depth = std::max(size.depth, ++depth);
        if ((c == ']' || c == '}') && depth > 0) --depth;
    }
    return size;
}

}  // namespace

GltfDocument::GltfDocument(std::span<const std::byte> binary, std::filesystem::path folder, const MeshLimits& limits)
    : limits_(limits), root_(json::object()), binary_(binary), folder_(std::move(folder)), bytes_left_(limits.bytes)
{
}

// Another constructor does the first part, so that the destructor is called where memory ends in this one.
GltfDocument::GltfDocument(std::span<const std::byte> text, std::span<const std::byte> binary,
                           std::filesystem::path folder, const MeshLimits& limits)
    : GltfDocument(binary, std::move(folder), limits)
{
    if (text.size() > kMaxJson)
    {
        fail(ErrorCode::limit, "the JSON part is longer than " + std::to_string(kMaxJson) + " bytes");
        return;
    }
    const auto* const begin = reinterpret_cast<const char*>(text.data());
    const JsonSize size = find_size({begin, text.size()});
    if (size.values > kMostValues)
    {
        fail(ErrorCode::limit, "the JSON part has more than " + std::to_string(kMostValues) + " values");
        return;
    }
    if (size.depth > kMostDepth)
    {
        fail(ErrorCode::limit, "the JSON part is nested more than " + std::to_string(kMostDepth) + " deep");
        return;
    }
    nlohmann::detail::json_sax_dom_parser<json> builder(root_, false);
    const bool parsed = json::sax_parse(begin, begin + text.size(), &builder);
    if (!parsed || !root_.is_object()) fail(ErrorCode::syntax, "not glTF: the text is no JSON object");
    if (!good())
    {
        clear_json(root_);
        root_ = json::object();
    }
    check_extensions();
}

GltfDocument::~GltfDocument() { clear_json(root_); }

void GltfDocument::check_extensions()
{
    const auto required = root_.find("extensionsRequired");
    if (required == root_.end()) return;
    for (const json& word : *required)
    {
        const std::string name = word.is_string() ? word.get<std::string>() : "";
        // Extensions about looks change no vertex.
        if (name.starts_with("KHR_materials_") || name.starts_with("KHR_texture_") || name.starts_with("KHR_lights_"))
            continue;
        fail(ErrorCode::unsupported, "the extension " + quoted(std::string_view(name)) + " is not supported");
    }
}

void GltfDocument::fail(ErrorCode code, std::string message)
{
    if (!fault_) fault_ = Error{code, {}, std::move(message), {}};
}

Error GltfDocument::take_fault(std::string_view file)
{
    fault_->where = file;
    return std::move(*fault_);
}

std::uint64_t GltfDocument::read_count(const json& object, const char* member, std::optional<std::uint64_t> missing)
{
    const auto found = object.is_object() ? object.find(member) : object.end();
    if (found != object.end() && found->is_number_unsigned()) return found->get<std::uint64_t>();
    if (object.is_object() && found == object.end() && missing) return *missing;
    fail(ErrorCode::syntax, std::string("'") + member + "' is missing or not a whole number");
    return 0;
}

const json& GltfDocument::find_item(const char* list, std::uint64_t index)
{
    static const json kNothing = json::object();
    const auto found = root_.find(list);
    if (found == root_.end() || !found->is_array() || index >= found->size())
        return fail(ErrorCode::unknown_name, std::string("there is no '") + list + "' number " + std::to_string(index)),
               kNothing;
    const json& item = (*found)[static_cast<std::size_t>(index)];
    if (item.is_object()) return item;
    return fail(ErrorCode::syntax, std::string("an item of '") + list + "' is no object"), kNothing;
}

std::vector<std::uint64_t> GltfDocument::read_references(const json& object, const char* member)
{
    std::vector<std::uint64_t> indices;
    const auto found = object.find(member);
    if (found == object.end()) return indices;
    for (const json& index : *found)
    {
        if (!index.is_number_unsigned())
            return fail(ErrorCode::syntax, std::string("'") + member + "' must be a list of whole numbers"), indices;
        indices.push_back(index.get<std::uint64_t>());
    }
    return indices;
}

std::vector<double> GltfDocument::read_numbers(const json& object, const char* member,
                                               const std::vector<double>& missing)
{
    const auto found = object.find(member);
    if (found == object.end()) return missing;
    std::vector<double> numbers;
    const bool fits = found->is_array() && found->size() == missing.size();
    for (std::size_t i = 0; fits && i < missing.size(); ++i)
    {
        if ((*found)[i].is_number()) numbers.push_back((*found)[i].get<double>());
    }
    if (numbers.size() == missing.size()) return numbers;
    fail(ErrorCode::syntax,
         std::string("'") + member + "' of a node must be " + std::to_string(missing.size()) + " numbers");
    return missing;
}

std::vector<std::byte> GltfDocument::load_buffer(const std::string& uri)
{
    if (const std::size_t data = uri.find(";base64,"); uri.starts_with("data:") && data != uri.npos)
    {
        std::vector<std::byte> bytes;
        if (!read_base64(std::string_view(uri).substr(data + 8), bytes))
            fail(ErrorCode::syntax, "a data URI is not base64");
        return bytes;
    }
    // A file beside this one: names that lead elsewhere are refused.
    const std::filesystem::path path = std::filesystem::path(uri).lexically_normal();
    if (uri.empty() || path.is_absolute() || uri.find(':') != uri.npos || *path.begin() == "..")
        return fail(ErrorCode::io, "the buffer " + quoted(std::string_view(uri)) + " is no file beside this one"),
               std::vector<std::byte>();
    if (limits_.root && !lies_in(folder_ / path, *limits_.root))
        return fail(ErrorCode::io, "the buffer " + quoted(std::string_view(uri)) + " is outside the model's folder"),
               std::vector<std::byte>();
    Result<std::vector<std::byte>> read = read_regular_file(folder_ / path, bytes_left_);
    if (!read) return fail(read.errors().front().code, read.errors().front().text()), std::vector<std::byte>();
    bytes_left_ -= read->size();
    return std::move(read).value();
}

std::span<const std::byte> GltfDocument::find_buffer(std::uint64_t index)
{
    const json& buffer = find_item("buffers", index);
    const std::uint64_t length = read_count(buffer, "byteLength");
    const std::string uri = read_word(buffer, "uri");
    std::span<const std::byte> bytes = binary_;
    if (!uri.empty() || index > 0 || binary_.empty())
    {
        const auto known = loaded_.find(index);
        bytes = known != loaded_.end() ? known->second : loaded_[index] = load_buffer(uri);
    }
    if (!good()) return {};
    if (length <= bytes.size()) return bytes.first(static_cast<std::size_t>(length));
    fail(ErrorCode::invalid_value, "buffer " + std::to_string(index) + " says " + std::to_string(length) +
                                       " bytes and has " + std::to_string(bytes.size()));
    return {};
}

GltfDocument::View GltfDocument::find_view(const json& accessor, std::size_t size, std::uint64_t most)
{
    if (accessor.contains("sparse")) return fail(ErrorCode::unsupported, "sparse accessors are not supported"), View{};
    const json& view = find_item("bufferViews", read_count(accessor, "bufferView"));
    const std::span<const std::byte> buffer = find_buffer(read_count(view, "buffer"));
    const std::uint64_t begin = read_count(view, "byteOffset", 0), length = read_count(view, "byteLength"),
                        stride = read_count(view, "byteStride", size), offset = read_count(accessor, "byteOffset", 0),
                        count = read_count(accessor, "count");
    if (!good()) return {};
    if (count > most)
        return fail(ErrorCode::limit, "an accessor has more than " + std::to_string(most) + " elements"), View{};
    // Each bound before the sum that needs it, so that nothing overflows.
    const bool in_buffer = begin <= buffer.size() && length <= buffer.size() - begin;
    const bool in_view = in_buffer && offset <= length && stride >= size && stride <= 1024 &&
                         (count == 0 || (count - 1) * stride + size <= length - offset);
    if (!in_view) return fail(ErrorCode::invalid_value, "an accessor reads beyond its buffer"), View{};
    return {buffer.data() + begin + offset, static_cast<std::size_t>(count), static_cast<std::size_t>(stride)};
}

std::vector<Vec3> GltfDocument::read_points(std::uint64_t index)
{
    const json& accessor = find_item("accessors", index);
    if (read_count(accessor, "componentType") != kFloat || read_word(accessor, "type") != "VEC3")
        fail(ErrorCode::unsupported, "positions that are not VEC3 of 32-bit numbers are not supported");
    const View view = good() ? find_view(accessor, 12, limits_.vertices) : View{};
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < view.count; ++i)
    {
        std::array<float, 3> p{};
        std::memcpy(p.data(), view.data + i * view.stride, 12);
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
            return fail(ErrorCode::invalid_value, "a vertex is not finite"), points;
        points.push_back({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    }
    return points;
}

std::vector<std::uint32_t> GltfDocument::read_indices(std::uint64_t index)
{
    const json& accessor = find_item("accessors", index);
    const std::uint64_t type = read_count(accessor, "componentType");
    const std::size_t size = type == kByte ? 1 : type == kShort ? 2 : type == kInt ? 4 : 0;
    if (size == 0 || read_word(accessor, "type") != "SCALAR")
        fail(ErrorCode::syntax, "indices must be unsigned whole numbers");
    const View view = good() ? find_view(accessor, size, 3 * limits_.triangles) : View{};
    std::vector<std::uint32_t> indices(view.count, 0);
    for (std::size_t i = 0; i < view.count; ++i) std::memcpy(&indices[i], view.data + i * view.stride, size);
    return indices;
}

}  // namespace rattleback
