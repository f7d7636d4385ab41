// The scenes for `ipc`: all can be built, none begins with an intersection, and their criteria tell good from bad.
#include <gtest/gtest.h>

#include <set>

#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_pairs.h"
#include "lab/bench/ipc_run.h"
#include "lab/certify/overlap.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "record/recording_format.h"

#include <rattleback/import.h>
#include <rattleback/query.h>

namespace rattleback::lab
{
namespace
{

/// Where a body is at the start, by its centre of mass.
Place find_start(const State& state, const RecordedModel& recorded, int body)
{
    const Pose& pose = state.body_pose[static_cast<std::size_t>(body)];
    return {to_matrix(pose.rotation),
            pose.position + rotate(pose.rotation, recorded.bodies[static_cast<std::size_t>(body)].center)};
}

/// The first two shapes that intersect at the start, by the exact judge; empty: none do.
std::string find_start_fault(const Model& model)
{
    const RecordedModel recorded = make_recorded_model(model, {});
    const State state(model);
    std::vector<Complex> complexes;
    std::vector<Place> places;
    for (int i = 0; i < model.shape_count(); ++i)
    {
        complexes.push_back(make_complex(recorded, i));
        places.push_back(find_start(state, recorded, recorded.shapes[static_cast<std::size_t>(i)].body));
    }
    Collider collider(model);
    for (const PairCandidate& pair : collider.find_pairs(state.world(0), 0))
    {
        const auto a = static_cast<std::size_t>(pair.first.index), b = static_cast<std::size_t>(pair.second.index);
        if (find_overlap(complexes[a], places[a], complexes[b], places[b], true).intersects)
            return recorded.shapes[a].name + " and " + recorded.shapes[b].name;
    }
    return {};
}

TEST(IpcScenes, every_scene_begins_without_an_intersection)
{
    std::set<std::string_view> names;
    for (const IpcScene& scene : all_ipc_scenes())
    {
        SCOPED_TRACE(std::string(scene.scene.name));
        EXPECT_TRUE(names.insert(scene.scene.name).second) << "twice";
        EXPECT_NE(scene.judge, nullptr);
        const Result<Model> model = scene.scene.build();
        ASSERT_TRUE(model.ok()) << to_text(model.errors());
        EXPECT_EQ(find_start_fault(*model), "");
        EXPECT_EQ(*find_scene(scene.scene.name), &scene.scene);
    }
    EXPECT_GE(names.size(), 50u);
}

/// A run in which nothing moves but time.
IpcRun make_still_run(const Model& model, double duration)
{
    IpcRun run;
    run.model = &model;
    const State state(model);
    for (const double time : {0.0, 0.5 * duration, duration})
        run.frames.push_back({.time = time, .pose = state.body_pose, .speed = state.body_velocity});
    return run;
}

const IpcScene& find_ipc_scene(std::string_view name)
{
    for (const IpcScene& scene : all_ipc_scenes())
        if (scene.scene.name == name) return scene;
    ADD_FAILURE() << name;
    return all_ipc_scenes().front();
}

TEST(IpcScenes, criteria_accept_what_should_stand_and_refuse_what_should_move_or_passes_through)
{
    const auto judge = [](std::string_view name, const std::function<void(IpcRun&)>& change)
    {
        const IpcScene& scene = find_ipc_scene(name);
        const Model model = scene.scene.build().value();
        IpcRun run = make_still_run(model, scene.scene.duration);
        if (change) change(run);
        return scene.judge(run).passed;
    };
    const auto shift = [](std::size_t body, const Vec3& by)
    { return [=](IpcRun& run) { run.frames.back().pose[body].position += by; }; };
    // What should stand.
    EXPECT_TRUE(judge("ipc/arch_25", nullptr));
    EXPECT_FALSE(judge("ipc/arch_25", shift(13, {0, 0, -2e-3})));
    EXPECT_TRUE(judge("ipc/five_cubes", nullptr));
    EXPECT_FALSE(judge("ipc/five_cubes", shift(3, {2e-3, 0, 0})));
    EXPECT_TRUE(judge("ipc/slope_50", nullptr));
    EXPECT_FALSE(judge("ipc/slope_50", shift(2, {0.1, 0, -0.05})));
    EXPECT_TRUE(judge("ipc/card_house_2", nullptr));
    EXPECT_FALSE(judge("ipc/card_house_2",
                       [](IpcRun& run)
                       {
                           for (IpcFrame& frame : run.frames) frame.iterations = 500;
                       }));
    EXPECT_TRUE(judge("ipc/bolt_locked", nullptr));
    EXPECT_FALSE(judge("ipc/bolt_locked",
                       [](IpcRun& run)
                       {
                           Quat& rotation = run.frames.back().pose[run.body("bolt")].rotation;
                           rotation = from_axis_angle({0, 0, 1}, -0.1) * rotation;
                       }));
    // What should move does not pass at rest.
    for (const char* name : {"ipc/slope_49",
                             "ipc/bolt",
                             "ipc/gears_2",
                             "ipc/piston",
                             "ipc/lewis",
                             "ipc/face_vertex",
                             "ipc/bat",
                             "ipc/pendulum",
                             "ipc/double_pendulum",
                             "ipc/punching_press",
                             "ipc/punching_press_loose",
                             "ipc/intermittent",
                             "ipc/bike_chain",
                             "ipc/lock_box",
                             "ipc/sliced_sphere",
                             "ipc/tunnel_3",
                             "ipc/tunnel_8k",
                             "ipc/anchor",
                             "ipc/coin",
                             "ipc/card_house_3_blocks",
                             "ipc/wrecking_ball"})
        EXPECT_FALSE(judge(name, nullptr)) << name;
    // Links that come apart.
    EXPECT_TRUE(judge("ipc/chain_3", nullptr));
    EXPECT_FALSE(judge("ipc/chain_3", shift(3, {1, 0, 0})));
    EXPECT_TRUE(judge("ipc/wire_net_3", nullptr));
    EXPECT_FALSE(judge("ipc/wire_net_3", shift(5, {0, 0, 1})));
    // A cube beyond the wall.
    EXPECT_TRUE(judge("ipc/tunneling", nullptr));
    EXPECT_FALSE(judge("ipc/tunneling", shift(2, {10, 0, 0})));
}

/// The pose of a body that turns about z at its place.
void turn_body(IpcRun& run, std::string_view name, const std::vector<double>& angles)
{
    const std::size_t body = run.body(name);
    for (std::size_t i = 0; i < run.frames.size(); ++i)
    {
        Quat& rotation = run.frames[i].pose[body].rotation;
        rotation = from_axis_angle({0, 0, 1}, angles[i]) * rotation;
    }
}

TEST(IpcScenes, criteria_of_mechanisms_follow_their_laws_and_no_others)
{
    // The lock box: pins in, then the bottom; or the bottom first.
    const IpcScene& box = find_ipc_scene("ipc/lock_box");
    const Model box_model = box.scene.build().value();
    for (const bool early : {false, true})
    {
        IpcRun run = make_still_run(box_model, box.scene.duration);
        for (int pin = 1; pin <= 5; ++pin)
        {
            Pose& pose = run.frames.back().pose[run.body("pin " + std::to_string(pin))];
            pose.position += rotate(pose.rotation, Vec3{-7e-3, 0, 0});
        }
        for (std::size_t i = early ? 1 : 2; i < 3; ++i) run.frames[i].pose[run.body("bottom")].position.z -= 0.1;
        EXPECT_EQ(box.judge(run).passed, !early);
    }
    // Crosses: a quarter back each time the pin has passed, and not a tenth of a radian else.
    const IpcScene& cross = find_ipc_scene("ipc/intermittent");
    const Model cross_model = cross.scene.build().value();
    for (const double off : {0.0, 0.1})
    {
        IpcRun run = make_still_run(cross_model, 4);  // at 0, 1 and 2 turns of the driver each cross has been passed
        turn_body(run, "left cross", {0, -kPi / 2, -kPi + off});
        turn_body(run, "right cross", {0, -kPi / 2, -kPi});
        EXPECT_EQ(cross.judge(run).passed, off == 0) << cross.judge(run).text;
    }
    // Gears turn against each other.
    const IpcScene& gears = find_ipc_scene("ipc/gears_4");
    const Model gears_model = gears.scene.build().value();
    for (const double sign : {-1.0, 1.0})
    {
        IpcRun run = make_still_run(gears_model, 2);
        turn_body(run, "gear 1", {0, 1, 2});
        turn_body(run, "gear 2", {0, sign, 2 * sign});
        turn_body(run, "gear 3", {0, 1, 2});
        turn_body(run, "gear 4", {0, sign, 2 * sign});
        EXPECT_EQ(gears.judge(run).passed, sign < 0);
    }
    // A rivet that leaves its eyes.
    const IpcScene& chain = find_ipc_scene("ipc/bike_chain");
    const Model chain_model = chain.scene.build().value();
    for (const double off : {0.0, 1e-3})
    {
        IpcRun run = make_still_run(chain_model, 1);
        turn_body(run, "driver", {0, 1, 2});
        turn_body(run, "loose sprocket", {0, 1, 2});
        run.frames[1].pose[run.body("rivet 7")].position.x += off;
        EXPECT_EQ(chain.judge(run).passed, off == 0) << chain.judge(run).text;
    }
}

TEST(IpcScenes, sizes_are_within_a_fifth_of_those_of_the_figure)
{
    for (const char* name : {"lock_box",
                             "bolt",
                             "piston",
                             "intermittent",
                             "bike_chain",
                             "punching_press",
                             "punching_press_loose",
                             "card_house_3_blocks",
                             "wire_net_15",
                             "sliced_sphere",
                             "coin",
                             "wrecking_ball",
                             "anchor",
                             "arch_101",
                             "lewis",
                             "turntable_0",
                             "packing",
                             "pendulum",
                             "double_pendulum",
                             "gears_2",
                             "tunnel_8k",
                             "net_3",
                             "net_7"})
    {
        SCOPED_TRACE(name);
        const SceneSize paper = find_paper_size(name);
        const SceneSize ours = find_size(find_ipc_scene(std::string("ipc/") + name).scene.build().value());
        EXPECT_NEAR(ours.bodies / paper.bodies, 1, 0.2);
        EXPECT_NEAR(ours.vertices / paper.vertices, 1, 0.2);
        EXPECT_NEAR(ours.faces / paper.faces, 1, 0.2);
    }
}

/// A cube of 12 triangles, half a millimetre above a sheet of two whose diagonal is y = x.
Result<Model> build_cube_on_sheet(double x)
{
    ModelBuilder builder;
    builder.settings().solver_parameters["ipc"]["dhat"] = 1e-3;
    const MeshId sheet = builder.add_mesh({.name = "sheet",
                                           .vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}},
                                           .triangles = {{0, 1, 2}, {0, 2, 3}}});
    builder.add_shape(kWorld, Surface{sheet});
    const BodyId cube = builder.add_body({.name = "cube", .position = {x, 0, 0.5005}});
    builder.add_joint(cube, {.type = JointType::free});
    builder.add_shape(cube, Box{{0.5, 0.5, 0.5}}, {.density = 1000});
    return builder.build();
}

TEST(IpcScenes, contacts_are_counted_as_pairs_of_simplices)
{
    const auto count = [](double x, bool welded)
    {
        const Model model = build_cube_on_sheet(x).value();
        return PairCounter(model, welded).count(State(model));
    };
    EXPECT_EQ(count(2, true), 4);  // four corners over one triangle
    // The sheet's diagonal passes below two sides of the cube's lower face, whose own diagonal runs beside it.
    EXPECT_EQ(count(0.3, true), 4 + 2);
    // Every triangle at a corner brings a vertex of its own.
    const Complex cube = make_complex(make_recorded_model(build_cube_on_sheet(2).value(), {}), 1);
    int corners = 0;
    for (const Element& element : cube.elements)
        for (int k = 0; k < element.count; ++k) corners += cube.corner(element, k).z < 0 ? 1 : 0;
    EXPECT_EQ(count(2, false), corners);
}

TEST(IpcScenes, the_common_rule_follows_size_and_gap)
{
    EXPECT_EQ(find_common_dhat(1, 1), 2.5e-4);   // far apart: by the size
    EXPECT_EQ(find_common_dhat(1, 2e-4), 2e-4);  // close: the gap itself
    EXPECT_EQ(find_common_dhat(1, 1e-6), 1e-4);  // nearly touching: not below a ten thousandth
    Model tunnel = find_ipc_scene("ipc/tunnel_2").scene.build().value();
    EXPECT_NEAR(find_smallest_radius(tunnel), 0.5 * std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(find_start_gap(tunnel, 1e-2), 1e-4, 1e-12);
    EXPECT_NEAR(set_common_parameters(tunnel), 1e-4, 1e-12);
    EXPECT_EQ(std::get<double>(tunnel.settings.solver_parameters["ipc"]["dhat"]),
              find_common_dhat(0.5 * std::sqrt(3.0), find_start_gap(tunnel, 1e-2)));
    Model packing = find_ipc_scene("ipc/packing").scene.build().value();
    set_common_parameters(packing);
    EXPECT_EQ(std::get<double>(packing.settings.solver_parameters["ipc"]["dmin"]), 1e-3);
}

TEST(IpcScenes, mechanisms_take_their_first_steps_without_an_intersection)
{
    for (const char* name : {"ipc/pendulum", "ipc/double_pendulum", "ipc/piston", "ipc/gears_2", "ipc/lewis",
                             "ipc/punching_press", "ipc/intermittent", "ipc/tunnel_3"})
    {
        SCOPED_TRACE(name);
        const Result<IpcOutcome> outcome = run_ipc(
            std::make_shared<const Model>(find_ipc_scene(name).scene.build().value()), {.steps = 3, .budget = 0.5});
        ASSERT_TRUE(outcome.ok()) << to_text(outcome.errors());
        EXPECT_FALSE(outcome->failed);
        EXPECT_TRUE(outcome->audit.clean());
        EXPECT_GT(outcome->run.least_distance(), 0);
    }
}

// What a user may get wrong, run all the same.

IpcOutcome run_text(const std::string& scene, std::int64_t steps)
{
    const Result<Imported> imported = parse_ripc(scene, "scene.json", ".");
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    const Result<IpcOutcome> outcome = run_ipc(std::make_shared<const Model>(imported->model), {.steps = steps});
    EXPECT_TRUE(outcome.ok()) << to_text(outcome.errors());
    return outcome.value();
}

TEST(IpcBadInput, meshes_with_triangles_without_area_and_branching_sheets_fall_and_never_intersect)
{
    // A tetrahedron with a triangle without area, and three sheets at one edge, above a floor of two triangles.
    const IpcOutcome outcome = run_text(
        R"({"timestep": 0.01, "rigid_body_problem": {"gravity": [0, 0, -9.81], "rigid_bodies": [
            {"vertices": [[-3,-3,0],[3,-3,0],[3,3,0],[-3,3,0]], "faces": [[0,1,2],[0,2,3]], "type": "static"},
            {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.5,0,0]],
             "faces": [[0,2,4],[4,2,1],[0,1,3],[0,3,2],[1,2,3],[0,4,1]], "position": [-2, 0, 0.05]},
            {"vertices": [[0,0,0],[1,0,0],[0.5,1,0.2],[0.5,-1,0.2],[0.5,0,1]], "faces": [[0,1,2],[0,1,3],[0,1,4]],
             "position": [0.5, 0, 0.05]}]}})",
        40);
    EXPECT_TRUE(outcome.audit.clean());
    EXPECT_FALSE(outcome.failed);
    EXPECT_GT(outcome.contacts, 0);
}

TEST(IpcBadInput, a_bar_that_turns_by_more_than_half_a_turn_in_a_step_stays_clear_of_the_wall_beside_it)
{
    // 1.3 half turns in a step: the straight path from state to state is the shorter way round, and is certified.
    const IpcOutcome outcome = run_text(
        R"({"timestep": 0.01, "rigid_body_problem": {"rigid_bodies": [
            {"vertices": [[-1,0.15,-1],[1,0.15,-1],[1,0.15,1],[-1,0.15,1]], "faces": [[0,1,2],[0,2,3]], "type": "static"},
            {"vertices": [[-0.5,-0.1,-0.1],[0.5,-0.1,-0.1],[0.5,0.1,-0.1],[-0.5,0.1,-0.1],
                          [-0.5,-0.1,0.1],[0.5,-0.1,0.1],[0.5,0.1,0.1],[-0.5,0.1,0.1]],
             "faces": [[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]],
             "angular_velocity": [0, 0, 23400]}]}})",
        10);
    EXPECT_TRUE(outcome.audit.clean());
    EXPECT_FALSE(outcome.failed);
    for (const IpcFrame& frame : outcome.run.frames) EXPECT_LT(frame.pose[2].position.y, 0.15);
}

}  // namespace
}  // namespace rattleback::lab
