// STL, binary and ASCII: read, welded, and refused when the sizes lie.
#include "import/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace rattleback
{
namespace
{

using Triangles = std::vector<std::array<int, 3>>;
using Corners = std::array<std::array<float, 3>, 3>;

const std::vector<Corners> kCorners = {{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                       {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                                       {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                       {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}}};
const Triangles kCornerFaces = {{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {0, 3, 1}};

std::string binary(const std::vector<Corners>& triangles, std::uint32_t count, std::string header = "a part")
{
    header.resize(80, '\0');
    std::string bytes = header + std::string(4, '\0');
    std::memcpy(bytes.data() + 80, &count, 4);
    for (const Corners& corners : triangles)
    {
        bytes += std::string(12, '\x7f');  // the normal: not looked at
        bytes.append(reinterpret_cast<const char*>(&corners), sizeof(corners));
        bytes += std::string(2, 'c');
    }
    return bytes;
}

std::string binary(const std::vector<Corners>& triangles)
{
    return binary(triangles, static_cast<std::uint32_t>(triangles.size()));
}

std::string ascii(const std::vector<Corners>& triangles)
{
    std::string text = "solid my part\n";
    for (const Corners& corners : triangles)
    {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const auto& [x, y, z] : corners)
        {
            text += "      vertex " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid my part\n";
}

Result<MeshOptions> parse(const std::string& bytes, const MeshLimits& limits = {})
{
    return parse_stl(std::as_bytes(std::span(bytes)), "folder/part.stl", limits);
}

std::string stl_refusal(const std::string& bytes, const MeshLimits& limits = {})
{
    const Result<MeshOptions> mesh = parse(bytes, limits);
    EXPECT_FALSE(mesh.ok());
    return to_text(mesh.errors());
}

void expect_tetrahedron(const std::string& bytes)
{
    const Result<MeshOptions> mesh = parse(bytes);
    ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
    EXPECT_EQ(mesh.value().name, "part");
    EXPECT_EQ(mesh.value().vertices.size(), 4U);
    EXPECT_EQ(mesh.value().triangles, kCornerFaces);
}

void expect_error(const std::string& errors, const std::string& start, const std::string& what)
{
    EXPECT_TRUE(errors.starts_with(start)) << errors;
    EXPECT_NE(errors.find(what), std::string::npos) << errors;
}

}  // namespace

TEST(MeshStl, binary_and_ascii_give_the_same_welded_mesh)
{
    expect_tetrahedron(binary(kCorners));
    expect_tetrahedron(ascii(kCorners));
}

TEST(MeshStl, a_binary_file_that_begins_with_solid_is_known_by_its_size)
{
    expect_tetrahedron(binary(kCorners, 4, "solid part from a program that does not know better"));
    expect_tetrahedron(binary(kCorners, 4, "solid" + std::string(75, ' ')));
}

TEST(MeshStl, ascii_ignores_case_and_line_ends_and_takes_several_solids)
{
    std::string upper, crlf, joined;
    for (const char c : ascii(kCorners))
    {
        upper += static_cast<char>(std::toupper(c));
        c == '\n' ? crlf += "\r\n" : crlf += c;
    }
    expect_tetrahedron(upper);
    expect_tetrahedron(crlf);
    expect_tetrahedron("\n \t" + ascii({kCorners[0]}) + ascii({kCorners[1]}) + "\n" +
                       ascii({kCorners[2], kCorners[3]}));
    expect_tetrahedron("solid\n" + ascii(kCorners).substr(std::strlen("solid my part\n")));
}

TEST(MeshStl, ascii_normals_may_be_anything)
{
    std::string text = ascii(kCorners);
    text.replace(text.find("normal 0 0 0"), 12, "normal nan -nan(ind) x");
    expect_tetrahedron(text);
}

TEST(MeshStl, ascii_coordinates_are_rounded_to_single_precision)
{
    const Result<MeshOptions> mesh = parse(
        "solid\nfacet normal 0 0 0 outer loop vertex 0.1 0 0 vertex 1e0 0 0 vertex 0 +.5E1 0 endloop "
        "endfacet\nendsolid");
    ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
    EXPECT_EQ(mesh.value().vertices[0].x, static_cast<double>(0.1F));
    EXPECT_EQ(mesh.value().vertices[2].y, 5);
}

TEST(MeshStl, one_triangle_is_good_and_triangles_without_area_are_kept)
{
    const Result<MeshOptions> mesh = parse(binary({kCorners[0], {{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}}}));
    ASSERT_TRUE(mesh.ok());
    EXPECT_EQ(mesh.value().triangles, (Triangles{{0, 1, 2}, {0, 0, 1}}));
    EXPECT_EQ(parse(binary({kCorners[0]})).value().triangles.size(), 1U);
}

TEST(MeshStl, a_count_that_does_not_fit_the_size_is_refused_before_memory_is_taken)
{
    expect_error(stl_refusal(binary(kCorners, 0xFFFFFFFFU)),
                 "folder/part.stl: the header promises 4294967295 triangles",
                 "214748364834 bytes, but the file has 284");
    expect_error(stl_refusal(binary(kCorners, 5)), "folder/part.stl: ", "but the file has 284");
    expect_error(stl_refusal(binary(kCorners, 3)), "folder/part.stl: ", "but the file has 284");
    expect_error(stl_refusal(binary(kCorners).substr(0, 283)), "folder/part.stl: ", "cut off");
    expect_error(stl_refusal(binary(kCorners, 4, "solid").substr(0, 283)), "folder/part.stl: ", "cut off");
    expect_error(stl_refusal(binary(kCorners) + "x"), "folder/part.stl: ", "but the file has 285");
}

TEST(MeshStl, files_without_triangles_are_refused)
{
    expect_error(stl_refusal(""), "folder/part.stl: ", "empty");
    expect_error(stl_refusal("solid"), "folder/part.stl:1:6: ", "found the end of the file");
    expect_error(stl_refusal("solid a\nendsolid a\n"), "folder/part.stl: ", "no triangles");
    expect_error(stl_refusal(binary({})), "folder/part.stl: ", "no triangles");
    expect_error(stl_refusal("v 0 0 0\n"), "folder/part.stl: ", "too few for an STL file");
    expect_error(stl_refusal(std::string(83, '\0')), "folder/part.stl: ", "83 bytes are too few");
}

TEST(MeshStl, coordinates_that_are_not_finite_are_refused_with_their_place)
{
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float bad : {kNan, kInfinity, -kInfinity})
    {
        std::vector<Corners> triangles = kCorners;
        triangles[2][1][0] = bad;
        expect_error(stl_refusal(binary(triangles)), "folder/part.stl: triangle 2, at byte 184, ", "not finite");
    }
    std::string text = ascii(kCorners);
    text.replace(text.find("vertex 0.000000"), 15, "vertex nan");
    expect_error(stl_refusal(text), "folder/part.stl:4:14: ", "'nan' is not finite");
    text.replace(text.find("vertex nan"), 10, "vertex 1e400");
    expect_error(stl_refusal(text), "folder/part.stl:4:14: ", "'1e400' is too large");
    text.replace(text.find("vertex 1e400"), 12, "vertex 1,5");
    expect_error(stl_refusal(text), "folder/part.stl:4:14: ", "'1,5' is not a number");
}

TEST(MeshStl, ascii_text_cut_off_anywhere_is_refused)
{
    const std::string text = ascii(kCorners);
    const std::size_t last = text.rfind("endsolid");
    for (std::size_t size = 0; size < last + 8; ++size)
    {
        const Result<MeshOptions> mesh = parse(text.substr(0, size));
        EXPECT_FALSE(mesh.ok()) << size;
    }
    EXPECT_TRUE(parse(text.substr(0, last + 8)).ok());
}

TEST(MeshStl, ascii_says_which_word_it_expected)
{
    std::string text = ascii(kCorners);
    text.replace(text.find("outer"), 5, "inner");
    expect_error(stl_refusal(text), "folder/part.stl:3:5: ", "expected `outer` and found 'inner'");
    std::string square = ascii(kCorners);
    square.replace(square.find("    endloop"), 4, "vertex 1 1 1\n");
    expect_error(stl_refusal(square), "folder/part.stl:7:1: ", "expected `endloop` and found 'vertex'");
    expect_error(stl_refusal(ascii(kCorners) + "rest"), "folder/part.stl:31:1: ", "expected `solid` and found 'rest'");
}

TEST(MeshStl, limits_end_the_reading)
{
    expect_error(stl_refusal(binary(kCorners), {.triangles = 3}), "folder/part.stl: ", "4 triangles, more than 3");
    expect_error(stl_refusal(ascii(kCorners), {.triangles = 3}), "folder/part.stl:23:3: ", "more than 3 triangles");
    expect_error(stl_refusal(binary(kCorners), {.bytes = 283}), "folder/part.stl: ", "more than 283 bytes");
    EXPECT_TRUE(parse(binary(kCorners), {.bytes = 284, .triangles = 4}).ok());
}

}  // namespace rattleback
