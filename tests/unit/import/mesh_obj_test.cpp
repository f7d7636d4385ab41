// OBJ: what is read, as what, and what is refused with which place.
#include "import/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <clocale>
#include <locale>

namespace rattleback
{
namespace
{

using Triangles = std::vector<std::array<int, 3>>;

const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const Triangles kTetrahedronFaces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

MeshOptions read_obj(const std::string& text, const MeshLimits& limits = {}, ObjGroups groups = ObjGroups::first)
{
    Result<MeshOptions> mesh = parse_obj(text, "folder/part.obj", limits, {.groups = groups});
    EXPECT_TRUE(mesh.ok()) << to_text(mesh.errors());
    return mesh.ok() ? std::move(mesh).value() : MeshOptions{};
}

/// The errors of a text that must be refused.
std::string refusal(const std::string& text, const MeshLimits& limits = {})
{
    const Result<MeshOptions> mesh = parse_obj(text, "part.obj", limits);
    EXPECT_FALSE(mesh.ok());
    return to_text(mesh.errors());
}

void expect_place(const std::string& errors, const std::string& place, const std::string& what)
{
    EXPECT_EQ(errors.substr(0, place.size() + 2), place + ": ") << errors;
    EXPECT_NE(errors.find(what), std::string::npos) << errors;
}

}  // namespace

TEST(MeshObj, reads_vertices_and_triangles_and_takes_its_name_from_the_file)
{
    const MeshOptions mesh = read_obj(kTetrahedron);
    EXPECT_EQ(mesh.name, "part");
    ASSERT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.vertices[3].z, 1);
    EXPECT_EQ(mesh.triangles, kTetrahedronFaces);
    EXPECT_TRUE(mesh.edges.empty());
}

TEST(MeshObj, all_forms_of_an_index_name_the_same_vertex)
{
    const std::string vertices = kTetrahedron.substr(0, kTetrahedron.find("f ")) + "vt 0 0\nvn 0 0 1\n";
    for (const char* face : {"f 2 3 4", "f 2/1 3/1 4/1", "f 2/1/1 3/1/1 4/1/1", "f 2//1 3//1 4//1", "f -3 -2 -1",
                             "f -3/-1/-1 -2//-1 4/1", "f\t2  3\t 4 ", "f 2/ 3// 4/1/"})
    {
        EXPECT_EQ(read_obj(vertices + face).triangles, (Triangles{{1, 2, 3}})) << face;
    }
}

TEST(MeshObj, negative_indices_count_back_from_where_they_stand)
{
    const MeshOptions mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n");
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {3, 4, 5}}));
}

TEST(MeshObj, faces_may_come_before_their_vertices)
{
    EXPECT_EQ(read_obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangles, (Triangles{{0, 1, 2}}));
}

TEST(MeshObj, comments_materials_smoothing_and_unknown_words_are_passed_over)
{
    const MeshOptions mesh =
        read_obj("# made by hand\nmtllib a.mtl\nvt 0 0\nvn nonsense\nusemtl red\ns off\nvp 1 2\ncurv2 x y z\n" +
                 kTetrahedron + "usemtl blue\nf 2 4 3 # the inner side\np 1 2\n");
    EXPECT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.triangles.size(), 5U);
}

TEST(MeshObj, weights_and_colours_behind_a_vertex_are_passed_over)
{
    const MeshOptions mesh = read_obj("v 1 2 3 1.0\nv 4 5 6 0.1 0.2 0.3\n");
    ASSERT_EQ(mesh.vertices.size(), 2U);
    EXPECT_EQ(mesh.vertices[1].x, 4);
    EXPECT_EQ(mesh.vertices[1].z, 6);
}

TEST(MeshObj, line_ends_of_every_system_and_a_byte_order_mark_change_nothing)
{
    for (const std::string end : {"\r\n", "\r", "\n\n  \n"})
    {
        std::string text = "\xEF\xBB\xBF";
        for (const char c : kTetrahedron) c == '\n' ? text += end : text += c;
        EXPECT_EQ(read_obj(text).triangles, kTetrahedronFaces);
    }
    EXPECT_EQ(read_obj(kTetrahedron.substr(0, kTetrahedron.size() - 1)).triangles, kTetrahedronFaces)
        << "no last newline";
}

TEST(MeshObj, a_backslash_joins_lines_and_places_stay_those_of_the_file)
{
    const std::string vertices = "v 0 0 \\\n0\nv 1 0 0\nv 0\\\r\n 1 0\n";
    EXPECT_EQ(read_obj(vertices + "f 1 \\\n2 3\n").triangles, (Triangles{{0, 1, 2}}));
    expect_place(refusal(vertices + "f 1 \\\n 2 9\n"), "part.obj:7:4", "'9' names no vertex");
    EXPECT_EQ(read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\n# comment \\\nf 1 2 3\n").triangles.size(), 1U);
}

TEST(MeshObj, coordinates_are_rounded_to_single_precision)
{
    const MeshOptions mesh = read_obj("v 0.1 16777217 -1e-3\nv +1.5 .25 2.\nv 1e-400 -1E-50 0.1e+1\n");
    EXPECT_EQ(mesh.vertices[0].x, 0.100000001490116119384765625);
    EXPECT_EQ(mesh.vertices[0].y, 16777216);
    EXPECT_EQ(mesh.vertices[0].z, static_cast<double>(-1e-3F));
    EXPECT_EQ(mesh.vertices[1].x, 1.5);
    EXPECT_EQ(mesh.vertices[1].y, 0.25);
    EXPECT_EQ(mesh.vertices[1].z, 2);
    EXPECT_EQ(mesh.vertices[2].x, 0);
    EXPECT_EQ(mesh.vertices[2].y, 0);
    EXPECT_EQ(mesh.vertices[2].z, 1);
}

TEST(MeshObj, a_locale_with_a_decimal_comma_changes_nothing)
{
    struct Comma : std::numpunct<char>
    {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const char* const with_comma = std::setlocale(LC_ALL, "de_DE.UTF-8");  // not on every machine
    const MeshOptions mesh = read_obj("v 1.5 0 0\n");
    const std::string errors = refusal("v 1,5 0 0\n");
    std::locale::global(old);
    if (with_comma != nullptr) std::setlocale(LC_ALL, "C");
    EXPECT_EQ(mesh.vertices[0].x, 1.5);
    expect_place(errors, "part.obj:1:3", "'1,5' is not a number");
}

TEST(MeshObj, repeated_and_unused_vertices_and_faces_without_area_are_kept_as_in_mujoco)
{
    const MeshOptions mesh = read_obj(kTetrahedron + "v 0 0 0\nv 9 9 9\nf 1 1 2\nf 5 2 3\n");
    EXPECT_EQ(mesh.vertices.size(), 6U);
    EXPECT_EQ(mesh.triangles[4], (std::array{0, 0, 1}));
    EXPECT_EQ(mesh.triangles[5], (std::array{4, 1, 2}));
}

TEST(MeshObj, only_the_first_group_with_faces_makes_the_mesh_unless_all_are_wanted)
{
    const std::string vertices = kTetrahedron.substr(0, kTetrahedron.find("f "));
    for (const char* keyword : {"o", "g"})
    {
        const std::string k = keyword;
        const std::string text =
            vertices + k + " empty\n" + k + " a\nf 1 3 2\nusemtl x\nf 1 2 4\n" + k + " b\nf 2 3 4\n";
        EXPECT_EQ(read_obj(text).triangles, (Triangles{{0, 2, 1}, {0, 1, 3}}));
        EXPECT_EQ(read_obj(text, {}, ObjGroups::all).triangles, (Triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}));
    }
    expect_place(refusal(vertices + "f 1 2 3\ng b\nf 1 2 7\n"), "part.obj:7:7", "names no vertex");
}

TEST(MeshObj, lines_become_edges)
{
    const MeshOptions mesh = read_obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2/1 -1\n");
    EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));
    EXPECT_TRUE(mesh.triangles.empty());
}

TEST(MeshObj, vertices_without_faces_and_a_single_triangle_are_good)
{
    EXPECT_EQ(read_obj("v 1 2 3\n").vertices.size(), 1U);
    EXPECT_EQ(read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3").triangles.size(), 1U);
}

TEST(MeshObj, bad_numbers_are_named_with_their_place)
{
    expect_place(refusal("v 0 0 0\nv 0 nan 0\n"), "part.obj:2:5", "'nan' is not finite");
    expect_place(refusal("v -inf 0 0\n"), "part.obj:1:3", "'-inf' is not finite");
    expect_place(refusal("v 0 0 1e400\n"), "part.obj:1:7", "'1e400' is too large");
    expect_place(refusal("v 0 0 1e39\n"), "part.obj:1:7", "'1e39' is too large");
    expect_place(refusal("v 0 0 -1" + std::string(400, '0') + "\n"), "part.obj:1:7", "is too large");
    expect_place(refusal("v 0 0 1e99999999999999999999\n"), "part.obj:1:7", "is too large");
    expect_place(refusal("v 0 0x10 0\n"), "part.obj:1:5", "'0x10' is not a number");
    expect_place(refusal("v 0 1.5.2 0\n"), "part.obj:1:5", "'1.5.2' is not a number");
    expect_place(refusal("v 0 +-1 0\n"), "part.obj:1:5", "'+-1' is not a number");
    expect_place(refusal("v 0 -+1 0\n"), "part.obj:1:5", "'-+1' is not a number");
    expect_place(refusal("v 0 1e 0\n"), "part.obj:1:5", "'1e' is not a number");
    expect_place(refusal("v 0 1"), "part.obj:1:6", "the line ends where a coordinate should stand");
}

TEST(MeshObj, numbers_too_small_to_hold_are_zero_however_they_are_written)
{
    const std::string zeros(500, '0');
    for (const std::string& text :
         std::vector<std::string>{"0." + zeros + "1", "1e-99999999999999999999", "1" + zeros + "e-1500",
                                  "0." + zeros + "1e100", "-1e-9223372036854775808"})
    {
        EXPECT_EQ(read_obj("v " + text + " 0 0\n").vertices[0].x, 0) << text;
    }
    EXPECT_EQ(read_obj("v 0." + zeros + "15e501 0 0\n").vertices[0].x, 1.5);
}

TEST(MeshObj, bad_indices_are_named_with_their_place)
{
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    expect_place(refusal(vertices + "f 0 1 2\n"), "part.obj:4:3", "OBJ counts vertices from 1");
    expect_place(refusal(vertices + "f 1 2 4\n"), "part.obj:4:7", "'4' names no vertex: the file has 3");
    expect_place(refusal(vertices + "f 1 2 -4\n"), "part.obj:4:7", "'-4' names no vertex: 3 vertices stand before it");
    expect_place(refusal(vertices + "f 1 2 4294967297\n"), "part.obj:4:7", "names no vertex");
    expect_place(refusal(vertices + "f 1 2 99999999999999999999\n"), "part.obj:4:7", "names no vertex");
    expect_place(refusal(vertices + "f 1 2 -99999999999999999999\n"), "part.obj:4:7", "names no vertex");
    expect_place(refusal(vertices + "f 1 2 -9223372036854775808\n"), "part.obj:4:7", "names no vertex");
    for (const char* bad : {"3x", "x", "1.5", "/1", "3/x", "3/1/1/1", "3///", "3//x", "+3", "-"})
    {
        expect_place(refusal(vertices + "f 1 2 " + bad), "part.obj:4:7", "is not a vertex index");
    }
    expect_place(refusal(vertices + "f 1 2\n"), "part.obj:4:1", "fewer than three vertices");
    expect_place(refusal(vertices + "l 1\n"), "part.obj:4:1", "fewer than two vertices");
}

TEST(MeshObj, all_mistakes_are_told_up_to_the_limit)
{
    std::string text;
    for (int i = 0; i < 100; ++i) text += "v a b c\n";
    EXPECT_EQ(parse_obj("v 0 0 x\nv y 0 0\nf 1 2 3\n", "part.obj").errors().size(), 3U);
    EXPECT_EQ(parse_obj(text, "part.obj").errors().size(), MeshLimits{}.errors);
    EXPECT_EQ(parse_obj(text, "part.obj", {.errors = 0}).errors().size(), 1U) << "never none";
}

TEST(MeshObj, what_is_no_obj_file_is_refused)
{
    expect_place(refusal(""), "part.obj", "no vertices");
    expect_place(refusal("# nothing\n\n"), "part.obj", "no vertices");
    expect_place(refusal("<mujoco/>\n"), "part.obj", "no vertices");
    expect_place(refusal(std::string("v\0 0 0", 6)), "part.obj", "byte 1 is zero");
    const std::string errors = refusal("v \x1b[31m" + std::string(1000, 'x') + " 0 0\n");
    EXPECT_LT(errors.size(), 200U);
    EXPECT_EQ(errors.find('\x1b'), std::string::npos) << "no control codes from the file reach the terminal";
}

TEST(MeshObj, limits_end_the_reading)
{
    EXPECT_EQ(parse_obj(kTetrahedron, "a", {.bytes = 10}).errors().at(0).code, ErrorCode::limit);
    expect_place(refusal(kTetrahedron, {.vertices = 3}), "part.obj:4:1", "more than 3 vertices");
    expect_place(refusal(kTetrahedron, {.triangles = 3}), "part.obj:8:1", "more than 3 triangles");
    expect_place(refusal(kTetrahedron + "f 1 2 3 4 1 2\n", {.polygon_corners = 5}), "part.obj:9:13",
                 "more than 5 vertices in one element");
    expect_place(refusal(kTetrahedron + "f 1 2 3 4 1 2\n", {.polygon_work = 5}), "part.obj:9:1", "takes too long");
    EXPECT_EQ(read_obj(kTetrahedron, {.vertices = 4, .triangles = 4}).triangles.size(), 4U);
}

}  // namespace rattleback
