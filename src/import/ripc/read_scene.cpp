// The members of a scene file, with the defaults that the reference gives them.
#include "import/ripc/scene.h"

#include <algorithm>
#include <filesystem>

#include "base/all_of.h"
#include "math/rotation.h"

namespace rattleback::ripc
{

namespace
{

constexpr double kDegree = kPi / 180;
constexpr int kDefaultSteps = 1000;  // where a file says neither a time nor a number of steps
constexpr double kLargest = 1e9;     // of any length [m], speed [m/s] and so on: beyond it contacts lose their digits

/// A field of three numbers that must stay within bounds.
Vec3 read_bounded(Fields& fields, const char* name, const Vec3& missing = {})
{
    const Vec3 value = fields.vector(name, missing);
    if (std::max({std::abs(value.x), std::abs(value.y), std::abs(value.z)}) <= kLargest) return value;
    fields.fail(name, "'" + std::string(name) + "' is absurdly large", "at most 1e9");
    return missing;
}

/// R = Rz Ry Rx of Euler angles in degrees.
Quat read_rotation(Fields& fields)
{
    const Vec3 angles = kDegree * read_bounded(fields, "rotation");
    return normalized(turn({0, 0, 1}, angles.z) * turn({0, 1, 0}, angles.y) * turn({1, 0, 0}, angles.x));
}

std::array<bool, 6> read_fixed(Fields& fields)
{
    std::array<bool, 6> fixed{};
    const JsonValue* member = fields.find("is_dof_fixed");
    if (member == nullptr) return fixed;
    if (member->kind == JsonKind::boolean)
    {
        fixed.fill(member->flag);
        return fixed;
    }
    bool good = member->kind == JsonKind::array && member->items.size() == 6;
    for (std::size_t i = 0; good && i < 6; ++i)
    {
        good = member->items[i].kind == JsonKind::boolean;
        fixed[i] = member->items[i].flag;
    }
    if (!good) fields.fail("is_dof_fixed", "'is_dof_fixed' must be true, false, or six of them: x y z rx ry rz");
    return fixed;
}

void read_drawn(Fields& fields, Body& body)
{
    for (const JsonValue& item : fields.list("vertices"))
    {
        const std::optional<Vec3> vertex = read_vector(item, "a vertex", fields.file(), fields.log());
        if (!vertex) return;
        body.drawn.vertices.push_back(*vertex);
    }
    const int most = static_cast<int>(body.drawn.vertices.size()) - 1;
    const std::vector<JsonValue>&edges = fields.list("edges"), &faces = fields.list("faces");
    if (most < 0) return;  // that is said once
    for (const JsonValue& item : edges)
    {
        const auto edge = read_indices(item, 2, most, "an edge", fields.file(), fields.log());
        if (!edge) return;
        body.drawn.edges.push_back({(*edge)[0], (*edge)[1]});
    }
    for (const JsonValue& item : faces)
    {
        const auto face = read_indices(item, 3, most, "a face", fields.file(), fields.log());
        if (!face) return;
        body.drawn.triangles.push_back({(*face)[0], (*face)[1], (*face)[2]});
    }
}

void read_geometry(Fields& fields, Body& body)
{
    body.mesh = fields.text("mesh", "");
    body.mesh_location = fields.location("mesh");
    body.name = body.mesh.empty() ? "body" : std::filesystem::path(body.mesh).stem().string();
    read_drawn(fields, body);
    if (!body.mesh.empty()) body.drawn = {};  // the file counts
    if (body.mesh.empty() && body.drawn.vertices.empty())
        fields.fail("mesh", "a body without 'mesh' and without 'vertices'");

    const JsonValue* scale = fields.find("scale");
    if (scale != nullptr && scale->kind == JsonKind::number)
        body.scale = {scale->number, scale->number, scale->number};
    else
        body.scale = fields.vector("scale", {1, 1, 1});
    if (fields.has("dimensions")) body.dimensions = read_bounded(fields, "dimensions");
    for (int i = 0; i < 3; ++i)
    {
        const double size = body.dimensions ? (*body.dimensions)[i] : body.scale[i];
        if (std::abs(size) <= kLargest && (body.dimensions || size != 0)) continue;
        fields.fail(body.dimensions ? "dimensions" : "scale", "a size of zero, or an absurd one", "up to 1e9");
        body.scale = {1, 1, 1};
        break;
    }
    body.split = fields.flag("split_components", false);
    fields.ignore("oriented");  // of two dimensions
}

/// Absolute poses of the centre of mass; rotations are vectors in radians, as the reference reads them.
std::vector<Pose> read_poses(Fields& fields)
{
    std::vector<Pose> poses;
    for (const JsonValue& item : fields.list("kinematic_poses"))
    {
        Fields pose(&item, "kinematic pose", fields.file(), fields.log());
        const Vec3 position = read_bounded(pose, "position");
        poses.push_back({position, exponential(read_bounded(pose, "rotation"))});
        pose.finish();
    }
    return poses;
}

void read_motion(Fields& fields, Body& body)
{
    constexpr std::array<std::string_view, 3> kTypes{"dynamic", "static", "kinematic"};
    body.motion = static_cast<Motion>(fields.choice("type", kTypes, 0));
    body.density = fields.positive("density", 1000);
    body.fixed = read_fixed(fields);
    if (all_of(body.fixed, [](bool fixed) { return fixed; })) body.motion = Motion::fixed;
    body.position = read_bounded(fields, "position");
    body.rotation = read_rotation(fields);
    body.linear_velocity = read_bounded(fields, "linear_velocity");
    body.angular_velocity = kDegree * read_bounded(fields, "angular_velocity");
    body.force = fields.vector("force", {});
    body.torque = kDegree * fields.vector("torque", {});  // the reference reads torques as if they were angles
    body.kinematic_end = fields.number("kinematic_max_time", -1);
    body.poses = read_poses(fields);
    body.group = std::max(fields.whole("group_id", -1), -1);
    for (int i = 0; i < 3; ++i)
    {
        // Fixed coordinates neither move nor feel anything.
        if (body.fixed[static_cast<std::size_t>(i)]) body.linear_velocity[i] = body.force[i] = 0;
        if (body.fixed[static_cast<std::size_t>(3 + i)]) body.angular_velocity[i] = body.torque[i] = 0;
    }
}

void read_body(const JsonValue& value, const JsonText& file, Log& log, std::vector<Body>& bodies)
{
    Body body;
    body.location = file.locate(value);
    Fields fields(&value, "body " + std::to_string(bodies.size()), file, log);
    if (value.kind != JsonKind::object) return;  // said there
    read_geometry(fields, body);
    read_motion(fields, body);
    fields.ignore("ipc_comparison_enabled");  // for the reference's own scripts
    const bool enabled = fields.flag("enabled", true);
    fields.finish();
    if (enabled) bodies.push_back(std::move(body));
}

void read_problem(Fields& root, Scene& scene)
{
    Fields problem(root.find("rigid_body_problem"), "rigid_body_problem", root.file(), root.log());
    scene.gravity = read_bounded(problem, "gravity");
    scene.friction = problem.not_negative("coefficient_friction", 0);
    const double restitution = problem.number("coefficient_restitution", 0);
    if (restitution > 1) problem.fail("coefficient_restitution", "a restitution above 1 makes energy");
    scene.restitution = std::clamp(restitution, 0.0, 1.0);  // -1 says that it is not used
    for (const JsonValue& value : problem.list("rigid_bodies")) read_body(value, root.file(), root.log(), scene.bodies);
    problem.ignore("collision_eps");
    problem.ignore("do_intersection_check");
    problem.text("time_stepper", "default");  // read_solver knows what it means
    problem.finish();
}

}  // namespace

bool is_scene(const JsonValue& root)
{
    return root.kind == JsonKind::object &&
           std::any_of(root.items.begin(), root.items.end(),
                       [](const JsonValue& member) { return member.key == "rigid_body_problem"; });
}

Scene read_scene(const JsonText& file, Log& log)
{
    Scene scene;
    Fields root(&file.root(), "scene", file, log);
    scene.dt = root.positive("timestep", 0.01);
    const double time = root.number("max_time", -1);
    const int steps = root.whole("max_iterations", -1);
    if (time > 0 && steps > 0) root.fail("max_iterations", "give 'max_time' or 'max_iterations', not both");
    scene.duration = time > 0 ? time : scene.dt * (steps > 0 ? steps : kDefaultSteps);
    read_problem(root, scene);
    read_solver(root, scene);
    root.finish();
    if (scene.bodies.empty() && log.good()) root.fail("rigid_body_problem", "the scene has no bodies");
    return scene;
}

}  // namespace rattleback::ripc
