// Shapes at their places, then all corners into the world.
#include "lab/render/scene.h"

#include "base/index.h"
#include "geometry/bounds.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr int kPlainLevel = 1;  // of dots, lines and markers
constexpr int kFirstHiddenGroup = 3;
constexpr double kSkyTexels = 256;  // of a map of the sky across the scene

/// Columns x, y, z with z along `direction` (not zero).
Mat3 make_frame_along(const Vec3& direction)
{
    const Vec3 z = 1 / norm(direction) * direction;
    const Vec3 helper = std::abs(z.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(z, helper);
    const Vec3 x = 1 / norm(across) * across, y = cross(z, x);
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

double find_radius(const RecordedModel& model, const RecordedShape& shape)
{
    const bool field = shape.type == ShapeType::height_field;
    const MeshOptions* mesh = shape.asset >= 0 && !field ? &model.meshes[at(shape.asset)] : nullptr;
    return compute_bounding_radius(shape.type, shape.size, mesh,
                                   field ? &model.height_fields[at(shape.asset)] : nullptr);
}

/// Round shapes are as fine as their largest circle needs.
double find_roundness(const RecordedShape& shape)
{
    if (shape.type == ShapeType::ellipsoid) return std::max({shape.size.x, shape.size.y, shape.size.z});
    return shape.size.x;
}

void place_corners(const Instance& instance, DrawnCorner* out)
{
    const Drawing& drawing = *instance.form.drawing;
    for (std::size_t i = 0; i < drawing.vertices.size(); ++i)
    {
        const Vec3 normal = instance.rotation * instance.form.to_local_normal(drawing.normals[i]);
        const double length = norm(normal);
        out[i] = {instance.position + instance.rotation * instance.form.to_local(drawing.vertices[i]),
                  length > 0 ? 1 / length * normal : Vec3{}};
    }
}

/// Numbers the corners and triangles, and moves the corners to their places.
void place_instances(DrawnScene& scene, ThreadPool& pool)
{
    std::size_t vertices = 0, triangles = 0;
    for (Instance& instance : scene.instances)
    {
        instance.first_vertex = vertices;
        instance.first_triangle = triangles;
        vertices += instance.form.drawing->vertices.size();
        triangles += instance.triangle_count();
    }
    scene.corners.resize(vertices);
    scene.instance_of.resize(triangles);
    pool.run(static_cast<int>(scene.instances.size()),
             [&](int i, int)
             {
                 const Instance& instance = scene.instances[at(i)];
                 place_corners(instance, scene.corners.data() + instance.first_vertex);
                 std::fill_n(scene.instance_of.begin() + static_cast<std::ptrdiff_t>(instance.first_triangle),
                             instance.triangle_count(), static_cast<std::uint32_t>(i));
             });
}

void find_ball(DrawnScene& scene)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3 low{kInfinity, kInfinity, kInfinity}, high = -low;
    for (const Instance& instance : scene.instances)
    {
        if (instance.marker) continue;
        for (std::size_t i = 0; i < instance.form.drawing->vertices.size(); ++i)
        {
            const Vec3& p = scene.corners[instance.first_vertex + i].position;
            for (int k = 0; k < 3; ++k)
            {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        }
    }
    if (!(low.x <= high.x)) return;
    scene.middle = 0.5 * (low + high);
    scene.radius = 0.5 * norm(high - low);
}

}  // namespace

std::vector<bool> find_drawn(const RecordedModel& model, bool every_group)
{
    const bool all = every_group || std::ranges::all_of(model.shapes, [](const RecordedShape& shape)
                                                        { return shape.group >= kFirstHiddenGroup; });
    std::vector<bool> drawn;
    for (const RecordedShape& shape : model.shapes)
        drawn.push_back((all || shape.group < kFirstHiddenGroup) && shape.colour[3] > 0);
    return drawn;
}

SceneMaker::SceneMaker(const RecordedModel& model, const SceneOptions& options)
    : model_(model), options_(options), forms_(model), drawn_(find_drawn(model, options.every_group))
{
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
    {
        const SurfaceLook* look = options.looks != nullptr ? &options.looks->of_shape(static_cast<int>(i)) : nullptr;
        const bool own = look != nullptr && look->given;
        colour_.push_back(own ? to_light(look->colour) : lab::find_colour(model.shapes[i]));
        radius_.push_back(find_radius(model, model.shapes[i]));
    }
}

DrawnScene SceneMaker::make(const Moment& moment, const Camera& camera, ThreadPool& pool)
{
    DrawnScene scene;
    scene.looks = options_.looks;
    if (options_.looks != nullptr) scene.lamps = place_lights(model_, moment.pose, camera);
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
    {
        const RecordedShape& shape = model_.shapes[i];
        if (!drawn_[i]) continue;
        Pose local = shape.pose;
        const double length = norm(local.rotation);
        local.rotation = length > 0 ? normalized(local.rotation) : Quat{};
        add_shape(shape, static_cast<int>(i), moment.pose[at(shape.body)] * local, camera, scene);
    }
    add_tendons(moment.tendon_points, scene);
    for (const RecordedContact& contact : moment.contacts) add_contact(contact, scene);
    std::erase_if(scene.instances, [](const Instance& instance) { return instance.form.drawing->vertices.empty(); });
    place_instances(scene, pool);
    find_ball(scene);
    return scene;
}

void SceneMaker::add_shape(const RecordedShape& shape, int index, const Pose& pose, const Camera& camera,
                           DrawnScene& scene)
{
    const Light colour = colour_[at(index)];
    if (shape.type == ShapeType::plane)
    {
        scene.planes.push_back({pose, colour, index});
        return;
    }
    Instance instance{.rotation = to_matrix(pose.rotation),
                      .position = pose.position,
                      .colour = colour,
                      .opacity = std::min(1.0, static_cast<double>(shape.colour[3])),
                      .shape = index,
                      .round = shape.type == ShapeType::sphere || shape.type == ShapeType::ellipsoid ||
                               shape.type == ShapeType::capsule};
    if (shape.type == ShapeType::points || shape.type == ShapeType::segments)
    {
        add_dots_and_lines(shape, pose, instance, scene);
        return;
    }
    const double depth = std::max(camera.to_view(pose.position).z - radius_[at(index)], camera.near);
    // Vertices of meshes may move by half a pixel in the picture, and by a texel or so in maps of the sky.
    const double diameter = camera.focal * 2 * radius_[at(index)] / depth;  // [pixels]
    instance.form = forms_.find(shape, find_level(camera.focal * find_roundness(shape) / depth), 2 * diameter);
    instance.coarse = forms_.find(shape, 0, kSkyTexels * radius_[at(index)] / options_.extent);
    scene.instances.push_back(instance);
}

void SceneMaker::add_thread(const Vec3& from, const Vec3& to, double radius, const Instance& like, DrawnScene& scene)
{
    const Vec3 along = to - from;
    const double length = norm(along);
    if (!(length > 0)) return;
    Instance thread = like;
    thread.form = forms_.find_cylinder(kPlainLevel);
    thread.form.scale = {radius, radius, 0.5 * length};
    thread.coarse = thread.form;
    thread.rotation = make_frame_along(along);
    thread.position = 0.5 * (from + to);
    scene.instances.push_back(thread);
}

void SceneMaker::add_dots_and_lines(const RecordedShape& shape, const Pose& pose, const Instance& like,
                                    DrawnScene& scene)
{
    const MeshOptions& mesh = model_.meshes[at(shape.asset)];
    const double radius = 0.006 * options_.extent;
    const auto place = [&](int vertex) { return pose.position + rotate(pose.rotation, mesh.vertices[at(vertex)]); };
    if (shape.type == ShapeType::segments)
    {
        for (const auto& [from, to] : mesh.edges) add_thread(place(from), place(to), radius, like, scene);
        return;
    }
    Instance dot = like;
    dot.form = forms_.find_sphere(kPlainLevel);
    dot.form.scale = 1.5 * radius * Vec3{1, 1, 1};
    dot.coarse = dot.form;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    {
        dot.position = place(static_cast<int>(i));
        scene.instances.push_back(dot);
    }
}

void SceneMaker::add_contact(const RecordedContact& contact, DrawnScene& scene)
{
    constexpr double kLongest = 2;  // arrows of rare larger forces are cut at twice the largest common one
    const double size = 0.012 * options_.extent;
    Instance marker{.form = forms_.find_sphere(kPlainLevel),
                    .rotation = to_matrix(Quat{}),
                    .position = contact.point,
                    .colour = from_hex(0xF0B400),
                    .marker = true};
    marker.form.scale = size * Vec3{1, 1, 1};
    scene.instances.push_back(marker);
    const double force = norm(contact.force.force);
    if (!(options_.largest_force > 0) || !(force > 0) || !std::isfinite(force)) return;
    const double length = options_.extent / 3 * std::min(force / options_.largest_force, kLongest);
    const Vec3 direction = 1 / force * contact.force.force;
    const double head = std::min(3.5 * size, length);
    marker.colour = from_hex(0xC2185B);
    add_thread(contact.point, contact.point + (length - head) * direction, 0.45 * size, marker, scene);
    marker.form = forms_.find_cone();
    marker.form.scale = {1.2 * size, 1.2 * size, head};
    marker.rotation = make_frame_along(direction);
    marker.position = contact.point + (length - head) * direction;
    scene.instances.push_back(marker);
}

void SceneMaker::add_tendons(const std::vector<RecordedTendonPoint>& points, DrawnScene& scene)
{
    const Instance like{.rotation = to_matrix(Quat{}), .position = {}, .colour = from_hex(0xB5483A)};
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        if (points[i].begins == 0)
            add_thread(points[i - 1].point, points[i].point, 0.006 * options_.extent, like, scene);
    }
}

}  // namespace rattleback::lab
