// COLLADA and glTF: bounds and volumes known in closed form, whatever the form of triangles, nodes, units and axes;
// files that lie about their sizes are refused.
#include "import/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "geometry/mesh_mass.h"
#include "mjcf_test_support.h"

namespace rattleback
{
namespace
{

// A box from the origin to (1, 2, 3): corner i has bit 0 for x, bit 1 for y, bit 2 for z.
constexpr int kQuads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

std::string list_corners()
{
    std::string text;
    for (int i = 0; i < 8; ++i)
        text +=
            std::to_string(i & 1) + " " + std::to_string((i >> 1 & 1) * 2) + " " + std::to_string((i >> 2) * 3) + " ";
    return text;
}

std::string list_triangles()
{
    std::string text;
    for (const auto& q : kQuads)
    {
        for (const int i : {0, 1, 2, 0, 2, 3}) text += std::to_string(q[i]) + " ";
    }
    return text;
}

std::string list_quads()
{
    std::string text;
    for (const auto& q : kQuads)
    {
        for (const int i : q) text += std::to_string(i) + " 7 ";  // with a normal that is not looked at
    }
    return text;
}

struct Collada
{
    std::string asset = "<up_axis>Z_UP</up_axis>";
    std::string count = "24", primitives = {}, geometries = {};
    std::string nodes = "<node><instance_geometry url=\"#g\"/></node>";

    std::string text() const
    {
        const std::string plain = "<triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>" +
                                  list_triangles() + "</p></triangles>";
        return "<?xml version=\"1.0\"?><COLLADA><asset>" + asset +
               "</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"f\" count=\"" +
               count + "\">" + list_corners() +
               "</float_array><technique_common><accessor source=\"#f\" count=\"8\" "
               "stride=\"3\"/></technique_common></source>"
               "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>" +
               (primitives.empty() ? plain : primitives) + "</mesh></geometry>" + geometries +
               "</library_geometries><library_nodes><node id=\"n\"><instance_geometry "
               "url=\"#g\"/></node></library_nodes>"
               "<library_visual_scenes><visual_scene id=\"scene\">" +
               nodes +
               "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
               "url=\"#scene\"/></scene></COLLADA>";
    }
};

/// Volume, and the corners of the bounds.
struct Measure
{
    double volume = 0;
    Vec3 lower, upper;
};

Measure measure(const Result<MeshOptions>& mesh)
{
    EXPECT_TRUE(mesh) << to_text(mesh.errors());
    if (!mesh) return {};
    Measure found{.lower = mesh->vertices[0], .upper = mesh->vertices[0]};
    for (const Vec3& v : mesh->vertices)
    {
        for (int k = 0; k < 3; ++k)
        {
            found.lower[k] = std::min(found.lower[k], v[k]);
            found.upper[k] = std::max(found.upper[k], v[k]);
        }
    }
    const Result<MassProperties> mass = compute_mesh_mass(ShapeType::mesh, mesh.value(), MeshMass::exact);
    EXPECT_TRUE(mass) << to_text(mass.errors());
    found.volume = mass ? mass->mass : 0;
    return found;
}

// Coordinates are rounded to 32 bits.
void expect_measure(const Result<MeshOptions>& mesh, double volume, const Vec3& lower, const Vec3& upper)
{
    const Measure found = measure(mesh);
    EXPECT_NEAR(found.volume, volume, 1e-6 * volume);
    EXPECT_LT(norm(found.lower - lower), 1e-6);
    EXPECT_LT(norm(found.upper - upper), 1e-6);
}

Result<MeshOptions> read_collada(const Collada& file) { return parse_collada(file.text(), "part.dae"); }
std::string find_collada_fault(const Collada& file) { return to_text(read_collada(file).errors()); }

TEST(Collada, triangles_polylists_and_polygons_make_the_same_solid)
{
    const std::string input =
        "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><input semantic=\"NORMAL\" source=\"#v\" "
        "offset=\"1\"/>";
    expect_measure(read_collada({}), 6, {0, 0, 0}, {1, 2, 3});
    expect_measure(read_collada({.primitives = "<polylist count=\"6\">" + input + "<vcount>4 4 4 4 4 4</vcount><p>" +
                                               list_quads() + "</p></polylist>"}),
                   6, {0, 0, 0}, {1, 2, 3});
    std::string polygons = "<polygons>" + input, strips = "<tristrips>" + input;
    for (const auto& q : kQuads)
    {
        const auto corner = [&](int i) { return std::to_string(q[i]) + " 0 "; };
        polygons += "<p>" + corner(0) + corner(1) + corner(2) + corner(3) + "</p>";
        strips += "<p>" + corner(0) + corner(1) + corner(3) + corner(2) + "</p>";
    }
    expect_measure(read_collada({.primitives = polygons + "</polygons>"}), 6, {0, 0, 0}, {1, 2, 3});
    expect_measure(read_collada({.primitives = strips + "</tristrips>"}), 6, {0, 0, 0}, {1, 2, 3});
}

TEST(Collada, an_empty_geometry_adds_nothing)
{
    const std::string empty =
        "<geometry id=\"e\"><mesh><source id=\"es\"><float_array id=\"ef\" count=\"0\"/><technique_common><accessor "
        "source=\"#ef\" count=\"0\" stride=\"3\"/></technique_common></source><vertices id=\"ev\"><input "
        "semantic=\"POSITION\" source=\"#es\"/></vertices></mesh></geometry>";
    expect_measure(read_collada({.geometries = empty,
                                 .nodes = "<node><instance_geometry url=\"#g\"/><instance_geometry "
                                          "url=\"#e\"/></node>"}),
                   6, {0, 0, 0}, {1, 2, 3});
}

TEST(Collada, units_are_brought_to_metres_and_axes_stay)
{
    expect_measure(read_collada({.asset = "<unit meter=\"0.1\"/><up_axis>Z_UP</up_axis>"}), 0.006, {0, 0, 0},
                   {0.1, 0.2, 0.3});
    expect_measure(read_collada({.asset = "<up_axis>Y_UP</up_axis>"}), 6, {0, 0, 0}, {1, 2, 3});
    expect_measure(read_collada({.asset = "<up_axis>X_UP</up_axis>"}), 6, {0, 0, 0}, {1, 2, 3});
}

TEST(Collada, nodes_place_their_geometries)
{
    // Shifted, then turned by 90 degrees about z, then twice as large: what stands last acts first.
    expect_measure(
        read_collada({.nodes = "<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>"
                               "<instance_geometry url=\"#g\"/></node>"}),
        48, {6, 0, 0}, {10, 2, 6});
    expect_measure(read_collada({.nodes = "<node><matrix>-1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node><instance_node "
                                          "url=\"#n\"/></node></node>"}),
                   6, {4, 0, 0}, {5, 2, 3});
    const Result<MeshOptions> two = read_collada({.nodes = "<node><instance_node url=\"#n\"/><node><translate>5 0 "
                                                           "0</translate><instance_node url=\"#n\"/></node></node>"});
    expect_measure(two, 12, {0, 0, 0}, {6, 2, 3});
}

TEST(Collada, files_that_lie_are_refused)
{
    const std::string open = "<triangles><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>";
    EXPECT_NE(find_collada_fault({.count = "240000000000"}).find("do not fit"), std::string::npos);
    EXPECT_NE(find_collada_fault({.primitives = open + "0 1 8</p></triangles>"}).find("names none of the 8 vertices"),
              std::string::npos);
    EXPECT_NE(find_collada_fault({.primitives = open + "0 1 -1</p></triangles>"}).find("names none"),
              std::string::npos);
    EXPECT_NE(find_collada_fault({.primitives = open + "0 1</p></triangles>"}).find("longer than"), std::string::npos);
    EXPECT_NE(
        find_collada_fault(
            {.primitives =
                 "<polylist><input semantic=\"VERTEX\" offset=\"0\"/><vcount>4000000</vcount><p>0 1 2</p></polylist>"})
            .find("shorter"),
        std::string::npos);
    EXPECT_NE(find_collada_fault({.primitives = "<lines/>"}).find("no triangles"), std::string::npos);
    EXPECT_NE(
        find_collada_fault({.nodes = "<node><instance_geometry url=\"#absent\"/></node>"}).find("not in the file"),
        std::string::npos);
    EXPECT_NE(find_collada_fault({.nodes = "<node><scale>1 nan 1</scale><instance_geometry url=\"#g\"/></node>"})
                  .find("not a finite number"),
              std::string::npos);
    EXPECT_NE(
        find_collada_fault(
            {.nodes = "<node><scale>3e38 1 1</scale><scale>3e38 1 1</scale><instance_geometry url=\"#g\"/></node>"})
            .find("not finite"),
        std::string::npos);
    EXPECT_NE(find_collada_fault({.asset = "<unit meter=\"-1\"/>"}).find("positive"), std::string::npos);
    EXPECT_FALSE(parse_collada("<COLLADA/>", "part.dae"));
    EXPECT_FALSE(parse_collada("solid part", "part.dae"));
    const auto errors = read_collada({.primitives = open + "0 1 8</p></triangles>"}).errors();
    EXPECT_EQ(errors[0].where.substr(0, 11), "part.dae:1:");
}

TEST(Collada, nodes_that_hold_themselves_or_multiply_end)
{
    EXPECT_NE(find_collada_fault({.nodes = "<node id=\"m\"><instance_node url=\"#m\"/></node>"}).find("too many nodes"),
              std::string::npos);
    std::string doubling = "<node id=\"k0\"><scale>1 1 1</scale></node>";
    for (int i = 1; i < 60; ++i)
    {
        const std::string half = "<instance_node url=\"#k" + std::to_string(i - 1) + "\"/>";
        doubling += "<node id=\"k" + std::to_string(i) + "\">" + half + half + "</node>";
    }
    EXPECT_NE(find_collada_fault({.nodes = doubling}).find("too many nodes"), std::string::npos);
}

/// The same box in glTF.
struct Gltf
{
    std::string node = "{\"mesh\":0}", mode = "4", count = "36", length = "168";
    std::string indices = list_triangles(), more = {};

    std::string binary() const
    {
        std::string bytes;
        for (int i = 0; i < 8; ++i)
        {
            const float corner[3] = {static_cast<float>(i & 1), static_cast<float>((i >> 1 & 1) * 2),
                                     static_cast<float>((i >> 2) * 3)};
            bytes.append(reinterpret_cast<const char*>(corner), 12);
        }
        std::istringstream list(indices);
        for (std::uint16_t i = 0; list >> i;) bytes.append(reinterpret_cast<const char*>(&i), 2);
        return bytes;
    }
    std::string json(const std::string& uri) const
    {
        return "{\"asset\":{\"version\":\"2.0\"}," + more + "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" +
               node + "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":" + mode +
               "}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
               "{\"bufferView\":1,\"componentType\":5123,\"count\":" +
               count +
               ",\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":"
               "96,\"byteLength\":" +
               std::to_string(binary().size() - 96) + "}],\"buffers\":[{" + uri + "\"byteLength\":" + length + "}]}";
    }
    std::string glb() const
    {
        std::string text = json(""), bytes = binary();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        const auto word = [](std::size_t n)
        {
            const auto value = static_cast<std::uint32_t>(n);
            return std::string(reinterpret_cast<const char*>(&value), 4);
        };
        return "glTF" + word(2) + word(28 + text.size() + bytes.size()) + word(text.size()) + "JSON" + text +
               word(bytes.size()) + std::string("BIN\0", 4) + bytes;
    }
};

Result<MeshOptions> read_gltf(const std::string& bytes, const std::filesystem::path& folder = ".")
{
    return parse_gltf(std::as_bytes(std::span(bytes)), "part.glb", folder);
}
std::string find_gltf_fault(const Gltf& file) { return to_text(read_gltf(file.glb()).errors()); }

std::string to_base64(const std::string& bytes)
{
    const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : letters[bits >> (18 - 6 * k) & 63];
    }
    return text;
}

TEST(Gltf, binary_text_and_files_make_the_same_solid_with_z_up)
{
    const Vec3 lower{0, -3, 0}, upper{1, 0, 2};
    const Gltf box;
    expect_measure(read_gltf(box.glb()), 6, lower, upper);
    expect_measure(
        read_gltf(box.json("\"uri\":\"data:application/octet-stream;base64," + to_base64(box.binary()) + "\",")), 6,
        lower, upper);
    const TemporaryFolder folder;
    folder.write("box.bin", box.binary());
    expect_measure(read_gltf(box.json("\"uri\":\"box.bin\","), folder.path()), 6, lower, upper);
    folder.write("box.glb", box.glb());
    expect_measure(load_mesh_file(folder.path() / "box.glb"), 6, lower, upper);
}

TEST(Gltf, nodes_place_their_meshes_and_strips_are_cut)
{
    expect_measure(read_gltf(Gltf{.node = "{\"mesh\":0,\"translation\":[0,0,10],\"scale\":[2,1,1]}"}.glb()), 12,
                   {0, -13, 0}, {2, -10, 2});
    expect_measure(read_gltf(Gltf{.node = "{\"mesh\":0,\"matrix\":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1]}"}.glb()), 6,
                   {4, -3, 0}, {5, 0, 2});
    expect_measure(
        read_gltf(Gltf{
            .node = "{\"children\":[1],\"translation\":[1,0,0]},{\"mesh\":0,\"rotation\":[0,0,0.70710678,0.70710678]}"}
                      .glb()),
        6, {-1, -3, 0}, {1, 0, 1});
    // One face as a strip, the others by triangles without area.
    const Gltf strip{.mode = "5", .count = "4", .length = "104", .indices = "0 1 2 3"};
    const Result<MeshOptions> mesh = read_gltf(strip.glb());
    ASSERT_TRUE(mesh) << to_text(mesh.errors());
    EXPECT_EQ(mesh->triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 3, 2}}));
}

TEST(Gltf, files_that_lie_are_refused)
{
    EXPECT_NE(find_gltf_fault({.count = "37"}).find("beyond its buffer"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.count = "4000000000"}).find("more than"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.length = "1000000"}).find("says 1000000 bytes and has 168"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.count = "-1"}).find("whole number"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.indices = "0 1 9 " + list_triangles().substr(6)}).find("names none of 8"),
              std::string::npos);
    EXPECT_NE(find_gltf_fault({.node = "{\"children\":[0]}"}).find("hold themselves"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.node = "{\"mesh\":7}"}).find("no 'meshes' number 7"), std::string::npos);
    EXPECT_NE(find_gltf_fault({.more = "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"})
                  .find("KHR_draco_mesh_compression"),
              std::string::npos);
    EXPECT_FALSE(read_gltf(""));
    EXPECT_FALSE(read_gltf("glTF"));
    EXPECT_FALSE(read_gltf("[1]"));
    EXPECT_NE(to_text(read_gltf(Gltf{}.json("\"uri\":\"../../etc/passwd\",")).errors()).find("no file beside"),
              std::string::npos);
    std::string glb = Gltf{}.glb();
    glb.resize(glb.size() - 10);
    EXPECT_NE(to_text(read_gltf(glb).errors()).find("bytes"), std::string::npos);
    glb = Gltf{}.glb();
    glb[12] = '\x7f';
    glb[15] = '\x7f';
    EXPECT_NE(to_text(read_gltf(glb).errors()).find("a chunk says"), std::string::npos);
}

}  // namespace
}  // namespace rattleback
