// Bench `collision`, shapes on triangles: one pair at a time, the same poses for every engine, meshes of 12 to 100,000
// triangles and a height field; and a robot that stands on a field of a million cells.
#include "base/index.h"
#include "collide/surface/touch_surface.h"
#include "collide/surface_distance.h"
#include "geometry/triangle_surface.h"
#include "lab/bench/collision.h"
#include "lab/measure/measure.h"
#include "lab/peers/pair_probe.h"
#include "lab/scenes/eared.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/quadruped.h"

#include <rattleback/query.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr double kReach = 0.01;  ///< contacts below this count [m]
constexpr double kSize = 0.1;    ///< of the mesh [m]

struct Poses
{
    std::vector<PlacedShape> first, second;
};

PlacedShape make_rider(ShapeType type)
{
    PlacedShape shape{.type = type, .size = {0.03, 0.04, 0.05}};
    shape.rotation = to_matrix(Quat{});
    return shape;
}

/// The first shape in random places on the second: two in three overlap by up to 5 mm, the others are up to 5 mm apart.
Poses draw_poses(const PlacedShape& rider, const PlacedShape& ground, int count)
{
    Poses poses;
    SurfaceScratch scratch;
    Random random(5);
    for (int i = 0; i < count; ++i)
    {
        PlacedShape shape = rider;
        shape.rotation = to_matrix(draw_rotation(random));
        Vec3 from, way = random.direction();
        if (ground.grid != nullptr)
        {
            from = {random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), 0};
            way = {0, 0, 1};
        }
        const double wanted = i % 3 < 2 ? random.uniform(-5e-3, 0) : random.uniform(0, 5e-3);
        double near = 0, far = 5 * kSize;
        for (int k = 0; k < 24; ++k)
        {
            const double middle = 0.5 * (near + far);
            shape.position = from + middle * way;
            const auto gap = find_surface_distance(shape, ground, std::numeric_limits<double>::infinity(), scratch);
            (!gap || gap->distance < wanted ? near : far) = middle;
        }
        shape.position = from + far * way;
        poses.first.push_back(shape);
        poses.second.push_back(ground);
    }
    return poses;
}

template <class Query>
double time_poses(const Poses& poses, Query&& query)
{
    const double begin = thread_seconds();
    for (std::size_t i = 0; i < poses.first.size(); ++i) query(poses.first[i], poses.second[i]);
    return 1e9 * (thread_seconds() - begin) / static_cast<double>(poses.first.size());
}

/// Mean difference of the deepest contact from brute force over all triangles [m], for a ball on a mesh: `find_depth`
/// gives the deepest contact of a pose.
template <class FindDepth>
double find_error(const Poses& poses, const FindDepth& find_depth)
{
    double sum = 0;
    for (std::size_t i = 0; i < poses.first.size(); ++i)
    {
        const PlacedShape &ball = poses.first[i], &mesh = poses.second[i];
        const Vec3 center = transpose_times(mesh.rotation, ball.position - mesh.position);
        double least = std::numeric_limits<double>::infinity();
        for (int t = 0; t < mesh.mesh->triangle_count(); ++t)
            least = std::min(least, norm(center - find_nearest_on_triangle(mesh.mesh->corners(t), center)));
        sum += std::abs(find_depth(ball, mesh) - (least - ball.size.x));
    }
    return sum / static_cast<double>(poses.first.size());
}

double find_deepest(const std::vector<ProbePoint>& points)
{
    double deepest = kReach;
    for (const ProbePoint& point : points) deepest = std::min(deepest, point.distance);
    return deepest;
}

void add_surface_figure(BenchReport& report, std::string name, double value, const char* unit)
{
    report.figures.push_back({.name = std::move(name), .value = value, .unit = unit, .higher_is_better = false});
}

void add_errors(const std::string& name, const Poses& poses, PairProbe* bullet, BenchReport& report)
{
    SurfaceScratch scratch;
    const auto ours = [&](const PlacedShape& a, const PlacedShape& b)
    {
        touch_surface(a, b, kReach, 8, scratch);
        double deepest = kReach;
        for (const ManifoldPoint& point : scratch.points) deepest = std::min(deepest, point.distance);
        return deepest;
    };
    add_surface_figure(report, name + ": depth against brute force", 1e6 * find_error(poses, ours), "um");
    if (bullet == nullptr) return;
    std::vector<ProbePoint> points;
    const auto theirs = [&](const PlacedShape& a, const PlacedShape& b)
    {
        bullet->find_contacts(a, b, kReach);
        bullet->read_contacts(points);
        return find_deepest(points);
    };
    add_surface_figure(report, name + ": depth against brute force, bullet", 1e6 * find_error(poses, theirs), "um");
}

/// Contacts of ours below `reach` [m] beside those of Bullet, whose meshes are as much thicker as `margin` [m] says.
void add_surface_pair(const std::string& name, const PlacedShape& rider, const PlacedShape& ground,
                      const BenchOptions& options, BenchReport& report, double reach = kReach, double margin = 0)
{
    if (options.say) options.say(name);
    const Poses poses = draw_poses(rider, ground, options.quick ? 64 : 256);
    auto bullet = make_bullet_surface_probe(rider, ground, margin);
    auto mujoco = ground.grid != nullptr ? make_mujoco_probe(ground, rider)
                                         : Result<std::unique_ptr<PairProbe>>(Error{.code = ErrorCode::unsupported});
    SurfaceScratch scratch;
    std::size_t ours = 0, theirs = 0, queries = 0;
    std::vector<std::function<double()>> runs;
    std::vector<std::string> names;
    runs.emplace_back(
        [&]
        {
            ours = 0;
            return time_poses(poses,
                              [&](const PlacedShape& a, const PlacedShape& b)
                              {
                                  touch_surface(a, b, reach, 8, scratch);
                                  ours += scratch.points.size();
                              });
        });
    const auto add_peer = [&](PairProbe& probe, const char* engine, bool swapped)
    {
        names.emplace_back(engine);
        runs.emplace_back(
            [&, swapped]
            {
                theirs = queries = 0;
                return time_poses(
                    poses,
                    [&](const PlacedShape& a, const PlacedShape& b)
                    {
                        ++queries;
                        theirs += at(swapped ? probe.find_contacts(b, a, reach) : probe.find_contacts(a, b, reach));
                    });
            });
    };
    if (mujoco.ok()) add_peer(*mujoco.value(), "mujoco", true);
    if (bullet.ok()) add_peer(*bullet.value(), "bullet", false);
    const std::vector<double> ns = median_of_alternating(runs, options.quick ? 3 : 7);
    add_surface_figure(report, name, ns[0], "ns");
    add_surface_figure(report, name + ": contacts", static_cast<double>(ours) / static_cast<double>(poses.first.size()),
                       "");
    double fastest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        add_surface_figure(report, name + ", " + names[i], ns[i + 1], "ns");
        fastest = std::min(fastest, ns[i + 1]);
    }
    if (bullet.ok())
        add_surface_figure(report, name + ": contacts, bullet",
                           static_cast<double>(theirs) / static_cast<double>(queries), "");
    if (!names.empty())
        report.figures.push_back(
            {.name = name + ", faster peer / ours", .value = fastest / ns[0], .unit = "x", .aim = 1.0});
    if (rider.type == ShapeType::sphere && ground.mesh != nullptr)
        add_errors(name, poses, bullet.ok() ? bullet.value().get() : nullptr, report);
}

/// A mesh on its twin. GImpact finds what overlaps, and what is apart only as far as its meshes are made thicker: so
/// ours below 1 cm beside GImpact's overlaps, then both below 1 cm, then overlaps alone.
void add_mesh_pairs(int triangles, const PlacedShape& mesh, const BenchOptions& options, BenchReport& report)
{
    const std::string name = fmt::format("mesh on a mesh, {} each", triangles);
    constexpr double kNone = 1e-9;
    add_surface_pair(name, mesh, mesh, options, report);
    add_surface_pair(name + ", both below 1 cm", mesh, mesh, options, report, kReach, 0.5 * kReach);
    add_surface_pair(name + ", overlaps alone", mesh, mesh, options, report, kNone);
}

/// Waves up to 6 cm high on a square of 2 m; the lowest point is at zero, as MuJoCo wants it.
HeightFieldOptions make_waves(int cells, double half)
{
    HeightFieldOptions field{.name = "waves",
                             .rows = cells + 1,
                             .columns = cells + 1,
                             .half_x = half,
                             .half_y = half,
                             .base = 0.1,
                             .heights = {}};
    for (int row = 0; row <= cells; ++row)
    {
        for (int column = 0; column <= cells; ++column)
            field.heights.push_back(0.03 + 0.03 * std::sin(0.35 * row) * std::cos(0.3 * column));
    }
    const double least = *std::min_element(field.heights.begin(), field.heights.end());
    for (double& height : field.heights) height -= least;
    return field;
}

/// Milliseconds of all contacts of the quadruped where it stands, on the plane or on a flat field of 1,000 x 1,000.
Result<double> time_standing(bool on_field, int rounds)
{
    Result<Model> robot = build_quadruped();
    if (!robot.ok()) return robot.errors();
    Model model = std::move(robot).value();
    if (on_field)
    {
        for (std::size_t shape = 0; shape < model.shapes.type.size(); ++shape)
        {
            if (model.shapes.type[shape] != ShapeType::plane) continue;
            HeightFieldOptions field{.name = "field",
                                     .rows = 1000,
                                     .columns = 1000,
                                     .half_x = 10,
                                     .half_y = 10,
                                     .base = 0.1,
                                     .heights = std::vector<double>(1'000'000, 0)};
            auto surfaces = std::make_shared<TriangleSurfaces>();
            surfaces->grids.push_back(std::make_unique<GridSurface>(field));
            model.shapes.type[shape] = ShapeType::height_field;
            model.shapes.asset[shape] = 0;
            model.shapes.bounding_radius[shape] = 15;
            model.height_fields.assign(1, std::move(field));
            model.surfaces = Surfaces(std::move(surfaces));
        }
    }
    const State state(model);
    Collider collider(model);
    ColliderMemory memory;
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i)
    {
        const double begin = thread_seconds();
        for (int k = 0; k < 20; ++k) collider.find_contacts(state.world(0), kReach, memory);
        times.push_back(1e3 * (thread_seconds() - begin) / 20);
    }
    return median(times);
}

Status add_standing(const BenchOptions& options, BenchReport& report)
{
    if (options.say) options.say("quadruped on a height field of 1,000 x 1,000");
    const int rounds = options.quick ? 9 : 31;
    const Result<double> plane = time_standing(false, rounds), field = time_standing(true, rounds);
    if (!plane.ok()) return plane.errors();
    if (!field.ok()) return field.errors();
    add_surface_figure(report, "standing quadruped, on a plane", 1e3 * plane.value(), "us");
    add_surface_figure(report, "standing quadruped, on a 1,000 x 1,000 height field", 1e3 * field.value(), "us");
    report.figures.push_back({.name = "standing quadruped, height field / plane",
                              .value = field.value() / plane.value(),
                              .unit = "x",
                              .aim = 2.0,
                              .higher_is_better = false});
    return {};
}

}  // namespace

Status measure_surfaces(const BenchOptions& options, BenchReport& report)
{
    constexpr std::array kRiders = {ShapeType::sphere, ShapeType::capsule, ShapeType::box, ShapeType::cylinder};
    PlacedShape ground{.type = ShapeType::mesh};
    ground.rotation = to_matrix(Quat{});
    for (const int cells : {1, 9, 91})
    {
        const MeshSurface mesh(make_eared(cells, kSize), true);
        ground.mesh = &mesh;
        for (const ShapeType rider : kRiders)
            add_surface_pair(fmt::format("{} on a mesh of {}", to_string(rider), 12 * cells * cells), make_rider(rider),
                             ground, options, report);
        if (cells < 91 || !options.quick) add_mesh_pairs(12 * cells * cells, ground, options, report);
    }
    const GridSurface grid(make_waves(80, 1));
    PlacedShape field{.type = ShapeType::height_field};
    field.rotation = to_matrix(Quat{});
    field.grid = &grid;
    for (const ShapeType rider : kRiders)
        add_surface_pair(fmt::format("{} on a height field", to_string(rider)), make_rider(rider), field, options,
                         report);
    report.notes.emplace_back(
        "surfaces: contacts below 1 cm, two poses in three overlap by up to 5 mm. Bullet's shapes keep their inner "
        "margins (round edges), its manifolds at most 4 points; GImpact looks for no contacts of meshes that are "
        "apart, unless its triangles are given a margin: 5 mm each for \"both below 1 cm\". "
        "Depths: mean error of the deepest contact of a ball against all triangles");
    return add_standing(options, report);
}

}  // namespace rattleback::lab
