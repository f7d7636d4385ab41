// Exports to glTF, read back by another JSON library and measured: volumes of the drawings, poses of the nodes.
#include "geometry/drawing.h"
#include "made_frames.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>

namespace rattleback
{

namespace
{

using nlohmann::json;

/// A glTF file taken apart.
struct Document
{
    json tree;
    std::string buffer;

    /// Numbers of a FLOAT accessor, [element][component].
    std::vector<std::vector<float>> floats(std::size_t index) const
    {
        const json& accessor = tree["accessors"].at(index);
        EXPECT_EQ(accessor["componentType"], 5126);
        const std::string type = accessor["type"];
        const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
        const json& view = tree["bufferViews"].at(accessor["bufferView"].get<std::size_t>());
        const std::size_t count = accessor["count"], offset = view["byteOffset"];
        EXPECT_EQ(view["byteLength"], count * width * 4);
        EXPECT_LE(offset + count * width * 4, buffer.size());
        std::vector<std::vector<float>> rows(count, std::vector<float>(width));
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(rows[i].data(), buffer.data() + offset + 4 * width * i, 4 * width);
        return rows;
    }

    std::size_t find_node(const std::string& name) const
    {
        for (std::size_t i = 0; i < tree["nodes"].size(); ++i)
        {
            if (tree["nodes"][i]["name"] == name) return i;
        }
        ADD_FAILURE() << "no node " << name;
        return 0;
    }
};

std::string decode_base64(const std::string& text)
{
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text)
    {
        if (c == '=') break;
        bits = bits << 6 | static_cast<unsigned>(letters.find(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

std::string read_text(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Document read_gltf(const std::filesystem::path& path)
{
    Document document{.tree = json::parse(read_text(path)), .buffer = {}};
    const std::string uri = document.tree["buffers"][0]["uri"];
    document.buffer = decode_base64(uri.substr(uri.find(',') + 1));
    EXPECT_EQ(document.buffer.size(), document.tree["buffers"][0]["byteLength"]);
    return document;
}

Document read_glb(const std::filesystem::path& path)
{
    const std::string bytes = read_text(path);
    const auto word = [&](std::size_t offset)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + offset, 4);
        return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2);
    EXPECT_EQ(word(8), bytes.size());
    const std::size_t text_size = word(12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    EXPECT_EQ(word(20 + text_size), bytes.size() - 28 - text_size);
    EXPECT_EQ(bytes.substr(24 + text_size, 4), std::string("BIN\0", 4));
    return {.tree = json::parse(bytes.substr(20, text_size)), .buffer = bytes.substr(28 + text_size)};
}

/// A gallery of 20 frames, exported.
class ExportGltf : public testing::Test
{
protected:
    void SetUp() override
    {
        write_recording(path_, model_, 20, {});
        Recording recording = load_recording(path_).value();
        const Status text = export_gltf(recording, text_path_), binary = export_gltf(recording, binary_path_);
        ASSERT_TRUE(text.ok()) << to_text(text.errors());
        ASSERT_TRUE(binary.ok()) << to_text(binary.errors());
    }
    void TearDown() override
    {
        for (const auto& path : {path_, text_path_, binary_path_}) std::filesystem::remove(path);
    }

    std::shared_ptr<const Model> model_ = make_gallery();
    std::filesystem::path path_ = temporary_path("gltf.rec");
    std::filesystem::path text_path_ = temporary_path("run.gltf"), binary_path_ = temporary_path("run.glb");
};

/// Volume inside a closed surface, by the divergence theorem; negative when its triangles face inwards.
double compute_volume(const Drawing& drawing)
{
    double volume = 0;
    for (std::size_t i = 0; i < drawing.indices.size(); i += 3)
    {
        const Vec3 &a = drawing.vertices.at(drawing.indices[i]), &b = drawing.vertices.at(drawing.indices[i + 1]),
                   &c = drawing.vertices.at(drawing.indices[i + 2]);
        volume += dot(a, cross(b, c)) / 6;
    }
    return volume;
}

}  // namespace

TEST_F(ExportGltf, text_and_binary_say_the_same)
{
    const Document text = read_gltf(text_path_), binary = read_glb(binary_path_);
    EXPECT_EQ(text.buffer, binary.buffer);
    json a = text.tree, b = binary.tree;
    a.erase("buffers");
    b.erase("buffers");
    EXPECT_EQ(a, b);
    EXPECT_EQ(a["asset"]["version"], "2.0");
}

TEST_F(ExportGltf, every_body_moves_as_recorded)
{
    const Document document = read_gltf(text_path_);
    const json& animation = document.tree["animations"].at(0);
    std::map<std::pair<std::size_t, std::string>, std::pair<std::size_t, std::size_t>> tracks;
    for (const json& channel : animation["channels"])
    {
        const json& sampler = animation["samplers"].at(channel["sampler"].get<std::size_t>());
        tracks[{channel["target"]["node"], channel["target"]["path"]}] = {sampler["input"], sampler["output"]};
    }
    for (int body = 0; body < model_->body_count(); ++body)
    {
        const std::size_t node = document.find_node(model_->bodies.name[static_cast<std::size_t>(body)]);
        const auto [times, positions] = tracks.at({node, "translation"});
        const auto rotations = document.floats(tracks.at({node, "rotation"}).second);
        const auto position_rows = document.floats(positions), time_rows = document.floats(times);
        ASSERT_EQ(time_rows.size(), 20);
        ASSERT_EQ(position_rows.size(), 20);
        ASSERT_EQ(rotations.size(), 20);
        for (std::size_t i = 0; i < 20; ++i)
        {
            const MadeFrame made(*model_, static_cast<std::int64_t>(i));
            const Pose& pose = made.state.body_pose[static_cast<std::size_t>(body)];
            EXPECT_FLOAT_EQ(time_rows[i][0], static_cast<float>(made.state.time[0]));
            EXPECT_FLOAT_EQ(position_rows[i][0], static_cast<float>(pose.position.x));
            EXPECT_FLOAT_EQ(position_rows[i][2], static_cast<float>(pose.position.z));
            const Quat q{rotations[i][3], rotations[i][0], rotations[i][1], rotations[i][2]};
            EXPECT_NEAR(std::abs((conjugate(q) * pose.rotation).w), 1, 1e-6) << "the same rotation";
            if (i == 0) continue;
            double cosine = 0;
            for (std::size_t k = 0; k < 4; ++k)
                cosine += static_cast<double>(rotations[i][k]) * static_cast<double>(rotations[i - 1][k]);
            EXPECT_GE(cosine, 0) << "the nearer of the two quaternions";
        }
    }
}

TEST_F(ExportGltf, z_up_becomes_y_up)
{
    const Document document = read_gltf(text_path_);
    const json& scene = document.tree["scenes"].at(0);
    ASSERT_EQ(scene["nodes"].size(), 1);
    const json& root = document.tree["nodes"].at(scene["nodes"][0].get<std::size_t>());
    EXPECT_EQ(root["children"].size(), static_cast<std::size_t>(model_->body_count()));
    const json& r = root["rotation"];
    const Vec3 up = rotate(Quat{r[3], r[0], r[1], r[2]}, Vec3{0, 0, 1});
    EXPECT_NEAR(up.y, 1, 1e-12);
}

TEST_F(ExportGltf, bounds_of_accessors_are_those_of_their_numbers)
{
    const Document document = read_gltf(text_path_);
    int bounded = 0;
    for (std::size_t i = 0; i < document.tree["accessors"].size(); ++i)
    {
        const json& accessor = document.tree["accessors"][i];
        if (!accessor.contains("min")) continue;
        ++bounded;
        const auto rows = document.floats(i);
        for (std::size_t k = 0; k < rows[0].size(); ++k)
        {
            const auto [low, high] =
                std::ranges::minmax_element(rows, {}, [&](const std::vector<float>& row) { return row[k]; });
            EXPECT_EQ(accessor["min"][k].get<double>(), static_cast<double>((*low)[k]));
            EXPECT_EQ(accessor["max"][k].get<double>(), static_cast<double>((*high)[k]));
        }
    }
    // Times, and positions of twelve drawings: the hull, mesh and surface are drawn from two meshes in three colours.
    EXPECT_EQ(bounded, 1 + static_cast<int>(document.tree["meshes"].size()));
    EXPECT_GE(document.tree["meshes"].size(), 12);
}

TEST(Drawing, closed_shapes_of_a_recording_face_outwards_and_have_their_volume)
{
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("volume.rec");
    write_recording(path, model, 0, {});
    const Recording recording = load_recording(path).value();
    std::filesystem::remove(path);
    const std::map<ShapeType, double> volumes{
        {ShapeType::sphere, 4.0 / 3 * kPi * 0.027},
        {ShapeType::capsule, kPi * 0.01 * 0.8 + 4.0 / 3 * kPi * 0.001},
        {ShapeType::box, 8 * 0.1 * 0.2 * 0.3},
        {ShapeType::cylinder, kPi * 0.04 * 0.6},
        {ShapeType::ellipsoid, 4.0 / 3 * kPi * 0.1 * 0.2 * 0.4},
        {ShapeType::hull, 1.0 / 6},
        {ShapeType::mesh, 1.0 / 6},
    };
    std::map<ShapeType, bool> seen;
    for (const RecordedShape& shape : recording.model().shapes)
    {
        const auto expected = volumes.find(shape.type);
        if (expected == volumes.end() || seen[shape.type]) continue;
        seen[shape.type] = true;
        const MeshOptions* mesh =
            shape.asset < 0 ? nullptr : &recording.model().meshes[static_cast<std::size_t>(shape.asset)];
        const Drawing drawing = draw_shape(shape.type, shape.size, mesh, nullptr, 1);
        const bool curved = shape.type <= ShapeType::ellipsoid && shape.type != ShapeType::box;
        const double volume = compute_volume(drawing);
        EXPECT_NEAR(volume, expected->second, (curved ? 0.03 : 1e-12) * expected->second) << to_string(shape.type);
        EXPECT_LT(volume, curved ? expected->second : 1.001 * expected->second) << "corners lie on the surface";
        for (std::size_t i = 0; i < drawing.normals.size(); ++i)
            EXPECT_NEAR(norm(drawing.normals[i]), 1, 1e-12) << to_string(shape.type);
    }
    EXPECT_EQ(seen.size(), volumes.size());
}

TEST(ExportGltfErrors, a_recording_without_frames_has_no_animation)
{
    const std::filesystem::path path = temporary_path("none.rec");
    write_recording(path, make_single_box(), 0, {});
    Recording recording = load_recording(path).value();
    std::filesystem::remove(path);
    const Status written = export_gltf(recording, temporary_path("none.gltf"));
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.errors().front().message.find("without frames"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(temporary_path("none.gltf")));
}

}  // namespace rattleback
