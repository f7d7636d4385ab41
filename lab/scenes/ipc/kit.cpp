// Bodies, and what criteria measure.
#include "lab/scenes/ipc/kit.h"

#include "base/index.h"
#include "lab/scenes/parts.h"

#include <algorithm>
#include <cstdio>

namespace rattleback::lab
{

Kit::Kit(const char* name, const KitOptions& options) : builder_(name)
{
    Settings& settings = builder_.settings();
    settings.dt = options.dt;
    settings.gravity = options.gravity;
    settings.solver = "ipc";
    auto& parameters = settings.solver_parameters["ipc"];
    parameters["dhat"] = options.dhat;
    if (options.static_speed != KitOptions{}.static_speed) parameters["static_speed"] = options.static_speed;
    if (options.friction_lags != KitOptions{}.friction_lags) parameters["friction_lags"] = options.friction_lags;
    material_ =
        builder_.add_material({.name = "all", .friction = options.friction, .dimension = options.friction > 0 ? 3 : 1});
    // A floor of two triangles, as the reference has it: an infinite plane would hide edge contacts.
    if (options.ground > 0)
    {
        const double g = options.ground;
        const MeshId floor = builder_.add_mesh({.name = "floor",
                                                .vertices = {{-g, -g, 0}, {g, -g, 0}, {g, g, 0}, {-g, g, 0}},
                                                .triangles = {{0, 1, 2}, {0, 2, 3}}});
        builder_.add_shape(kWorld, Surface{floor}, {.name = "floor", .material = material_, .colour = kFloor});
    }
}

MeshId Kit::add_mesh(const char* name, MeshOptions mesh)
{
    mesh.name = name;
    return builder_.add_mesh(std::move(mesh));
}

BodyId Kit::add_body(const std::string& name, const SolidOptions& options)
{
    const bool moves = options.kind == BodyKind::dynamic;
    return builder_.add_body({.name = name,
                              .position = options.position,
                              .rotation = options.rotation,
                              .kind = options.kind,
                              .gravity_compensation = options.weightless,
                              .linear_velocity = moves ? options.linear_velocity : Vec3{},
                              .angular_velocity = moves ? options.angular_velocity : Vec3{}});
}

void Kit::add_shape(BodyId body, const Shape& shape, const Vec3& position, const Quat& rotation, double density)
{
    builder_.add_shape(body, shape,
                       {.position = position,
                        .rotation = rotation,
                        .material = material_,
                        .density = density,
                        .colour = colour_of(body.index)});
}

BodyId Kit::add_solid(const std::string& name, MeshId mesh, const SolidOptions& options)
{
    const BodyId body = add_body(name, options);
    add_shape(body, Mesh{mesh, MeshCollide::exact, MeshMass::exact}, {}, {}, options.density);
    return body;
}

BodyId Kit::add_solid(const std::string& name, MeshOptions mesh, const SolidOptions& options)
{
    return add_solid(name, add_mesh(name.c_str(), std::move(mesh)), options);
}

BodyId Kit::add_box(const std::string& name, const Vec3& half_extents, const SolidOptions& options)
{
    const BodyId body = add_body(name, options);
    add_shape(body, Box{half_extents}, {}, {}, options.density);
    return body;
}

void Kit::add_part(BodyId body, MeshOptions mesh, const Vec3& position, double density)
{
    const std::string name = "part " + std::to_string(++parts_);
    add_shape(body, Mesh{add_mesh(name.c_str(), std::move(mesh)), MeshCollide::exact, MeshMass::exact}, position, {},
              density);
}

void Kit::add_turning(BodyId body, const Pose& start, const Vec3& axis, const std::function<double(double)>& angle,
                      double duration, double every)
{
    Track track;
    const int knots = static_cast<int>(std::ceil(duration / every));
    for (int k = 0; k <= knots; ++k)
    {
        track.times.push_back(every * k);
        track.poses.push_back({start.position, from_axis_angle(axis, angle(every * k)) * start.rotation});
    }
    builder_.add_track(body, track);
}

double find_ipc_parameter(const Model& model, std::string_view name, double otherwise)
{
    const auto parameters = model.settings.solver_parameters.find("ipc");
    if (parameters == model.settings.solver_parameters.end()) return otherwise;
    const auto found = parameters->second.find(std::string(name));
    return found == parameters->second.end() ? otherwise : std::get<double>(found->second);
}

std::size_t IpcRun::body(std::string_view name) const
{
    const std::optional<BodyId> found = model->find_body(name);
    RB_CHECK(found.has_value(), "a criterion names a body that is not there");
    return at(found->index);
}

double IpcRun::least_distance() const
{
    double least = std::numeric_limits<double>::infinity();
    for (const IpcFrame& frame : frames) least = std::min(least, frame.least_distance);
    return least;
}

std::size_t find_first_shape(const Model& model, std::size_t body)
{
    const std::vector<int>& owner = model.shapes.body;
    const auto found = std::find(owner.begin(), owner.end(), static_cast<int>(body));
    RB_CHECK(found != owner.end(), "a criterion asks for the shape of a body that has none");
    return static_cast<std::size_t>(found - owner.begin());
}

bool all_converged(const IpcRun& run)
{
    return std::all_of(run.frames.begin(), run.frames.end(), [](const IpcFrame& frame) { return frame.converged; });
}

IpcVerdict judge_every_step(const IpcRun& run)
{
    return make_verdict(all_converged(run), "steps, of which every one should converge",
                        static_cast<double>(run.frames.size() - 1), "");
}

double find_energy_gain(const IpcRun& run)
{
    // What lies within the barrier's reach may be raised out of it by what the barrier has stored.
    double weight = 0;
    for (std::size_t b = 1; b < run.start().pose.size(); ++b)
        if (run.model->bodies.kind[b] == BodyKind::dynamic) weight += run.model->bodies.mass[b];
    weight *= norm(run.model->settings.gravity);
    const double lent = weight * find_ipc_parameter(*run.model, "dhat");
    double lowest = run.start().energy, gain = 0;
    for (const IpcFrame& frame : run.frames)
    {
        lowest = std::min(lowest, frame.energy);
        gain = std::max(gain, frame.energy - lowest);
    }
    return std::max(0.0, gain - lent) / std::max(run.start().energy - lowest, 1e-12);
}

double speed_of(const IpcFrame& frame, std::size_t body) { return norm(frame.speed[body].linear); }

std::vector<double> find_turns(const IpcRun& run, std::size_t body, const Vec3& axis)
{
    std::vector<double> turns;
    double angle = 0;
    Quat before = run.start().pose[body].rotation;
    for (const IpcFrame& frame : run.frames)
    {
        const Quat step = frame.pose[body].rotation * conjugate(before);
        const double along = dot(axis, Vec3{step.x, step.y, step.z});
        angle += 2 * std::atan2(step.w < 0 ? -along : along, std::abs(step.w));
        before = frame.pose[body].rotation;
        turns.push_back(angle);
    }
    return turns;
}

double find_largest_offset(const IpcRun& run, std::size_t body, const Vec3& point, const AxisOf& axis)
{
    double largest = 0;
    for (const IpcFrame& frame : run.frames)
    {
        const Pose &of = frame.pose[body], &by = frame.pose[axis.body];
        const Vec3 world = of.position + rotate(of.rotation, point);
        const Vec3 local = rotate(conjugate(by.rotation), world - by.position) - axis.point;
        largest = std::max(largest, norm(local - dot(local, axis.direction) * axis.direction));
    }
    return largest;
}

IpcVerdict make_verdict(bool passed, const char* what, double value, const char* unit)
{
    char text[160];
    std::snprintf(text, sizeof text, "%s %.4g%s%s", what, value, unit[0] == '\0' ? "" : " ", unit);
    return {passed, text};
}

IpcVerdict operator&&(const IpcVerdict& a, const IpcVerdict& b)
{
    return {a.passed && b.passed, a.text + "; " + b.text};
}

}  // namespace rattleback::lab
