// Reads STL, binary and ASCII, and merges the vertices that triangles repeat.
#include "import/meshes/mesh_file.h"
#include "import/meshes/text_cursor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rattleback
{
namespace
{

// 80 bytes of anything, a count, then per triangle a normal and three corners as 32-bit numbers and two spare bytes.
constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kPrefixBytes = kHeaderBytes + sizeof(std::uint32_t);
constexpr std::size_t kTriangleBytes = 50;
constexpr std::size_t kNormalBytes = 12;

bool equals_ignoring_case(std::string_view text, std::string_view lower)
{
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Three new vertices and the triangle between them.
void add_triangle(const std::array<Vec3, 3>& corners, MeshOptions& mesh)
{
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
}

/// "solid NAME", facets, "endsolid NAME", as often as it likes. Line ends mean nothing but behind a solid's name.
class AsciiStlReader
{
public:
    AsciiStlReader(std::string_view text, const MeshLimits& limits, Digits digits, MeshErrors& errors,
                   MeshOptions& mesh)
        : cursor_(text), limits_(limits), digits_(digits), errors_(errors), mesh_(mesh)
    {
    }

    void read()
    {
        for (Word word = cursor_.next_word_anywhere(); !word.text.empty(); word = cursor_.next_word_anywhere())
        {
            if (!equals_ignoring_case(word.text, "solid")) return expected("solid", word);
            if (!read_solid()) return;
        }
    }

private:
    void expected(const char* what, const Word& word)
    {
        errors_.add(ErrorCode::syntax, word,
                    std::string("expected `") + what + "` and found " +
                        (word.text.empty() ? "the end of the file" : quoted(word.text)),
                    word.text.empty() ? "the file seems to be cut off" : "");
    }

    bool read_keyword(const char* keyword)
    {
        const Word word = cursor_.next_word_anywhere();
        if (equals_ignoring_case(word.text, keyword)) return true;
        expected(keyword, word);
        return false;
    }

    bool read_solid()
    {
        cursor_.next_line();  // past the name
        while (true)
        {
            const Word word = cursor_.next_word_anywhere();
            if (equals_ignoring_case(word.text, "endsolid"))
            {
                while (!cursor_.next_word().text.empty()) continue;  // its name
                return true;
            }
            if (!equals_ignoring_case(word.text, "facet"))
            {
                expected("facet", word);
                return false;
            }
            if (mesh_.triangles.size() >= limits_.triangles)
            {
                errors_.add(ErrorCode::limit, word, "more than " + std::to_string(limits_.triangles) + " triangles");
                return false;
            }
            if (!read_facet()) return false;
        }
    }

    bool read_facet()
    {
        if (!read_keyword("normal")) return false;
        for (int i = 0; i < 3; ++i) cursor_.next_word_anywhere();  // some programs write nan here
        if (!read_keyword("outer") || !read_keyword("loop")) return false;
        std::array<Vec3, 3> corners;
        for (Vec3& corner : corners)
        {
            if (!read_keyword("vertex")) return false;
            for (int i = 0; i < 3; ++i)
            {
                const Word word = cursor_.next_word_anywhere();
                errors_.add_fault(parse_coordinate(word.text, corner[i], digits_), word);
                if (word.text.empty() || errors_.full()) return false;
            }
        }
        if (!read_keyword("endloop") || !read_keyword("endfacet")) return false;
        add_triangle(corners, mesh_);
        return true;
    }

    TextCursor cursor_;
    const MeshLimits& limits_;
    Digits digits_;
    MeshErrors& errors_;
    MeshOptions& mesh_;
};

std::uint64_t find_binary_count(std::span<const std::byte> bytes)
{
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + kHeaderBytes, sizeof(count));
    return count;
}

/// Its size fits the count it gives. That alone decides: many binary files begin with "solid", and no text can pass
/// for one, because four characters make a count of gigabytes.
bool is_binary(std::span<const std::byte> bytes)
{
    return bytes.size() >= kPrefixBytes && bytes.size() == kPrefixBytes + kTriangleBytes * find_binary_count(bytes);
}

bool is_ascii(std::span<const std::byte> bytes)
{
    const std::string_view head = as_text(bytes.first(std::min(bytes.size(), kPrefixBytes)));
    return head.find('\0') == std::string_view::npos &&
           equals_ignoring_case(TextCursor(head).next_word_anywhere().text, "solid");
}

/// Neither text nor a binary file of the right size: says which it seems to be.
void explain(std::span<const std::byte> bytes, MeshErrors& errors)
{
    if (bytes.empty()) return errors.add(ErrorCode::syntax, "the file is empty");
    if (bytes.size() < kPrefixBytes)
    {
        return errors.add(ErrorCode::syntax, std::to_string(bytes.size()) + " bytes are too few for an STL file",
                          "binary STL begins with 84 bytes, ASCII with `solid`");
    }
    const std::uint64_t count = find_binary_count(bytes);
    errors.add(ErrorCode::syntax,
               "the header promises " + std::to_string(count) + " triangles, which take " +
                   std::to_string(kPrefixBytes + kTriangleBytes * count) + " bytes, but the file has " +
                   std::to_string(bytes.size()),
               "it is cut off or not an STL file");
}

void read_binary(std::span<const std::byte> bytes, const MeshLimits& limits, MeshErrors& errors, MeshOptions& mesh)
{
    const std::uint64_t count = find_binary_count(bytes);
    if (count > limits.triangles)
    {
        return errors.add(ErrorCode::limit,
                          std::to_string(count) + " triangles, more than " + std::to_string(limits.triangles));
    }
    mesh.vertices.reserve(3 * count);
    mesh.triangles.reserve(count);
    for (std::size_t offset = kPrefixBytes; offset < bytes.size() && !errors.full(); offset += kTriangleBytes)
    {
        std::array<float, 9> numbers{};
        std::memcpy(numbers.data(), bytes.data() + offset + kNormalBytes, sizeof(numbers));
        std::array<Vec3, 3> corners;
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            corners[i / 3][static_cast<int>(i % 3)] = static_cast<double>(numbers[i]);
            if (std::isfinite(numbers[i])) continue;
            errors.add(ErrorCode::invalid_value,
                       "triangle " + std::to_string((offset - kPrefixBytes) / kTriangleBytes) + ", at byte " +
                           std::to_string(offset) + ", has a coordinate that is not finite");
            break;
        }
        add_triangle(corners, mesh);
    }
}

}  // namespace

Result<MeshOptions> parse_stl(std::span<const std::byte> bytes, std::string_view name, const MeshLimits& limits,
                              Digits digits)
{
    MeshErrors errors(name, limits.errors);
    MeshOptions mesh{.name = std::filesystem::path(name).stem().string()};
    if (bytes.size() > limits.bytes)
    {
        errors.add(ErrorCode::limit, "more than " + std::to_string(limits.bytes) + " bytes");
    }
    else if (is_binary(bytes))
    {
        read_binary(bytes, limits, errors, mesh);
    }
    else if (is_ascii(bytes))
    {
        AsciiStlReader(as_text(bytes), limits, digits, errors, mesh).read();
    }
    else
    {
        explain(bytes, errors);
    }
    if (!errors.any() && mesh.triangles.empty()) errors.add(ErrorCode::invalid_value, "the file has no triangles");
    if (errors.any()) return errors.take();
    weld_vertices(mesh);
    return mesh;
}

}  // namespace rattleback
