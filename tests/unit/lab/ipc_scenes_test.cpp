// The scenes for `ipc`: all can be built, none begins with an intersection, and their criteria tell good from bad.
#include <gtest/gtest.h>

#include <set>

#include "lab/certify/overlap.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "record/recording_format.h"

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
    // What should move does not pass at rest.
    for (const char* name :
         {"ipc/slope_49", "ipc/bolt", "ipc/gears_2", "ipc/piston", "ipc/lewis", "ipc/face_vertex", "ipc/bat"})
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

}  // namespace
}  // namespace rattleback::lab
