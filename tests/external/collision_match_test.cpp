// Contacts of two shapes, ours beside MuJoCo's own contact functions: how many, how deep, which way.
#include "collide/manifold.h"
#include "geometry/distance.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"
#include "lab/peers/mujoco/mujoco.h"
#include "lab/peers/pair_probe.h"
#include "lab/scenes/parts.h"
#include "math/random.h"
#include "support/brute_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace rattleback
{
namespace
{

constexpr double kMargin = 0.01;  ///< contacts below this count [m]
constexpr double kSize = 0.1;     ///< of the shapes, roughly [m]

const Polyhedron& rock()
{
    static const Polyhedron kRock = []
    {
        Random random(5);
        std::vector<Vec3> points;
        for (int i = 0; i < 24; ++i)
        {
            const Vec3 u = rotate(random.rotation(), Vec3{0, 0, 1});
            // MuJoCo keeps vertices in single precision.
            points.push_back(
                {static_cast<float>(0.11 * u.x), static_cast<float>(0.09 * u.y), static_cast<float>(0.1 * u.z)});
        }
        return build_polyhedron(compute_hull(points).value());
    }();
    return kRock;
}

PlacedShape make_shape(ShapeType type, Random& random)
{
    PlacedShape shape{.type = type, .rotation = to_matrix(random.rotation()), .size = {0.08, 0.1, 0.12}};
    if (type == ShapeType::plane) shape.rotation = to_matrix(Quat{});
    if (type == ShapeType::hull) shape.hull = &rock();
    return shape;
}

/// Puts the second shape where the signed distance is `wanted` [m], along a random direction.
void part(const PlacedShape& first, PlacedShape& second, double wanted, Random& random)
{
    Vec3 direction = rotate(random.rotation(), Vec3{0, 0, 1});
    if (first.type == ShapeType::plane) direction = {0, 0, 1};
    double near = 0, far = 1;
    for (int k = 0; k < 60; ++k)
    {
        const double middle = 0.5 * (near + far);
        second.position = middle * direction;
        (find_distance(first, second).distance < wanted ? near : far) = middle;
    }
    second.position = far * direction;
}

/// What many poses of one pair showed.
struct Comparison
{
    double our_error = 0, their_error = 0;  ///< of the deepest distance against the brute search, relative to the size
    double turned = 0;                      ///< angle between our normal and the brute search's, where unique [rad]
    int disagreements = 0;                  ///< poses in which MuJoCo's deepest distance is off by 1e-4 of the size
    int missed = 0;                         ///< poses in which we find no contact
    int their_missed = 0;                   ///< poses in which MuJoCo finds none
    double our_count = 0, their_count = 0;  ///< contacts per pose
};

double deepest_of(const std::vector<lab::ProbePoint>& points)
{
    double deepest = std::numeric_limits<double>::infinity();
    for (const lab::ProbePoint& point : points) deepest = std::min(deepest, point.distance);
    return deepest;
}

Comparison compare(ShapeType first_type, ShapeType second_type, int poses)
{
    Random random(17);
    const ManifoldFunction find_points = find_manifold_function(first_type, second_type);
    const auto probe = lab::make_mujoco_probe(make_shape(first_type, random), make_shape(second_type, random));
    EXPECT_TRUE(probe.ok()) << to_text(probe.errors());
    Comparison result;
    std::vector<lab::ProbePoint> theirs;
    for (int i = 0; i < poses; ++i)
    {
        const PlacedShape first = make_shape(first_type, random);
        PlacedShape second = make_shape(second_type, random);
        const double wanted = i % 2 == 0 ? random.uniform(-0.03, -0.001) : random.uniform(0.0005, 0.009);
        part(first, second, wanted, random);
        const BruteDistance truth = find_brute_distance(first, second);
        Manifold manifold;
        find_points(first, second, kMargin, manifold);
        probe.value()->find_contacts(first, second, kMargin);
        probe.value()->read_contacts(theirs);
        result.our_count += manifold.count / static_cast<double>(poses);
        result.their_count += static_cast<double>(theirs.size()) / poses;
        result.missed += manifold.count == 0;
        result.their_missed += theirs.empty();
        if (!theirs.empty())
        {
            const double error = std::abs(deepest_of(theirs) - truth.distance) / kSize;
            result.their_error = std::max(result.their_error, error);
            result.disagreements += error > 1e-4;
        }
        if (manifold.count == 0) continue;
        const auto begin = manifold.points.begin();
        const ManifoldPoint& ours = *std::min_element(
            begin, begin + manifold.count, [](const auto& a, const auto& b) { return a.distance < b.distance; });
        result.our_error = std::max(result.our_error, std::abs(ours.distance - truth.distance) / kSize);
        if (truth.unique) result.turned = std::max(result.turned, norm(cross(ours.normal, truth.normal)));
    }
    return result;
}

class CollisionMatch : public testing::TestWithParam<std::pair<ShapeType, ShapeType>>
{
};

/// MuJoCo has a closed form that answers exactly; for the others it searches, and gives up early.
bool is_exact_in_mujoco(ShapeType first, ShapeType second)
{
    if (first == ShapeType::plane) return true;
    if (first == ShapeType::sphere) return true;
    return first == ShapeType::capsule && (second == ShapeType::capsule || second == ShapeType::box);
}

TEST_P(CollisionMatch, our_deepest_contact_is_the_true_distance_and_so_is_mujocos_where_it_has_a_closed_form)
{
    if (!lab::find_mujoco().ok()) GTEST_SKIP() << "MuJoCo is not there";
    const auto [first, second] = GetParam();
    const Comparison c = compare(first, second, 60);
    RecordProperty("contacts", std::to_string(c.our_count) + " MuJoCo " + std::to_string(c.their_count));
    if (std::getenv("RATTLEBACK_SURVEY") != nullptr)
    {
        std::printf("| %s-%s | %.2f | %.2f | %.0e | %.0e | %d of 60 |\n", to_string(first), to_string(second),
                    c.our_count, c.their_count, c.our_error, c.their_error, c.disagreements);
    }
    EXPECT_EQ(c.missed, 0);
    EXPECT_LT(c.our_error, 1e-4);
    EXPECT_LT(c.turned, 2e-3);
    if (!is_exact_in_mujoco(first, second)) return;
    EXPECT_EQ(c.their_missed, 0);
    EXPECT_LT(c.their_error, 1e-6) << "single precision of mesh vertices is all that may differ";
}

std::vector<std::pair<ShapeType, ShapeType>> make_pairs()
{
    constexpr std::array kTypes = {ShapeType::plane,    ShapeType::sphere,    ShapeType::capsule, ShapeType::box,
                                   ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};
    std::vector<std::pair<ShapeType, ShapeType>> pairs;
    for (std::size_t a = 0; a < kTypes.size(); ++a)
    {
        for (std::size_t b = std::max<std::size_t>(a, 1); b < kTypes.size(); ++b)
            pairs.emplace_back(kTypes[a], kTypes[b]);
    }
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, CollisionMatch, testing::ValuesIn(make_pairs()), [](const auto& pair)
                         { return std::string(to_string(pair.param.first)) + "_" + to_string(pair.param.second); });

}  // namespace
}  // namespace rattleback
