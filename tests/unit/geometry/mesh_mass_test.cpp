// Mass of meshes by every rule, of surfaces, segments and points, against closed forms; and meshes that are refused.
#include <gtest/gtest.h>

#include <limits>

#include "geometry/mass.h"
#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

constexpr MeshMass kRules[] = {MeshMass::exact, MeshMass::legacy, MeshMass::convex, MeshMass::shell};

MassProperties mass_of(const MeshOptions& mesh, MeshMass rule = MeshMass::exact, double density = 1)
{
    return compute_mass(ShapeType::mesh, {}, &mesh, rule, density).value();
}

MassProperties mass_of(ShapeType type, const MeshOptions& mesh)
{
    return compute_mass(type, {}, &mesh, MeshMass::exact, 1).value();
}

MassProperties mass_of_box(const Vec3& half, const Vec3& center)
{
    const auto box = compute_mass(ShapeType::box, half, nullptr, MeshMass::exact, 1);
    return transformed(box.value(), {center, {}});
}

void expect_near(const MassProperties& a, const MassProperties& b, double tolerance)
{
    EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
    EXPECT_LT(find_difference(a.center, b.center), tolerance * (1 + norm(b.center)));
    double scale = 0;
    for (const double entry : b.inertia.m) scale = std::max(scale, std::abs(entry));
    EXPECT_LT(find_difference(a.inertia, b.inertia), tolerance * scale);
}

/// The only error, which must have an empty `where`.
Error error_of(ShapeType type, const MeshOptions* mesh, MeshMass rule = MeshMass::exact)
{
    const auto result = compute_mass(type, {}, mesh, rule, 1);
    EXPECT_FALSE(result.ok());
    if (result.ok() || result.errors().size() != 1) return {.message = "expected one error"};
    EXPECT_EQ(result.errors()[0].where, "");
    return result.errors()[0];
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(MeshMass, a_mesh_of_a_box_weighs_what_the_box_weighs)
{
    const Vec3 half{0.2, 0.5, 0.9};
    const MassProperties box = mass_of_box(half, {});
    const MeshOptions mesh = make_box_mesh(half);
    for (const MeshMass rule : {MeshMass::exact, MeshMass::legacy, MeshMass::convex})
    {
        expect_near(mass_of(mesh, rule), box, 1e-14);
    }
    expect_near(mass_of(ShapeType::hull, mesh), box, 1e-14);
}

TEST(MeshMass, a_tetrahedron_has_the_integrals_of_the_unit_simplex_under_any_affine_map)
{
    // Over the unit simplex: volume 1/6, mean 1/4, integral of x x 1/60, of x y 1/120. Under x -> A x + t the
    // covariance becomes |det A| A C Aᵀ.
    ShapeRandom random(21);
    for (int trial = 0; trial < 100; ++trial)
    {
        Mat3 a;
        for (double& entry : a.m) entry = random.uniform(-1, 1);
        const double det = std::abs(determinant(a));
        if (det < 0.05) continue;
        const Vec3 t = 3.0 * random.vector();
        Mat3 c;
        for (int i = 0; i < 9; ++i) c.m[i] = det * ((i % 4 == 0 ? 1.0 / 60 : 1.0 / 120) - 1.0 / 96);  // about the mean
        c = a * c * transpose(a);
        MassProperties expected{.mass = det / 6, .center = a * Vec3{0.25, 0.25, 0.25} + t};
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j) expected.inertia(i, j) = (i == j ? c.m[0] + c.m[4] + c.m[8] : 0) - c(i, j);
        }
        expect_near(mass_of(mapped(make_corner_tetrahedron(), a, t)), expected,
                    2e-13);  // det A may be 0.05: 1e-14 / det
    }
}

TEST(MeshMass, ever_finer_spheres_tend_to_the_ball_and_its_shell)
{
    const double r = 0.7;
    const MassProperties ball = compute_mass(ShapeType::sphere, {r, 0, 0}, nullptr, MeshMass::exact, 1).value();
    double last = 1;
    for (int levels = 1; levels <= 4; ++levels)
    {
        const MeshOptions mesh = make_icosphere(r, levels);
        const double error = 1 - mass_of(mesh).inertia(0, 0) / ball.inertia(0, 0);
        EXPECT_GT(error, 0);  // inscribed
        if (levels > 2)
        {
            EXPECT_NEAR(last / error, 4, 0.2);  // second order in the edge length
        }
        last = error;
    }
    EXPECT_LT(last, 1e-2);

    const MassProperties shell = mass_of(make_icosphere(r, 5), MeshMass::shell);
    EXPECT_NEAR(shell.mass, 4 * kPi * r * r, 2e-3 * shell.mass);  // second order: a quarter of a 32nd edge squared
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(shell.inertia(i, i), 2.0 / 3 * shell.mass * r * r, 2e-3 * shell.inertia(i, i));
}

TEST(MeshMass, a_concave_solid_is_the_sum_of_its_boxes_by_the_exact_rule)
{
    const Vec3 offset{10, -4, 2};
    const MassProperties expected = combined(mass_of_box({1.5, 0.5, 0.375}, offset + Vec3{1.5, 0.5, 0.375}),
                                             mass_of_box({0.5, 0.75, 0.375}, offset + Vec3{0.5, 1.75, 0.375}));
    expect_near(mass_of(make_angle_bracket(offset)), expected, 1e-13);
}

TEST(MeshMass, a_concave_solid_is_its_filled_hull_by_the_convex_rule)
{
    // The hull adds the triangle (1, 2.5), (3, 1), (1, 1) as a prism: 1/2 * 2 * 1.5 * 0.75 m^3.
    const MeshOptions mesh = make_angle_bracket({});
    EXPECT_NEAR(mass_of(mesh, MeshMass::convex).mass, mass_of(mesh).mass + 1.125, 1e-14);
    expect_near(mass_of(ShapeType::hull, mesh), mass_of(mesh, MeshMass::convex), 1e-15);
}

TEST(MeshMass, the_legacy_rule_overcounts_a_concave_solid_as_mujoco_does)
{
    // Figures of MuJoCo 4.0.0 (compiled with mesh inertia="legacy"), whose eigen-solver leaves 1e-13.
    const MassProperties legacy = mass_of(make_angle_bracket({10, -4, 2}), MeshMass::legacy);
    EXPECT_NEAR(legacy.mass, 3.4963201992753596, 1e-13);
    EXPECT_LT(find_difference(legacy.center, {11.1617602657, -3.0569897343, 2.375}), 1e-10);
    EXPECT_NEAR(legacy.inertia(0, 0), 1.795323067108, 1e-11);
    EXPECT_NEAR(legacy.inertia(0, 1), 0.947438427689, 1e-11);
    EXPECT_NEAR(legacy.inertia(1, 1), 2.694851207726, 1e-11);
    EXPECT_NEAR(legacy.inertia(2, 2), 4.166943763625, 1e-11);
    EXPECT_GT(legacy.mass, mass_of(make_angle_bracket({})).mass + 0.1);
}

TEST(MeshMass, the_legacy_rule_does_not_care_which_way_triangles_face)
{
    const MeshOptions mesh = make_angle_bracket({});
    expect_near(mass_of(turned_inside_out(mesh), MeshMass::legacy), mass_of(mesh, MeshMass::legacy), 1e-15);
}

TEST(MeshMass, the_shell_of_a_box_is_six_plates)
{
    const Vec3 h{0.2, 0.5, 0.9};
    MassProperties plates;
    for (int axis = 0; axis < 3; ++axis)
    {
        const Vec3 half{axis == 0 ? 0 : h.x, axis == 1 ? 0 : h.y, axis == 2 ? 0 : h.z};
        const double area = 4 * h.x * h.y * h.z / h[axis];
        const Vec3 mean{area * half.x * half.x / 3, area * half.y * half.y / 3, area * half.z * half.z / 3};
        MassProperties plate{.mass = area};
        plate.inertia = {{mean.y + mean.z, 0, 0, 0, mean.x + mean.z, 0, 0, 0, mean.x + mean.y}};
        plate.center[axis] = h[axis];
        plates = combined(plates, plate);
        plate.center[axis] = -h[axis];
        plates = combined(plates, plate);
    }
    expect_near(mass_of(make_box_mesh(h), MeshMass::shell), plates, 1e-14);
    expect_near(mass_of(ShapeType::surface, make_box_mesh(h)), plates, 1e-14);
}

TEST(MeshMass, an_open_surface_has_the_mass_of_its_triangles)
{
    const MeshOptions square{.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}},
                             .triangles = {{0, 1, 2}, {0, 3, 2}}};
    MassProperties plate{.mass = 4, .center = {1, 1, 0}};
    plate.inertia = {{4.0 / 3, 0, 0, 0, 4.0 / 3, 0, 0, 0, 8.0 / 3}};
    expect_near(mass_of(ShapeType::surface, square), plate, 1e-15);
}

TEST(MeshMass, segments_are_thin_rods)
{
    // A rod of length 2 along x: m l^2 / 12 across, nothing along. A second one crosses it in the middle.
    const MeshOptions cross_bars{.vertices = {{4, 1, 0}, {6, 1, 0}, {5, 1, -2}, {5, 1, 2}, {99, 0, 0}},
                                 .edges = {{0, 1}, {3, 2}}};
    MassProperties rods{.mass = 6, .center = {5, 1, 0}};
    rods.inertia = {{16.0 / 3, 0, 0, 0, 6, 0, 0, 0, 2.0 / 3}};
    expect_near(mass_of(ShapeType::segments, cross_bars), rods, 1e-14);
}

TEST(MeshMass, points_share_the_mass_equally)
{
    const MeshOptions pair{.vertices = {{1, 0, 0}, {5, 0, 0}}};
    MassProperties dumbbell{.mass = 2, .center = {3, 0, 0}};
    dumbbell.inertia = {{0, 0, 0, 0, 8, 0, 0, 0, 8}};
    expect_near(mass_of(ShapeType::points, pair), dumbbell, 1e-15);

    const auto given = compute_mass_scaled(ShapeType::points, {}, &pair, MeshMass::exact, 10);
    EXPECT_EQ(given.value().mass, 10);
    EXPECT_DOUBLE_EQ(given.value().inertia(2, 2), 40);
}

TEST(MeshMass, moving_and_turning_a_mesh_moves_and_turns_its_mass)
{
    ShapeRandom random(22);
    MeshOptions mesh = make_angle_bracket({});
    mesh.edges = {{0, 1}, {1, 8}, {3, 10}};
    for (int trial = 0; trial < 20; ++trial)
    {
        const Pose pose{100.0 * random.vector(), random.rotation()};
        const MeshOptions moved = mapped(mesh, to_matrix(pose.rotation), pose.position);
        // A hundred metres away a coordinate is rounded to 1e-14 m.
        for (const MeshMass rule : kRules)
            expect_near(mass_of(moved, rule), transformed(mass_of(mesh, rule), pose), 1e-13);
        for (const ShapeType type : {ShapeType::hull, ShapeType::surface, ShapeType::segments, ShapeType::points})
        {
            expect_near(mass_of(type, moved), transformed(mass_of(type, mesh), pose), 1e-13);
        }
    }
}

TEST(MeshMass, degenerate_triangles_do_not_open_a_solid)
{
    MeshOptions mesh = make_box_mesh({1, 1, 1});
    mesh.triangles.push_back({3, 3, 5});
    expect_near(mass_of(mesh), mass_of(make_box_mesh({1, 1, 1})), 1e-15);
}

TEST(MeshMass, an_open_mesh_is_refused_by_the_exact_rule_alone)
{
    MeshOptions mesh = make_box_mesh({1, 1, 1});
    mesh.triangles.pop_back();
    const Error error = error_of(ShapeType::mesh, &mesh);
    EXPECT_TRUE(contains(error.message, "open")) << error.message;
    EXPECT_TRUE(contains(error.message, "one triangle")) << error.message;
    EXPECT_TRUE(contains(error.hint, "`surface`")) << error.hint;
    for (const MeshMass rule : {MeshMass::legacy, MeshMass::convex, MeshMass::shell})
        EXPECT_GT(mass_of(mesh, rule).mass, 0);
}

TEST(MeshMass, one_missing_or_loose_triangle_is_found_wherever_it_is)
{
    const MeshOptions whole = make_angle_bracket({});
    for (std::size_t i = 0; i < whole.triangles.size(); ++i)
    {
        MeshOptions mesh = whole;
        mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &mesh).message, "open"));
    }
    for (const bool first : {true, false})  // beside a solid, with lower or with higher indices
    {
        const Vec3 loose[3] = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
        MeshOptions mesh = make_corner_tetrahedron();
        const int shift = first ? 3 : 0, base = first ? 0 : 4;
        mesh.vertices.insert(first ? mesh.vertices.begin() : mesh.vertices.end(), loose, loose + 3);
        for (auto& triangle : mesh.triangles)
        {
            for (int& corner : triangle) corner += shift;
        }
        mesh.triangles.push_back({base, base + 1, base + 2});
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &mesh).message, "open"));
    }
}

TEST(MeshMass, a_triangle_that_faces_the_wrong_way_is_named_as_that)
{
    MeshOptions mesh = make_box_mesh({1, 1, 1});
    std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
    const Error error = error_of(ShapeType::mesh, &mesh);
    EXPECT_TRUE(contains(error.message, "not oriented alike")) << error.message;
    EXPECT_TRUE(contains(error.hint, "counter-clockwise")) << error.hint;
}

TEST(MeshMass, an_edge_of_three_triangles_is_refused)
{
    MeshOptions mesh = make_box_mesh({1, 1, 1});
    mesh.triangles.push_back({0, 3, 5});  // 0-3 is a diagonal of the bottom
    EXPECT_TRUE(contains(error_of(ShapeType::mesh, &mesh).message, "3 triangles"));
}

TEST(MeshMass, an_inside_out_mesh_is_named_as_that)
{
    const MeshOptions mesh = turned_inside_out(make_angle_bracket({}));
    const Error error = error_of(ShapeType::mesh, &mesh);
    EXPECT_TRUE(contains(error.message, "negative")) << error.message;
    EXPECT_TRUE(contains(error.hint, "inside-out")) << error.hint;
}

TEST(MeshMass, a_solid_without_volume_is_refused_with_a_hint_at_surface)
{
    ShapeRandom random(23);
    // A square with two sides: closed, oriented, flat.
    const MeshOptions flat{.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                           .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}}};
    for (int trial = 0; trial < 20; ++trial)
    {
        const MeshOptions mesh = mapped(flat, to_matrix(random.rotation()), random.vector());
        MeshOptions plate = mesh;
        plate.triangles.resize(2);
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &plate, MeshMass::legacy).hint, "`surface`"));
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &plate, MeshMass::convex).hint, "`surface`"));
        EXPECT_TRUE(contains(error_of(ShapeType::hull, &mesh).hint, "`surface`"));
        EXPECT_NEAR(mass_of(plate, MeshMass::shell).mass, 1, 1e-14);
    }
    MeshOptions pocket = make_box_mesh({1, 1, 1});  // closed, but pressed flat
    for (Vec3& v : pocket.vertices) v = {v.x + 0.1 * v.z, v.y, 0.3 * (v.x + 0.1 * v.z)};
    EXPECT_TRUE(contains(error_of(ShapeType::mesh, &pocket).hint, "`surface`"));
}

TEST(MeshMass, missing_parts_of_a_mesh_are_errors_for_every_kind)
{
    const MeshOptions empty;
    for (const ShapeType type :
         {ShapeType::hull, ShapeType::mesh, ShapeType::points, ShapeType::segments, ShapeType::surface})
    {
        EXPECT_TRUE(contains(error_of(type, nullptr).message, "has no mesh"));
        EXPECT_FALSE(contains(error_of(type, &empty).message, "expected one error"));
    }
    const MeshOptions vertices_only{.vertices = make_box_mesh({1, 1, 1}).vertices};
    for (const MeshMass rule : {MeshMass::exact, MeshMass::legacy, MeshMass::shell})
    {
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &vertices_only, rule).message, "no triangles"));
    }
    EXPECT_TRUE(contains(error_of(ShapeType::surface, &vertices_only).message, "no triangles"));
    EXPECT_TRUE(contains(error_of(ShapeType::segments, &vertices_only).message, "no edges"));
    EXPECT_NEAR(mass_of(vertices_only, MeshMass::convex).mass, 8, 1e-14);
}

TEST(MeshMass, measures_of_zero_are_errors)
{
    const MeshOptions line{.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, .triangles = {{0, 1, 2}}, .edges = {{1, 1}}};
    for (const MeshMass rule : {MeshMass::legacy, MeshMass::convex, MeshMass::shell})
        error_of(ShapeType::mesh, &line, rule);
    EXPECT_TRUE(contains(error_of(ShapeType::surface, &line).message, "area"));
    EXPECT_TRUE(contains(error_of(ShapeType::segments, &line).message, "length"));
}

TEST(MeshMass, bad_indices_and_bad_vertices_are_named)
{
    for (const int bad : {-1, 8, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    {
        MeshOptions mesh = make_box_mesh({1, 1, 1});
        mesh.triangles[7][1] = bad;
        for (const MeshMass rule : kRules)
        {
            const Error error = error_of(ShapeType::mesh, &mesh, rule);
            EXPECT_TRUE(contains(error.message, ("triangle 7 names vertex " + std::to_string(bad)).c_str()))
                << error.message;
        }
        mesh = make_box_mesh({1, 1, 1});
        mesh.edges = {{0, 1}, {bad, 2}};
        EXPECT_TRUE(contains(error_of(ShapeType::segments, &mesh).message, "edge 1 names vertex"));
    }
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    {
        MeshOptions mesh = make_box_mesh({1, 1, 1});
        mesh.vertices[5].y = bad;
        for (const ShapeType type : {ShapeType::mesh, ShapeType::hull, ShapeType::points, ShapeType::surface})
        {
            EXPECT_TRUE(contains(error_of(type, &mesh).message, "vertex 5"));
        }
    }
}

TEST(MeshMass, meshes_too_large_for_a_number_are_errors)
{
    const MeshOptions mesh = make_box_mesh({1e150, 1e150, 1e150});
    for (const MeshMass rule : kRules)
        EXPECT_TRUE(contains(error_of(ShapeType::mesh, &mesh, rule).message, "too large"));
}

}  // namespace
}  // namespace rattleback
