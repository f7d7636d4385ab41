// Bodies of a scene as bodies of a Model: the frame at the centre of mass, the axes of the mesh's file.
#include "import/ripc/assembly.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "math/rotation.h"

namespace rattleback::ripc
{

namespace
{

constexpr double kLongest = 10;      // tracks that never end last so many times the scene
constexpr double kTurn = 1.5;        // [rad] from knot to knot: well below the half turn where the shorter way changes
constexpr int kMostKnots = 100'000;  // of one track
constexpr int kGroups = 31;          // the first bit is for bodies without a group
constexpr std::array<const char*, 3> kAxes{" x", " y", " z"};

Vec3 make_axis(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

int count_fixed(const Body& body, std::size_t first)
{
    return static_cast<int>(std::count(body.fixed.begin() + static_cast<std::ptrdiff_t>(first),
                                       body.fixed.begin() + static_cast<std::ptrdiff_t>(first) + 3, true));
}

}  // namespace

Assembly::Assembly(const Scene& scene, const std::string& name, std::filesystem::path folder,
                   const ImportOptions& options, Log& log)
    : scene_(scene),
      log_(log),
      builder_(name),
      authored_(authored_by(builder_)),
      meshes_(builder_, std::move(folder), options, log)
{
    Settings& settings = builder_.settings();
    settings.dt = scene.dt;
    settings.gravity = scene.gravity;
    settings.solver = "ipc";
}

Authored Assembly::read()
{
    // One material for all: the format has one friction and one restitution.
    authored_.materials.front().friction = scene_.friction;
    authored_.materials.front().restitution = scene_.restitution;
    authored_.materials.front().dimension = scene_.friction > 0 ? 3 : 1;
    for (const Body& body : scene_.bodies)
    {
        for (const auto& geometry : meshes_.find(body))
        {
            if (log_.is_cut_off()) return {};
            add_body(body, *geometry);
        }
    }
    authored_.settings.solver_parameters["ipc"] = scene_.solver;
    return std::move(authored_);
}

std::string Assembly::make_name(const std::string& name)
{
    const int count = ++names_[name];
    return count > 1 ? name + " " + std::to_string(count) : name;
}

void Assembly::add_body(const Body& body, const Geometry& geometry)
{
    const std::string name = make_name(body.name);
    blamed_.emplace("body '" + name + "'", body.location);
    BodyOptions options{.name = name, .position = body.position, .rotation = body.rotation};
    // What moves turns about its centre of mass: there the body's frame is.
    const Vec3 origin = body.motion == Motion::fixed ? Vec3{} : -geometry.mass.center;
    options.position -= rotate(body.rotation, origin);
    if (body.motion == Motion::fixed) options.kind = BodyKind::fixed;
    if (body.motion == Motion::kinematic) options.kind = BodyKind::kinematic;
    const bool free = body.motion == Motion::dynamic && count_fixed(body, 0) + count_fixed(body, 3) == 0;
    if (free)
    {
        options.linear_velocity = body.linear_velocity;
        options.angular_velocity = body.angular_velocity;
    }
    const Pose start{options.position, options.rotation};
    const BodyId id = builder_.add_body(options);
    add_shapes(body, geometry, id, origin);
    if (body.motion == Motion::kinematic) builder_.add_track(id, make_track(body, start));
    if (body.motion != Motion::dynamic) return;
    if (!free) return add_joints(body, id, name);
    const Vec3 f = body.force, t = body.torque;
    if (norm(f) + norm(t) == 0) return;
    const JointId joint = builder_.add_joint(id, {.name = name, .type = JointType::free});
    add_force(joint, name, {f.x, f.y, f.z, t.x, t.y, t.z});
}

void Assembly::add_shapes(const Body& body, const Geometry& geometry, BodyId id, const Vec3& origin)
{
    const auto [category, mask] = find_masks(body);
    for (const Part& part : geometry.parts)
    {
        ShapeOptions options{.name = make_name(body.name + " shape"),
                             .position = origin,
                             .density = body.density,
                             .category = category,
                             .mask = mask};
        blamed_.emplace("shape '" + options.name + "'", body.location);
        if (!part.heavy) options.mass = 0;
        // A point weighs as much as a cubic metre, as in the reference.
        if (part.heavy && std::holds_alternative<Points>(part.shape)) options.mass = body.density * geometry.mass.mass;
        builder_.add_shape(id, part.shape, options);
    }
}

void Assembly::add_joints(const Body& body, BodyId id, const std::string& name)
{
    const Quat back = conjugate(body.rotation);
    for (int i = 0; i < 3; ++i)
    {
        if (body.fixed[at(i)]) continue;
        const std::string joint_name = name + kAxes[at(i)];
        const JointId joint = builder_.add_joint(id, {.name = joint_name,
                                                      .type = JointType::slide,
                                                      .axis = rotate(back, make_axis(i)),
                                                      .initial_velocity = body.linear_velocity[i]});
        if (body.force[i] != 0) add_force(joint, joint_name, {body.force[i], 0, 0, 0, 0, 0});
    }
    add_rotation(body, id, name);
}

void Assembly::add_rotation(const Body& body, BodyId id, const std::string& name)
{
    const Quat back = conjugate(body.rotation);
    const Vec3 t = body.torque;
    if (count_fixed(body, 3) == 0)
    {
        const JointId joint = builder_.add_joint(id, {.name = name + " turn", .type = JointType::ball});
        const Vec3 rate = rotate(back, body.angular_velocity);
        authored_.joints.back().start_v = {rate.x, rate.y, rate.z};
        if (norm(t) != 0) add_force(joint, name + " turn", {t.x, t.y, t.z, 0, 0, 0});
    }
    // One hinge, or two: the first about an axis of the world, the second about one of the body, a universal joint.
    const bool is_universal = count_fixed(body, 3) == 1;
    for (int i = 0; i < 3 && count_fixed(body, 3) > 0; ++i)
    {
        if (body.fixed[at(3 + i)]) continue;
        const std::string joint_name = name + " turn" + (is_universal ? kAxes[at(i)] : "");
        const JointId joint = builder_.add_joint(id, {.name = joint_name,
                                                      .type = JointType::hinge,
                                                      .axis = rotate(back, make_axis(i)),
                                                      .initial_velocity = body.angular_velocity[i]});
        if (t[i] != 0 && !is_universal) add_force(joint, joint_name, {t[i], 0, 0, 0, 0, 0});
    }
    if (is_universal && norm(t) != 0) add_torque(id, name, t);
}

void Assembly::add_force(ActuatorTarget target, const std::string& name, const std::array<double, 6>& gear,
                         SiteId reference)
{
    // An actuator that nobody drives: its bias is one, so that the force is the gear.
    builder_.add_actuator(target, {.name = name + " force",
                                   .gear = gear,
                                   .gain = {0, 0, 0},
                                   .bias = {1, 0, 0},
                                   .in_parent = std::holds_alternative<JointId>(target),
                                   .reference = reference});
}

void Assembly::add_torque(BodyId id, const std::string& name, const Vec3& torque)
{
    // The second axis of a universal joint turns and the torque does not: it is told in the axes of a place at rest.
    const SiteId center = builder_.add_site(id, {.name = name + " center"});
    const SiteId rest = builder_.add_site(kWorld, {.name = name + " rest"});
    add_force(center, name + " turn", {0, 0, 0, torque.x, torque.y, torque.z}, rest);
}

Track Assembly::make_track(const Body& body, const Pose& start)
{
    const double last = body.kinematic_end >= 0 ? body.kinematic_end : kLongest * scene_.duration;
    Track track{.times = {0}, .poses = {start}};
    for (std::size_t i = 0; i < body.poses.size(); ++i)
    {
        const double time = scene_.dt * static_cast<double>(i + 1);
        if (time > last) return track;
        track.times.push_back(time);
        // Poses are absolute; a rotation is counted from the axes in which the scene places the mesh.
        track.poses.push_back({body.poses[i].position, normalized(body.poses[i].rotation * start.rotation)});
    }
    const double begin = track.times.back(), span = last - begin;
    const bool moves = norm(body.linear_velocity) + norm(body.angular_velocity) > 0;
    if (!moves || !(span > 0)) return track;
    const double knots = std::max(1.0, std::ceil(norm(body.angular_velocity) * span / kTurn));
    if (!(knots <= kMostKnots))
    {
        log_.fail(body.location, "the kinematic body turns absurdly often", "slower, or for a shorter time");
        return track;
    }
    const Pose from = track.poses.back();
    for (int k = 1; k <= static_cast<int>(knots); ++k)
    {
        const double time = span * k / knots;
        track.times.push_back(begin + time);
        track.poses.push_back({from.position + time * body.linear_velocity,
                               normalized(exponential(time * body.angular_velocity) * from.rotation)});
    }
    return track;
}

std::pair<std::uint32_t, std::uint32_t> Assembly::find_masks(const Body& body)
{
    constexpr std::uint32_t kAll = ~std::uint32_t{0};
    // Bodies that nothing moves never meet each other anyway.
    if (body.group < 0 || body.motion != Motion::dynamic) return {1, kAll};
    const auto [entry, is_new] = groups_.try_emplace(body.group, static_cast<int>(groups_.size()) + 1);
    if (is_new && entry->second > kGroups)
        log_.fail(body.location, "more than " + std::to_string(kGroups) + " groups", "", ErrorCode::limit);
    const std::uint32_t bit = std::uint32_t{1} << std::min(entry->second, kGroups);
    return {bit, ~bit};
}

void Assembly::add_builder_errors(const std::vector<Error>& errors)
{
    const bool first = log_.good();
    for (const Error& error : errors)
    {
        const auto found = blamed_.find(error.where);
        if (found == blamed_.end() && !first) continue;
        const SourceLocation place = found != blamed_.end() ? found->second : scene_.bodies.front().location;
        log_.fail(place, error.where + ": " + error.message, error.hint, error.code);
    }
}

}  // namespace rattleback::ripc
