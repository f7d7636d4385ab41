// Bench `collision`, first part: one pair of shapes at a time, the same poses for every engine.
#include "collide/manifold.h"
#include "geometry/distance.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"
#include "lab/bench/collision.h"
#include "lab/measure/measure.h"
#include "lab/peers/pair_probe.h"
#include "lab/scenes/parts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kMargin = 0.01;  ///< contacts below this count [m]

/// Two shapes in many poses: two in three overlap by up to 3 cm, the others are up to 2 cm apart.
struct PoseSet
{
    std::vector<PlacedShape> first, second;
};

const Polyhedron& rock()
{
    static const Polyhedron kRock = []
    {
        Random random(7);
        std::vector<Vec3> points;
        for (int i = 0; i < 32; ++i)
        {
            const Vec3 u = rotate(draw_rotation(random), Vec3{0, 0, 1});
            points.push_back({0.11 * u.x, 0.09 * u.y, 0.1 * u.z});
        }
        return build_polyhedron(compute_hull(points).value());
    }();
    return kRock;
}

PlacedShape make_shape(ShapeType type)
{
    PlacedShape shape{.type = type, .size = {0.08, 0.1, 0.12}};
    if (type == ShapeType::hull) shape.hull = &rock();
    return shape;
}

void turn(PlacedShape& shape, Random& random) { shape.rotation = to_matrix(draw_rotation(random)); }

PoseSet make_poses(ShapeType first_type, ShapeType second_type, int count)
{
    PoseSet set;
    Random random(1);
    for (int i = 0; i < count; ++i)
    {
        PlacedShape first = make_shape(first_type), second = make_shape(second_type);
        if (first_type == ShapeType::plane)
        {
            first.rotation = to_matrix(Quat{});
        }
        else
        {
            turn(first, random);
        }
        turn(second, random);
        Vec3 direction = rotate(draw_rotation(random), Vec3{0, 0, 1});
        if (first_type == ShapeType::plane) direction = {0, 0, 1};
        const double wanted = i % 3 < 2 ? random.uniform(-0.03, 0) : random.uniform(0, 0.02);
        double near = 0, far = 1;  // bisect the way along the direction
        for (int k = 0; k < 40; ++k)
        {
            const double middle = 0.5 * (near + far);
            second.position = middle * direction;
            (find_distance(first, second).distance < wanted ? near : far) = middle;
        }
        second.position = far * direction;
        set.first.push_back(first);
        set.second.push_back(second);
    }
    return set;
}

/// CPU nanoseconds per call of `query(first, second)` over all poses.
template <class Query>
double time_queries(const PoseSet& set, int rounds, Query&& query)
{
    const double begin = thread_seconds();
    for (int round = 0; round < rounds; ++round)
    {
        for (std::size_t i = 0; i < set.first.size(); ++i) query(set.first[i], set.second[i]);
    }
    return 1e9 * (thread_seconds() - begin) / (rounds * static_cast<double>(set.first.size()));
}

void add_pair(ShapeType first, ShapeType second, const BenchOptions& options, BenchReport& report)
{
    const int poses = options.quick ? 128 : 512, turns = options.quick ? 5 : 11;
    const PoseSet set = make_poses(first, second, poses);
    const ManifoldFunction find_points = find_manifold_function(first, second);
    const auto mujoco = make_mujoco_probe(set.first[0], set.second[0]);
    const auto bullet = make_bullet_probe(set.first[0], set.second[0]);
    constexpr int kRounds = 4;
    int contacts = 0;
    Manifold manifold;  // reused, as the collider does
    std::vector<std::function<double()>> runs;
    runs.emplace_back(
        [&]
        {
            return time_queries(set, kRounds,
                                [&](const PlacedShape& a, const PlacedShape& b)
                                {
                                    manifold.count = 0;
                                    find_points(a, b, kMargin, manifold);
                                    contacts += manifold.count;
                                });
        });
    for (const auto* probe : {&mujoco, &bullet})
    {
        if (!probe->ok()) continue;
        runs.emplace_back(
            [&, probe]
            {
                return time_queries(set, kRounds, [&](const PlacedShape& a, const PlacedShape& b)
                                    { contacts += probe->value()->find_contacts(a, b, kMargin); });
            });
    }
    const std::vector<double> ns = median_of_alternating(runs, turns);
    const std::string name = fmt::format("{}-{}", to_string(first), to_string(second));
    report.figures.push_back({.name = name, .value = ns[0], .unit = "ns", .higher_is_better = false});
    std::size_t next = 1;
    double fastest = std::numeric_limits<double>::infinity();
    for (const auto& [probe, engine] : {std::pair{&mujoco, "mujoco"}, std::pair{&bullet, "bullet"}})
    {
        if (!probe->ok()) continue;
        report.figures.push_back(
            {.name = fmt::format("{}, {}", name, engine), .value = ns[next], .unit = "ns", .higher_is_better = false});
        fastest = std::min(fastest, ns[next++]);
    }
    if (next > 1)
    {
        report.figures.push_back(
            {.name = fmt::format("{}, faster peer / ours", name), .value = fastest / ns[0], .unit = "x", .aim = 1.0});
    }
}

}  // namespace

Status measure_pairs(const BenchOptions& options, BenchReport& report)
{
    constexpr std::array kTypes = {ShapeType::plane,    ShapeType::sphere,    ShapeType::capsule, ShapeType::box,
                                   ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};
    for (std::size_t a = 0; a < kTypes.size(); ++a)
    {
        for (std::size_t b = std::max<std::size_t>(a, 1); b < kTypes.size(); ++b)
        {
            if (options.say) options.say(fmt::format("{}-{}", to_string(kTypes[a]), to_string(kTypes[b])));
            add_pair(kTypes[a], kTypes[b], options, report);
        }
    }
    report.notes.emplace_back(
        "pairs: contacts below 1 cm, two poses in three overlap; ours gives whole manifolds, MuJoCo its own contact "
        "function, Bullet one point by GJK/EPA");
    return {};
}

}  // namespace rattleback::lab
