// SVG in tenths of pixels: background, grid, shadows, then the patches of all shapes.
#include "lab/render/svg.h"

#include "base/index.h"
#include "base/text.h"
#include "lab/render/painter_order.h"
#include "lab/render/patches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace rattleback::lab
{

namespace
{

constexpr int kUnits = 10;  // per pixel
constexpr int kRows = 7;    // of the background at which its colour is taken

long to_units(double pixels) { return static_cast<long>(std::floor(keep_within(pixels, -1e5, 1e5) * kUnits + 0.5)); }

std::string to_hex(const Light& light)
{
    return fmt::format("#{:02x}{:02x}{:02x}", to_byte(light.x), to_byte(light.y), to_byte(light.z));
}

/// "M0 0l10 0 0 10z", steps relative to the last point: they are short.
std::string to_path(const std::vector<Point2>& outline)
{
    std::string path;
    long x = 0, y = 0;
    for (std::size_t i = 0; i < outline.size(); ++i)
    {
        const long nx = to_units(outline[i].x), ny = to_units(outline[i].y);
        if (i > 0 && nx == x && ny == y) continue;
        const char* before = i == 0 ? "M" : i == 1 ? "l" : " ";
        fmt::format_to(std::back_inserter(path), "{}{}{}{}", before, nx - x, ny - y < 0 ? "" : " ", ny - y);
        x = nx;
        y = ny;
    }
    return path + "z";
}

bool is_solid(const Instance& instance, const RecordedModel& model)
{
    if (instance.shape < 0) return true;
    const ShapeType type = model.shapes[at(instance.shape)].type;
    return type != ShapeType::mesh && type != ShapeType::surface && type != ShapeType::height_field;
}

class Drawer
{
public:
    Drawer(const DrawnScene& scene, const RecordedModel& model, const Camera& camera, const PictureOptions& options)
        : scene_(scene),
          model_(model),
          camera_(camera),
          options_(options),
          shader_(scene, camera, options, nullptr),
          to_sun_(find_sun(camera, options.up))
    {
        for (std::size_t i = 0; i < scene.planes.size(); ++i)
        {
            const ScenePlane& plane = scene.planes[i];
            const double facing = dot(plane.normal(), options.up);
            if (!(facing > 0.5 && dot(plane.normal(), camera.eye - plane.pose.position) > 0)) continue;
            ground_ = &plane;
            ground_index_ = i;
        }
    }

    std::string draw()
    {
        add_background();
        if (ground_ != nullptr)
        {
            add_grid();
            add_shadows();
        }
        std::vector<int> order = find_painter_order(scene_, camera_);
        std::ranges::stable_partition(order, [&](int i) { return !scene_.instances[at(i)].marker; });
        for (const int i : order)
        {
            const Instance& instance = scene_.instances[at(i)];
            for (const Patch& patch :
                 make_patches(scene_, instance, is_solid(instance, model_), camera_, shader_, options_.up))
                add(patch);
        }
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
            "stroke-width=\"5\" stroke-linejoin=\"round\">\n"
            "<title>{}</title>\n<defs>\n{}</defs>\n{}</svg>\n",
            camera_.width, camera_.height, camera_.width * kUnits, camera_.height * kUnits, escape_markup(model_.name),
            defs_, body_);
    }

private:
    template <class... Words>
    static void append(std::string& text, fmt::format_string<Words...> format, Words&&... words)
    {
        fmt::format_to(std::back_inserter(text), format, std::forward<Words>(words)...);
    }

    void add_stops(const std::vector<Light>& stops)
    {
        for (std::size_t i = 0; i < stops.size(); ++i)
        {
            append(defs_, "<stop offset=\"{:.2g}\" stop-color=\"{}\"/>",
                   stops.size() > 1 ? static_cast<double>(i) / static_cast<double>(stops.size() - 1) : 0.0,
                   to_hex(stops[i]));
        }
    }

    /// The colours of the middle column, without grid lines.
    void add_background()
    {
        std::vector<Light> stops;
        for (int i = 0; i < kRows; ++i)
        {
            const double y = camera_.height * static_cast<double>(i) / (kRows - 1);
            stops.push_back(ground_ != nullptr ? shader_.shade_open_ground(ground_index_, 0.5 * camera_.width, y)
                                               : shader_.find_background(camera_.ray(0.5 * camera_.width, y)));
        }
        defs_ += "<linearGradient id=\"b\" x2=\"0\" y2=\"1\">";
        add_stops(stops);
        defs_ += "</linearGradient>\n";
        append(body_, "<rect width=\"{}\" height=\"{}\" fill=\"url(#b)\"/>\n", camera_.width * kUnits,
               camera_.height * kUnits);
    }

    /// A line on the ground; nothing where it is behind the camera.
    void add_line(const Vec3& from, const Vec3& to, std::string& path) const
    {
        Vec3 a = camera_.to_view(from), b = camera_.to_view(to);
        const double near = 0.1 * options_.extent;
        if (a.z < near && b.z < near) return;
        if (a.z < near) a = b + (b.z - near) / (b.z - a.z) * (a - b);
        if (b.z < near) b = a + (a.z - near) / (a.z - b.z) * (b - a);
        append(path, "M{} {}L{} {}", to_units(camera_.to_x(a)), to_units(camera_.to_y(a)), to_units(camera_.to_x(b)),
               to_units(camera_.to_y(b)));
    }

    void add_grid()
    {
        constexpr int kLines = 25;  // to each side
        const double step = find_grid_step(options_.extent);
        const Pose& pose = ground_->pose;
        const Vec3 first = rotate(pose.rotation, Vec3{1, 0, 0}), second = rotate(pose.rotation, Vec3{0, 1, 0});
        const Vec3 focus = options_.focus - pose.position;
        const double u0 = std::floor(dot(first, focus) / step), v0 = std::floor(dot(second, focus) / step);
        std::string minor, major;
        for (int i = -kLines; i <= kLines; ++i)
        {
            const auto place = [&](double u, double v) { return pose.position + step * (u * first + v * second); };
            const auto is_major = [](double index) { return index == 5 * std::floor(index / 5); };
            add_line(place(u0 + i, v0 - kLines), place(u0 + i, v0 + kLines), is_major(u0 + i) ? major : minor);
            add_line(place(u0 - kLines, v0 + i), place(u0 + kLines, v0 + i), is_major(v0 + i) ? major : minor);
        }
        // The lines fade in an ellipse, the picture of a circle that lies on the ground.
        const Vec3 normal = ground_->normal();
        const Vec3 view = camera_.to_view(options_.focus - dot(focus, normal) * normal);
        const double radius = camera_.focal * 0.8 * kLines * step / std::max(view.z, camera_.near);
        append(defs_,
               "<radialGradient id=\"l\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1\" "
               "gradientTransform=\"translate({} {}) "
               "scale({} {})\"><stop stop-color=\"#5d6773\" stop-opacity=\".5\"/><stop offset=\"1\" "
               "stop-color=\"#5d6773\" stop-opacity=\"0\"/></radialGradient>\n",
               to_units(camera_.to_x(view)), to_units(camera_.to_y(view)), to_units(radius),
               to_units(radius * std::abs(dot(camera_.forward, normal))));
        append(body_, "<g fill=\"none\" stroke=\"url(#l)\"><path stroke-width=\"6\" d=\"{}\"/>", minor);
        append(body_, "<path stroke-width=\"13\" d=\"{}\"/></g>\n", major);
    }

    /// A point's place in the picture when it falls along the sun onto the ground; nothing behind the camera.
    std::optional<Point2> find_shadow(const Vec3& point) const
    {
        const Vec3 normal = ground_->normal();
        const double height = dot(normal, point - ground_->pose.position), slope = dot(normal, to_sun_);
        const Vec3 view = camera_.to_view(point - height * (height > 0 ? 1 / slope * to_sun_ : normal));
        if (!(view.z > camera_.near)) return std::nullopt;
        return Point2{camera_.to_x(view), camera_.to_y(view)};
    }

    /// The outline around the shadows of points.
    std::string draw_shadow(const std::vector<Vec3>& points) const
    {
        std::vector<Point2> fallen;
        for (const Vec3& point : points)
        {
            if (const std::optional<Point2> place = find_shadow(point)) fallen.push_back(*place);
        }
        const std::vector<Point2> outline = find_convex_outline(std::move(fallen));
        return outline.size() > 2 ? to_path(outline) : "";
    }

    /// Every shape's outline along the sun onto the ground; one path, so that overlaps are not darker.
    void add_shadows()
    {
        if (!(dot(ground_->normal(), to_sun_) > 0.1)) return;
        std::string path;
        for (const Instance& instance : scene_.instances)
        {
            if (instance.marker || instance.opacity < 0.5 || is_below(instance)) continue;
            if (is_solid(instance, model_))
            {
                std::vector<Vec3> points;
                for (std::size_t i = 0; i < instance.form.drawing->vertices.size(); ++i)
                    points.push_back(scene_.corners[instance.first_vertex + i].position);
                path += draw_shadow(points);
                continue;
            }
            for (std::size_t i = instance.first_triangle; i < instance.first_triangle + instance.triangle_count(); ++i)
            {
                const Vec3 &p = scene_.corner(i, 0).position, &q = scene_.corner(i, 1).position,
                           &r = scene_.corner(i, 2).position;
                const bool faces_sun = dot(cross(q - p, r - p), to_sun_) > 0;
                if (faces_sun || instance.form.drawing->two_sided) path += draw_shadow({p, q, r});
            }
        }
        append(body_, "<path fill=\"#39424f\" fill-opacity=\".36\" d=\"{}\"/>\n", path);
    }

    bool is_below(const Instance& instance) const
    {
        for (std::size_t i = 0; i < instance.form.drawing->vertices.size(); ++i)
        {
            const Vec3& corner = scene_.corners[instance.first_vertex + i].position;
            if (dot(ground_->normal(), corner - ground_->pose.position) > 0) return false;
        }
        return true;
    }

    void add(const Patch& patch)
    {
        std::string fill = to_hex(patch.stops[0]);
        if (patch.stops.size() > 1)
        {
            const int number = gradients_++;
            fill = fmt::format("url(#g{})", number);
            const long x = to_units(patch.from.x), y = to_units(patch.from.y), x2 = to_units(patch.to.x),
                       y2 = to_units(patch.to.y);
            if (patch.circles)
            {
                append(defs_,
                       "<radialGradient id=\"g{}\" gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{}\" r=\"{}\">",
                       number, x, y, to_units(find_distance(patch.from, patch.to)));
            }
            else
            {
                append(defs_,
                       "<linearGradient id=\"g{}\" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" "
                       "y2=\"{}\">",
                       number, x, y, x2, y2);
            }
            add_stops(patch.stops);
            defs_ += patch.circles ? "</radialGradient>\n" : "</linearGradient>\n";
        }
        append(body_, "<path fill=\"{}\"", fill);
        if (patch.joined && patch.opacity == 1) append(body_, " stroke=\"{}\"", fill);
        if (patch.opacity < 1) append(body_, " fill-opacity=\"{:.2g}\"", patch.opacity);
        append(body_, " d=\"{}\"/>\n", to_path(patch.outline));
    }

    const DrawnScene& scene_;
    const RecordedModel& model_;
    const Camera& camera_;
    const PictureOptions& options_;
    Shader shader_;
    Vec3 to_sun_;
    const ScenePlane* ground_ = nullptr;
    std::size_t ground_index_ = 0;
    std::string defs_, body_;
    int gradients_ = 0;
};

}  // namespace

std::string draw_svg(const DrawnScene& scene, const RecordedModel& model, const Camera& camera,
                     const PictureOptions& options)
{
    return Drawer(scene, model, camera, options).draw();
}

}  // namespace rattleback::lab
