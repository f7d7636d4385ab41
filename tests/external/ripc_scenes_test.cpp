// The public scenes of the rigid-IPC reference: bodies, masses and places against closed forms over their files.
#include <rattleback/import.h>
#include <rattleback/solver.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "external/data.h"
#include "geometry/bounds.h"
#include "math/rotation.h"
#include "solvers/ipc/layout.h"

namespace rattleback
{
namespace
{

/// A mesh file read in the plainest way: vertices and triangles, edges and loose points.
struct PlainMesh
{
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> edges;
};

PlainMesh read_plain_obj(std::istream& stream)
{
    PlainMesh mesh;
    for (std::string line; std::getline(stream, line);)
    {
        std::istringstream words(line);
        std::string keyword;
        words >> keyword;
        std::vector<int> corners;
        if (keyword == "v")
        {
            auto& v = mesh.vertices.emplace_back();
            words >> v[0] >> v[1] >> v[2];
        }
        if (keyword != "f" && keyword != "l") continue;
        for (std::string word; words >> word;)
        {
            const int index = std::stoi(word);
            corners.push_back(index > 0 ? index - 1 : index + static_cast<int>(mesh.vertices.size()));
        }
        for (std::size_t i = 0; keyword == "l" && i + 1 < corners.size(); ++i)
            mesh.edges.push_back({corners[i], corners[i + 1]});
        for (std::size_t i = 1; keyword == "f" && i + 1 < corners.size(); ++i)
            mesh.triangles.push_back({corners[0], corners[i], corners[i + 1]});
    }
    return mesh;
}

PlainMesh read_plain_off(std::istream& stream)
{
    PlainMesh mesh;
    std::string keyword;
    std::size_t vertices = 0, faces = 0, edges = 0;
    stream >> keyword >> vertices >> faces >> edges;
    mesh.vertices.resize(vertices);
    for (auto& v : mesh.vertices) stream >> v[0] >> v[1] >> v[2];
    mesh.triangles.resize(faces);
    for (auto& t : mesh.triangles) stream >> keyword >> t[0] >> t[1] >> t[2];
    return mesh;
}

/// Binary STL: a volume needs no welding.
PlainMesh read_plain_stl(std::istream& stream)
{
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    PlainMesh mesh;
    if (bytes.starts_with("solid") && bytes.find("facet") != bytes.npos)
    {
        std::istringstream words(bytes);
        for (std::string word; words >> word;)
        {
            if (word != "vertex") continue;
            auto& v = mesh.vertices.emplace_back();
            words >> v[0] >> v[1] >> v[2];
        }
    }
    for (std::size_t at = 84; mesh.vertices.empty() || (at > 84 && at + 50 <= bytes.size()); at += 50)
    {
        for (std::size_t corner = 0; corner < 3; ++corner)
        {
            float coordinates[3];
            std::memcpy(coordinates, bytes.data() + at + 12 + 12 * corner, 12);
            mesh.vertices.push_back({coordinates[0], coordinates[1], coordinates[2]});
        }
    }
    for (int i = 0; i + 2 < static_cast<int>(mesh.vertices.size()); i += 3) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

PlainMesh read_plain_mesh(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    EXPECT_TRUE(stream.good()) << path;
    if (path.extension() == ".off") return read_plain_off(stream);
    return path.extension() == ".stl" ? read_plain_stl(stream) : read_plain_obj(stream);
}

/// Measure (volume, length or number) and centre; triangles that bound no solid have none.
struct Expected
{
    double measure = 0;
    std::array<double, 3> center{};
};

bool is_closed(const PlainMesh& mesh)
{
    // By place, not by index: files repeat vertices.
    using Point = std::array<double, 3>;
    std::map<std::pair<Point, Point>, int> sides;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
        {
            const Point a = mesh.vertices[static_cast<std::size_t>(t[k])];
            const Point b = mesh.vertices[static_cast<std::size_t>(t[(k + 1) % 3])];
            a < b ? ++sides[{a, b}] : --sides[{b, a}];
        }
    for (const auto& [side, balance] : sides)
        if (balance != 0) return false;
    return true;
}

Expected find_expected(const PlainMesh& mesh)
{
    Expected result;
    const auto add = [&](double measure, const std::array<double, 3>& center)
    {
        result.measure += measure;
        for (std::size_t i = 0; i < 3; ++i) result.center[i] += measure * center[i];
    };
    const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
    for (const auto& [i, j, k] : mesh.triangles)
    {
        const auto a = at(i), b = at(j), c = at(k);
        const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                               a[2] * (b[0] * c[1] - b[1] * c[0])) /
                              6;
        add(volume, {(a[0] + b[0] + c[0]) / 4, (a[1] + b[1] + c[1]) / 4, (a[2] + b[2] + c[2]) / 4});
    }
    if (mesh.triangles.empty())
    {
        for (const auto& [i, j] : mesh.edges)
        {
            const auto a = at(i), b = at(j);
            add(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]),
                {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
        }
        if (mesh.edges.empty())
            for (const auto& v : mesh.vertices) add(1, v);
    }
    for (double& x : result.center) x /= result.measure;
    return result;
}

void scale_plain(const nlohmann::json& body, PlainMesh& mesh)
{
    for (std::size_t i = 0; i < 3; ++i)
    {
        double factor = 1, lower = 1e300, upper = -1e300;
        for (const auto& v : mesh.vertices) lower = std::min(lower, v[i]), upper = std::max(upper, v[i]);
        const auto scale = body.find("scale");
        if (scale != body.end()) factor = scale->is_number() ? scale->get<double>() : (*scale)[i].get<double>();
        if (body.contains("dimensions"))
            factor = body["dimensions"][i].get<double>() / (upper == lower ? 1 : upper - lower);
        for (auto& v : mesh.vertices) v[i] *= factor;
    }
}

/// R = Rz Ry Rx applied to v.
std::array<double, 3> turn_plain(const nlohmann::json& body, std::array<double, 3> v)
{
    const std::vector<double> angles = body.value("rotation", std::vector<double>{0, 0, 0});
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
        const double angle = angles[axis] * 3.14159265358979323846 / 180;
        const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double a = v[j], b = v[k];
        v[j] = std::cos(angle) * a - std::sin(angle) * b;
        v[k] = std::sin(angle) * a + std::cos(angle) * b;
    }
    return v;
}

bool is_static(const nlohmann::json& body)
{
    const nlohmann::json fixed = body.value("is_dof_fixed", nlohmann::json(false));
    return body.value("type", "dynamic") == "static" || fixed == true ||
           fixed == nlohmann::json::array({true, true, true, true, true, true});
}

/// Compares one body; false where the reference has no closed form for its mass.
bool compare_body(const nlohmann::json& body, const std::filesystem::path& meshes, const Model& model, std::size_t b)
{
    PlainMesh mesh;
    if (body.contains("mesh")) mesh = read_plain_mesh(meshes / body["mesh"].get<std::string>());
    if (!body.contains("mesh"))
    {
        mesh.vertices = body["vertices"].get<decltype(mesh.vertices)>();
        mesh.edges = body.value("edges", decltype(mesh.edges){});
        mesh.triangles = body.value("faces", decltype(mesh.triangles){});
    }
    scale_plain(body, mesh);
    const Expected expected = find_expected(mesh);
    const std::vector<double> position = body.value("position", std::vector<double>{0, 0, 0});
    const bool fixed = is_static(body);
    EXPECT_EQ(model.bodies.kind[b] == BodyKind::fixed, fixed);
    const bool solid = mesh.triangles.empty() || (is_closed(mesh) && expected.measure > 0);
    if (!solid && !fixed) return false;
    if (!fixed)
    {
        EXPECT_NEAR(model.bodies.mass[b] / (body.value("density", 1000.0) * expected.measure), 1, 1e-9);
    }
    const auto center = turn_plain(body, fixed ? std::array<double, 3>{} : expected.center);
    double size = 1;
    for (const auto& v : mesh.vertices) size = std::max(size, std::hypot(v[0], v[1], v[2]));
    const Vec3& found = model.bodies.pose[b].position;
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(found[static_cast<int>(i)], position[i] + center[i], 1e-10 * size) << "axis " << i;
    return true;
}

/// Scenes in which a body is split into its components, which compare_body does not know.
bool is_split(const nlohmann::json& scene)
{
    for (const auto& body : scene["rigid_body_problem"]["rigid_bodies"])
        if (body.value("split_components", false)) return true;
    return false;
}

TEST(RipcScenes, every_public_scene_has_the_bodies_masses_and_places_of_its_files)
{
    const std::vector<std::filesystem::path> scenes = list_public_scenes();
    if (scenes.empty()) GTEST_SKIP() << "no scenes in " << find_data();
    const std::filesystem::path meshes = find_data() / "rigid-ipc" / "meshes";
    int compared = 0, without_closed_form = 0;
    for (const std::filesystem::path& path : scenes)
    {
        SCOPED_TRACE(path.string());
        const Result<Imported> imported = load_model(path);
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        const Model& model = imported->model;
        std::ifstream stream(path);
        const nlohmann::json scene = nlohmann::json::parse(stream);
        EXPECT_EQ(model.settings.dt, scene.value("timestep", 0.01));
        const nlohmann::json& problem = scene["rigid_body_problem"];
        EXPECT_EQ(model.materials[0].friction, problem.value("coefficient_friction", 0.0));
        if (is_split(scene))
        {
            EXPECT_GT(model.body_count(), 1 + static_cast<int>(problem["rigid_bodies"].size()));
            continue;
        }
        std::size_t next = 1;
        for (const auto& body : problem["rigid_bodies"])
        {
            if (!body.value("enabled", true)) continue;
            SCOPED_TRACE("body " + std::to_string(next));
            ASSERT_LT(next, static_cast<std::size_t>(model.body_count()));
            compare_body(body, meshes, model, next++) ? ++compared : ++without_closed_form;
            if (HasFailure()) return;
        }
        EXPECT_EQ(next, static_cast<std::size_t>(model.body_count()));
    }
    EXPECT_GT(compared, 800);
    EXPECT_LE(without_closed_form, 11);  // sheets and open meshes that move
}

TEST(RipcScenes, tolerances_count_the_diagonal_of_all_bodies_at_the_start)
{
    int compared = 0;
    for (const std::filesystem::path& path : list_public_scenes())
    {
        SCOPED_TRACE(path.string());
        const Result<Imported> imported = load_model(path);
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        const Model& model = imported->model;
        std::ifstream stream(path);
        const nlohmann::json scene = nlohmann::json::parse(stream);
        const auto blocks = {scene.value("newton_solver", nlohmann::json::object()),
                             scene.value("ipc_solver", nlohmann::json::object())};
        double expected = 1e-2;
        bool is_absolute = false;
        for (const nlohmann::json& block : blocks)
        {
            expected = block.value("velocity_conv_tol", expected);
            is_absolute = block.value("is_velocity_conv_tol_abs", is_absolute);
        }
        Aabb bounds = kEmptyBox;
        for (std::size_t s = 0; s < model.shapes.body.size(); ++s)
        {
            const Pose pose = model.bodies.pose[static_cast<std::size_t>(model.shapes.body[s])] * model.shapes.pose[s];
            for (const Vec3& v : model.meshes[static_cast<std::size_t>(model.shapes.asset[s])].vertices)
            {
                const Vec3 place = pose.position + rotate(pose.rotation, v);
                bounds = merge(bounds, {place, place});
            }
        }
        if (!is_absolute) expected *= norm(bounds.upper - bounds.lower);
        const ipc::Settings settings(make_parameters(*find_solver("ipc").value(), model, {}).value());
        const auto layout = ipc::build_layout(model, settings);
        ASSERT_TRUE(layout.ok()) << to_text(layout.errors());
        EXPECT_NEAR(layout.value()->tolerance / expected, 1, 1e-13);
        ++compared;
    }
    if (compared == 0) GTEST_SKIP() << "no scenes in " << find_data();
}

TEST(RipcScenes, solvers_refuse_public_scenes_for_named_reasons_alone)
{
    const std::vector<std::filesystem::path> scenes = list_public_scenes();
    if (scenes.empty()) GTEST_SKIP() << "no scenes in " << find_data();
    std::set<std::string> runs;
    for (const std::filesystem::path& path : scenes)
    {
        const Result<Imported> imported = load_model(path);
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        for (const SolverInfo* info : all_solvers())
        {
            const std::vector<Error> refusal = find_refusal(*info, imported->model, {});
            if (refusal.empty()) runs.insert(std::string(info->name));
            for (const Error& error : refusal)
            {
                // A feature, or where a method cannot begin: particles inside each other.
                EXPECT_TRUE(error.code == ErrorCode::unsupported || error.code == ErrorCode::invalid_value)
                    << path << " " << info->name << ": " << error.text();
                EXPECT_FALSE(error.where.empty()) << error.text();
            }
        }
    }
    EXPECT_TRUE(runs.contains("avbd"));  // some scenes have nothing that it lacks
}

}  // namespace
}  // namespace rattleback
