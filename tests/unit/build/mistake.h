// A sound scene, and mistakes that break it: shared by the tests of the builder's errors.
#pragma once

#include <gtest/gtest.h>
#include <rattleback/builder.h>

#include <functional>
#include <span>

namespace rattleback::mistakes
{

/// Something to break: ids of a sound model.
struct Scene
{
    ModelBuilder builder;
    BodyId base, arm, ball, lift;
    JointId shoulder, socket;
    ShapeId bone, head;
    SiteId grip;
    MeshId wedge;
    TendonId tendon;
};

inline Scene make_scene()
{
    Scene s;
    ModelBuilder& b = s.builder;
    s.base = b.add_body({.name = "base", .kind = BodyKind::fixed});
    s.arm = b.add_body({.name = "arm", .parent = s.base});
    s.shoulder = b.add_joint(s.arm, {.name = "shoulder"});
    s.bone = b.add_shape(s.arm, Capsule{}, {.name = "bone"});
    s.ball = b.add_body({.name = "ball", .parent = s.arm});
    s.socket = b.add_joint(s.ball, {.name = "socket", .type = JointType::ball});
    s.head = b.add_shape(s.ball, Sphere{});
    s.lift = b.add_body({.name = "lift", .kind = BodyKind::kinematic});
    s.grip = b.add_site(s.arm, {.name = "grip"});
    s.wedge = b.add_mesh({.name = "wedge",
                          .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                          .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
    s.tendon = b.add_fixed_tendon({{s.shoulder, 1.0}}, {.name = "tendon"});
    return s;
}

struct Mistake
{
    const char* title;     ///< of the test
    const char* expected;  ///< part of the error's text
    std::function<void(Scene&)> make;
};

inline void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.title; }

class EachMistake : public testing::TestWithParam<Mistake>
{
};

inline std::string title_of(const testing::TestParamInfo<Mistake>& info) { return info.param.title; }

/// Those of the families whose tests stand in control_errors_test.cpp.
std::span<const Mistake> constraint_mistakes();
std::span<const Mistake> control_mistakes();

}  // namespace rattleback::mistakes
