// Reads OFF: counts, then a vertex per line and a polygon per line.
#include "import/meshes/mesh_file.h"
#include "import/meshes/polygon.h"
#include "import/meshes/text_cursor.h"

#include <charconv>
#include <optional>

namespace rattleback
{
namespace
{

class OffReader
{
public:
    OffReader(std::string_view text, std::string_view name, const MeshLimits& limits, Digits digits)
        : cursor_(text), limits_(limits), digits_(digits), errors_(name, limits.errors), work_left_(limits.polygon_work)
    {
        mesh_.name = std::filesystem::path(name).stem().string();
    }

    Result<MeshOptions> read()
    {
        if (read_counts() && read_vertices() && !mesh_.vertices.empty()) read_faces();
        if (!errors_.any() && mesh_.vertices.empty())
            errors_.add(ErrorCode::invalid_value, "the file has no vertices", "an OFF file begins with `OFF 8 12 0`");
        if (errors_.any()) return errors_.take();
        return std::move(mesh_);
    }

private:
    /// A whole number from 0 to `most`; otherwise an error that says `what` should stand here.
    std::optional<std::uint64_t> read_whole(const Word& word, std::uint64_t most, const char* what)
    {
        std::uint64_t value = 0;
        const char* const end = word.text.data() + word.text.size();
        const auto [rest, fault] = std::from_chars(word.text.data(), end, value);
        if (fault == std::errc() && rest == end && value <= most) return value;
        const bool large = fault == std::errc::result_out_of_range || (fault == std::errc() && rest == end);
        errors_.add(large ? ErrorCode::limit : ErrorCode::syntax, word,
                    large ? quoted(word.text) + " is too large for " + what + ": at most " + std::to_string(most)
                          : "expected " + std::string(what) + " and found " +
                                (word.text.empty() ? "the end of the line" : quoted(word.text)));
        return std::nullopt;
    }

    bool read_counts()
    {
        const Word word = cursor_.next_word_anywhere();
        if (word.text != "OFF")
        {
            errors_.add(ErrorCode::syntax, word, "the file begins with " + quoted(word.text) + " instead of `OFF`",
                        "variants with normals, colours or in binary are not read");
            return false;
        }
        const auto vertices = read_whole(cursor_.next_word_anywhere(), limits_.vertices, "the number of vertices");
        if (!vertices) return false;
        const auto faces = read_whole(cursor_.next_word_anywhere(), limits_.triangles, "the number of faces");
        if (!faces) return false;
        vertex_count_ = *vertices;
        face_count_ = *faces;
        cursor_.next_word();  // edges: nobody counts them
        return true;
    }

    bool cut_off(const char* what)
    {
        errors_.add(ErrorCode::syntax, std::string("the file ends before its last ") + what, "it seems to be cut off");
        return false;
    }

    bool read_vertices()
    {
        for (std::uint64_t i = 0; i < vertex_count_; ++i)
        {
            if (!cursor_.next_line()) return cut_off("vertex");
            Vec3& vertex = mesh_.vertices.emplace_back();
            for (int k = 0; k < 3; ++k)
            {
                const Word word = cursor_.next_word();
                errors_.add_fault(parse_coordinate(word.text, vertex[k], digits_), word);
                if (word.text.empty() || errors_.full()) return false;
            }
        }
        return !errors_.any();
    }

    void read_faces()
    {
        std::vector<std::array<int, 3>> pieces;
        std::vector<int> corners;
        std::vector<Vec3> positions;
        for (std::uint64_t i = 0; i < face_count_; ++i)
        {
            if (!cursor_.next_line())
            {
                cut_off("face");
                return;
            }
            const Word first = cursor_.next_word();
            const auto count = read_whole(first, limits_.polygon_corners, "the number of corners");
            if (!count) return;
            corners.clear();
            positions.clear();
            pieces.clear();
            for (std::uint64_t k = 0; k < *count; ++k)
            {
                const auto corner = read_whole(cursor_.next_word(), vertex_count_ - 1, "a vertex");
                if (!corner) return;
                corners.push_back(static_cast<int>(*corner));
                positions.push_back(mesh_.vertices[*corner]);
            }
            if (*count < 3)
            {
                errors_.add(ErrorCode::syntax, first, "a face with fewer than three vertices");
                return;
            }
            if (mesh_.triangles.size() + *count - 2 > limits_.triangles || !cut_polygon(positions, pieces, work_left_))
            {
                errors_.add(ErrorCode::limit, first, "too many triangles");
                return;
            }
            for (const auto& [a, b, c] : pieces)
                mesh_.triangles.push_back({corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)],
                                           corners[static_cast<std::size_t>(c)]});
        }
    }

    TextCursor cursor_;
    const MeshLimits& limits_;
    Digits digits_;
    MeshErrors errors_;
    MeshOptions mesh_;
    std::uint64_t work_left_;
    std::uint64_t vertex_count_ = 0, face_count_ = 0;
};

}  // namespace

Result<MeshOptions> parse_off(std::string_view text, std::string_view name, const MeshLimits& limits, Digits digits)
{
    if (text.size() > limits.bytes)
    {
        return Error{.code = ErrorCode::limit,
                     .where = std::string(name),
                     .message = "more than " + std::to_string(limits.bytes) + " bytes"};
    }
    return OffReader(text, name, limits, digits).read();
}

}  // namespace rattleback
