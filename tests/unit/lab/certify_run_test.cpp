// Bench `certify`: whoever moves the bodies, what passes through what is found.
#include "lab/bench/certify_run.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <filesystem>

namespace rattleback::lab
{
namespace
{

constexpr double kStep = 1e-3, kGap = 1.5e-3;

/// A box of 10 cm, 1.5 mm above a fixed one of 20.
std::shared_ptr<const Model> make_two_boxes()
{
    ModelBuilder builder;
    builder.settings().dt = 0.01;
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 0.1, 0.1}});
    const BodyId body = builder.add_body({.position = {0, 0, 0.15 + kGap}});
    builder.add_shape(body, Box{.half_extents = {0.05, 0.05, 0.05}});
    return std::make_shared<const Model>(builder.build().value());
}

/// Sinks by a millimetre a step; fails after `most` steps.
Mover make_sinking_mover(const Model& model, int most)
{
    const auto step = [most, taken = 0](State& state) mutable -> Status
    {
        if (taken++ == most) return Error{ErrorCode::invalid_value, "", "has had enough", ""};
        state.body_pose[1].position.z -= kStep;
        return {};
    };
    return {"sinker", "double", State(model), step};
}

TEST(CertifyRun, a_peer_that_pushes_a_box_into_another_is_found_and_ours_does_not_do_it)
{
    const std::shared_ptr<const Model> model = make_two_boxes();
    Mover sinking = make_sinking_mover(*model, 100);
    const Result<AuditedRun> sunk = run_audited(model, sinking, 4);
    ASSERT_TRUE(sunk.ok());
    EXPECT_EQ(sunk->steps, 4);
    EXPECT_EQ(sunk->audit.frames, 5);
    EXPECT_EQ(sunk->audit.worst(), OverlapClass::tunnelled);  // 1.4 % of its size
    ASSERT_NE(sunk->worst(), nullptr);
    EXPECT_NEAR(sunk->worst()->deepest, 4 * kStep - kGap, 1e-12);
    EXPECT_NEAR(sunk->worst()->first_time, 0.015, 1e-7);  // half way through the second step
    EXPECT_NEAR(sunk->worst()->size, 0.1 * std::sqrt(3.0), 1e-12);

    // Ours falls onto it.
    Result<Mover> ours = make_own_mover(model, "ipc");
    ASSERT_TRUE(ours.ok());
    const Result<AuditedRun> kept = run_audited(model, *ours, 20);
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept->steps, 20);
    EXPECT_LT(ours->state.body_pose[1].position.z, 0.15 + kGap);
    EXPECT_TRUE(kept->audit.clean());
    EXPECT_EQ(kept->worst(), nullptr);
}

TEST(CertifyRun, peers_move_the_bodies_of_a_model_as_gravity_does)
{
    // In free fall from rest all of them agree: semi-implicit Euler, z = z0 - g h^2 n (n + 1) / 2.
    ModelBuilder builder;
    builder.settings().dt = 0.01;
    const BodyId body = builder.add_body({.position = {0, 0, 5}});
    builder.add_shape(body, Box{.half_extents = {0.1, 0.2, 0.3}});
    const auto model = std::make_shared<const Model>(builder.build().value());
    int count = 0;
    for (const std::string& name : list_peer_movers())
    {
        Result<Mover> mover = make_peer_mover(model, name);
        if (!mover.ok())  // not on this machine
        {
            EXPECT_EQ(mover.errors().front().code, ErrorCode::io) << to_text(mover.errors());
            continue;
        }
        ++count;
        const Result<AuditedRun> run = run_audited(model, *mover, 10);
        ASSERT_TRUE(run.ok()) << name;
        EXPECT_EQ(run->steps, 10);
        const double fallen = -model->settings.gravity.z * 1e-4 * 55;
        // A number near 5 in single precision is known to half of 2^-21.
        const double tolerance = name.ends_with("_single") ? 0x1p-21 : 1e-9;
        EXPECT_NEAR(mover->state.body_pose[1].position.z, 5 - fallen, tolerance) << name;
        EXPECT_NEAR(mover->state.q[2], 5 - fallen, tolerance) << name;
        EXPECT_NEAR(mover->state.v[2], 0.1 * model->settings.gravity.z, tolerance) << name;
    }
    if (count == 0) GTEST_SKIP() << "no peer is here";
}

TEST(CertifyRun, what_a_peer_cannot_express_is_named_and_nothing_else_runs_instead)
{
    ModelBuilder builder;
    const MeshId sheet = builder.add_mesh({.name = "sheet",
                                           .vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}},
                                           .triangles = {{0, 1, 2}, {0, 2, 3}}});
    builder.add_shape(kWorld, Surface{sheet}, {.name = "floor"});
    const auto model = std::make_shared<const Model>(builder.build().value());
    for (const char* name : {"mujoco", "nobody"})
    {
        const Result<Mover> mover = make_peer_mover(model, name);
        ASSERT_FALSE(mover.ok());
        EXPECT_NE(to_text(mover.errors()).find(name == std::string("mujoco") ? "'floor'" : "no peer"),
                  std::string::npos);
    }
}

TEST(CertifyRun, a_body_that_is_nowhere_ends_a_run)
{
    const std::shared_ptr<const Model> model = make_two_boxes();
    for (const bool turned : {false, true})
    {
        const auto step = [turned](State& state) -> Status
        {
            Pose& pose = state.body_pose[1];
            (turned ? pose.rotation.x : pose.position.x) = NAN;
            return {};
        };
        Mover mover{"lost", "double", State(*model), step};
        const Result<AuditedRun> run = run_audited(model, mover, 4);
        ASSERT_TRUE(run.ok());
        EXPECT_EQ(run->steps, 0);
        EXPECT_NE(run->trouble.find("no number"), std::string::npos);
    }
}

TEST(CertifyRun, a_run_that_ends_early_is_audited_until_then_and_its_recording_is_kept)
{
    const std::shared_ptr<const Model> model = make_two_boxes();
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "certify_run_kept.rec";
    Mover sinking = make_sinking_mover(*model, 1);
    const Result<AuditedRun> run = run_audited(model, sinking, 4, path);
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->steps, 1);
    EXPECT_EQ(run->trouble, "has had enough");
    EXPECT_TRUE(run->audit.clean());  // it had not reached the other
    Result<Recording> recording = load_recording(path);
    ASSERT_TRUE(recording.ok());
    EXPECT_EQ(recording->model().solver, "sinker");
    EXPECT_EQ(recording->frame_count(), 2);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace rattleback::lab
