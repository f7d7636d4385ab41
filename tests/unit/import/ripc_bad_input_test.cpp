// Scenes of rigid-IPC that are wrong: every mistake is found, named and placed, within bounded time and memory.
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{
namespace
{

std::string find_ripc_fault(const std::string& text, const ImportOptions& options = {})
{
    return to_text(parse_ripc(text, "scene.json", "/nonexistent", options).errors());
}

std::string wrap_ripc_body(const std::string& fields)
{
    return "{\"rigid_body_problem\": {\"rigid_bodies\": [\n{\"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\n"
           "\"faces\": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]],\n" +
           fields + "}]}}";
}

#define EXPECT_RIPC_FAULT(text, place, words)                                            \
    do                                                                                   \
    {                                                                                    \
        const std::string fault = find_ripc_fault(text);                                 \
        EXPECT_NE(fault.find(words), std::string::npos) << "found: " << fault;           \
        EXPECT_NE(fault.find("scene.json" place), std::string::npos) << "at: " << fault; \
    } while (false)

TEST(RipcBadInput, unknown_keys_are_mistakes_with_a_hint)
{
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"densty\": 3"), ":4:1", "did you mean 'density'");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {\"gravty\": [0,0,0]}}", ":1:25", "did you mean 'gravity'");
    // A block that one of the reference's own scenes misspells.
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}, \"distance_barrier_constraints\": {}}", ":1:28",
                      "did you mean 'distance_barrier_constraint'");
    EXPECT_TRUE(parse_ripc(wrap_ripc_body("\"#densty\": 3"), "scene.json", ".").ok());
}

TEST(RipcBadInput, text_that_is_no_json_or_no_scene_is_told_so)
{
    EXPECT_RIPC_FAULT("", ":1:1", "not JSON");
    EXPECT_RIPC_FAULT("{\"a\": 1,\n}", ":2:1", "not JSON");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {},\n\"timestep\": 1e999}", ":2:", "number overflow");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}, \"timestep\": NaN}", ":1:", "not JSON");
    EXPECT_RIPC_FAULT("{\"bodies\": []}", "", "no scene of rigid-IPC");
    EXPECT_RIPC_FAULT("[1, 2]", "", "no scene of rigid-IPC");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}}", "", "no bodies");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}, \"rigid_body_problem\": {}}", ":1:28", "a second time");
}

TEST(RipcBadInput, values_of_the_wrong_kind_or_size_are_named)
{
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"density\": \"heavy\""), ":4:1", "is a text instead of a number");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"density\": 0"), ":4:1", "must be positive");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"position\": [1, 2]"), ":4:1", "two dimensions");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"position\": [1, 2, 1e12]"), ":4:1", "absurdly large");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"scale\": 1e200"), ":4:1", "absurd");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"scale\": [1, 0, 1]"), ":4:1", "size of zero");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"type\": \"statik\""), ":4:1", "did you mean 'static'");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"is_dof_fixed\": [true, true]"), ":4:1", "six of them");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"group_id\": 0.5"), ":4:1", "whole number");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"type\": \"kinematic\", \"angular_velocity\": [0,0,1e9]"), ":2:1",
                      "absurdly often");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}, \"timestep\": -1}", ":1:28", "must be positive");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {}, \"max_time\": 1, \"max_iterations\": 2}", ":1:43", "not both");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": 3}", ":1:2", "instead of an object");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {\"rigid_bodies\": [{\"vertices\": [[0,0,0]], \"faces\": [[0,0,1]]}]}}",
                      ":1:", "whole numbers from 0 to 0");
}

TEST(RipcBadInput, what_only_follows_from_another_mistake_is_not_said)
{
    const auto scene = [](const std::string& body)
    { return "{\"rigid_body_problem\": {\"rigid_bodies\": [\n" + body + "]}}"; };
    const std::string number = find_ripc_fault(scene("0"));
    EXPECT_NE(number.find("scene.json:2:1: body 0 is a number instead of an object"), std::string::npos) << number;
    EXPECT_EQ(std::count(number.begin(), number.end(), '\n'), 0) << number;
    const std::string bare = find_ripc_fault(scene("{\"edges\": [[0, 1]], \"faces\": [[0, 1, 2]]}"));
    EXPECT_NE(bare.find("without 'mesh' and without 'vertices'"), std::string::npos) << bare;
    EXPECT_EQ(std::count(bare.begin(), bare.end(), '\n'), 0) << bare;
}

TEST(RipcBadInput, missing_meshes_are_named_and_all_mistakes_come_at_once)
{
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"mesh\": \"cube.obj\""), ":4:1", "there is no mesh 'cube.obj'");
    EXPECT_RIPC_FAULT(wrap_ripc_body("\"mesh\": \"../../etc/cube.obj\""), ":4:1", "there is no mesh");
    EXPECT_RIPC_FAULT("{\"rigid_body_problem\": {\"rigid_bodies\": [{}]}}", ":1:", "without 'mesh'");
    const std::string both = find_ripc_fault(wrap_ripc_body("\"mesh\": \"cube.obj\", \"densty\": 1"));
    EXPECT_NE(both.find("no mesh"), std::string::npos) << both;
    EXPECT_NE(both.find("densty"), std::string::npos) << both;
}

TEST(RipcBadInput, limits_on_depth_size_and_number_hold)
{
    EXPECT_RIPC_FAULT(std::string(300, '['), ":1:257", "nested more than 256 deep");
    ImportOptions options;
    options.limits.elements = 20;
    EXPECT_NE(find_ripc_fault(wrap_ripc_body("\"density\": 1"), options).find("more than 20 values"),
              std::string::npos);
    options = {};
    options.limits.bytes = 10;
    EXPECT_NE(find_ripc_fault(wrap_ripc_body("\"density\": 1"), options).find("too long"), std::string::npos);
    std::string keys = "{";
    for (int i = 0; i < 300; ++i) keys += "\"k" + std::to_string(i) + "\": 0, ";
    EXPECT_RIPC_FAULT(keys + "\"z\": 0}", ":1:", "more than 256 keys");
    EXPECT_RIPC_FAULT("{\"" + std::string(100'000, 'a') + "\": 0}", ":1:", "more than 65536 bytes");
}

TEST(RipcBadInput, open_and_inside_out_meshes_are_surfaces_and_said_so)
{
    const Result<Imported> open = parse_ripc(
        R"({"rigid_body_problem": {"rigid_bodies": [{"vertices": [[0,0,0],[1,0,0],[0,1,0]], "faces": [[0,1,2]]}]}})",
        "scene.json", ".");
    ASSERT_TRUE(open.ok()) << to_text(open.errors());
    EXPECT_EQ(open->model.shapes.type[0], ShapeType::surface);
    EXPECT_NEAR(open->model.bodies.mass[1], 500, 1e-10);  // half a square metre
    ASSERT_EQ(open->warnings.size(), 1u);
    EXPECT_NE(open->warnings[0].text().find("bounds no solid"), std::string::npos);
    const Result<Imported> unwelded = parse_ripc(
        R"({"rigid_body_problem": {"rigid_bodies": [{"vertices": [[0,0,0],[0,1,0],[1,0,0],[0,0,0],[1,0,0],[0,0,1],
            [0,0,0],[0,0,1],[0,1,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,1,2],[3,4,5],[6,7,8],[9,10,11]]}]}})",
        "scene.json", ".");
    ASSERT_TRUE(unwelded.ok()) << to_text(unwelded.errors());
    EXPECT_EQ(unwelded->model.meshes[0].vertices.size(), 4u);
    EXPECT_NEAR(unwelded->model.bodies.mass[1], 1000.0 / 6, 1e-10);
    EXPECT_NE(to_text(unwelded->warnings).find("repeats 8 vertices"), std::string::npos);
}

TEST(RipcBadInput, surfaces_that_branch_and_triangles_without_area_are_reported)
{
    const auto load = [](const std::string& faces, const std::string& more = "")
    {
        return parse_ripc(
            "{\"rigid_body_problem\": {\"rigid_bodies\": [{\"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.5,0,0],"
            "[1,1,1]], \"faces\": [" +
                faces + "]" + more + "}]}}",
            "scene.json", ".");
    };
    // Three triangles at one edge, on a body that is fixed too.
    for (const char* type : {"dynamic", "static"})
    {
        const Result<Imported> branched = load("[0,1,2],[0,1,3],[0,1,5]", std::string(", \"type\": \"") + type + "\"");
        ASSERT_TRUE(branched.ok()) << to_text(branched.errors());
        EXPECT_EQ(branched->model.shapes.type[0], ShapeType::surface);
        EXPECT_NE(to_text(branched->warnings).find("1 edges in more than two triangles"), std::string::npos)
            << to_text(branched->warnings);
    }
    // A tetrahedron one of whose edges is cut by a vertex in its middle: a triangle without area closes the gap.
    const Result<Imported> flat = load("[0,2,4],[4,2,1],[0,1,3],[0,3,2],[1,2,3],[0,4,1]");
    ASSERT_TRUE(flat.ok()) << to_text(flat.errors());
    EXPECT_EQ(flat->model.shapes.type[0], ShapeType::mesh);
    EXPECT_NEAR(flat->model.bodies.mass[1], 1000.0 / 6, 1e-10);
    EXPECT_NE(to_text(flat->warnings).find("1 triangles without area"), std::string::npos) << to_text(flat->warnings);
    // One that names a vertex twice.
    const Result<Imported> twice = load("[0,2,1],[0,1,3],[0,3,2],[1,2,3],[1,1,2]");
    ASSERT_TRUE(twice.ok()) << to_text(twice.errors());
    EXPECT_EQ(twice->model.meshes[0].triangles.size(), 4u);
    EXPECT_NE(to_text(twice->warnings).find("1 triangles or edges that name a vertex twice"), std::string::npos);
}

}  // namespace
}  // namespace rattleback
