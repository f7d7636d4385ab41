// Reads Wavefront OBJ: first all vertices, then the faces and lines that name them.
#include "import/meshes/mesh_file.h"
#include "import/meshes/polygon.h"
#include "import/meshes/text_cursor.h"

#include <charconv>
#include <optional>

namespace rattleback
{
namespace
{

class ObjReader
{
public:
    ObjReader(std::string_view text, std::string_view name, const MeshLimits& limits, const ObjRules& rules)
        : text_(text), limits_(limits), rules_(rules), errors_(name, limits.errors), work_left_(limits.polygon_work)
    {
        mesh_.name = std::filesystem::path(name).stem().string();
    }

    Result<MeshOptions> read()
    {
        if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos)
        {
            errors_.add(ErrorCode::syntax, "byte " + std::to_string(zero) + " is zero: this is not text",
                        "OBJ files are plain text; UTF-16 and binary formats are not read");
            return errors_.take();
        }
        read_vertices();
        if (!errors_.full() && !stopped_) read_elements();
        if (!errors_.any() && mesh_.vertices.empty())
        {
            errors_.add(ErrorCode::invalid_value, "the file has no vertices",
                        "an OBJ file has lines like `v 0 0 1` and `f 1 2 3`");
        }
        if (errors_.any()) return errors_.take();
        if (!placed_) mesh_.texcoords.clear();
        return std::move(mesh_);
    }

private:
    void stop(const Word& word, const std::string& what)
    {
        errors_.add(ErrorCode::limit, word, what);
        stopped_ = true;
    }

    void read_vertices()
    {
        TextCursor cursor(text_);
        while (!stopped_ && !errors_.full() && cursor.next_line())
        {
            const Word keyword = cursor.next_word();
            if (keyword.text == "vt") read_place(cursor);
            if (keyword.text != "v") continue;
            if (mesh_.vertices.size() >= limits_.vertices)
            {
                stop(keyword, "more than " + std::to_string(limits_.vertices) + " vertices");
                continue;
            }
            Vec3& vertex = mesh_.vertices.emplace_back();
            for (int i = 0; i < 3; ++i)  // what may follow, a weight or a colour, is passed over
            {
                const Word word = cursor.next_word();
                const NumberFault fault = parse_coordinate(word.text, vertex[i], rules_.digits);
                errors_.add_fault(fault, word);
                if (word.text.empty()) break;
            }
        }
    }

    /// A place in the texture, upwards in OBJ and downwards here. A bad one is zero: it harms nothing but the picture.
    void read_place(TextCursor& cursor)
    {
        if (places_.size() >= limits_.vertices) return;
        Vec3 place;
        for (int i = 0; i < 2; ++i)
        {
            const Word word = cursor.next_word();
            double number = 0;
            if (parse_coordinate(word.text, number) == NumberFault::none) place[i] = number;
        }
        places_.push_back({static_cast<float>(place.x), static_cast<float>(1 - place.y)});
    }

    void read_elements()
    {
        TextCursor cursor(text_);
        while (!stopped_ && !errors_.full() && cursor.next_line())
        {
            const Word keyword = cursor.next_word();
            if (keyword.text == "v")
            {
                ++vertices_so_far_;
            }
            else if (keyword.text == "vt")
            {
                ++places_so_far_;
            }
            else if (keyword.text == "f")
            {
                read_face(keyword, cursor);
            }
            else if (keyword.text == "l")
            {
                read_line(keyword, cursor);
            }
            else if (keyword.text == "o" || keyword.text == "g")
            {
                kept_ = kept_ && (!group_used_ || rules_.groups == ObjGroups::all);
            }
        }
    }

    /// An index in one of the forms v, v/t, v/t/n, v//n: the vertex, from 0, and in place_ the place in the texture, -1
    /// where it has none. Normals are checked for their form alone.
    std::optional<int> read_index(const Word& word)
    {
        const char* const begin = word.text.data();
        const char* const end = begin + word.text.size();
        std::int64_t index = 0;
        auto [rest, fault] = std::from_chars(begin, end, index);
        const bool huge = fault == std::errc::result_out_of_range;
        bool good = huge || fault == std::errc();
        std::array<std::int64_t, 2> more{};  // texture and normal
        for (std::size_t i = 0; i < 2 && good && rest != end && *rest == '/'; ++i)
        {
            ++rest;
            if (rest != end && *rest != '/')
            {
                const auto [after, more_fault] = std::from_chars(rest, end, more[i]);
                good = more_fault != std::errc::invalid_argument;
                rest = after;
            }
        }
        const std::int64_t place = more[0] > 0 ? more[0] - 1 : places_so_far_ + more[0];
        place_ = more[0] != 0 && place >= 0 && place < static_cast<std::int64_t>(places_.size())
                     ? static_cast<int>(place)
                     : -1;
        if (!good || rest != end)
        {
            errors_.add(ErrorCode::syntax, word, quoted(word.text) + " is not a vertex index",
                        "use v, v/t, v/t/n or v//n");
            return std::nullopt;
        }
        if (index == 0 && !huge)
        {
            errors_.add(ErrorCode::invalid_value, word, "vertex index 0", "OBJ counts vertices from 1");
            return std::nullopt;
        }
        const std::int64_t vertex = index > 0 ? index - 1 : vertices_so_far_ + index;
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (huge || vertex < 0 || vertex >= count)
        {
            const std::string available = index < 0 && !huge
                                              ? std::to_string(vertices_so_far_) + " vertices stand before it"
                                              : "the file has " + std::to_string(count);
            errors_.add(ErrorCode::invalid_value, word,
                        "vertex index " + quoted(word.text) + " names no vertex: " + available);
            return std::nullopt;
        }
        return static_cast<int>(vertex);
    }

    /// Reads indices to the end of the line into corners_; false if one is bad.
    bool read_indices(TextCursor& cursor)
    {
        corners_.clear();
        corner_places_.clear();
        for (Word word = cursor.next_word(); !word.text.empty(); word = cursor.next_word())
        {
            if (corners_.size() >= limits_.polygon_corners)
            {
                errors_.add(ErrorCode::limit, word,
                            "more than " + std::to_string(limits_.polygon_corners) + " vertices in one element");
                return false;
            }
            const std::optional<int> index = read_index(word);
            if (!index) return false;
            corners_.push_back(*index);
            corner_places_.push_back(place_);
        }
        return true;
    }

    void read_face(const Word& keyword, TextCursor& cursor)
    {
        group_used_ = true;
        if (!read_indices(cursor)) return;
        if (corners_.size() < 3)
        {
            errors_.add(ErrorCode::syntax, keyword, "a face with fewer than three vertices");
            return;
        }
        if (!kept_) return;
        if (mesh_.triangles.size() + corners_.size() - 2 > limits_.triangles)
        {
            stop(keyword, "more than " + std::to_string(limits_.triangles) + " triangles");
            return;
        }
        add_polygon(keyword);
    }

    void add_polygon(const Word& keyword)
    {
        if (corners_.size() == 3)
        {
            add_triangle(0, 1, 2);
            return;
        }
        positions_.clear();
        pieces_.clear();
        for (const int corner : corners_) positions_.push_back(mesh_.vertices[static_cast<std::size_t>(corner)]);
        const auto cut = rules_.polygons_as_mujoco ? &cut_polygon_as_mujoco : &cut_polygon;
        if (!cut(positions_, pieces_, work_left_))
        {
            stop(keyword, "cutting the polygons into triangles takes too long");
            return;
        }
        for (const auto& [a, b, c] : pieces_) add_triangle(a, b, c);
    }

    void add_triangle(int a, int b, int c)
    {
        std::array<int, 3> triangle{};
        for (std::size_t k = 0; const int corner : {a, b, c})
        {
            const int place = corner_places_[static_cast<std::size_t>(corner)];
            placed_ = placed_ || place >= 0;
            if (!places_.empty())
                mesh_.texcoords.push_back(place >= 0 ? places_[static_cast<std::size_t>(place)]
                                                     : std::array<float, 2>{});
            triangle[k++] = corners_[static_cast<std::size_t>(corner)];
        }
        mesh_.triangles.push_back(triangle);
    }

    void read_line(const Word& keyword, TextCursor& cursor)
    {
        group_used_ = true;
        if (!read_indices(cursor)) return;
        if (corners_.size() < 2)
        {
            errors_.add(ErrorCode::syntax, keyword, "a line with fewer than two vertices");
            return;
        }
        if (!kept_) return;
        if (mesh_.edges.size() + corners_.size() - 1 > limits_.triangles)
        {
            stop(keyword, "more than " + std::to_string(limits_.triangles) + " edges");
            return;
        }
        for (std::size_t i = 1; i < corners_.size(); ++i) mesh_.edges.push_back({corners_[i - 1], corners_[i]});
    }

    std::string_view text_;
    const MeshLimits& limits_;
    ObjRules rules_;
    MeshErrors errors_;
    MeshOptions mesh_;
    std::uint64_t work_left_;
    std::int64_t vertices_so_far_ = 0;  ///< negative indices count from here
    std::int64_t places_so_far_ = 0;
    std::vector<std::array<float, 2>> places_;  ///< in the texture
    std::vector<int> corner_places_;            ///< of corners_, into places_; -1: none
    int place_ = -1;                            ///< of the index read last
    bool placed_ = false;                       ///< a triangle has places
    bool group_used_ = false;                   ///< a face or line came before
    bool kept_ = true;                          ///< this group makes the mesh
    bool stopped_ = false;                      ///< at a limit
    std::vector<int> corners_;
    std::vector<Vec3> positions_;
    std::vector<std::array<int, 3>> pieces_;
};

}  // namespace

Result<MeshOptions> parse_obj(std::string_view text, std::string_view name, const MeshLimits& limits,
                              const ObjRules& rules)
{
    if (text.size() > limits.bytes)
    {
        return Error{.code = ErrorCode::limit,
                     .where = std::string(name),
                     .message = "more than " + std::to_string(limits.bytes) + " bytes"};
    }
    return ObjReader(text, name, limits, rules).read();
}

}  // namespace rattleback
