// Tests of parameter `method` of solver `ipc`: the paper's plain form, and each deviation by itself.
#include "solvers/ipc/method.h"
#include "solvers/ipc/plain_stiffness.h"

#include "math/elementary.h"
#include "math/rotation.h"
#include "solvers/ipc/layout.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <string>

namespace rattleback::ipc
{

namespace
{

/// A box that spins as it lands beside a pile of two, on a floor that moves.
Model make_scene()
{
    ModelBuilder builder;
    const MaterialId rough = builder.add_material({.friction = 0.5});
    const BodyId floor = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(floor, Box{.half_extents = {4, 4, 0.1}}, {.material = rough});
    builder.add_track(floor, {.times = {0, 10}, .poses = {{{}, {}}, {{0.5, 0, 0}, {}}}});
    const auto add = [&](const Vec3& place, const Vec3& turn, const Vec3& spin)
    {
        const BodyId box =
            builder.add_body({.position = place, .rotation = exponential(turn), .angular_velocity = spin});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.2}}, {.material = rough, .density = 1000});
    };
    add({0, 0, 0.3005}, {}, {});
    add({0.05, 0, 0.7011}, {0, 0, 0.3}, {});
    add({1, 0, 0.5}, {0.2, 0.5, 0}, {0, 9, 3});
    return builder.build().value();
}

std::uint64_t run(const std::string& method, int steps = 20)
{
    Simulation simulation(make_scene(),
                          {.solver = "ipc", .dt = 0.01, .parameters = {{"method", method}, {"dhat", 1e-3}}});
    for (int i = 0; i < steps; ++i) simulation.step();
    return hash(simulation.state());
}

std::string join(const std::string& base, char sign)
{
    std::string text = base;
    for (const DeviationInfo& deviation : all_deviations()) text += sign + std::string(deviation.name);
    return text;
}

}  // namespace

TEST(IpcMethod, names_switch_single_deviations_from_left_to_right)
{
    const Deviations paper = read_method("paper").value();
    const Deviations some = read_method("paper+rims+way-rims").value();
    for (const DeviationInfo& deviation : all_deviations())
    {
        EXPECT_FALSE(paper.*deviation.is_on) << deviation.name;
        EXPECT_TRUE(read_method("revised").value().*deviation.is_on) << deviation.name;
        EXPECT_EQ(some.*deviation.is_on, deviation.name == "way") << deviation.name;
    }
    for (const char* wrong : {"", "papers", "+rims", "paper+", "paper+rim", "revised-rims+-way"})
        EXPECT_FALSE(read_method(wrong).ok()) << wrong;
}

TEST(IpcMethod, a_wrong_method_is_refused_with_the_names_that_there_are)
{
    const auto made =
        Simulation::make(make_scene(), {.solver = "ipc", .parameters = {{"method", std::string("paper+rim")}}});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.errors().front().text().find("no deviation 'rim'"), std::string::npos);
    EXPECT_NE(made.errors().front().text().find("rims"), std::string::npos);
}

TEST(IpcMethod, revised_is_paper_with_all_deviations_and_paper_is_revised_without_any)
{
    EXPECT_EQ(run("revised"), run(join("paper", '+')));
    EXPECT_EQ(run("paper"), run(join("revised", '-')));
    EXPECT_NE(run("paper"), run("revised"));
}

TEST(IpcMethod, paper_sets_hessian_path_test_tracks_integrator_and_friction)
{
    const Model model = make_scene();
    const Settings settings(
        make_parameters(*find_solver("ipc").value(), model, {{"method", std::string("paper")}}).value());
    EXPECT_TRUE(settings.exact_hessian);
    EXPECT_TRUE(settings.interval_ccd);
    EXPECT_TRUE(settings.lagrangian_drive);
    EXPECT_FALSE(settings.anchor);
    EXPECT_EQ(settings.scheme, Scheme::printed);
    const std::shared_ptr<const Layout> layout = build_layout(model, settings).value();
    EXPECT_FALSE(layout->has_rims);
    for (std::size_t p = 0; p < layout->pieces.size(); ++p)
        for (const int flat : layout->pieces[p].flat_of_face) EXPECT_EQ(flat, -1);
}

TEST(IpcMethod, the_plain_stiffness_is_that_of_the_supplement)
{
    // kappa >= 1e11 m / (4 D b''(D)) at D = (1e-8 l)^2, b = -(D - w)^2 ln(D / w), w = d-hat^2: b'' by differences.
    Layout layout;
    layout.reach = 1e-3;
    layout.groups.resize(3);
    layout.groups[1].dynamic = layout.groups[2].dynamic = true;
    layout.groups[1].mass = 2;
    layout.groups[2].mass = 4;
    constexpr double kDiagonal = 5;
    const PlainStiffness found = find_plain_stiffness(layout, 0, kDiagonal);
    const double w = layout.reach * layout.reach, d = 1e-16 * kDiagonal * kDiagonal, e = 1e-3 * d;
    const auto barrier = [&](double x) { return -(x - w) * (x - w) * natural_logarithm(x / w); };
    const double curvature = (barrier(d + e) - 2 * barrier(d) + barrier(d - e)) / (e * e);
    EXPECT_NEAR(found.least / w / w, 1e11 * 3 / (4 * d * curvature), 1e-4 * found.least / w / w);
    EXPECT_DOUBLE_EQ(found.most, 100 * found.least);
    EXPECT_DOUBLE_EQ(found.small_gap, 1e-9 * kDiagonal);
}

}  // namespace rattleback::ipc
